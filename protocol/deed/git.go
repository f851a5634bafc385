package deed

import (
	"path"
	"slices"
	"strings"
)

// insideGit is git's command without the options before it, with the expansion of an
// alias that the command itself defines.
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
			if rest[0] == "-C" {
				in.in(rest[1])
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
	in.runBy(rest[0], rest[1:])
	if rest[0] == "config" {
		if at := slices.IndexFunc(rest, isAlias); at > 0 && at+1 < len(rest) {
			in.alias(rest[at+1], nil)
		}
	}
	return in
}

// in changes to a folder, relative to the one it was in before.
func (in *inside) in(dir string) {
	switch {
	case in.dir == "" || path.IsAbs(dir):
		in.dir = dir
	case len(in.dir) <= maxFolder: // above, it counts as unread
		in.dir += "/" + dir
	}
}

// runBy adds what a git command is told to run.
func (in *inside) runBy(name string, args []string) {
	switch name {
	case "rebase":
		in.lines = append(in.lines, operands(args, "xXsC", "--exec", "--onto", "--strategy", "--strategy-option").valuesOf("x", "--exec")...)
	case "difftool":
		in.lines = append(in.lines, operands(args, "xt", "--extcmd", "--tool").valuesOf("x", "--extcmd")...)
	case "submodule":
		if at := slices.Index(args, "foreach"); at >= 0 {
			in.lines = append(in.lines, joined(behindOptions(args[at+1:]))...)
		}
	case "for-each-repo":
		if words := behindOptions(args); len(words) > 0 {
			in.commands = append(in.commands, append([]string{"git"}, words...))
		}
	case "bisect":
		if len(args) > 1 && args[0] == "run" {
			in.commands = append(in.commands, args[1:])
		}
	case "filter-branch":
		for i, arg := range args {
			if strings.HasPrefix(arg, "--") && (strings.HasSuffix(arg, "-filter") || arg == "--setup") && i+1 < len(args) {
				in.lines = append(in.lines, args[i+1])
			}
		}
	}
}

func behindOptions(args []string) []string {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		args = args[1:]
	}
	return args
}

// configured reads a git alias that a command's environment defines: with
// GIT_CONFIG_KEY_0 and GIT_CONFIG_VALUE_0, or with --config-env.
func (s *script) configured(argv []string) {
	if len(s.known) == 0 {
		return
	}
	git := innermost(argv)
	if program(git[0]) != "git" || len(git) < 2 {
		return
	}
	var in inside
	of := func(key, variable string) {
		if isAlias(key) && strings.EqualFold(key[len("alias."):], git[1]) && s.known[variable] != "" {
			in.alias(s.known[variable], git[2:])
		}
	}
	for name, key := range s.known {
		if n, ok := strings.CutPrefix(name, "GIT_CONFIG_KEY_"); ok {
			of(key, "GIT_CONFIG_VALUE_"+n)
		}
	}
	for i, arg := range argv {
		option, pair, ok := strings.Cut(arg, "=")
		if arg == "--config-env" && i+1 < len(argv) {
			option, pair, ok = arg, argv[i+1], true
		}
		if at := strings.LastIndexByte(pair, '='); ok && option == "--config-env" && at > 0 {
			of(pair[:at], pair[at+1:])
		}
	}
	s.inside(in, s.depth)
}

// aliased notes an alias that git config sets, and reads a command that is one.
func (r *reader) aliased(argv []string, depth int) {
	if len(argv) < 2 {
		return
	}
	if at := slices.IndexFunc(argv, isAlias); argv[1] == "config" && at > 0 && at+1 < len(argv) {
		if r.ofGit == nil {
			r.ofGit = map[string]string{}
		}
		r.ofGit[strings.ToLower(argv[at][len("alias."):])] = argv[at+1]
		return
	}
	name := strings.ToLower(argv[1])
	line, ok := r.ofGit[name]
	if !ok || !r.again(len(line)) {
		return
	}
	delete(r.ofGit, name) // git does not run one in itself either
	var in inside
	in.alias(line, argv[2:])
	r.inside(in, depth)
	r.ofGit[name] = line
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
