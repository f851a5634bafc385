package signal

import (
	"path"
	"slices"
	"strings"
)

// A Class is the purpose of a command.
type Class uint8

const (
	Other Class = iota
	Compile
	TypeCheck
	Tests
	Lint
	Packages // installs or updates dependencies
	Deployment
	Migration // of a database
	Network
	Service // starts something that listens
)

func (c Class) String() string {
	return [...]string{"other", "build", "typecheck", "test", "lint", "packages", "deploy", "migration", "network", "service"}[c]
}

// A Command is the analysis of a command line.
type Command struct {
	// Trivial means that nothing in it can fail in a way that anybody would learn from:
	// it only looks.
	Trivial bool
	// Families are what its parts run: the program, with its subcommand if the program
	// has many ("go test", "npm run build").
	Families []string
	// Classes are the purposes of the parts, without Other.
	Classes []Class
	// Looks are the families of those parts that only look, but ask a service or a
	// repository, or run an inline program: docker ps, git status, awk.
	Looks []string
}

// Same reports whether two command lines are about the same thing: a part of one runs
// what a part of the other runs, or has the same purpose.
func (c Command) Same(d Command) bool {
	if c.Trivial && d.Trivial {
		return slices.ContainsFunc(c.Looks, func(a string) bool { return slices.Contains(d.Looks, a) })
	}
	for _, a := range c.Families {
		if slices.Contains(d.Families, a) {
			return true
		}
	}
	return slices.ContainsFunc(c.Classes, func(a Class) bool { return d.Is(a) && (a == Compile || a == Tests || a == TypeCheck) })
}

// Is reports whether a part of the command line is of a class.
func (c Command) Is(class Class) bool { return slices.Contains(c.Classes, class) }

// Read analyzes a command line. What comes after a pipe only filters; what only looks
// around before or after the real work does not count.
func Read(line string) Command {
	c := Command{Trivial: true}
	read(line, &c, 0)
	return c
}

func read(line string, c *Command, depth int) {
	for _, part := range parts(line) {
		words := strip(part)
		if len(words) == 0 {
			continue
		}
		if inner, ok := script(words); ok && depth < 3 {
			read(inner, c, depth+1)
			continue
		}
		name, args := program(words[0]), words[1:]
		if trivial(name, args) {
			if !slices.Contains(looking, name) || slices.Contains(programmed, name) {
				c.Looks = append(c.Looks, join(name, first(args)))
			}
			continue
		}
		c.Trivial = false
		family, class := family(name, args)
		if !slices.Contains(c.Families, family) {
			c.Families = append(c.Families, family)
		}
		if class != Other && !c.Is(class) {
			c.Classes = append(c.Classes, class)
		}
	}
}

// programmed are programs that only look, but are given an inline program, which may be
// wrong.
var programmed = []string{"awk", "jq", "yq", "sed", "find", "xargs"}

// Parts are the programs of a command line with their arguments, in order: programs
// without their folders, wrappers left out, and the line of sh -c in its place.
func Parts(line string) [][]string { return partsOf(line, 0) }

func partsOf(line string, depth int) (all [][]string) {
	for _, part := range parts(line) {
		words := strip(part)
		if len(words) == 0 {
			if len(part) > 0 && part[0] == "command" {
				all = append(all, part)
			}
			continue
		}
		if inner, ok := script(words); ok && depth < 3 {
			all = append(all, partsOf(inner, depth+1)...)
			continue
		}
		if part[0] == "command" && len(part) > 1 && strings.HasPrefix(part[1], "-") {
			words = part // command -v asks, and runs nothing
		}
		all = append(all, append([]string{program(words[0])}, words[1:]...))
	}
	return all
}

// parts are the simple commands of a line, each as a list of words. Quotes are
// respected; what follows a single | is left out; a here-document ends the line.
func parts(line string) (all [][]string) {
	var words []string
	var word []byte
	quote, open, piped := byte(0), false, false
	end := func() {
		if open {
			words = append(words, string(word))
		}
		word, open = word[:0], false
	}
	next := func(pipe bool) {
		end()
		if !piped && len(words) > 0 {
			all = append(all, words)
		}
		words, piped = nil, pipe
	}
	for i := 0; i < len(line); i++ {
		ch := line[i]
		switch {
		case quote != 0:
			if ch == quote {
				quote = 0
			} else {
				word = append(word, ch)
			}
		case ch == '\'' || ch == '"':
			quote, open = ch, true
		case ch == '\\' && i+1 < len(line):
			i++
			if line[i] != '\n' {
				word, open = append(word, line[i]), true
			}
		case ch == ' ' || ch == '\t' || ch == '\r':
			end()
		case ch == '#' && !open:
			for i+1 < len(line) && line[i+1] != '\n' {
				i++
			}
		case ch == '<' && strings.HasPrefix(line[i:], "<<") && !strings.HasPrefix(line[i:], "<<<"):
			next(false)
			return all
		case ch == '>' && strings.HasPrefix(line[i:], ">&") || ch == '&' && strings.HasPrefix(line[i:], "&>"):
			word, open = append(word, '>'), true
			i++
		case ch == '\n' || ch == ';' || ch == '&' || ch == '(' || ch == ')':
			next(false)
		case ch == '|':
			both := i+1 < len(line) && line[i+1] == '|'
			if both {
				i++
			}
			next(!both)
		default:
			word, open = append(word, ch), true
		}
	}
	next(false)
	return all
}

// strip removes what comes before the program: assignments, redirections, keywords of
// the shell, and programs that only run another one.
func strip(words []string) []string {
	for len(words) > 0 {
		w := words[0]
		switch name := program(w); {
		case assignment(w), strings.HasPrefix(w, ">"), strings.HasPrefix(w, "2>"):
			words = words[1:]
		case slices.Contains(keywords, w):
			words = words[1:]
		case slices.Contains(wrappers, name):
			words = flags(words[1:], name)
		case len(words) > 1 && (name == "npx" || name == "bunx" || name == "uvx" || name == "pnpx"):
			words = flags(words[1:], name)
		case len(words) > 2 && slices.Contains(runners, name+" "+words[1]):
			words = flags(words[2:], name)
		default:
			return words
		}
	}
	return nil
}

// flags removes the options of a wrapper, and the number after one like timeout.
func flags(words []string, name string) []string {
	for len(words) > 0 {
		w := words[0]
		takes := name == "sudo" && (w == "-u" || w == "-g") || name == "nice" && w == "-n" || w == "-p" && name == "npx" || name == "env" && w == "-u"
		switch {
		case takes && len(words) > 1:
			words = words[2:]
		case strings.HasPrefix(w, "-") && w != "-":
			words = words[1:]
		case name == "timeout" && w != "" && w[0] >= '0' && w[0] <= '9':
			words = words[1:]
		default:
			return words
		}
	}
	return nil
}

var (
	keywords = []string{"if", "then", "else", "elif", "fi", "do", "done", "while", "until", "!", "{", "}", "time"}
	wrappers = []string{"sudo", "doas", "env", "time", "nice", "nohup", "command", "exec", "timeout", "gtimeout", "xvfb-run", "stdbuf", "builtin", "winpty", "rtk"}
	runners  = []string{"uv run", "poetry run", "pipenv run", "pdm run", "hatch run", "rye run", "bundle exec", "pnpm exec", "pnpm dlx", "yarn exec", "yarn dlx", "npm exec", "bun x", "mise exec", "direnv exec", "conda run", "dotenv run"}
)

// script is the line that a shell is given with -c.
func script(words []string) (string, bool) {
	switch program(words[0]) {
	case "bash", "sh", "zsh", "dash", "ksh", "fish":
	default:
		return "", false
	}
	for i, w := range words[1:] {
		if strings.HasPrefix(w, "-") && strings.HasSuffix(w, "c") && i+2 < len(words) {
			return words[i+2], true
		}
		if !strings.HasPrefix(w, "-") {
			return "", false
		}
	}
	return "", false
}

func assignment(w string) bool {
	name, _, ok := strings.Cut(w, "=")
	if !ok || name == "" {
		return false
	}
	for i := range len(name) {
		if c := name[i]; c != '_' && !letter(c) && (i == 0 || !digit(c)) {
			return false
		}
	}
	return true
}

// program is the name of a program, without its folder and Windows' extensions.
func program(w string) string {
	w = path.Base(strings.ReplaceAll(w, `\`, "/"))
	for _, end := range [...]string{".exe", ".cmd", ".bat", ".ps1"} {
		w = strings.TrimSuffix(w, end)
	}
	return w
}
