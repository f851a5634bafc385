package runlog

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// counted is the part of a line that is counted.
func counted(l runner.LogLine) runner.LogLine {
	l.V, l.ID, l.CallID, l.Input = 1, "", "", nil
	l.Hooks = append([]runner.LogHook(nil), l.Hooks...)
	for i, h := range l.Hooks {
		l.Hooks[i] = runner.LogHook{Name: h.Name, Layer: h.Layer, Duration: h.Duration, Result: h.Result, Decision: h.Decision, Async: h.Async, Changed: h.Changed}
	}
	l.Warnings = append([]runner.Warning(nil), l.Warnings...)
	for i := range l.Warnings {
		l.Warnings[i].Text = ""
	}
	l.Async, l.Allowed = append([]string(nil), l.Async...), append([]string(nil), l.Allowed...)
	return l
}

// anyLine is a line with anything that a dispatcher may write.
func anyLine(r *rand.Rand) *runner.LogLine {
	texts := []string{"", "x", "go-format", `with "quotes" and \`, "lines\nand\ttabs\x01", "é 中文 \u2028", "half \xff", "/a/b", strings.Repeat("long ", 100)}
	text := func() string { return texts[r.IntN(len(texts))] }
	maybe := func(s string) string {
		if r.IntN(3) > 0 {
			return ""
		}
		return s
	}
	took := func() time.Duration { return time.Duration(r.Int64N(int64(1)<<r.IntN(40))) * time.Microsecond }
	list := func() (all []string) {
		for range max(0, r.IntN(6)-3) {
			all = append(all, text())
		}
		return all
	}
	l := &runner.LogLine{
		ID: text(), Ref: maybe(text()), Time: time.UnixMilli(r.Int64N(4e12)).UTC(), Agent: text(), Event: text(), NativeEvent: text(), Tool: maybe(text()), NativeTool: maybe(text()),
		CallID: maybe(text()), Session: text(), Project: text(), Duration: took(), Decision: text(), Allowed: list(), Async: list(),
	}
	for range r.IntN(4) {
		h := runner.LogHook{Name: text(), Layer: discovery.LayerName(text()), Duration: took(), Exit: r.IntN(300) - 2, Signal: maybe("killed"), Result: runner.Verdict(text()), Decision: maybe("ask"),
			Warning: text(), Async: r.IntN(2) == 0, Changed: r.IntN(4) == 0, Reason: maybe(text()), Stdout: maybe(text()), Stderr: maybe(text())}
		if r.IntN(8) == 0 {
			h.Log = protocol.Raw(`{"a": [1, {"b": "c"}]}`)
		}
		l.Hooks = append(l.Hooks, h)
	}
	for range max(0, r.IntN(5)-3) {
		l.Warnings = append(l.Warnings, runner.Warning{Hook: text(), Kind: text(), Text: text()})
	}
	if r.IntN(9) == 0 {
		l.Input = protocol.Raw(`{"event": "pre-session"}`)
	}
	return l
}

// The brief reader agrees with the full one on each line that is written, and on
// lines that were cut, joined, changed by a byte or spelled differently; and it reads
// by itself every line without an input or a hook's value.
func TestBriefTellsTheSame(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 11))
	var quick brief
	same := func(text []byte) {
		t.Helper()
		want, wantOK := runner.ParseLogLine(text)
		got, ok := quick.read(text)
		if ok != wantOK || ok && !reflect.DeepEqual(counted(*got), counted(want)) {
			t.Fatalf("%q\nbrief %t %+v\nfull  %t %+v", text, ok, got, wantOK, want)
		}
	}
	for range slowtest.Count(400, 1500) {
		l := anyLine(r)
		text := l.Append(nil)
		same(text)
		whole := !strings.Contains(string(text), `"log": `) && !strings.Contains(string(text), `"input": `) && !strings.Contains(string(text), `\u00`)
		if quick.b, quick.bad = text[:len(text)-1], false; whole && !quick.members(&runner.LogLine{}) {
			t.Fatalf("left to the full reader: %s", text)
		}
		cut := text[:r.IntN(len(text))]
		same(cut)
		same(append(append([]byte{}, cut...), text...))
		for range 5 {
			other := append([]byte{}, text...)
			other[r.IntN(len(other))] = "\"\\{}[],: 0-.\nx\x00\xff"[r.IntN(16)]
			same(other)
		}
	}
	for _, text := range []string{"", "\n", "{}", `{"v": 1, "id": "x"}`, `{"v":1,"id":"x","time":"2026-11-23T10:00:00Z","agent":"a","hooks":[{"name":"h","duration_ms":1e3}]}`,
		strings.Replace(string((&runner.LogLine{Time: time.Unix(0, 0)}).Append(nil)), `"duration_ms": 0`, `"duration_ms": 012`, 1),
		strings.Replace(string((&runner.LogLine{Time: time.Unix(0, 0)}).Append(nil)), `"duration_ms": 0`, `"duration_ms": 1.23456`, 1),
		strings.Replace(string((&runner.LogLine{Time: time.Unix(0, 0)}).Append(nil)), `"duration_ms": 0`, `"duration_ms": 1234567890123456`, 1)} {
		same([]byte(text))
	}
}

// Parts have each line once, wherever a file is cut for them, even if an overlong
// line lies across the cut.
func TestPartsHoldEachLineOnce(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	var day []byte
	n := 0
	fill := func(size int) {
		for size += len(day); len(day) < size; n++ {
			day = (&runner.LogLine{Time: now, Session: fmt.Sprint(n), Hooks: []runner.LogHook{{Name: "h", Stderr: strings.Repeat("e", 40<<10-n%97)}}}).Append(day)
		}
	}
	fill(partSize - 500<<10)
	day = append(append(day, strings.Repeat("q", 2*MaxLine)...), '\n')
	fill(partSize)
	last := (&runner.LogLine{Time: now, Session: "x"}).Append(nil)
	for len(day)+len(last) < 3*partSize-60<<10 {
		fill(1)
	}
	day = append(day, []byte(strings.Repeat(" ", 3*partSize-len(day)-1)+"\n")...) // the next line begins where a part begins
	day = append(day, last...)
	must.Write(t, filepath.Join(state, "log", "2026-11-20.jsonl"), day)
	parts, err := Parts(state, Filter{})
	if err != nil || len(parts) != 4 {
		t.Fatalf("%d parts, %v", len(parts), err)
	}
	seen := map[string]int{}
	for _, part := range parts {
		for l, err := range part {
			must.Do(t, err)
			seen[l.Session]++
		}
	}
	for i := range n {
		if seen[fmt.Sprint(i)] != 1 {
			t.Fatalf("line %d of %d came %d times", i, n, seen[fmt.Sprint(i)])
		}
	}
	if len(seen) != n+1 || seen["x"] != 1 {
		t.Errorf("%d lines of %d, the last one %d times", len(seen), n+1, seen["x"])
	}
}
