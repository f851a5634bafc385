package deed

import (
	"slices"
	"strings"
)

// inside is what a command runs: other commands, and lines for a shell.
type inside struct {
	commands [][]string
	lines    []string
	args     []string // $0, $1 … of the lines
	dir      string   // where they run, "" for the current folder
	power    bool     // the lines are for PowerShell
}

// A wrapper is a program that runs the command after its own options.
type wrapper struct {
	valued   string // short options that take a value
	long     string // long ones, each between spaces
	pairs    string // long ones that take two
	operands int    // its own operands, before the command
	assigns  bool   // it takes NAME=value before the command
}

// wrapperOf says how a program takes the command that it runs.
func wrapperOf(name string) wrapper {
	switch name {
	case "sudo":
		return wrapper{valued: "ugpCcrRtTDUh", long: " --user --group --prompt --chdir --chroot --role --type --host --other-user --close-from --command-timeout ", assigns: true}
	case "doas":
		return wrapper{valued: "uCa"}
	case "env":
		return wrapper{valued: "uCaP", long: " --unset --chdir --argv0 ", assigns: true}
	case "time", "gtime":
		return wrapper{valued: "fo", long: " --format --output "}
	case "exec":
		return wrapper{valued: "a"}
	case "nice":
		return wrapper{valued: "n", long: " --adjustment "}
	case "ionice":
		return wrapper{valued: "cnpPu", long: " --class --classdata "}
	case "stdbuf":
		return wrapper{valued: "ioe", long: " --input --output --error "}
	case "timeout", "gtimeout":
		return wrapper{valued: "ks", long: " --kill-after --signal ", operands: 1}
	case "xargs", "gxargs":
		return wrapper{valued: "adEeIiLlnPsJRS", long: " --arg-file --delimiter --max-args --max-procs --max-chars --max-lines --replace --process-slot-var "}
	case "chroot", "taskset", "chrt", "setarch":
		return wrapper{valued: "p", long: " --userspec --groups ", operands: 1}
	case "gosu", "su-exec":
		return wrapper{operands: 1}
	case "caffeinate":
		return wrapper{valued: "tw"}
	case "flock":
		return wrapper{valued: "wE", long: " --wait --timeout --conflict-exit-code --start --length ", operands: 1}
	case "faketime":
		return wrapper{operands: 1}
	case "direnv":
		return wrapper{operands: 2}
	case "sshpass":
		return wrapper{valued: "pfdeP"}
	case "numactl", "cgexec", "cpulimit":
		return wrapper{valued: "NmpiCglpe"}
	case "runcon":
		return wrapper{valued: "turl", operands: 1}
	case "daemonize":
		return wrapper{valued: "acpleoEu"}
	case "run0":
		return wrapper{valued: "ugpD", long: " --unit --property --user --group --nice --chdir --setenv --slice "}
	case "runuser":
		return wrapper{valued: "ugG"}
	case "perf":
		return wrapper{valued: "eoFcCtgpD", long: " --event --output --freq --count --cpu --pid ", operands: 1}
	case "bwrap":
		return wrapper{pairs: " --bind --bind-try --dev-bind --dev-bind-try --ro-bind --ro-bind-try --symlink --setenv --file --bind-data --ro-bind-data --chmod --overlay-src ",
			long: " --dev --proc --tmpfs --dir --mqueue --chdir --unsetenv --uid --gid --hostname --args --argv0 --lock-file --sync-fd --seccomp --perms --size --remount-ro --exec-label --file-label "}
	case "pkexec":
		return wrapper{long: " --user "}
	case "ltrace":
		return wrapper{valued: "aADeFlnopsuwx"}
	}
	return wrapperElse(name)
}

// wrapperElse says it of programs that set limits, namespaces and users.
func wrapperElse(name string) wrapper {
	switch name {
	case "unshare":
		return wrapper{valued: "SGRw", long: " --setuid --setgid --root --wd --map-user --map-group --map-users --map-groups --propagation --setgroups --boottime --monotonic "}
	case "nsenter":
		return wrapper{valued: "tSG", long: " --target --setuid --setgid "}
	case "setpriv":
		return wrapper{long: " --reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig --selinux-label --apparmor-profile --ptracer "}
	case "prlimit":
		return wrapper{valued: "po", long: " --pid --output "}
	case "strace":
		return wrapper{valued: "abeEIoOpPsSuUX", long: " --output --trace --env --user --attach --string-limit --columns --signal --status "}
	case "systemd-run":
		return wrapper{valued: "pEHMu", long: " --unit --property --description --slice --setenv --host --machine --uid --gid --nice --working-directory --on-active --on-boot --on-startup --on-calendar --on-unit-active" +
			" --on-unit-inactive --timer-property --path-property --socket-property --service-type --background "}
	case "systemd-inhibit":
		return wrapper{long: " --what --who --why --mode "}
	case "xvfb-run":
		return wrapper{valued: "efnpsw", long: " --error-file --auth-file --server-num --xauth-protocol --server-args --wait "}
	case "proot":
		return wrapper{valued: "rbqwvkiRSm", long: " --rootfs --bind --mount --qemu --cwd --pwd --verbose --kernel-release --change-id "}
	case "choom":
		return wrapper{valued: "np", long: " --adjust --pid "}
	case "tini", "catatonit":
		return wrapper{valued: "pe"}
	case "dumb-init":
		return wrapper{valued: "r", long: " --rewrite "}
	case "chpst":
		return wrapper{valued: "uUeobnplmdfcrt/"}
	case "softlimit":
		return wrapper{valued: "acdflmoprst"}
	case "setuidgid", "s6-setuidgid", "envdir", "setlock":
		return wrapper{operands: 1}
	case "rlwrap":
		return wrapper{valued: "abcCDfFgHlMnOpPqsStWwz", long: " --break-chars --command-name --file --history-filename --histsize --prompt-colour --remember --filter --substitute-prompt "}
	case "retry":
		return wrapper{valued: "dmt", long: " --delay --times --min --max --until --while "}
	case "aa-exec":
		return wrapper{valued: "pn", long: " --profile --namespace "}
	case "trickle":
		return wrapper{valued: "udwtlLnp"}
	case "lxc-attach", "lxc-execute":
		return wrapper{valued: "naePufgs", long: " --name --arch --uid --gid --lxcpath --rcfile --set-var --keep-var --namespaces "}
	case "sandbox-exec":
		return wrapper{valued: "fnpD"}
	case "ip": // ip netns exec NAME, ip vrf exec NAME
		return wrapper{valued: "nB", long: " --netns ", operands: 3}
	}
	return wrapper{}
}

// insideOf looks inside one command.
func insideOf(argv []string) (in inside) {
	name, args := program(argv[0]), argv[1:]
	if strings.HasPrefix(name, "-") && name != "-" { // time with options of the program time
		rest, _ := wrapperOf("time").behind("time", argv)
		if len(rest) > 0 {
			in.commands = append(in.commands, rest)
		}
		return in
	}
	if name != argv[0] && name != "" {
		in.commands = append(in.commands, append([]string{name}, args...))
		return in // which is then read like any other
	}
	switch heldBy(name) {
	case nothing:
		if isCmdlet(name) {
			in.lines = cmdletRuns(name, args)
		} else if strings.HasPrefix(name, "$") && len(args) > 1 && args[0] == "=" {
			in.lines = joined(args[1:]) // $x = command
		} else if verb, ok := strings.CutPrefix(name, "git-"); ok {
			in.commands = append(in.commands, append([]string{"git", verb}, args...))
		} else if rest := handsOn(argv); rest != nil {
			in.commands = append(in.commands, rest)
		} else if strings.HasPrefix(name, "ld") && strings.Contains(name, ".so") { // the loader, which runs a program
			if rest := behindOptions(args); len(rest) > 0 {
				in.commands = append(in.commands, rest)
			}
		}
	case keyword:
		if name == "repeat" && len(args) > 1 {
			in.commands = append(in.commands, args[1:])
		}
	case shell:
		if name == "fish" {
			in.lines = operands(args, "cC", "--init-command").valuesOf("C", "--init-command")
		}
		if line, ok := scriptOf(args); ok {
			in.lines = append(in.lines, line)
			in.args = args[slices.Index(args, line)+1:]
		}
	case line:
		in.lines = linesOf(name, args)
	case power:
		in.lines, in.power = powered(name, args), name != "cmd"
	case options:
		in = insideGit(args)
	case action:
		in.commands = executed(args)
		for i, words := range in.commands {
			if files := foundBy(args); words[0] == "{}" && name != "fd" && name != "fdfind" { // what is found is run
				in.commands[i] = append(files[:1:1], words[1:]...)
			}
		}
	case launches:
		in = launchedBy(name, args)
	case wrapped:
		if name == "ip" && !slices.Contains(args, "exec") {
			return in
		}
		rest, lines := wrapperOf(name).behind(name, args)
		in.lines = lines
		if name == "setarch" && len(rest) > 0 { // the machine may be left out
			if at := len(args) - len(rest) - 1; at >= 0 && !strings.HasPrefix(args[at], "-") {
				in.commands = append(in.commands, args[at:])
			}
		}
		if len(rest) > 0 {
			in.commands = append(in.commands, rest)
			in.dir = movedTo(name, args[:len(args)-len(rest)])
		}
	}
	return in
}

// handsOn is what follows the "--" of a program that is told to run it: devenv exec
// -- git push. For programs that run what they built, arguments follow there instead.
func handsOn(argv []string) []string {
	at := slices.Index(argv, "--")
	if at < 2 || at+1 >= len(argv) || strings.HasPrefix(argv[at+1], "-") {
		return nil
	}
	verb := func(word string) bool { return word == "exec" || word == "run" || word == "x" || word == "shell" }
	if !slices.ContainsFunc(argv[1:at], verb) || slices.Contains([]string{"cargo", "go", "dotnet", "swift", "zig", "stack", "cabal", "deno", "composer", "mix", "dart", "flutter", "bazel", "make", "gradle", "rails", "turbo", "nx"}, argv[0]) {
		return nil
	}
	return argv[at+1:]
}

// movedTo is the folder that env and sudo are told to change to, by the words before
// the command; "" for none.
func movedTo(name string, options []string) string {
	short := map[string]string{"env": "C", "sudo": "D"}[name]
	if short == "" {
		return ""
	}
	return last(operands(options, short, "--chdir").valuesOf(short, "--chdir"))
}

func isShell(name string) bool { return heldBy(name) == shell }

// scriptOf is the line of a shell's -c, which may be in a cluster: -lc, -xec.
func scriptOf(args []string) (string, bool) {
	c := false
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			if c && i+1 < len(args) {
				return args[i+1], true
			}
			return "", false
		case strings.HasPrefix(arg, "--command="):
			return strings.TrimPrefix(arg, "--command="), true
		case arg == "--command":
			c = true
		case strings.HasPrefix(arg, "--"):
			if arg == "--rcfile" || arg == "--init-file" {
				i++
			}
		case len(arg) > 1 && (arg[0] == '-' || arg[0] == '+'):
			c = c || arg[0] == '-' && strings.Contains(arg, "c")
			if strings.HasSuffix(arg, "o") || strings.HasSuffix(arg, "O") {
				i++
			}
		case c:
			return arg, true
		default:
			return "", false
		}
	}
	return "", false
}

// innermost is the command at the end of a chain of wrappers.
func innermost(argv []string) []string {
	for range maxDepth {
		in := insideOf(argv)
		if len(in.commands) != 1 || len(in.lines) > 0 {
			break
		}
		argv = in.commands[0]
	}
	return argv
}

// behind is the command after a wrapper's own options, and lines that the wrapper
// gives to a shell.
func (w wrapper) behind(name string, args []string) (rest, lines []string) {
	operands := w.operands
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			args = args[i+1:]
			if operands > 0 && len(args) > operands {
				args = args[operands:]
			}
			return w.assigned(args), lines
		case strings.HasPrefix(arg, "--"):
			long, value, inline := strings.Cut(arg, "=")
			if name == "env" && long == "--split-string" {
				if !inline && i+1 < len(args) {
					i++
					value = args[i]
				}
				return nil, []string{strings.Join(append([]string{value}, args[i+1:]...), " ")}
			}
			switch {
			case inline:
			case listed(w.pairs, long):
				i += 2
			case listed(w.long, long):
				i++
			}
		case len(arg) > 1 && arg[0] == '-':
			if name == "command" && (arg == "-v" || arg == "-V") {
				return nil, nil // it only asks
			}
			if at := strings.IndexByte(arg, 'S'); name == "env" && at > 0 {
				line := arg[at+1:]
				return nil, []string{strings.TrimSpace(strings.Join(append([]string{line}, args[i+1:]...), " "))}
			}
			if (name == "flock" || name == "runuser") && strings.Contains(arg, "c") && i+1 < len(args) {
				return nil, []string{args[i+1]}
			}
			if at := strings.IndexAny(arg[1:], w.valued); w.valued != "" && at >= 0 && at == len(arg)-2 && !optional(name, arg[len(arg)-1]) {
				i++
			}
		case w.assigns && isAssign(arg):
		case operands > 0:
			operands--
		default:
			if at := slices.Index(args, "-c"); name == "runuser" && at > i && at+1 < len(args) && !slices.Contains(args[:i], "-u") {
				return nil, []string{args[at+1]} // a user, and a line
			}
			return args[i:], lines
		}
	}
	return nil, lines
}

// optional reports whether an option takes a value only in the same word.
func optional(name string, option byte) bool {
	return strings.HasSuffix(name, "xargs") && strings.IndexByte("eil", option) >= 0
}

func (w wrapper) assigned(args []string) []string {
	for w.assigns && len(args) > 0 && isAssign(args[0]) {
		args = args[1:]
	}
	return args
}

func isAssign(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && !strings.ContainsAny(name, "/.- ")
}

// linesOf are the lines that a command gives to a shell.
func linesOf(name string, args []string) []string {
	switch name {
	case "eval":
		return joined(args)
	case "trap":
		if args = behindOptions(args); len(args) > 1 {
			return args[:1]
		}
	case "alias":
		var lines []string
		for _, arg := range args {
			if _, line, ok := strings.Cut(arg, "="); ok {
				lines = append(lines, line)
			}
		}
		return lines
	case "parallel", "sem":
		for i := 0; i < len(args); i++ {
			switch {
			case slices.Contains([]string{"-n", "-N", "-j", "--jobs", "-P", "-a", "--arg-file", "-I", "--delay", "--timeout", "--retries", "--joblog", "--results", "-S", "--sshlogin", "--colsep", "-C", "-d"}, args[i]):
				i++
			case strings.HasPrefix(args[i], "-"):
			default:
				rest := args[i:]
				at := slices.IndexFunc(rest, func(s string) bool { return strings.HasPrefix(s, ":::") })
				if at < 0 {
					return joined(rest)
				}
				return paralleled(strings.Join(rest[:at], " "), rest[at+1:])
			}
		}
	}
	return nil
}

// paralleled are the lines that parallel makes of one and its arguments; that line alone
// if there are none, or many.
func paralleled(line string, args []string) (lines []string) {
	if line == "" { // each is a line itself
		return args[:min(len(args), maxBraces)]
	}
	if len(args) > maxBraces {
		return joined([]string{line})
	}
	for _, arg := range args {
		if made := strings.ReplaceAll(line, "{}", arg); made != line {
			lines = append(lines, made)
		} else {
			lines = append(lines, line+" "+arg)
		}
	}
	if len(lines) == 0 {
		lines = joined([]string{line})
	}
	return lines
}

func joined(args []string) []string {
	if len(args) == 0 {
		return nil
	}
	return []string{strings.Join(args, " ")}
}

// executed are the commands that find runs on what it finds.
func executed(args []string) (commands [][]string) {
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch":
			end := i + 1
			for end < len(args) && args[end] != ";" && args[end] != "+" {
				end++
			}
			if end > i+1 {
				commands = append(commands, args[i+1:end])
			}
			i = end
		}
	}
	return commands
}
