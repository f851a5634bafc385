package deed

import (
	"path"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// What a command reads: its standard input, and a script that the call has written.

// fed reads a command's standard input.
func (s *script) fed(argv []string, text string) {
	if hold := heldBy(program(argv[0])); (hold == launches || hold == shell) && len(s.changes.deed.Changes) > 0 || (argv[0] == "cp" || argv[0] == "install") && slices.ContainsFunc(argv, isInput) {
		s.changes.may(text) // what it runs may write it
	}
	for _, made := range handed(argv, text) {
		s.command(made, s.depth+1)
	}
	switch program := innermost(argv); {
	case readsCommands(program):
		s.line(text, s.depth+1)
	case len(program) == 0:
	case isPatcher(program[0]):
		s.changes.patch(text)
	case program[0] == "patch" || len(program) > 1 && program[0] == "git" && (program[1] == "apply" || program[1] == "am"):
		s.changes.diff(text, "")
	case program[0] == "read":
		s.taken(program[1:], text)
	case takesLines(program[0]):
		s.array(program[1:], text)
	case program[0] == "at" || program[0] == "batch":
		s.line(text, s.depth+1)
	case program[0] == "crontab":
		s.timetable(text, s.depth)
	case runsInput(program):
		s.interpreted(protocol.LanguageOf(program[0]), text, s.depth+1)
	case program[0] == "make" || program[0] == "gmake":
		s.recipes(program, text)
	case program[0] == "dd" || program[0] == "sponge":
		s.changes.may(text)
	case program[0] == "ed" || program[0] == "ex":
		s.changes.may(replacements(text)...)
		for line := range strings.Lines(text) {
			if line, ok := strings.CutPrefix(line, "!"); ok {
				s.line(line, s.depth+1)
			}
		}
	case program[0] == "tee":
		for _, name := range program[1:] {
			if !strings.HasPrefix(name, "-") && s.changes.names(name) {
				s.writes(name, text, true)
			}
		}
	}
}

func isPatcher(name string) bool {
	switch path.Base(name) {
	case "apply_patch", "applypatch", "apply-patch":
		return true
	}
	return false
}

// takesLines reports whether a command puts its input into variables.
func takesLines(name string) bool { return name == "read" || name == "mapfile" || name == "readarray" }

// runsInput reports whether an interpreter of another language runs its input.
func runsInput(argv []string) bool {
	language := protocol.LanguageOf(argv[0])
	if language == "" || language == protocol.Shells {
		return false
	}
	_, _, reads := codeOf(language, argv[1:])
	return reads
}

// written reads a script that the same call has written before it runs it.
func (r *reader) written(argv []string, depth int) {
	file, name := argv[0], program(argv[0])
	language := protocol.LanguageOf(name)
	switch {
	case isShell(name):
		file = fileOf(argv[1:])
	case (name == "source" || name == ".") && len(argv) > 1:
		file = argv[1]
	case language != "" && language != protocol.Shells:
		_, file, _ = codeOf(language, argv[1:])
	case name == "make" || name == "gmake":
		r.made(argv)
		return
	case r.fromFile(name, argv, depth):
		return
	case !strings.Contains(file, "/"):
		return
	default:
		language = ""
	}
	if isInput(file) {
		return
	}
	text := r.changes.written(file)
	if text == "" || !r.again(len(text)) {
		return
	}
	if head, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(head, "#!") && (language == "" || language == protocol.Shells) {
		words := strings.Fields(head)
		language = protocol.LanguageOf(path.Base(words[len(words)-1]))
		if language == "" && !strings.Contains(head, "sh") {
			return
		}
	}
	if language == "" || language == protocol.Shells {
		r.line(text, depth+1)
		return
	}
	r.interpreted(language, text, depth+1)
}

// made reads the makefile that the call has written before it runs make.
func (r *reader) made(argv []string) {
	o := operands(argv[1:], "fCIjlo", "--file", "--makefile", "--directory", "--eval")
	for _, text := range o.values["--eval"] {
		r.recipe(text)
	}
	files := o.valuesOf("f", "--file")
	if len(files) == 0 {
		files = []string{"Makefile", "makefile", "GNUmakefile"}
	}
	for _, file := range files {
		if text := r.changes.written(file); text != "" && r.again(len(text)) {
			r.recipe(text)
		}
	}
}

// recipes reads the makefile that make gets as its input.
func (s *script) recipes(argv []string, text string) {
	for _, file := range operands(argv[1:], "fCIjlo", "--file", "--makefile", "--directory").valuesOf("f", "--file") {
		if isInput(file) {
			s.recipe(text)
		}
	}
}

// recipe reads the lines of a makefile that are for a shell.
func (r *reader) recipe(text string) {
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		if rest, ok := strings.CutPrefix(line, "\t"); ok {
			r.line(strings.ReplaceAll(strings.TrimLeft(rest, "@-+ "), "$$", "$"), 1)
		} else if _, rest, ok := strings.Cut(line, ";"); ok && strings.Contains(line, ":") {
			r.line(strings.TrimLeft(rest, "@-+ "), 1)
		}
	}
}

// written is the text that the same call has written into a file; "" if that is not
// known.
func (w *writer) written(file string) string {
	if text, ok := w.given[file]; ok {
		return text
	}
	if !known(file) || w.deed == nil {
		return ""
	}
	at := absolute(w.dir, file)
	var texts []string
	for _, c := range w.deed.Changes {
		if c.Path == at && c.New != "" {
			texts = append(texts, c.New)
		}
	}
	return strings.Join(texts, "\n")
}

// readsCommands reports whether a program runs its standard input.
func readsCommands(argv []string) bool {
	if len(argv) == 0 {
		return false
	}
	name, args := program(argv[0]), argv[1:]
	switch {
	case isShell(name):
		if _, ok := scriptOf(args); ok {
			return false
		}
		file := fileOf(args)
		return file == "" || isInput(file)
	case heldBy(name) == power:
		return name == "cmd" && len(args) == 0 || name != "cmd" && powerReads(args)
	case name == "source" || name == ".":
		return len(args) > 0 && isInput(args[0])
	case name == "ssh" || name == "newgrp" || name == "su" || name == "wsl":
		return true
	case name == "parallel" || name == "sem": // without a command, its lines are commands
		return len(linesOf(name, args)) == 0
	case name == "sudo":
		rest, _ := wrapperOf(name).behind(name, args)
		return len(args) > 0 && len(rest) == 0
	}
	return false
}

// isInput reports whether the name of a file stands for the standard input.
func isInput(file string) bool {
	return listed(" - /dev/stdin /dev/fd/0 /proc/self/fd/0 ", file)
}

// fileOf is the script that a shell is told to run; "" for none.
func fileOf(args []string) string {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "-" || arg == "" || arg[0] != '-' && arg[0] != '+':
			return arg
		case arg == "--":
			if i+1 < len(args) {
				return args[i+1]
			}
		case arg == "--rcfile" || arg == "--init-file":
			i++
		case strings.HasPrefix(arg, "--"):
		case arg[0] == '-' && strings.Contains(arg, "s"):
			return "" // its operands are arguments
		case strings.HasSuffix(arg, "o") || strings.HasSuffix(arg, "O"):
			i++
		}
	}
	return ""
}
