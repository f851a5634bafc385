package deed

import (
	"slices"
	"strings"
)

// Programs that take what they run in a way of their own.

// salted are the lines that salt has its minions run: salt '*' cmd.run 'rm x'.
func salted(args []string) (in inside) {
	at := slices.IndexFunc(args, func(arg string) bool {
		return listed(" cmd.run cmd.run_all cmd.run_bg cmd.run_stdout cmd.run_stderr cmd.retcode cmd.shell cmd.powershell ", arg)
	})
	if at < 0 {
		return in
	}
	for _, arg := range args[at+1:] {
		if line, named := strings.CutPrefix(arg, "cmd="); named || !isAssign(arg) && !strings.HasPrefix(arg, "-") {
			in.lines = append(in.lines, line)
			break
		}
	}
	return in
}

// flatpaked is what flatpak runs in place of an application's own program.
func flatpaked(args []string) (in inside) {
	o := operands(args, "", "--command", "--cwd", "--branch", "--arch", "--runtime", "--runtime-version")
	switch command := last(o.values["--command"]); {
	case len(o.rest) < 2 || o.rest[0] != "run" && o.rest[0] != "enter":
	case o.rest[0] == "enter" && len(o.rest) > 2:
		in.commands = append(in.commands, args[slices.Index(args, o.rest[2]):])
	case o.rest[0] == "run" && command != "":
		in.commands = append(in.commands, append([]string{command}, args[slices.Index(args, o.rest[1])+1:]...))
	}
	return in
}

// daemonized is what start-stop-daemon starts, with the words behind "--".
func daemonized(args []string) (in inside) {
	own, given := args, []string(nil)
	if at := slices.Index(args, "--"); at >= 0 {
		own, given = args[:at], args[at+1:]
	}
	o := operands(own, "axpnucgrdNPIkRTsO", "--startas", "--exec", "--pidfile", "--name", "--user", "--chuid", "--group", "--chroot", "--chdir", "--nicelevel", "--procsched", "--iosched",
		"--umask", "--retry", "--signal", "--output")
	program := last(o.valuesOf("a", "--startas"))
	if program == "" {
		program = last(o.valuesOf("x", "--exec"))
	}
	if program != "" && !o.has("K", "--stop") && !o.has("T", "--status") {
		in.commands = append(in.commands, append([]string{program}, given...))
	}
	return in
}
