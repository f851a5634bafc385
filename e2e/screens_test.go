//go:build e2e && unix

package e2e

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/e2e/model"
	"github.com/agents-hooks/agents-hooks/e2e/terminal"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// drawLimit bounds the wait for a screen that should be there any moment.
const drawLimit = 2 * time.Minute

// A person presses two keys no faster than this, and Enter again if for so long
// nothing comes of it.
const (
	fastest = 100 * time.Millisecond
	again   = 5 * time.Second
)

// TestScreens plays every scene in the terminal interface of every agent that has
// a recipe for it, reads what its person would read, and holds the screen to the
// golden one in testdata/screens. AGENTS_HOOKS_UPDATE=1 writes those.
func TestScreens(t *testing.T) {
	if bench.Missing != "" {
		missing(t, bench.Missing)
	}
	agents, err := chosenAgents()
	must.Do(t, err)
	for _, a := range agents {
		if a.Screen == nil {
			continue
		}
		t.Run(a.Column(), func(t *testing.T) {
			t.Parallel()
			in := bench.Agents[a.ID]
			if in.Why != "" {
				missing(t, in.Why)
			}
			for i, s := range scenes() {
				if testing.Short() && !turn(a, i) {
					continue
				}
				t.Run(s.Name, func(t *testing.T) { s.play(t, golden{a, in, s, i + 1}) })
			}
		})
	}
}

// play lays out a machine, lets a person give one prompt, and reads the screen.
func (s Scene) play(t *testing.T, g golden) {
	a := g.agent
	if why := a.Screen.Never[s.Name]; why != "" {
		t.Skip("never: " + why)
	}
	dir, err := folder()
	must.Do(t, err)
	t.Cleanup(func() { discard(t, dir) })
	l := newLabIn(t, bench, a, dir)
	a.Screen.Prepare(l)
	s.Lay(l)
	l.install()
	if s.After != nil {
		s.After(l)
	}
	l.Model.Begin(s.Script(l))
	term := l.sit()
	s.give(l, term)

	if slices.Contains(a.Screen.Next, s.Name) {
		if !term.Until(drawLimit, func(screen string) bool {
			return strings.Contains(read(screen), s.Done) && l.events("post-agent-turn") > 0
		}) {
			t.Fatalf("the first prompt is not answered:\n%s", term.Screen())
		}
		s.Prompt = nextPrompt
		s.give(l, term)
	}

	why, cannot := a.Screen.Cannot[s.Name]
	if s.Starts != nil {
		if !l.eventually(func() bool { return s.Starts(l) }) {
			t.Fatalf("it does not begin:\n%s", term.Screen())
		}
		s.Shows = append(s.Shows, a.Screen.Running)
	}
	also := a.Screen.Also[s.Name]
	if also != "" {
		s.Shows = append(s.Shows, also)
	}
	seen := func(screen string) bool {
		screen = read(screen)
		if s.Done != "" && !strings.Contains(screen, s.Done) {
			return false
		}
		return cannot && strings.Contains(screen, also) || s.unseen(screen) == ""
	}
	if !term.Until(drawLimit, seen) {
		t.Fatalf("the person does not see %q:\n%s\n%s", s.unseen(read(term.Screen())), term.Screen(), l.story(l.Model.Turns()))
	}
	g.hold(t, term)
	if s.Holds != nil {
		s.Holds(l)
	}
	if cannot && s.unseen(read(term.Screen())) == "" {
		t.Errorf("the person sees all of it, though the recipe says that it cannot be: %s", why)
	}
}

// give types the prompt and sends it. An Enter that comes close behind the text is
// taken for a line that was pasted with it, so it is pressed until the prompt is on
// its way, which the run log tells, or the model.
func (s Scene) give(l *Lab, term *terminal.Terminal) {
	l.t.Helper()
	term.Type(s.Prompt)
	if !term.Until(drawLimit, func(screen string) bool { return strings.Contains(read(screen), s.Prompt) }) {
		l.t.Fatalf("what is typed does not come up:\n%s", term.Screen())
	}
	sent := cmp.Or(l.Agent.Screen.Sent, "pre-agent-turn")
	given := l.events(sent)
	for begun := time.Now(); time.Since(begun) < drawLimit; {
		time.Sleep(fastest)
		term.Type("\r")
		for pressed := time.Now(); time.Since(pressed) < again; time.Sleep(fastest) {
			if l.events(sent) > given {
				return
			}
		}
	}
	l.t.Fatalf("the prompt is not sent:\n%s", term.Screen())
}

// events is how often the run log has an event.
func (l *Lab) events(event string) (n int) {
	if event == asked {
		return len(l.Model.Turns())
	}
	logs, _ := filepath.Glob(filepath.Join(l.Home, ".local/state/agents-hooks/log/*.jsonl"))
	for _, name := range logs {
		data, _ := os.ReadFile(name)
		n += strings.Count(string(data), `"event": "`+event+`"`)
	}
	return n
}

// unseen is the first text that should be on a screen and is not, or stands there
// though it should not.
func (s Scene) unseen(screen string) string {
	for _, text := range s.Shows {
		if !strings.Contains(screen, text) {
			return text
		}
	}
	for _, text := range s.Hides {
		if strings.Contains(screen, text) {
			return "no " + text
		}
	}
	return ""
}

// A golden is a screen as it has to be.
type golden struct {
	agent  *Agent
	in     Installed
	scene  Scene
	number int // of the scene, from 1
}

// file is where it is kept.
func (g golden) file() string {
	return filepath.Join("testdata", "screens", g.agent.ID, fmt.Sprintf("%02d-%s.txt", g.number, strings.ReplaceAll(g.scene.Name, " ", "-")))
}

// text is a screen with what is said of it.
func (g golden) text(screen string) string {
	seen := "seen"
	if why := g.agent.Screen.Cannot[g.scene.Name]; why != "" {
		seen = "not seen: " + why
	} else if how := g.agent.Screen.But[g.scene.Name]; how != "" {
		seen = "seen: " + how
	}
	return fmt.Sprintf("%s %s\n%s\n%s\n\n%s\n", g.agent.ID, g.in.Version, g.scene.Name, seen, g.agent.Screen.masked(screen))
}

// hold waits until the screen is the golden one. Of another version than the
// recipe's only what the person has to see is asked for.
func (g golden) hold(t *testing.T, term *terminal.Terminal) {
	t.Helper()
	if g.in.Version != g.agent.Version {
		return
	}
	name := g.file()
	if os.Getenv("AGENTS_HOOKS_UPDATE") == "1" {
		text := g.settled(term)
		must.Write(t, name, text)
		t.Logf("%s", text)
		return
	}
	want, err := os.ReadFile(name)
	must.Do(t, err)
	if !term.Until(drawLimit, func(screen string) bool { return g.text(screen) == string(want) }) {
		t.Errorf("the screen differs from %s:\n%s\nwant:\n%s", name, g.text(term.Screen()), want)
	}
}

// settled is the text of the screen once that does not change any more: only who
// writes golden screens waits for time.
func (g golden) settled(term *terminal.Terminal) string {
	last := g.text(term.Screen())
	for range 10 {
		if !term.Until(time.Second, func(screen string) bool { return g.text(screen) != last }) {
			break
		}
		last = g.text(term.Screen())
	}
	return last
}

// commandThen is a script of one command and a last word.
func commandThen(l *Lab, command, word string) model.Script {
	return model.Play(calls(l.Agent.Shell(command)), says(word))
}
