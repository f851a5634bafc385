package requirements

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/translate"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// saying is a hook whose entry contains a script.
func saying(t *testing.T, e protocol.EventType, script string) *discovery.Hook {
	t.Helper()
	dir := t.TempDir()
	h := &discovery.Hook{Name: "h", Trigger: e, File: filepath.Join(dir, "HOOK.md"), Entry: discovery.Entry{Path: filepath.Join(dir, "run")}}
	must.Write(t, h.File, "---\nname: h\ntrigger:   "+string(e)+"\n---\n")
	must.Write(t, h.Entry.Path, script)
	return h
}

// A blocking hook gets a warning for an agent that cannot prevent the event, or never
// has it, and for no other.
func TestABlockIsHeldAgainstEachAgent(t *testing.T) {
	for _, e := range protocol.EventTypes() {
		h := saying(t, e, "#!/bin/sh\nexit 2\n")
		for _, d := range agents.All() {
			n, first, has := translate.Native(d, e)
			can := n.Can
			if !first {
				can = 0
			}
			fits := has && (can.Has(protocol.CanBlock) || !e.Prevents() && can.Has(protocol.CanContext))
			list := Unmet(d, h, protocol.UnsupportedDefault)
			if fits == (len(list) > 0) {
				t.Errorf("%s on %s can %v: %v", e, d.ID, can.Words(), list)
			}
			for _, p := range list {
				if p.Severity != discovery.Warning || p.File != h.File || p.Line != 3 || p.Column != 12 || p.Fix == "" || !strings.Contains(p.Message, d.Name) {
					t.Errorf("%s on %s: %+v", e, d.ID, p)
				}
			}
		}
	}
}

func TestWhatAnEntryAsksFor(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]protocol.Can{
		"exit 0\n": 0,
		"# exit 2 would block\n// exit(2)\n:: exit 2\n": 0,
		"exit 20\n":                                        0,
		"sys.exit( 2 )\n":                                  protocol.CanBlock,
		"process.exitCode = 2;\n":                          protocol.CanBlock,
		"echo '{\"modified_input\": {}}'\n":                protocol.CanModify,
		"print({'decision': 'ask'})\n":                     protocol.CanAsk,
		"additional_context user_message followup_message": protocol.CanContext | protocol.CanMessage | protocol.CanContinue,
		"\x7fELF\x00\x00modified_input":                    protocol.CanBlock, // not text: nothing is known
		strings.Repeat("x", maxScript+1):                   protocol.CanBlock,
	} {
		t.Run(fmt.Sprintf("%.80q", script), func(t *testing.T) {
			if got := wantsOf(saying(t, protocol.PreToolCall, script)); got != want {
				t.Errorf("%.40q: %v, want %v", script, got.Words(), want.Words())
			}
		})
	}
}

// How an entry ends tells whether its exit code could block, and where it stands.
func TestWhyAnExitCodeCouldBlock(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"exit 0\n":                      "",
		"# exit 2\nexit 0\n":            "",
		"if bad; then\n  exit  2\nfi\n": `"exit  2" stands in run`,
		"check\nexit $?\n":              `"exit $?" in run may be 2`,
		"exec node check.js\n":          `"exec node" in run may be 2`,
		"sys.exit(main())\n":            "",
		"def main():\n  return 1 + 2\nsys.exit(main())\n": `"exit(main" in run may be 2`,
		"\x00\x01":      "run has no text to tell by",
		"decision=deny": "",
	} {
		t.Run(fmt.Sprintf("%q", script), func(t *testing.T) {
			h := saying(t, protocol.PreToolCall, script)
			if got := MayBlock(h); got != want {
				t.Errorf("%q: %q, want %q", script, got, want)
			}
			for name, other := range map[string]func(h *discovery.Hook){
				"nothing is prevented": func(h *discovery.Hook) { h.Trigger = protocol.PostToolCall },
				"nobody waits for it":  func(h *discovery.Hook) { h.Async = true },
			} {
				x := *h
				if other(&x); MayBlock(&x) != "" {
					t.Errorf("%q, where %s: %q", script, name, MayBlock(&x))
				}
			}
		})
	}
	h := saying(t, protocol.PreToolCall, "decision=deny")
	if h.Dialect = agents.All()[0].ID; MayBlock(h) != `"decision=deny" in run is a block in its protocol` {
		t.Errorf("the hook of another program: %q", MayBlock(h))
	}
}

// Nobody waits for an async hook, so an agent needs no capability for it.
func TestAsyncHooksAskForNothingButTheirEvent(t *testing.T) {
	h := saying(t, protocol.PreToolCall, "exit 2 modified_input additional_context\n")
	h.Async = true
	for _, d := range agents.All() {
		if _, _, has := translate.Native(d, h.Trigger); has == (len(Unmet(d, h, protocol.UnsupportedDefault)) > 0) {
			t.Errorf("%s: %v", d.ID, Unmet(d, h, protocol.UnsupportedDefault))
		}
	}
}

// What a hook says by each member of an outcome is held against an agent that cannot carry it: each
// capability but to block, which is an exit code, and to allow, which is asked for in its HOOK.md.
func TestEachCapabilityIsHeldAgainstAnAgentThatLacksIt(t *testing.T) {
	t.Parallel()
	words := map[protocol.Can]string{
		protocol.CanAsk: `"decision": "ask"`, protocol.CanModify: "modified_input", protocol.CanContext: "additional_context", protocol.CanContinue: "followup_message",
		protocol.CanMessage: "user_message", protocol.CanOutput: "modified_output",
	}
	for i := range len(protocol.CanAll.Words()) {
		can := protocol.Can(1 << i)
		if can == protocol.CanBlock || can == protocol.CanAllow {
			continue
		}
		word, known := words[can]
		if !known {
			t.Errorf("%s: this test, Unmet and wants have to know what a hook says for it", can)
			continue
		}
		held := false
		for _, e := range protocol.EventTypes() {
			h := saying(t, e, "#!/bin/sh\necho '{"+word+": 1}'\n")
			for _, d := range agents.All() {
				n, first, has := translate.Native(d, e)
				if has && first && !n.Can.Has(can) {
					held = held || len(Unmet(d, h, protocol.UnsupportedDefault)) > 0
				}
			}
		}
		if !held {
			t.Errorf("%s: no agent that lacks it is told of", can)
		}
	}
}
