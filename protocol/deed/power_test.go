package deed

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/processor"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// powerLine is a call of a PowerShell tool.
func powerLine(line string) *protocol.Event {
	tools := protocol.Tools{{Native: "p", Name: protocol.Shell, Does: protocol.RawShell}}
	return &protocol.Event{Type: protocol.PreToolCall, WorkDir: "/p", Call: tools.NewCall("p", protocol.Object{{Name: "command", Value: protocol.Quote(line)}}.Raw())}
}

// A letter that is longer or shorter in lower case moves nothing: Ⱥ has 2 bytes, and ⱥ 3;
// K has 3, and k 1.
func TestLettersOfAnotherLengthInLowerCase(t *testing.T) {
	for line, want := range map[string]protocol.Change{
		`$x ȺȺ; Remove-Item -Recurse k`:                {Action: protocol.Delete, Path: "/p/k"},
		`ȺȺȺ; [IO.File]::Delete('k'); @{}`:             {Action: protocol.Delete, Path: "/p/k"},
		"\u212a\u212a\u212a; [IO.File]::Delete('k')":   {Action: protocol.Delete, Path: "/p/k"},
		`ȺȺȺ; [System.io.fILE]::Move('k', 'ȺȺȺ'); @{}`: {Action: protocol.Move, Path: "/p/k", To: "/p/ȺȺȺ"},
	} {
		t.Run(line, func(t *testing.T) {
			if d := Of(powerLine(line)); d.UnreadChanges != "" || !slices.Contains(d.Changes, want) {
				t.Errorf("%+v, unread %q", d.Changes, d.UnreadChanges)
			}
		})
	}
	for _, line := range []string{"cmd /cȺȺȺ", "cmd.exe //CȺȺȺ"} {
		if d := Of(shellLine(line)); d.UnreadCommands != "" || !finds(d, "ȺȺȺ") {
			t.Errorf("%s: %v, pieces %q, unread %q", line, d.Commands, d.Pieces, d.UnreadCommands)
		}
	}
}

func TestEachValueOfAPowerShellVariableIsTried(t *testing.T) {
	for _, line := range []string{
		`$a;$a;$a;$a;$a;$a;$a;$a; $x='rm'; & $x -r b`,
		strings.Repeat(`$a='c'; $b='d'; `, 9) + `$x='rm'; & $x -r b`,
		`$a='1'; $b='1'; $c='1'; $d='1'; $e='1'; $f='1'; $g='1'; $h='1'; $i='1'; $x='rm'; & $x -r b`,
		`$x='ls'; $x='rm'; & $x -r b`, `$X='rm'; & ${x} -r b`, `$x='1','2','3','rm'; $y='a','b','c'; & $x -r b`, `$y='a','b','c'; $x='1','2','3','rm'; & $x -r b`,
		`$y='1','2','-r','3'; $x='4','5','6','rm'; & $x $y b`,
		`foreach ($x IN '1','2','3','4','5','6','7','8','9','rm') { & $x -r b }`, "foreach ($x in '1','2','3','4','5','6','7','8','9','rm') {\n echo @{}\n & $x -r b\n}",
	} {
		t.Run(line, func(t *testing.T) {
			if d := Of(powerLine(line)); d.UnreadCommands != "" || !finds(d, "rm -r b") {
				t.Errorf("pieces %q, unread %q", d.Pieces, d.UnreadCommands)
			}
		})
	}
	if d := Of(powerLine("foreach ($f in " + strings.Repeat("'a', ", 20) + "'k') {\n echo x > $f\n}")); !slices.ContainsFunc(d.Changes, func(c protocol.Change) bool { return c.Path == "/p/k" }) {
		t.Errorf("the last file of a loop: %+v", d.Changes)
	}
	if d := Of(powerLine("$x = " + strings.Repeat("'a', ", 64) + "'rm'; & $x -r b")); d.UnreadCommands == "" {
		t.Errorf("more values than are tried, and nothing unread: %q", d.Pieces)
	}
}

// What values make of a line is bounded, and known to be.
func TestMuchThatValuesMakeIsUnread(t *testing.T) {
	long := "$x='" + strings.Repeat("y", 32<<10) + "'; "
	var many strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&many, "$a%d='b';", i)
	}
	for _, line := range []string{
		long + strings.Repeat("$x", 15000), long + strings.Repeat("${X}", 7500), long + strings.Repeat("@x", 15000), "$z='1','2','3'; " + long + strings.Repeat("$x", 15000),
		many.String(), strings.Repeat("io.file]::", 3200) + "('" + strings.Repeat("a", 30000) + "')",
	} {
		t.Run(fmt.Sprintf("%d bytes of %.20q", len(line), line), func(t *testing.T) {
			start := processor.Time()
			d := Of(powerLine(line))
			if took := processor.Time() - start; d.UnreadCommands == "" || took > 2e9 {
				t.Errorf("%s, unread %q", took, d.UnreadCommands)
			}
			for _, piece := range d.Pieces {
				if len(piece) > maxText {
					t.Errorf("a piece of %d bytes", len(piece))
				}
			}
		})
	}
}
