package failure

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
)

// An End is how a call ended, according to its agent.
type End struct {
	Text   string // its output
	Exit   int    // its exit code, -1 if unknown
	Failed bool   // the agent says so
}

// Exit codes that say by themselves what happened.
const (
	refused     = 7   // curl: connection refused
	slow        = 28  // curl: no answer in time
	timedOut    = 124 // by timeout
	notAllowed  = 126 // by a shell: not executable
	noProgram   = 127 // by a shell: no such program
	interrupted = 130 // by the user
	killed      = 137 // SIGKILL: mostly for lack of memory
	crashed     = 139 // SIGSEGV
	brokenPipe  = 141 // SIGPIPE
	terminated  = 143 // SIGTERM
)

// Ended returns the signals of a call, none if it did not fail.
func Ended(command string, e End) []signal.Key {
	c := signal.Read(command)
	switch {
	case e.Exit == 0 && !e.Failed:
		// If a filter or a word like true comes last, the exit code is that command's.
		if !c.Trivial && masked(command) && checks(c) && signal.Firm(e.Text) {
			return signal.Detect(command, e.Text)
		}
		return nil
	case e.Exit <= 0 && !e.Failed:
		return unsure(command, c, e.Text)
	case e.Exit == interrupted, harmless(command, c, e):
		return nil
	}
	return byCode(command, signal.Of(command, e.Text), e)
}

// byCode adds the signal of the exit code if the text shows none.
func byCode(command string, keys []signal.Key, e End) []signal.Key {
	key := signal.Key("")
	program := programs(command)
	switch e.Exit {
	case refused:
		key = onlyOf(program, signal.Refused)
	case slow:
		key = onlyOf(program, signal.Timeout)
	case timedOut:
		key = signal.Timeout
	case notAllowed:
		key = signal.Permission
	case noProgram:
		key = signal.NotFound
	case killed:
		key = signal.OOM
	case terminated:
		key = signal.Timeout
	}
	if key == "" || slices.Contains(keys, key) {
		return keys
	}
	if len(keys) == 1 && (keys[0] == signal.Generic || strings.TrimSpace(e.Text) == "") {
		return []signal.Key{key}
	}
	return append([]signal.Key{key}, keys...)
}

func onlyOf(programs []string, key signal.Key) signal.Key {
	if slices.Contains(programs, "curl") {
		return key
	}
	return ""
}

// masked reports whether a command line succeeds although its real work failed: it ends
// with a filter, or with a command that always succeeds.
func masked(command string) bool {
	if strings.Contains(command, "pipefail") {
		return false
	}
	last := strings.LastIndexAny(strings.TrimRight(command, "; \n&"), "|;\n")
	if last < 0 {
		return false
	}
	words := strings.Fields(command[last+1:])
	if len(words) == 0 {
		return false
	}
	name := words[0]
	if command[last] == '|' && (last == 0 || command[last-1] != '|') {
		return slices.Contains(filters, name)
	}
	return slices.Contains([]string{"true", ":", "echo", "printf", "cat", "tail", "head"}, name)
}

var filters = []string{"tail", "head", "tee", "cat", "grep", "egrep", "rg", "sed", "awk", "less", "more", "sort", "uniq", "wc", "cut", "tr", "jq", "column", "nl", "select-object", "select-string", "out-string"}

// checks reports whether the result of some part of a command matters: it builds,
// tests, installs.
func checks(c signal.Command) bool {
	return c.Is(signal.Compile) || c.Is(signal.Tests) || c.Is(signal.TypeCheck) || c.Is(signal.Packages) || c.Is(signal.Migration) || c.Is(signal.Deployment)
}

// harmless reports whether a code other than 0 is an answer, or was intended.
func harmless(command string, c signal.Command, e End) bool {
	command = plain(command)
	parts := signal.Parts(command)
	if len(parts) == 0 {
		return false
	}
	last := parts[len(parts)-1]
	if last[0] == "exit" && len(parts) > 1 {
		last, parts = parts[len(parts)-2], parts[:len(parts)-1] // it passes on the code of what came before
	}
	text := strings.ToLower(e.Text)
	switch {
	case e.Exit == brokenPipe:
		return strings.Contains(command, "|") || !signal.Firm(body(text)) // the reader had enough
	case turned(command):
		return true
	case e.Exit == timedOut && strings.Contains(command, "timeout ") && !checks(c) && !signal.Failed(e.Text):
		return true // a time limit for something other than building and testing: it was only to be looked at
	case e.Exit == timedOut || e.Exit == terminated || e.Exit == killed:
		return c.Is(signal.Service) || watches(command)
	case e.Exit == 1 && filtered(command):
		return !signal.Firm(body(text)) // the code is the filter's: nothing was found
	case inTable(last, e.Exit, text), probes(last, e.Exit):
		return true
	case answers(last, e.Exit, text):
		return c.Trivial || len(parts) == 1 || !signal.Failed(e.Text)
	case !c.Trivial:
		return false
	}
	return strings.TrimSpace(body(text)) == "" || slices.Contains(readers, last[0]) && absent(text)
}

// body is an output without the line that an agent puts before it.
func body(text string) string {
	first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	for _, mark := range [...]string{"exit code", "command failed with exit code", "command exited with code", "error: exit code"} {
		if strings.HasPrefix(first, mark) && len(first) < len(mark)+8 {
			return rest
		}
	}
	return text
}

// filtered reports whether the last command of a line searches the output of the
// others.
func filtered(command string) bool {
	i := strings.LastIndexByte(command, '|')
	if i < 1 || command[i-1] == '|' {
		return false
	}
	words := strings.Fields(command[i+1:])
	return len(words) > 0 && slices.Contains([]string{"grep", "egrep", "fgrep", "rg", "diff", "cmp"}, words[0])
}

func absent(text string) bool {
	return strings.Contains(text, "no such file") || strings.Contains(text, "not found") || strings.Contains(text, "does not exist") || strings.Contains(text, "cannot find") || strings.Contains(text, "没有那个文件")
}

// readers are programs that show a file: to say that it does not exist answers the
// question.
var readers = []string{"ls", "cat", "head", "tail", "stat", "wc", "file", "readlink", "realpath", "du", "tree", "less", "more", "bat", "nl", "tac", "md5sum", "sha1sum", "sha256sum", "find", "fd", "dir", "xxd", "strings", "cd", "pushd", "sed", "awk", "sort", "uniq", "cut", "source", "."}

// watches reports whether a command goes on until somebody stops it.
func watches(command string) bool {
	for _, w := range strings.Fields(command) {
		switch w {
		case "-f", "--follow", "--watch", "-w", "watch", "serve", "dev", "start", "preview", "kill", "pkill", "killall", "tail", "top", "tcpdump", "sleep", "strace", "runserver", "yes":
			return true
		}
	}
	return strings.Contains(command, ".server") || strings.Contains(command, "server.")
}

func programs(command string) (names []string) {
	for _, p := range signal.Parts(command) {
		names = append(names, p[0])
	}
	return names
}

// answers reports whether a program says "no" by its exit code: no match, a difference,
// not so.
func answers(words []string, exit int, text string) bool {
	name, args := words[0], words[1:]
	sub := ""
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			sub = a
			break
		}
	}
	has := func(options ...string) bool {
		return slices.ContainsFunc(args, func(a string) bool {
			a, _, _ = strings.Cut(a, "=")
			return slices.Contains(options, a)
		})
	}
	switch name {
	case "ls", "find":
		return exit == 1 && !strings.Contains(text, "input/output")
	case "jq", "yq":
		return exit == 1 && !strings.Contains(text, "error")
	case "kill":
		return strings.Contains(text, "no such process") || has("-0")
	case "git":
		return gitAnswers(sub, exit, text, has)
	case "docker", "podman", "nerdctl":
		// If nothing at all is shown, the output was thrown away: only the code was
		// wanted.
		return (sub == "inspect" || slices.Contains(args, "inspect") || sub == "port") && (strings.Contains(text, "no such") || exit == 1 && text == "")
	case "kubectl", "oc":
		return sub == "get" && strings.Contains(text, "(notfound)") && !strings.Contains(text, "namespaces")
	case "helm":
		return (sub == "status" || sub == "get" || sub == "history") && strings.Contains(text, "release: not found")
	case "npm", "pnpm", "yarn", "bun":
		return slices.Contains([]string{"view", "info", "show"}, sub) && exit == 1 && !strings.Contains(text, "enetunreach") && !strings.Contains(text, "eresolve")
	case "pip", "pip3", "dpkg", "rpm", "dpkg-query", "brew", "gem", "snap", "pacman", "apk", "flatpak", "conda":
		return slices.ContainsFunc(args, func(a string) bool {
			return slices.Contains([]string{"show", "-s", "-l", "-q", "-qa", "-V", "--status", "list", "-Q", "-Qi", "info", "-W", "--verify", "ls"}, a)
		})
	case "gh", "glab":
		return slices.Contains([]string{"auth", "view", "list", "checks", "status", "diff"}, sub) || len(args) > 1 && slices.Contains([]string{"view", "status", "checks", "list", "diff"}, args[1]) && exit != 4
	case "ssh":
		return strings.Contains(text, "successfully authenticated") || strings.Contains(text, "welcome to gitlab")
	case "patch":
		return has("--dry-run")
	case "robocopy":
		return exit < 8
	}
	return false
}

func gitAnswers(sub string, exit int, text string, has func(...string) bool) bool {
	switch sub {
	case "diff", "grep", "check-ignore", "diff-index", "diff-files", "show-ref", "merge-base", "check-ref-format", "config", "symbolic-ref", "bisect":
		return exit == 1 || exit == 128 && strings.Contains(text, "not a valid")
	case "rev-parse", "cat-file", "ls-files", "show", "log", "describe", "branch", "stash", "rev-list", "blame":
		if sub == "stash" && !strings.Contains(text, "no stash") {
			return false
		}
		for _, unknown := range [...]string{"unknown revision", "not a valid object", "did not match any", "needed a single revision", "bad revision", "no names found", "invalid object name", "does not have any commits", "no stash entries", "exists on disk, but not in", "does not exist in", "path not in", "no upstream configured", "no such ref"} {
			if strings.Contains(text, unknown) {
				return true
			}
		}
		return exit == 1 && strings.TrimSpace(text) == ""
	case "ls-remote":
		return has("--exit-code") && exit == 2
	case "apply":
		return has("--check")
	case "remote":
		return strings.Contains(text, "no such remote")
	}
	return false
}
