package hooks

import (
	"errors"
	"path/filepath"
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/pagecache"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/scope"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Behaviour is evolution, for the list in package builtinhooks.
func Behaviour() behaviour.Behaviour {
	const priority = 100
	files := "^(Shell|EditFile|WriteFile)$"
	return behaviour.Behaviour{
		Name:     "evolution",
		Purpose:  "learns from failures, and offers what helped when they come back",
		Settings: evolution.Settings,
		Keys:     evolution.Keys,
		Markers:  []string{".agents/.evolution-disable"},
		Hooks: []behaviour.Hook{
			{Name: "evolution-start", Trigger: protocol.PreSession, Timeout: 2 * time.Second, Priority: priority, Run: placed(home(start)),
				Description: "Begins the journal of a session, fetches what is shared, and names proven genes."},
			{Name: "evolution-prompt", Trigger: protocol.PreAgentTurn, Timeout: time.Second, Priority: priority, Run: placed(atPrompt),
				Description: "Names what was proven here, where a prompt is about such a command."},
			{Name: "evolution-stuck", Trigger: protocol.PreToolCall, Tool: "^Shell$", Timeout: 3 * time.Second, Priority: priority, Run: placed(stuck),
				Description: "Offers a strategy when a command is about to run into the same failure again."},
			{Name: "evolution-web-load", Trigger: protocol.PreToolCall, Tool: "^Fetch$", Timeout: time.Second, Priority: priority, Run: webLoad,
				Description: "Answers a fetch with the page that is kept, if web_load is on."},
			{Name: "evolution-journal", Trigger: protocol.PostToolCall, Tool: files, Timeout: 3 * time.Second, Priority: priority, Run: placed(note),
				Description: "Notes in the session's journal what was done and what failed, and offers a strategy for what failed again."},
			{Name: "evolution-web-save", Trigger: protocol.PostToolCall, Tool: "^(Fetch|WebSearch)$", Timeout: 8 * time.Second, Async: true, Priority: priority, Run: webSave,
				Description: "Keeps fetched public pages on this machine."},
			{Name: "evolution-failure", Trigger: protocol.PostToolCallFailure, Tool: files, Timeout: 3 * time.Second, Priority: priority, Run: placed(noteFailure),
				Description: "Notes in the session's journal what a failed call tells, and offers a strategy for what failed again."},
			{Name: "evolution-subagent", Trigger: protocol.PreSubagent, Timeout: time.Second, Priority: priority, Run: placed(subagent),
				Description: "Tells a subagent what failed so far, and which strategies there are."},
			{Name: "evolution-review", Trigger: protocol.PreAgentTurnStop, Timeout: time.Second, Priority: priority, Run: placed(review),
				Description: "Asks the agent to look back at what failed and what helped."},
			{Name: "evolution-push", Trigger: protocol.PostSession, Timeout: 5 * time.Second, Priority: priority, Run: placed(home(push)),
				Description: "Records what became of suggestions, and shares it if there is a key."},
		},
	}
}

// placed runs a hook only if it is known which project it is about.
func placed(run func(*behaviour.Call) error) func(*behaviour.Call) error {
	return func(c *behaviour.Call) error {
		if !filepath.IsAbs(c.Project()) {
			return nil
		}
		return run(c)
	}
}

// home runs a hook in the project that the session began in: what became of a session is not
// that of a project where its agent happens to be at the end.
func home(run func(*behaviour.Call) error) func(*behaviour.Call) error {
	return func(c *behaviour.Call) error {
		return errors.Join(c.Home(func() string { return "" }), run(c))
	}
}

func journalOf(c *behaviour.Call) journal.File {
	return journal.Of(evolution.Dir(c.Runtime.Data), c.Session())
}

func scopeOf(c *behaviour.Call) string { return scope.Of(c.Project(), c.Settings.Of("scope").Text) }

func accountOf(c *behaviour.Call) evolution.Account {
	return evolution.AccountOf(c.Settings, c.Runtime.Home)
}

func langOf(c *behaviour.Call) locale.Language {
	return locale.Of(c.Settings.Of("language").Text, c.Getenv)
}

func cacheOf(c *behaviour.Call) pagecache.Cache {
	return pagecache.Cache{
		Dir: pagecache.Dir(c.Runtime.Cache), TTL: time.Duration(c.Settings.Of("web_cache_hours").Int) * time.Hour,
		Size: int64(c.Settings.Of("web_cache_mb").Int) << 20,
	}
}

// ask runs a command of evolution and reads its output.
func ask(c *behaviour.Call, stdin []byte, verb string, args ...string) (protocol.Object, error) {
	all := append([]string{"evolution", verb}, args...)
	all = append(all, "--dir", c.Project(), "--scope", scopeOf(c), "--json")
	out, err := c.Runtime.Tool(c.Ctx, c.Project(), c.Env, stdin, all...)
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return protocol.ParseObject(out)
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

func integer(raw protocol.Raw) int {
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return 0
	}
	return int(n)
}
