package agents

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// One event's way through the protocol, without its hooks: what a dispatcher spends
// besides starting and ending.
func benchmark(b *testing.B, id string, payload []byte, o protocol.Outcome, withHook bool) {
	d, _ := Lookup(id)
	b.SetBytes(int64(len(payload)))
	b.ReportAllocs()
	for b.Loop() {
		p, err := protocol.ParseObject(payload)
		must.Do(b, err)
		events, err := d.Decode(protocol.Input{Payload: p})
		if err != nil || len(events) == 0 {
			b.Fatal(events, err)
		}
		if withHook && len(events[0].JSON()) == 0 {
			b.Fatal("no event")
		}
		fitted, _ := d.Fit(events[0], o, protocol.Policy{})
		d.Encode(events[0], fitted)
	}
}

func read(b *testing.B, path string) []byte {
	b.Helper()
	return []byte(must.Read(b, path))
}

func BenchmarkPreToolUse(b *testing.B) {
	for _, c := range []struct{ id, path string }{
		{"claude-code", "../claude/testdata/payloads/captured/PreToolUse.json"},
		{"codex", "../codex/testdata/payloads/captured/PreToolUse.json"},
		{"gemini-cli", "../gemini/testdata/payloads/captured/BeforeTool.json"},
	} {
		payload := read(b, c.path)
		b.Run(c.id+"/nothing", func(b *testing.B) { benchmark(b, c.id, payload, protocol.Outcome{}, false) })
		b.Run(c.id+"/deny", func(b *testing.B) {
			benchmark(b, c.id, payload, protocol.Outcome{Decision: protocol.Block, Reason: "no"}, true)
		})
	}
}

func BenchmarkBigResponse(b *testing.B) {
	payload := string(read(b, "../claude/testdata/payloads/captured/PostToolUse.json"))
	for name, line := range map[string]string{"plain": "one line of what a tool printed", "escapes": `a \"quoted\" \u001b[31mline\n`} {
		big := []byte(strings.Replace(payload, `"stdout":"hello-from-tool"`, `"stdout":"`+strings.Repeat(line, (1<<20)/len(line))+`"`, 1))
		if len(big) < 1<<20 {
			b.Fatalf("%d bytes", len(big))
		}
		b.Run(name+"/nothing", func(b *testing.B) { benchmark(b, "claude-code", big, protocol.Outcome{}, false) })
		b.Run(name+"/hook", func(b *testing.B) { benchmark(b, "claude-code", big, protocol.Outcome{}, true) })
	}
}

func BenchmarkLookup(b *testing.B) {
	for b.Loop() {
		Lookup("gemini-cli")
	}
}
