package deed

import (
	"path"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Files that a command finds before it changes them.

// found adds what find deletes, and what it has changed: by name as far as that is
// told, else the folder.
func (r *reader) found(args []string, each func(protocol.Action, []string)) {
	for i, arg := range args {
		switch {
		case arg == "-delete":
			each(protocol.Delete, foundBy(args))
		case (strings.HasPrefix(arg, "-fprint") || strings.HasPrefix(arg, "-fls")) && i+1 < len(args):
			each(protocol.Create, args[i+1:i+2])
		}
	}
	r.runOn(executed(args), foundBy(args), false)
}

// foundByFd is the same for fd, whose first operand is an expression.
func (r *reader) foundByFd(args []string) {
	own := args
	if at := slices.IndexFunc(args, func(arg string) bool { return listed(" -x -X --exec --exec-batch ", arg) }); at >= 0 {
		own = args[:at]
	}
	from := operands(own, "etdEcjSo", "--extension", "--type", "--max-depth", "--exclude", "--size", "--changed-within", "--changed-before", "--owner").rest
	if len(from) > 1 {
		from = from[1:]
	} else {
		from = []string{"."}
	}
	r.runOn(executed(args), from, true)
}

// runOn adds what commands change, of files that are put in the place of {}, or behind
// a command that has none.
func (r *reader) runOn(commands [][]string, files []string, behind bool) {
	as := &reader{changes: r.changes, until: r.until, since: r.since, reread: r.reread}
	for _, command := range commands {
		for _, file := range files {
			words, placed := slices.Clone(command), false
			for i, word := range words {
				words[i] = strings.ReplaceAll(word, "{}", file)
				placed = placed || words[i] != word
			}
			if !placed && behind {
				words = append(words, file)
			}
			as.command(words, 1)
		}
	}
}

// foundBy are the files that find is told to find: by name or path if it is told one,
// else the folders that it begins in. What it is told to leave out is none of them.
func foundBy(args []string) (files []string) {
	var from []string
	for len(args) > 0 && args[0] != "" && !strings.HasPrefix(args[0], "-") && args[0] != "(" && args[0] != "!" {
		from, args = append(from, args[0]), args[1:]
	}
	if len(from) == 0 {
		from = []string{"."}
	}
	name, whole := "", ""
	for i := 0; i+1 < len(args); i++ {
		left := i > 0 && (args[i-1] == "!" || args[i-1] == "-not") || slices.Contains(args[i:min(i+4, len(args)-1)], "-prune") && slices.ContainsFunc(args[i:], func(arg string) bool { return arg == "-o" || arg == "-or" })
		switch args[i] {
		case "-name", "-iname":
			if !left {
				name = args[i+1]
			}
		case "-path", "-ipath", "-wholename", "-iwholename":
			if !left {
				whole = args[i+1]
			}
		}
	}
	for _, dir := range from {
		switch {
		case name != "":
			files = append(files, path.Join(dir, name))
		case whole != "":
			files = append(files, whole)
		default:
			files = append(files, dir)
		}
	}
	return files
}

// ruled are the files whose mode, owner or attributes a command changes.
func ruled(name string, args []string) []string {
	o := operands(args, map[string]string{"setfacl": "mMxX", "chattr": "pv"}[name], "--reference", "--from", "--modify", "--remove", "--set-file", "--restore")
	switch mode := o.rest; {
	case len(mode) == 0 || name == "setfacl" || len(o.values["--reference"]) > 0:
	case name == "chmod" && slices.ContainsFunc(args, func(arg string) bool {
		return len(arg) > 1 && arg[0] == '-' && strings.Trim(arg[1:], "rwxXst") == ""
	}):
	case name == "chattr" && slices.ContainsFunc(args, func(arg string) bool {
		return len(arg) > 1 && arg[0] == '-' && arg != "-R" && arg != "-V" && arg != "-f"
	}):
	default:
		return mode[1:]
	}
	return o.rest
}
