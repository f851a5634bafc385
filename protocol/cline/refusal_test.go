package cline

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

const (
	onUnix    = `"clineVersion": "", "workspaceRoots": ["/p"], "hookName": "tool_call", "tool_call": {"id": "1", "name": `
	onWindows = `"clineVersion": "", "workspaceRoots": ["C:\\p q"], "hookName": "tool_call", "tool_call": {"id": "1", "name": `
)

// refusalOf is the answer to a blocked call, and the one command in it, nil if the block is plain.
func refusalOf(t *testing.T, payload, reason string) (answer protocol.Object, command []string) {
	t.Helper()
	a := dialecttest.Answer(Dialect, first(t, payload), "", protocol.Outcome{Decision: protocol.Block, Reason: reason})
	answer = dialecttest.Object(t, string(a.Reply.Stdout))
	commands := protocol.ElementsOf(answer.Sub("overrideInput").Get("commands"))
	if len(commands) == 0 {
		return answer, nil
	}
	o := protocol.ObjectOf(commands[0])
	command = []string{o.Text("command")}
	command = append(command, protocol.TextsOf(o.Get("args"))...)
	return answer, command
}

// cline/16: what is replaced, and what ends the run.
func TestWhatIsReplaced(t *testing.T) {
	for _, c := range []struct {
		name, payload string
		program       string // "" for a plain block
	}{
		{"one command", onUnix + `"run_commands", "input": {"commands": ["rm -rf /"]}}`, "/bin/sh"},
		{"two", onUnix + `"run_commands", "input": {"commands": ["ls", {"command": "rm", "args": ["-rf", "/"]}]}}`, "/bin/sh"},
		{"another key", onUnix + `"run_commands", "input": {"cmd": "rm -rf /"}}`, "/bin/sh"},
		{"an input that is no object", onUnix + `"run_commands", "input": ["rm -rf /"]}`, "/bin/sh"},
		{"Windows", onWindows + `"run_commands", "input": {"commands": ["del /s *"]}}`, windows.program},
		{"a share", strings.Replace(onWindows, `C:\\p q`, `\\\\host\\p`, 1) + `"run_commands", "input": {"commands": ["del /s *"]}}`, windows.program},
		{"a folder that is of no machine", strings.Replace(onUnix, "/p", "p", 1) + `"run_commands", "input": {"commands": ["rm -rf /"]}}`, ""},
		{"another tool", onUnix + `"editor", "input": {"path": "a"}}`, ""},
		{"a tool of a server", onUnix + `"use_mcp_tool", "input": {"server_name": "s", "tool_name": "run_commands"}}`, ""},
		{"the extension, which cannot change an input", vscode + `"PreToolUse", "preToolUse": {"toolName": "run_commands", "parameters": {"commands": "[\"rm\"]"}}`, ""},
		{"its older tool", vscode + `"PreToolUse", "preToolUse": {"toolName": "execute_command", "parameters": {"command": "rm"}}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer, command := refusalOf(t, c.payload, "[guard] no")
			if c.program == "" {
				if string(answer.Raw()) != `{"cancel": true, "errorMessage": "[guard] no"}` {
					t.Errorf("%s: %s", c.name, answer.Raw())
				}
				return
			}
			if len(command) == 0 || command[0] != c.program || string(answer.Get("cancel")) != "false" || strings.Contains(string(answer.Raw()), "-rf") || len(answer.Sub("overrideInput")) != 1 {
				t.Errorf("%s: %s", c.name, answer.Raw())
			}
		})
	}
	ev := first(t, onUnix+`"run_commands", "input": {"commands": ["rm"]}}`)
	o, _ := Dialect.Fit(ev, protocol.Outcome{Decision: protocol.Block, Reason: "no"}, protocol.Policy{Plain: true})
	if got := strings.TrimSpace(string(Dialect.Encode(ev, o).Stdout)); got != `{"cancel": true, "errorMessage": "no"}` {
		t.Errorf("where a plain block is wanted: %s", got)
	}
}

// Whoever sees the command can read the reason: what means nothing to any shell stays.
func TestAHarmlessReasonStaysReadable(t *testing.T) {
	const harmless = "azAZ09 .,:/_-[]"
	for _, system := range []string{onUnix, onWindows} {
		_, command := refusalOf(t, system+`"run_commands", "input": {"commands": ["ls"]}}`, harmless)
		if script := command[len(command)-1]; !strings.Contains(script, refused+harmless+"'") {
			t.Errorf("%s", script)
		}
	}
}

// hostile are reasons that try to be more than text.
func hostile(canary string) []string {
	touch := "touch " + canary
	list := []string{
		"plain", "", "a\nb\n\n", "'; " + touch + "; '", `'"'"'; ` + touch + ` #`, `\'; ` + touch + `; \'`, `"; ` + touch + `; "`, "$(" + touch + ")", "`" + touch + "`",
		"${IFS}" + touch, "\n" + touch + "\n", "\r\n" + touch + "\r\n", "' && " + touch + " || '", "a\x00'; " + touch, `\047; ` + touch + `; \047`, `\0047; ` + touch, `\c` + touch, "%s%n%b%d", "%PATH% !PATH! ^& " + touch,
		"<<EOF\n" + touch + "\nEOF", "| " + touch, "> " + canary, "& " + touch + " &", "~/.. * ? {a,b} [a-z]", "-n -e --", "\u2019; " + touch + "; \u2018", "\u201c$(" + touch + ")\u201d",
		"\ufffd\xff\xfe'; " + touch, "guard: 不允许删除 🔥 é", "\x1b]0;title\x07\x1b[31m'; " + touch, strings.Repeat("'$("+touch+")\n", 6000), strings.Repeat("🔥'", 60_000), strings.Repeat(`\`, 100_001), strings.Repeat("'", 100_001),
	}
	letters := []string{"'", `"`, "$", "(", ")", "`", `\`, "\n", ";", "&", "|", ">", "<", "#", "0", "4", "7", "u", "0027", " ", touch, "\x00", "\u2019", "%", "!", "^", "é"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 12 {
		var b strings.Builder
		for range 40 {
			b.WriteString(letters[random.IntN(len(letters))])
		}
		list = append(list, b.String())
	}
	return list
}

var inert = regexp.MustCompile(`^(?:[A-Za-z0-9 .,:/_\[\]-]|\\0[0-3][0-7][0-7]|\\u[0-9a-f]{4})*$`)

// A reason is printed, whole or cut with a note about it, and nothing in it is run:
// neither by the program that is named, nor where its arguments are joined to one
// line for a shell.
func TestARefusalRunsNothing(t *testing.T) {
	sh, err := exec.LookPath("/bin/sh")
	if err != nil {
		t.Skip("no /bin/sh")
	}
	shells := []string{}
	for _, name := range []string{"bash", "dash", "zsh", "ksh", "fish", "busybox"} {
		if path, err := exec.LookPath(name); err == nil {
			shells = append(shells, path)
		}
	}
	canary := filepath.Join(t.TempDir(), "canary")
	for i, reason := range hostile(canary) {
		_, command := refusalOf(t, onUnix+`"run_commands", "input": {"commands": ["ls"]}}`, reason)
		if len(command) != 3 || command[0] != sh || len(command[2]) > 100_000 {
			t.Fatalf("%.80q: %.200q", reason, command)
		}
		want := "This command did not run. A hook blocked it: "
		if strings.TrimSpace(reason) == "" {
			want += "blocked by a hook, which gave no reason"
		} else {
			said, _ := protocol.Cut(protocol.Plain(reason), 2000, "")
			want += strings.TrimRight(said, "\n")
		}
		ends(t, command, want+"\n", reason)
		if len(shells) > 0 { // one of them each time
			shell := []string{shells[i%len(shells)], "-c", command[0] + " -c " + strconv.Quote(command[2])}
			if strings.HasSuffix(shell[0], "busybox") {
				shell = append([]string{shell[0], "sh"}, shell[1:]...)
			}
			ends(t, shell, want+"\n", reason)
		}
		if _, err := os.Stat(canary); !errors.Is(err, os.ErrNotExist) {
			t.Fatalf("%q was run", reason)
		}
	}
}

func ends(t *testing.T, command []string, want, reason string) {
	t.Helper()
	c := exec.Command(command[0], command[1:]...)
	c.Dir = t.TempDir()
	out, err := c.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 1 || string(out) != want {
		t.Errorf("%.80q by %s: %v, printed %.300q, want %.300q", reason, command[0], err, out, want)
	}
}

// On Windows the script has the same words, by their .NET numbers, and fits into a
// command line; it is run where PowerShell is installed.
func TestARefusalOnWindows(t *testing.T) {
	for _, reason := range hostile("canary") {
		_, command := refusalOf(t, onWindows+`"run_commands", "input": {"commands": ["dir"]}}`, reason)
		if len(command) != 5 || strings.ContainsAny(command[4], "\"\n$`%!&|<>^") {
			t.Fatalf("%.80q: %.300q", reason, command)
		}
		if n := len(utf16.Encode([]rune(strings.Join(command, " ")))); n > 32_000 {
			t.Errorf("%.80q: %d characters", reason, n)
		}
		text := strings.TrimSuffix(strings.TrimPrefix(command[4], windows.head), windows.tail)
		if !inert.MatchString(text) {
			t.Errorf("%.80q: %.300q", reason, text)
		}
		said, _ := protocol.Cut(protocol.Plain(reason), 2000, "")
		if got := unescaped(t, text); strings.TrimSpace(reason) != "" && got != refused+strings.TrimRight(said, "\n") {
			t.Errorf("%.80q became %.300q", reason, got)
		}
	}
	if shell, err := exec.LookPath("pwsh"); err == nil {
		_, command := refusalOf(t, onWindows+`"run_commands", "input": {"commands": ["dir"]}}`, "it's $(no) “é”")
		ends(t, append([]string{shell}, command[1:]...), refused+"it's $(no) “é”\n", "pwsh")
	}
}

func unescaped(t *testing.T, text string) string {
	var units []uint16
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			units = append(units, uint16(text[i]))
			continue
		}
		n, err := strconv.ParseUint(text[i+2:i+6], 16, 16)
		must.Do(t, err)
		units = append(units, uint16(n))
		i += 5
	}
	return string(utf16.Decode(units))
}

// The call that ran in place of a blocked one has no end for a hook; a call that
// looks like it but does more has one.
func TestARefusalHasNoEnd(t *testing.T) {
	result := func(input string) int {
		payload := `{` + cli + `"tool_result", "tool_result": {"id": "1", "name": "run_commands", "input": ` + input + `, "output": []}}`
		return len(dialecttest.Decode(t, Dialect, dialecttest.Object(t, payload), nil))
	}
	for _, system := range []string{onUnix, onWindows} {
		answer, command := refusalOf(t, system+`"run_commands", "input": {"commands": ["ls"]}}`, "[guard] it's no 🔥")
		if n := result(string(answer.Get("overrideInput"))); n != 0 {
			t.Errorf("%s: %d events of a call that did not happen", command[0], n)
		}
		script := command[len(command)-1]
		for _, more := range []string{script + "; ls", "ls; " + script, strings.Replace(script, "it", "it'; ls; '", 1), strings.Replace(script, "it", "$(ls)", 1), "ls"} {
			changed := append(command[1:len(command)-1:len(command)-1], more)
			if n := result(fmt.Sprintf(`{"commands": [{"command": %q, "args": %s}]}`, command[0], protocol.TextList(changed))); n != 1 {
				t.Errorf("%.200q: %d events", more, n)
			}
		}
		raw := string(answer.Get("overrideInput"))
		for _, more := range []string{strings.Replace(raw, "[{", `["ls", {`, 1), strings.Replace(raw, "{", `{"cmd": "ls", `, 1), strings.Replace(raw, string(protocol.Quote(command[0])), `"rm"`, 1)} {
			if n := result(more); n != 1 {
				t.Errorf("%.200q: %d events", more, n)
			}
		}
	}
}

// Cutting a reason is reported.
func TestARefusalThatIsCutIsTold(t *testing.T) {
	ev := first(t, onUnix+`"run_commands", "input": {"commands": ["ls"]}}`)
	for size, told := range map[int]bool{10: false, 2000: false, 2001: true, 100_000: true} {
		t.Run(fmt.Sprintf("size %d", size), func(t *testing.T) {
			a := dialecttest.Answer(Dialect, ev, "", protocol.Outcome{Decision: protocol.Block, Reason: strings.Repeat("é", size)})
			cut := strings.Contains(string(a.Reply.Stdout), "[cut here by agents-hooks]")
			if is := strings.Contains(strings.Join(a.Warnings(), "\n"), "cut to 2000 characters"); is != told || cut != told {
				t.Errorf("%d characters: cut: %v, warnings %q", size, cut, a.Warnings())
			}
		})
	}
}
