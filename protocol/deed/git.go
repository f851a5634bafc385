package deed

import (
	"slices"
	"strings"
)

// insideGit is what git is told to do, without the options in front of it, and
// what an alias stands for that the command itself defines.
func insideGit(args []string) (in inside) {
	rest := args
	var aliases map[string]string
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		if slices.Contains([]string{"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env", "--attr-source"}, rest[0]) && len(rest) > 1 {
			if name, line, ok := strings.Cut(rest[1], "="); ok && rest[0] == "-c" && isAlias(name) {
				if aliases == nil {
					aliases = map[string]string{}
				}
				aliases[strings.ToLower(name[len("alias."):])] = line
			}
			rest = rest[1:]
		}
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return in
	}
	if len(rest) < len(args) {
		in.commands = append(in.commands, append([]string{"git"}, rest...))
	}
	if line, ok := aliases[strings.ToLower(rest[0])]; ok {
		in.alias(line, rest[1:])
	}
	if rest[0] == "config" {
		if at := slices.IndexFunc(rest, isAlias); at > 0 && at+1 < len(rest) {
			in.alias(rest[at+1], nil)
		}
	}
	return in
}

func isAlias(name string) bool {
	return len(name) > len("alias.") && strings.EqualFold(name[:len("alias.")], "alias.")
}

// alias adds what an alias of git runs: a command of git, or a line for a shell.
func (in *inside) alias(line string, args []string) {
	if script, ok := strings.CutPrefix(line, "!"); ok {
		in.lines = append(in.lines, strings.TrimSpace(script+" "+strings.Join(args, " ")))
		return
	}
	in.commands = append(in.commands, slices.Concat([]string{"git"}, strings.Fields(line), args))
}
