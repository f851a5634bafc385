package deed

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What programs read from a file that their words name, if the call itself has made it.

// handsFiles notes what a command reads from files that are the output of another one:
// make -f <(echo x).
func (s *script) handsFiles(words []*syntax.Word) {
	for _, word := range words {
		for _, part := range word.Parts {
			sub, ok := part.(*syntax.ProcSubst)
			if !ok || sub.Op != syntax.CmdIn || len(sub.Stmts) != 1 {
				continue
			}
			text := s.says(sub.Stmts[0])
			if text == "" || !s.again(len(text)) {
				continue
			}
			if s.changes.given == nil {
				s.changes.given = map[string]string{}
			}
			s.changes.given[s.from(sub)] = text
		}
	}
}

// fromFile reads the file with lines for a shell, or with words for a command, that an
// option names; false for programs that take none so.
func (r *reader) fromFile(name string, argv []string, depth int) bool {
	var files []string
	switch name {
	case "at", "batch":
		files = operands(argv[1:], "fqt").values["f"]
	case "crontab":
		files = operands(argv[1:], "u").rest
	case "xargs", "gxargs", "parallel", "sem":
		files = listsOf(argv[1:])
	default:
		return false
	}
	for _, file := range files {
		text := r.changes.written(file)
		if text == "" || !r.again(len(text)) {
			continue
		}
		switch name {
		case "at", "batch":
			r.line(text, depth+1)
		case "crontab":
			r.timetable(text, depth)
		case "xargs", "gxargs":
			for _, made := range handed(argv, text) {
				r.command(made, depth+1)
			}
		default:
			words := argv[1:]
			if at := slices.Index(words, "::::"); at >= 0 {
				words = words[:at]
			}
			for _, line := range paralleled(strings.Join(linesOf(name, words), " "), strings.Split(strings.TrimSpace(text), "\n")) {
				r.line(line, depth+1)
			}
		}
	}
	return true
}

// listsOf are the files from which xargs and parallel take their arguments.
func listsOf(args []string) (files []string) {
	for i, arg := range args {
		next := ""
		if i+1 < len(args) {
			next = args[i+1]
		}
		switch value, inline := strings.CutPrefix(arg, "--arg-file="); {
		case inline:
			files = append(files, value)
		case arg == "-a" || arg == "--arg-file" || arg == "::::":
			files = append(files, next)
		case strings.HasPrefix(arg, "-a"):
			files = append(files, arg[2:])
		}
	}
	return files
}

// timetable reads the commands of a crontab.
func (r *reader) timetable(text string, depth int) {
	for line := range strings.Lines(text) {
		fields, when := strings.Fields(line), 5
		if strings.HasPrefix(line, "@") {
			when = 1
		}
		if len(fields) > when {
			r.line(strings.Join(fields[when:], " "), depth+1)
		}
	}
}
