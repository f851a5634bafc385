package hooksh_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hooksh"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Scripts that need no program but cat: their output and exit status.
func TestScripts(t *testing.T) {
	self, err := os.Executable()
	must.Do(t, err)
	t.Setenv("PATH", t.TempDir()) // nothing is on it
	const event = `{"commands": [{"text": "rm -rf /"}]}`
	const absent = "agents-hooks sh: the script called what is not installed here: "
	for _, tt := range []struct {
		name, script string
		args         []string
		said, err    string
		exit         int
	}{
		{name: "a guard", script: "echo no >&2\nexit 2\n", err: "no\n", exit: 2},
		{name: "Windows line ends", script: "#!/bin/sh\r\nif true; then\r\n  echo no >&2\r\n  exit 2\r\nfi\r\n", err: "no\n", exit: 2},
		{name: "a text over lines, of Windows", script: "cat <<'END'\r\n{}\r\nEND\r\n", said: "{}\n"},
		{name: "the event by cat", script: "event=$(cat)\ncase $event in *'rm -rf'*) exit 2 ;; esac\n", exit: 2},
		{name: "the event by read", script: "read -r event\nprintf %s \"$event\"", said: event},
		{name: "a text in the script", script: "cat <<'END'\n{\"decision\": \"allow\"}\nEND\n", said: "{\"decision\": \"allow\"}\n"},
		{name: "of bash", script: "a=(x y); [[ ${a[1]} == y ]] && echo ${a[@]^^}\n", said: "X Y\n"},
		{name: "arguments", script: "echo $# $1 $2\n", args: []string{"a b", "c"}, said: "2 a b c\n"},
		{name: "a sh of its own", script: "sh -c 'echo \"$0 $1\"; exit 3' x y\n", said: "x y\n", exit: 3},
		{name: "its own file by sh", script: "[ \"$1\" = again ] && exit 4\nsh \"$0\" again\n", exit: 4},
		{name: "a variable for another sh", script: "export A='b c' D=e; F=g; sh -c 'echo $A $D $F'\n", said: "b c e\n"},
		{name: "files by cat", script: "printf %s x >one; printf %s y >two; cat one two; rm -f one; cat gone\n", said: "xy", exit: 1},
		{name: "widths and signs by number", script: `printf '%*d|%-*s|%5.2s|\u00e9\U0001F469\x41\101' 12 3 3 a bcd`, said: "           3|a  |   bc|é\U0001f469AA"},
		{name: "the highest exit status", script: "sh -c 'exit 255'; echo $?\n", said: "255\n"},
		{name: "a program that is not there", script: "jq . || echo $?\n", said: "127\n", err: "jq: not found\n" + absent + "jq\n", exit: 127},
		{name: "a test by what is not there", script: "if grep -q 'rm -rf'; then exit 2; fi\n", err: "grep: not found\n" + absent + "grep\n", exit: 127},
		{name: "what is not there, in silence", script: "c=$(jq -r .x 2>/dev/null | tr a b) 2>/dev/null || true\n", err: absent + "jq, tr\n", exit: 127},
		{name: "what is not there, and a verdict", script: "jq . 2>/dev/null || { echo no jq >&2; exit 2; }\n", err: "no jq\n", exit: 2},
		{name: "what is not there, and another failure", script: "set -e\njq . 2>/dev/null\n", err: absent + "jq\n", exit: 127},
		{name: "asked for and not there", script: "command -v jq >/dev/null || echo without\n", said: "without\n"},
		{name: "the event by the name of its stream", script: "e=$(</dev/stdin); case $e in *rm*) echo no >/dev/stderr; exit 2 ;; esac\n", err: "no\n", exit: 2},
		{name: "lines of commands", script: "while read -r l; do n=$((n + 1)); done < <(printf 'a\\nb\\n'); mapfile -t m < <(cat); echo $n \"${m[0]}\"\n", said: "2 " + event + "\n"},
		{name: "files of commands", script: "cat <(echo a) <(echo b; exit 3)\nfor f in <(echo); do [ -f \"$f\" ] || exit 1; done\n", said: "a\nb\n"},
		{name: "where it lies", script: "cd \"$(dirname \"${BASH_SOURCE[0]}\")\" && [ -f run.sh ] && basename \"$BASH_SOURCE\"\n", said: "run.sh\n"},
		{name: "a time that is not known", script: "date -d yesterday; date +%Q; echo $?\n", said: "1\n"},
		{name: "no commands of a file", script: "echo x > >(cat)\nexit 2\n", err: "agents-hooks sh: run.sh:1: this sh does not support >( )\n", exit: 1},
		{name: "no third stream", script: "\nif false; then exec 3>&1; fi\nexit 2\n", err: "agents-hooks sh: run.sh:2: this sh does not support descriptor 3\n", exit: 1},
		{name: "no coproc", script: "coproc cat\nexit 2\n", err: "agents-hooks sh: run.sh:1: this sh does not support coproc\n", exit: 1},
		{name: "no counting in an array", script: "declare -A a\n(( a[x]++ ))\nexit 2\n", err: "agents-hooks sh: run.sh:2: this sh does not support ++ of an element of an array\n", exit: 1},
		{name: "no assignment to an array in arithmetic", script: "(( a[1] += 2 ))\nexit 2\n", err: "agents-hooks sh: run.sh:1: this sh does not support += to an element of an array in arithmetic\n", exit: 1},
		{name: "counting in an array", script: "declare -A a; a[x]=$((a[x] + 1)); a[x]=$((${a[x]} + 1)); echo ${a[x]}\n", said: "2\n"},
		{name: "no other options of programs", script: "rm -rf x; mkdir -m 700 x; mktemp -d; dirname -z x; echo $?\n", said: "1\n"},
		{name: "no verdict of what cannot be read", script: "if true; then\n", exit: 1},
		{name: "an end at the first failure", script: "set -e\nfalse\nexit 2\n", exit: 1},
		{name: "to nowhere", script: "echo x >/dev/null; echo y 2>/dev/null\n", said: "y\n"},
		{name: "what is said at the end", script: "trap 'echo bye' EXIT\nexit 5\n", said: "bye\n", exit: 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			file := filepath.Join(dir, "run.sh")
			must.Write(t, file, tt.script)
			said, errs, exit := play(t, self, event, append([]string{file}, tt.args...))
			errs = strings.ReplaceAll(errs, filepath.ToSlash(dir)+"/", "")
			if exit != tt.exit || said != tt.said || tt.err != "" && errs != tt.err {
				t.Errorf("left with %d, said %q and %q; want %d, %q, %q", exit, said, errs, tt.exit, tt.said, tt.err)
			}
		})
	}
}

func TestArgumentsOfSh(t *testing.T) {
	self, err := os.Executable()
	must.Do(t, err)
	for _, tt := range []struct {
		name string
		args []string
		said string
		exit int
	}{
		{"name and arguments of a command", []string{"-c", "echo $0 $1", "name", "one"}, "name one\n", 0},
		{"it ends at an error", []string{"-ec", "false; echo x"}, "", 1},
		{"a variable that is not set", []string{"-e", "-u", "-c", "echo $none; echo x"}, "", 1},
		{"an error in a pipe", []string{"-o", "pipefail", "-c", "false | true"}, "", 1},
		{"a login shell", []string{"-lc", "echo x"}, "x\n", 0},
		{"the end of options", []string{"-c", "--", "echo x"}, "x\n", 0},
		{"no command", []string{"-c"}, "", 1},
		{"no name of an option", []string{"-o"}, "", 1},
		{"a file that is not there", []string{filepath.Join(t.TempDir(), "none")}, "", 1},
		{"a script on stdin", nil, "in\n", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			said, errs, exit := play(t, self, "echo in", tt.args)
			if said != tt.said || exit != tt.exit {
				t.Errorf("%q: left with %d, said %q and %q; want %d, %q", tt.args, exit, said, errs, tt.exit, tt.said)
			}
		})
	}
}

// play runs this sh with its input in a file, since stdin has to be a file.
func play(t *testing.T, self, event string, args []string) (said, errs string, exit int) {
	t.Helper()
	in, err := os.Create(filepath.Join(t.TempDir(), "event"))
	must.Do(t, err)
	defer in.Close()
	must.Do(t, must.Err(in.WriteString(event+"\n")))
	must.Do(t, must.Err(in.Seek(0, 0)))
	var out, to bytes.Buffer
	exit = hooksh.Main([]string{self, "__sh"}, args, in, &out, &to)
	return out.String(), to.String(), exit
}

func TestMain(m *testing.M) {
	if exit, ok := hooksh.FromProcess(); ok {
		os.Exit(exit)
	}
	os.Exit(m.Run())
}

// The examples that need nothing but a shell do their work without any program;
// docs/windows.md names the others, each with what it needs.
func TestExamplesThatNeedOnlyAShell(t *testing.T) {
	self, err := os.Executable()
	must.Do(t, err)
	t.Setenv("PATH", t.TempDir())
	page, err := os.ReadFile("../../../docs/windows.md")
	must.Do(t, err)
	examples, err := filepath.Glob("../../../examples/*/scripts/run")
	if err != nil || len(examples) < 10 {
		t.Fatal(examples, err)
	}
	for _, script := range examples {
		name := filepath.Base(filepath.Dir(filepath.Dir(script)))
		if bytes.Contains(page, []byte("`"+name+"`")) && name != "allow-reading" {
			continue
		}
		said, errs, exit := play(t, self, `{"event_type": "pre-tool-call"}`, []string{script})
		refuses := exit == 2 && errs != "" && said == ""
		allows := exit == 0 && errs == "" && said == "{\"decision\": \"allow\"}\n"
		if refuses == allows || allows != (name == "allow-reading") {
			t.Errorf("%s: left with %d, said %q and %q", name, exit, said, errs)
		}
	}
}
