package cline

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

// A refusal is run in place of a blocked command: a program with its arguments, which
// Cline starts without a shell of the user's choice, and which prints the reason and
// fails (cline/16). The reason is foreign text: in the script, characters that mean
// something to some shell, quoted or not, are replaced by their numbers.
type refusal struct {
	program    string
	flags      []string
	head, tail string // of the script, around the reason
	number     func(b []byte, r rune) []byte
}

var (
	posix = refusal{"/bin/sh", []string{"-c"}, `printf '%b\n' '`, `'; exit 1`, octal}

	// The script is read as UTF-8, whatever the console's encoding; if that cannot be
	// set, the reason is printed all the same. The program is named by its full path:
	// a bare name would be looked up in the project first.
	windows = refusal{`C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe`, []string{"-NoProfile", "-NonInteractive", "-Command"},
		`[Console]::OutputEncoding=[Text.UTF8Encoding]::new();Write-Output ([regex]::Unescape('`, `'));exit 1`, unicodeUnits}
)

// refused begins each reason: the model reads it as the output of its command.
const refused = "This command did not run. A hook blocked it: "

// refuse is the input that prints a reason and fails, nil if the call is no shell
// command or the machine is unknown.
func refuse(ev *protocol.Event, reason string) protocol.Object {
	if ev.Call == nil || ev.Call.NativeName != "run_commands" {
		return nil
	}
	dir := ev.WorkDir
	switch {
	case strings.HasPrefix(dir, "/"):
		return posix.input(reason)
	case len(dir) > 2 && dir[1] == ':' && (dir[2] == '\\' || dir[2] == '/'), strings.HasPrefix(dir, `\\`):
		return windows.input(reason)
	}
	return nil
}

func (f refusal) input(reason string) protocol.Object {
	script := []byte(f.head)
	for _, r := range refused + strings.TrimRight(claudelike.Reason(reason), "\n") {
		if means(r) {
			script = f.number(script, r)
		} else {
			script = append(script, byte(r))
		}
	}
	var command, input protocol.Object
	command.SetText("command", f.program)
	command.Set("args", protocol.TextList(append(slices.Clone(f.flags), string(script)+f.tail)))
	input.Set("commands", append(append(protocol.Raw{'['}, command.Raw()...), ']'))
	return input
}

// means reports whether a character may mean something to a shell.
func means(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return false
	}
	return !strings.ContainsRune(" .,:/_-[]", r)
}

func octal(b []byte, r rune) []byte {
	for _, c := range []byte(string(r)) {
		b = fmt.Appendf(b, `\0%03o`, c)
	}
	return b
}

func unicodeUnits(b []byte, r rune) []byte {
	for _, unit := range utf16.Encode([]rune{r}) {
		b = fmt.Appendf(b, `\u%04x`, unit)
	}
	return b
}

// isRefusal reports whether an input is a refusal: its call was blocked, and its end
// is not reported. Whoever writes one by hand gets a command that prints a text.
func isRefusal(input protocol.Object) bool {
	commands := protocol.ElementsOf(input.Get("commands"))
	if len(commands) != 1 || len(input) != 1 {
		return false
	}
	command := protocol.ObjectOf(commands[0])
	args := protocol.TextsOf(command.Get("args"))
	return posix.is(command.Text("command"), args) || windows.is(command.Text("command"), args)
}

func (f refusal) is(program string, args []string) bool {
	n := len(f.flags)
	if program != f.program || len(args) != n+1 || !slices.Equal(args[:n], f.flags) {
		return false
	}
	text, ok := strings.CutPrefix(args[n], f.head)
	text, ended := strings.CutSuffix(text, f.tail)
	return ok && ended && !strings.ContainsFunc(text, func(r rune) bool { return means(r) && r != '\\' })
}
