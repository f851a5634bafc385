package deed

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/processor"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// HM-ACT-17: what cannot be read is absent, and known to be absent.
func TestUnread(t *testing.T) {
	for _, tt := range [][2]string{
		{"apply_patch", `{"input": "*** Begin Patch\n*** Update File: a\n+x\n*** Replace File: b\n+y"}`},
		{"apply_patch", `{"input": "*** Begin Patch\n*** Move to: b"}`},
		{"edit", `{"path": "a", "diff": "no diff"}`},
		{"rename_symbol", `{"symbol": "main", "new_name": "start", "path": "src"}`},
		{"edit", `{"diff": "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d\n"}`},
		{"Shell", `{"command": "` + strings.Repeat("cd a;", 5000) + `rm x"}`},
		{"Shell", `{"command": "git ` + strings.Repeat("-C a ", 5000) + `rm x"}`},
		{"Shell", `{"command": ": ` + strings.Repeat("x", 300<<10) + `; echo k > .env"}`},
	} {
		t.Run(fmt.Sprintf("%.80s", tt[1]), func(t *testing.T) {
			d := Of(call(tt[0], tt[1]))
			if len(d.Changes) > 0 && tt[0] == "apply_patch" || d.UnreadChanges == "" {
				t.Errorf("%s: %v %q", tt[1], d.Changes, d.UnreadChanges)
			}
		})
	}
}

// HM-ACT-17: a reader that fails says of a call that it is not read.
func TestAFailureOfAReaderIsUnread(t *testing.T) {
	d := &protocol.Deed{}
	called(&protocol.Event{}, nil, d)
	if d.UnreadCommands == "" || d.UnreadChanges == "" {
		t.Errorf("unread commands %q, changes %q", d.UnreadCommands, d.UnreadChanges)
	}
}

// A line that is long, or deep, or that doubles, is read within a second of the
// processor's time, and is fair whatever was left out.
func TestLinesThatTakeLongAreFair(t *testing.T) {
	for _, line := range []string{
		strings.Repeat("(", 64<<10), strings.Repeat("$(", 32<<10), strings.Repeat("((", 32<<10), strings.Repeat("{ ", 32<<10), strings.Repeat(`"$(`, 20<<10),
		"cat " + strings.Repeat("<<A ", 16<<10), strings.Repeat("f(){ ", 13<<10), strings.Repeat("a;", 32<<10), "echo " + strings.Repeat("{a,b}", 20<<10),
		strings.Repeat("sh -c 'sh -c ", 5<<10), strings.Repeat("eval ", 13<<10) + "x", "rm " + strings.Repeat("x", 300<<10), strings.Repeat("sudo ", 13<<10) + "x", strings.Repeat("`", 64<<10),
		strings.Repeat("{ ", 2<<10) + "echo x; " + strings.Repeat("} > a; ", 2<<10), strings.Repeat("(", 1<<10) + "echo x" + strings.Repeat(" | tee a)", 1<<10), "echo " + strings.Repeat("$(echo ", 1<<10) + strings.Repeat(")", 1<<10) + " > a",
		"for x in " + strings.Repeat("a b ", 90) + "; do " + strings.Repeat("a $x;", 10<<10) + " done", "f() { " + strings.Repeat("a $1;", 10<<10) + " }; " + strings.Repeat("f x;", 180),
		"echo " + strings.Repeat("x ", 100<<10) + "| xargs -I{} rm " + strings.Repeat("{} ", 10<<10), "x='" + strings.Repeat("ls;", 80) + "'; " + strings.Repeat(`sh -c "$x";`, 20<<10),
		strings.Repeat("a | tee f | ", 20<<10) + "x", "sed -i '" + strings.Repeat("a x\n", 50<<10) + "' f", "x=" + strings.Repeat("$(echo ", 500) + strings.Repeat(")", 500),
	} {
		t.Run(fmt.Sprintf("%d bytes of %.40q", len(line), line), func(t *testing.T) {
			start := processor.Time()
			if !fair(line) {
				t.Errorf("%.20s…: neither read, nor tried as it stands, nor a match", line)
			}
			if took := processor.Time() - start; took > time.Second {
				t.Errorf("%.20s…: %s", line, took)
			}
		})
	}
}

// PowerShell accepts lines that no grammar here does: of very many pieces, the last
// ones are not left out unnoticed. What is listed is bounded too, however a line
// repeats itself.
func TestMuchIsUnread(t *testing.T) {
	tools := protocol.Tools{{Native: "p", Name: protocol.Shell, Does: protocol.RawShell}}
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "$x%d = @(1); ", i)
	}
	raw := &protocol.Event{Type: protocol.PreToolCall, Call: tools.NewCall("p", protocol.Object{{Name: "command", Value: protocol.Quote(b.String() + "git push -f")}}.Raw())}
	if d := Of(raw); d.UnreadCommands == "" {
		t.Errorf("%d pieces, and nothing unread", len(d.Pieces))
	}
	deep := Tell(shellLine("echo " + strings.Repeat(`"$(echo `, 400) + strings.Repeat("x", 4000) + strings.Repeat(`)"`, 400)))
	if size := len(deep.Fields.Get("commands")); size > 3*maxListed {
		t.Errorf("a line of 8 KiB makes an event of %d", size)
	}
}

// fair reports whether a line is known to be read incompletely, or is among what is
// matched.
func fair(line string) bool {
	d := Of(shellLine(line))
	return d.UnreadCommands != "" || len(d.Lines) == 1 && d.Lines[0] == line && len(d.Commands) > 0 || strings.Trim(line, "`") == ""
}

// Functions that call each other endlessly are read for a while, and then count as
// unreadable.
func TestFunctionsAreReadForAWhile(t *testing.T) {
	var b strings.Builder
	for i := range 12 {
		b.WriteString("fn" + string(rune('a'+i)) + "() { ")
		for j := range 9 {
			b.WriteString("fn" + string(rune('b'+i)) + " " + string(rune('0'+j)) + "; ")
		}
		b.WriteString("}; ")
	}
	b.WriteString("fna x")
	start := time.Now()
	d := Of(shellLine(b.String()))
	if took := time.Since(start); took > 2*time.Second || d.UnreadCommands == "" {
		t.Errorf("%v, unread %q", took, d.UnreadCommands)
	}
	long := Of(shellLine("a=xxxxxxxxxxxxxxxx; " + strings.Repeat("a=$a$a; ", 40) + "echo $a"))
	for _, piece := range long.Pieces {
		if len(piece) > 2000 {
			t.Errorf("a piece of %d bytes", len(piece))
		}
	}
}

// A line is still read if other processes took the machine's time.
func TestABusyMachineIsNoReason(t *testing.T) {
	r := &reader{until: time.Now().Add(-time.Hour)}
	r.line("ls -l", 0)
	if r.unread != "" || len(r.out) != 1 || len(r.out[0].Argv) != 2 {
		t.Errorf("unread %q, commands %v", r.unread, r.out)
	}
	r = &reader{until: time.Now().Add(-time.Hour), since: 1} // the whole limit was used up
	for processor.Time() < 2*maxParse {
		// Asking for it uses it up.
	}
	r.line("ls -l", 0)
	if r.unread == "" {
		t.Errorf("read though its time is over: %v", r.out)
	}
}
