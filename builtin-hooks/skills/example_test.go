package skills_test

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
)

// A message of a program's own.
type message struct{ Role, Content string }

func newMessage(m skills.Message) *message { return &message{string(m.Role), m.Content} }

// A prompt is seen by the planning call and by no other.
func ExampleManager() {
	messages := []*message{{"user", "Why does the build fail?"}}
	hooks := []skills.Hook{{Skill: "careful", Name: "small-plan", Timing: skills.BeforePlanning, Role: skills.System, Content: "Plan the smallest thing."}}
	call := func(what string) {
		fmt.Print(what, ":")
		for _, m := range messages {
			fmt.Printf(" [%s] %s", m.Role, m.Content)
		}
		fmt.Println()
	}

	m := skills.NewManager(&messages, hooks, newMessage)
	defer m.Close()
	m.Inject(skills.BeforePlanning)
	plan := m.InjectPrompt("Plan first.", skills.System)
	call("planning")
	m.RemovePrompt(plan)
	m.Remove(skills.BeforePlanning)
	call("round 1")

	// Output:
	// planning: [user] Why does the build fail? [system] Plan the smallest thing. [system] Plan first.
	// round 1: [user] Why does the build fail?
}
