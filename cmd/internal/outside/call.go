package outside

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call examines one simple command.
func (s *script) call(c *syntax.CallExpr) {
	var words []string
	for _, a := range c.Args {
		words = append(words, s.text(a))
	}
	if why := s.command(words); why != "" {
		s.at(c, why)
	}
	s.inner(c, words)
}

// wrappers are commands that run the command after them, with the number of their own
// words, not counting options.
var wrappers = map[string]int{"env": 0, "exec": 0, "command": 0, "nohup": 0, "time": 0, "sudo": 0, "nice": 0, "setsid": 0, "builtin": 0, "stdbuf": 0, "xargs": 0, "timeout": 1, "ionice": 0, "doas": 0, "busybox": 0}

// valued are the wrappers' options whose value is a separate word.
var valued = map[string]string{
	"env": "-u --unset -C --chdir", "sudo": "-u -g -h -p -C -r -t -U -D -T -R", "doas": "-u -C", "timeout": "-k -s", "nice": "-n", "ionice": "-c -n -p", "stdbuf": "-i -o -e",
	"xargs": "-n -I -P -L -d -E -s -a", "exec": "-a", "time": "-f -o",
}

// unwrap removes what precedes a command, and reports what is wrong with it.
func (s *script) unwrap(words []string) (rest []string, why string) {
	for len(words) > 0 {
		name := path.Base(words[0])
		own, wraps := wrappers[name]
		if name == "find" {
			// What follows -exec, up to its end, is a command as well.
			if i := slices.IndexFunc(words, func(w string) bool { return w == "-exec" || w == "-execdir" || w == "-ok" || w == "-okdir" }); i > 0 {
				words = words[i+1:]
				continue
			}
		}
		if !wraps {
			return words, ""
		}
		words = words[1:]
		for len(words) > 0 && (strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "=") && !strings.HasPrefix(words[0], "/")) {
			if why := variable(words[0], s.dir); why != "" {
				return nil, why
			}
			if slices.Contains(strings.Fields(valued[name]), words[0]) && len(words) > 1 {
				words = words[1:]
			}
			words = words[1:]
		}
		words = words[min(own, len(words)):]
	}
	return words, ""
}

// command reports what a command takes from elsewhere.
func (s *script) command(words []string) (why string) {
	words, why = s.unwrap(words)
	if why != "" || len(words) == 0 {
		return why
	}
	name, args := words[0], words[1:]
	switch base := path.Base(name); {
	case name == "." || name == "source":
		if len(args) == 0 {
			return ""
		}
		if p := placeOf(args[0], s.dir); p == byName {
			return "reads a file of PATH or of the working directory"
		} else {
			return p.why("reads a file")
		}
	case strings.Contains(name, "/") && placeOf(name, s.dir) != system:
		return placeOf(name, s.dir).why("runs a program")
	case s.optioned(base, args) != "":
		return s.optioned(base, args)
	case interpreters[strings.TrimRight(base, "0123456789.")] != "":
		return s.interpreted(strings.TrimRight(base, "0123456789."), args)
	case interpreters[base] != "":
		return s.interpreted(base, args)
	case base == "eval" && slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, anyMark) }):
		return "runs a text that cannot be told"
	case base == "git" && slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(strings.ToLower(a), "core.hookspath=") }):
		return "runs hooks of git of elsewhere"
	case base == "git" && s.set(args, "-c") != "":
		return s.set(args, "-c")
	case takesFromProject(base, args):
		return "does what files of the project say"
	}
	return ""
}

// interpreters run a script that is named after their options; the value lists
// options that give the script on the command line.
var interpreters = map[string]string{
	"sh": "-c", "bash": "-c", "dash": "-c", "zsh": "-c", "ksh": "-c", "ash": "-c", "python": "-c -m", "python3": "-c -m", "python2": "-c -m", "pypy3": "-c -m", "node": "-e -p --eval --print",
	"nodejs": "-e -p", "ruby": "-e", "perl": "-e -E", "php": "-r", "deno": "eval", "bun": "-e", "tsx": "-e", "ts-node": "-e", "osascript": "-e", "Rscript": "-e", "tclsh": "-c", "wish": "-c", "expect": "-c", "gnuplot": "-e", "groovy": "-e", "julia": "-e -E", "elixir": "-e", "pwsh": "-c -Command", "fish": "-c", "lua": "-e", "luajit": "-e",
	"awk": "-e --source", "gawk": "-e --source", "mawk": "-e --source", "nawk": "-e --source",
}

// interpreted reports what an interpreter is told to run.
func (s *script) interpreted(name string, args []string) string {
	for i, a := range args {
		switch {
		case gives(interpreters[name], a), isShell(name) && strings.HasPrefix(a, "-") && strings.HasSuffix(a, "c"):
			if i+1 == len(args) {
				return ""
			}
			text := args[i+1]
			if a == "-m" && slices.Contains([]string{"pytest", "unittest", "tox", "nox", "pip", "build", "invoke"}, text) {
				return "does what files of the project say"
			}
			return inText(name, text)
		case a == "run" && (name == "deno" || name == "bun"), a == "-":
			continue
		case strings.HasPrefix(a, "-"), i > 0 && slices.Contains(strings.Fields(takesValue[name]), args[i-1]):
			continue
		case language("", name) == "awk":
			return inText(name, a) // its program, if no option gave one
		}
		if p := placeOf(a, s.dir); p == byName {
			return "runs a file of the working directory"
		} else {
			return p.why("runs a script")
		}
	}
	return ""
}

// gives reports whether a word is one of some options, or a group of letters that
// ends with one: perl -ne.
func gives(options, word string) bool {
	return slices.ContainsFunc(strings.Fields(options), func(o string) bool {
		return word == o || len(o) == 2 && len(word) > 2 && len(word) < 6 && word[0] == '-' && word[1] != '-' && word[len(word)-1] == o[1] && letters(word[1:])
	})
}

// takesValue are interpreters' options whose value is a separate word, and not a
// script.
var takesValue = map[string]string{
	"awk": "-F -v", "gawk": "-F -v", "mawk": "-F -v", "nawk": "-F -v", "python": "-W -X", "python3": "-W -X", "node": "-r --require --import --loader -C --conditions", "ruby": "-I -r -C",
	"perl": "-I", "php": "-c -d", "lua": "-l", "luajit": "-l", "osascript": "-l", "sh": "-o", "bash": "-o -O", "zsh": "-o", "dash": "-o", "ksh": "-o",
}

// inText reports what a program takes from elsewhere according to a text.
func inText(interpreter, text string) string {
	if refs := plainRefs("", text, language("", interpreter)); len(refs) > 0 {
		return refs[0].Why
	}
	return ""
}

func isShell(name string) bool { return interpreters[name] == "-c" }

// fromProject are programs that do what a file in the working directory says; nil:
// always, else only with these words.
var fromProject = map[string][]string{
	"make": nil, "gmake": nil, "just": nil, "task": nil, "rake": nil, "ninja": nil, "cmake": nil, "meson": nil, "bazel": nil, "npm": nil, "npx": nil, "pnpm": nil, "pnpx": nil, "yarn": nil,
	"bunx": nil, "bundle": nil, "composer": nil, "gradle": nil, "mvn": nil, "sbt": nil, "mix": nil, "tox": nil, "nox": nil, "poetry": nil, "pipenv": nil, "hatch": nil, "pytest": nil, "pre-commit": nil,
	"lefthook": nil, "husky": nil, "docker-compose": nil, "direnv": nil, "eslint": nil, "jest": nil, "vitest": nil, "mocha": nil, "webpack": nil, "vite": nil, "rspec": nil, "phpunit": nil, "turbo": nil, "nx": nil,
	"prettier": nil, "stylelint": nil, "rollup": nil, "playwright": nil, "cypress": nil, "ant": nil, "scons": nil, "buck2": nil, "pants": nil, "earthly": nil, "tilt": nil, "fastlane": nil, "pod": nil, "dotnet": nil,
	"cargo": {"build", "b", "test", "t", "run", "r", "check", "c", "clippy", "bench", "doc", "install", "nextest"}, "go": {"run", "test", "generate", "tool"}, "deno": {"task", "test"}, "bun": {"run", "test", "install", "x"},
	"uv": {"run", "sync"}, "docker": {"compose", "build", "buildx"}, "podman": {"build", "compose"}, "swift": {"build", "test", "run", "package"}, "zig": {"build"}, "pip": {"install"}, "pip3": {"install"}, "mise": {"run", "exec"}, "rustup": {"run"},
}

func takesFromProject(name string, args []string) bool {
	words, ok := fromProject[name]
	if !ok || len(args) == 1 && (args[0] == "--version" || args[0] == "-v" || args[0] == "--help") {
		return false
	}
	return words == nil || slices.ContainsFunc(args, func(a string) bool { return slices.Contains(words, a) })
}

// inner examines shell code that is given as text: to eval, to sh -c, to trap.
func (s *script) inner(c *syntax.CallExpr, words []string) {
	rest, _ := s.unwrap(words)
	skipped := len(words) - len(rest)
	if len(rest) < 2 || s.depth > 4 {
		return
	}
	at := 0
	switch name := path.Base(rest[0]); {
	case name == "eval" || name == "trap":
		at = 1
	case isShell(name):
		for i, w := range rest[1:] {
			if strings.HasPrefix(w, "-") && strings.HasSuffix(w, "c") && i+2 < len(rest) {
				at = i + 2
				break
			}
		}
	}
	if at == 0 || strings.Contains(rest[at], anyMark) {
		return
	}
	// Marks of known folders stand for variables, and are turned back into them.
	text := strings.NewReplacer(hookMark+"/scripts/run", "$0", hookMark, "$AGENTS_HOOKS_HOOK_DIR", projectMark, "$PWD", homeMark, "$HOME").Replace(rest[at])
	if _, err := parse(text); err != nil {
		return
	}
	in := &script{file: s.file, dir: s.dir, vars: s.vars, depth: s.depth + 1, line: s.line + int(c.Args[skipped+at].Pos().Line()) - 1}
	in.source(text)
	for _, r := range in.refs {
		s.add(r.Line-s.line, r.Text, r.Why)
	}
}

// redirected examines the stdin of a shell or an interpreter: a file, or a text.
func (s *script) redirected(st *syntax.Stmt) {
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 {
		return
	}
	name := path.Base(s.text(c.Args[0]))
	if interpreters[name] == "" {
		return
	}
	for _, r := range st.Redirs {
		switch {
		case r.Op == syntax.RdrIn && isShell(name):
			p := placeOf(s.text(r.Word), s.dir)
			if p == byName {
				p = working
			}
			s.at(st, p.why("runs a script"))
		case r.Hdoc != nil && isShell(name):
			in := &script{file: s.file, dir: s.dir, vars: s.vars, depth: s.depth + 1, line: s.line + int(r.Hdoc.Pos().Line()) - 1}
			if text := s.text(r.Hdoc); !strings.Contains(text, "\x01") && s.depth < 4 {
				in.source(text)
				for _, ref := range in.refs {
					s.add(ref.Line-s.line, ref.Text, ref.Why)
				}
			}
		case r.Hdoc != nil && language("", name) != "":
			for _, ref := range plainRefs(s.file, s.text(r.Hdoc), language("", name)) {
				s.add(int(r.Hdoc.Pos().Line())+ref.Line-1, ref.Text, ref.Why)
			}
		}
	}
}

// piped looks for a shell that runs what another program prints: curl … | sh.
func (s *script) piped(b *syntax.BinaryCmd) {
	if b.Op != syntax.Pipe && b.Op != syntax.PipeAll {
		return
	}
	to, ok := b.Y.Cmd.(*syntax.CallExpr)
	from, known := b.X.Cmd.(*syntax.CallExpr)
	if !ok || len(to.Args) == 0 {
		return
	}
	var words []string
	for _, a := range to.Args {
		words = append(words, s.text(a))
	}
	words, _ = s.unwrap(words)
	if len(words) == 0 || interpreters[path.Base(words[0])] == "" || language("", path.Base(words[0])) == "awk" {
		return
	}
	script := slices.ContainsFunc(words[1:], func(w string) bool {
		return w != "-" && (!strings.HasPrefix(w, "-") || w == "-c" || w == "-e" || w == "-m")
	})
	if script {
		return
	}
	if known && len(from.Args) > 0 && slices.Contains([]string{"echo", "printf"}, s.text(from.Args[0])) {
		return
	}
	s.at(b, "runs what another program prints")
}
