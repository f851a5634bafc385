//go:build unix

package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/e2e/existing"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// A verdict is what one cell of the page says: a mark, and why it is not a plain one.
type verdict struct{ mark, why string }

const (
	same    = "●" // the same effect
	partly  = "◐" // a part of it, or another one
	silent  = "○" // nothing came of it
	cannot  = "–" // as much of it as the agent can
	differs = "✗" // we do not carry it
)

// plainVerdict compares what came of a hook with what it did in its own agent.
func plainVerdict(want, got existing.Effect) verdict {
	told := slices.DeleteFunc(slices.Clone(got), func(word string) bool { // its person may be told more
		return word == "shown" && !slices.Contains(want, word)
	})
	switch {
	case slices.Equal(want, told):
		return verdict{mark: same}
	case len(got) == 0:
		return verdict{mark: silent}
	}
	return verdict{mark: partly}
}

// unknown are hooks that ask for what an agent does not tell.
var unknown = map[string]map[string]string{
	"completion-promise": {
		"cursor":    "its stop does not tell what the model said last",
		"kimi-code": "its stop does not tell what the model said last",
	},
	"mcp-readonly":    {"cursor": "it does not say which server a tool of MCP is of"},
	"session-context": {"cursor": "it does not say whether a session is a new one"},
	"redact-output":   {"cursor": "it replaces what tools of MCP said, and no others'"},
	"prompt-guard":    {"qwen-code": "a prompt that is kept from its model is dropped without the reason"},
	"permission-deny": {
		"kimi-code": "it does not wait for a hook when it asks its person",
		"opencode":  "a permission is refused without a reason",
	},
	"permission-allow": {
		"kimi-code": "it does not wait for a hook when it asks its person",
	},
	"stop-transcript": everywhereElse("its transcript has a form of its own"),
}

func everywhereElse(why string) map[string]string {
	m := map[string]string{}
	for _, id := range existingAgents[1:] {
		m[id] = why
	}
	return m
}

// needed is what an agent has to be able to for a word of an effect.
var needed = map[string]struct {
	can protocol.Can
	why string
}{
	"blocked":  {protocol.CanBlock, "it cannot be kept from that"},
	"asked":    {protocol.CanAsk, "it cannot be made to ask, and the call does not happen"},
	"allowed":  {protocol.CanAllow, "it takes no permission from a hook there"},
	"changed":  {protocol.CanModify, "it takes no changed input"},
	"replaced": {protocol.CanOutput, "what a tool said cannot be replaced; the model is told not to use it"},
	"goes-on":  {protocol.CanContinue, "it cannot be made to go on there"},
	"told":     {protocol.CanContext, "there is no place for a text for the model"},
	"shown":    {protocol.CanMessage, "there is no place for a text for the person"},
}

// ends are the agents whose turn a hook can end with what it says after a call.
var ends = []string{"claude-code", "gemini-cli"}

// dialectVerdict is plainVerdict of a hook that names its dialect: where something is
// missing, what the agent cannot is an excuse, and nothing else.
func dialectVerdict(h existing.Hook, d *protocol.Dialect, want, got existing.Effect) verdict {
	if slices.Equal(want, got) {
		return verdict{mark: same}
	}
	if why := unknown[h.Name][d.ID]; why != "" {
		return verdict{cannot, why}
	}
	n, _ := d.Native(strings.TrimPrefix(sendings[d.ID][kindOf(h, h.Hit)].native, "event."))
	can := n.CanOf(protocol.EventType(h.Trigger()))
	var whys []string
	for _, word := range want {
		if slices.Contains(got, word) {
			continue
		}
		why := ""
		need := needed[word]
		switch {
		case word == "env" && d.TakesEnv == nil:
			why = "it takes no variables from a hook"
		case word == "ended" && !slices.Contains(ends, d.ID):
			why = "a hook cannot end its turn; the person is told"
		case word == "shown" && d.TellsLater() && (d.Speaks != nil || !can.Has(protocol.CanMessage)):
			why = "its person is told with the next prompt or at the next stop"
		case word == "told" && (slices.Contains(want, "blocked") || slices.Contains(want, "goes-on")) && !slices.Contains(got, "blocked") && !slices.Contains(got, "goes-on"):
			continue // that is what has to be explained
		case word == "goes-on" && !can.Has(protocol.CanBlock) && !can.Has(protocol.CanContinue),
			word == "told" && !can.Has(protocol.CanContext) && !can.Has(protocol.CanBlock),
			word == "told" && slices.Contains(want, "replaced") && !can.Has(protocol.CanOutput),
			word != "told" && word != "goes-on" && need.can != 0 && !can.Has(need.can):
			why = need.why
		}
		if why == "" {
			return verdict{differs, fmt.Sprintf("want %v, came %v", want, got)}
		}
		whys = append(whys, why)
	}
	for _, word := range got {
		if !slices.Contains(want, word) && len(whys) == 0 && word != "shown" {
			return verdict{differs, fmt.Sprintf("want %v, came %v", want, got)}
		}
	}
	if len(whys) == 0 {
		return verdict{mark: same} // and its person is told more
	}
	return verdict{cannot, strings.Join(slices.Compact(whys), "; ")}
}

// existingPage writes docs/existing-hooks.md, or says where it differs.
func existingPage(t *testing.T, hooks []existing.Hook, recorded map[string]existing.Effects, stored map[string]map[string]came) {
	t.Helper()
	ways := []string{asItIs, asPlain, asDialect}
	count := map[string]map[string]int{}
	notes := map[string][]string{}
	var rows strings.Builder
	for _, h := range hooks {
		fmt.Fprintf(&rows, "| `%s` |", h.Name)
		want := recorded[h.Name].Hit
		for _, id := range existingAgents {
			d, _ := agents.Lookup(id)
			if _, ok := sendings[id][kindOf(h, h.Hit)]; !ok {
				rows.WriteString(" no event |")
				continue
			}
			of := stored[h.Name][id]
			if count[id] == nil {
				count[id] = map[string]int{}
			}
			count[id]["all"]++
			for _, way := range ways {
				v := verdict{mark: silent}
				if got, ok := of[way]; ok && way == asDialect {
					v = dialectVerdict(h, d, want, got)
				} else if ok {
					v = plainVerdict(want, got)
				}
				rows.WriteString(" " + v.mark)
				count[id][way+v.mark]++
				if v.mark == cannot {
					notes[v.why] = append(notes[v.why], d.Name+" (`"+h.Name+"`)")
				}
				if v.mark == differs {
					t.Errorf("%s in %s: %s, and nothing says that the agent cannot", h.Name, id, v.why)
				}
			}
			if fine := recorded[h.Name].Fine; h.Fine != nil && !slices.Equal(fine, of[asFine]) {
				t.Errorf("%s in %s: where it has nothing to say, %v came of it, and in its own agent %v", h.Name, id, of[asFine], fine)
			}
			rows.WriteString(" |")
		}
		rows.WriteString("\n")
	}
	var text strings.Builder
	text.WriteString(existingIntro)
	text.WriteString("| | hooks whose event it has |  the script itself | as a plain hook | with its dialect: the same | as much as it can |\n|---|--:|--:|--:|--:|--:|\n")
	for _, id := range existingAgents {
		d, _ := agents.Lookup(id)
		c := count[id]
		fmt.Fprintf(&text, "| %s | %d | %d | %d | %d | %d |\n", d.Name, c["all"], c[asItIs+same], c[asPlain+same], c[asDialect+same], c[asDialect+cannot])
	}
	text.WriteString("\n## Each of them\n\n" + existingLegend + "| |")
	for _, id := range existingAgents {
		d, _ := agents.Lookup(id)
		text.WriteString(" " + d.Name + " |")
	}
	text.WriteString("\n|---|" + strings.Repeat(":-:|", len(existingAgents)) + "\n" + rows.String())
	text.WriteString("\n## What an agent cannot\n\n")
	for _, why := range slices.SortedFunc(maps.Keys(notes), func(a, b string) int {
		return cmp.Or(len(notes[b])-len(notes[a]), strings.Compare(a, b))
	}) {
		fmt.Fprintf(&text, "- %s: %s\n", why, strings.Join(notes[why], ", "))
	}
	text.WriteString("\n## The hooks\n\n| | when | with | in Claude Code |\n|---|---|---|---|\n")
	for _, h := range hooks {
		what, _, _ := strings.Cut(strings.TrimSpace(h.Describe()), "\n")
		fmt.Fprintf(&text, "| [`%s`](../e2e/existing/hooks/%s): %s | %s%s | %s | %v |\n", h.Name, h.Name, what, h.Event,
			strings.ReplaceAll(prefixed(" ", h.Matcher), "|", `\|`), cmp.Or(strings.Join(h.Needs(), ", "), "sh"), recorded[h.Name].Hit)
	}
	file := filepath.Join("..", "..", "docs", "existing-hooks.md")
	have, err := os.ReadFile(file)
	if err == nil && string(have) == text.String() {
		return
	}
	if os.Getenv("AGENTS_HOOKS_UPDATE") == "" {
		t.Error("docs/existing-hooks.md is not what testdata/existing.json says: AGENTS_HOOKS_UPDATE=1 go test ./cmd/agents-hooks -run ExistingHooks -slow")
		return
	}
	must.Write(t, file, text.String())
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + "`" + text + "`"
}

const existingIntro = `# Hooks that people already have

Most public hooks were written for Claude Code. Such a hook compares ` + "`tool_name` with `Bash`, reads `tool_input.file_path`" + `, looks for
` + "`$CLAUDE_PROJECT_DIR`, and answers in Claude Code's words. With `metadata: {dialect: claude-code}` in its `HOOK.md`" + ` it is
called as Claude Code would call it, whatever agent runs, and what it answers is read as Claude Code reads it.

This page says what comes of that. Forty hooks, written from what public ones do and with their habits
([e2e/existing](../e2e/existing)), were played in Claude Code itself, and what each did there is recorded. Each then got what eight
agents send, captured from their programs (Cursor's from its documentation), in three ways: the script called by the agent itself; a
hook folder that says nothing of a dialect; and one that does. What the agent makes of the answer is judged by what it was seen to do.
The page is made by ` + "`AGENTS_HOOKS_UPDATE=1 go test ./cmd/agents-hooks -run ExistingHooks -slow`" + `; the real programs are
asked in [real-agents.md](real-agents.md).

`

const existingLegend = `A cell has three marks: the script itself, as a plain hook, with its dialect. ● the same effect as in Claude Code · ◐ a part of it, or
another · ○ nothing · – as much as the agent can, [below](#what-an-agent-cannot). Scripts are called as if the agent had no matchers, or
knew the names of Claude Code's tools. "No event": the agent does not tell of such a thing.

`
