package deed

import (
	"slices"
	"strings"
)

// A launcher is a program whose words contain a command: to run in a container, on
// another machine, in an environment or a terminal, or repeatedly. Lists are words
// between spaces.
type launcher struct {
	verbs    string // one of these precedes the command; "" if it needs none
	through  string // words before a verb
	valued   string // short options that take a value
	long     string // long ones that take a value
	flags    string // long ones that take none: then all others take one
	operands int    // its own operands, before the command
	lines    string // options that hold a line for a shell
	words    string // options behind which the command stands
	only     bool   // only what is before such an option or "--" is run
	own      bool   // what follows "--" is not run, but its own
	shell    bool   // the words are joined, and a shell reads them
	apart    bool   // unless there are several
	each     bool   // each operand is a line
}

// launcherOf says how a program takes the command that it launches. Its names are
// those that heldBy lists as launchers.
func launcherOf(name string) launcher {
	if l, ok := elsewhere(name); ok {
		return l
	}
	return here(name)
}

// elsewhere says it of a program that runs commands in a container or on another machine.
func elsewhere(name string) (l launcher, ok bool) {
	switch name {
	case "docker", "podman", "nerdctl", "docker-compose", "podman-compose":
		l = launcher{verbs: " run exec create ", through: " compose container ", valued: "acefhHlmpuvw", operands: 1,
			flags: " --rm --detach --interactive --tty --init --privileged --read-only --no-healthcheck --oom-kill-disable --publish-all --sig-proxy --disable-content-trust --quiet " +
				"--no-deps --build --service-ports --use-aliases --remove-orphans --no-tty --no-TTY --debug --tls --tlsverify --replace --rmi --remote --latest --all-resources --compatibility --dry-run "}
	case "kubectl", "oc", "k", "k3s", "microk8s":
		l = launcher{verbs: " exec run debug rsh ", through: " kubectl ", valued: "ncfksl", operands: 1,
			flags: " --stdin --tty --quiet --rm --attach --command --privileged --expose --no-tty --insecure-skip-tls-verify "}
	case "ssh", "autossh":
		l = launcher{valued: "BbcDEeFIiJLlmMOopPQRSWw", operands: 1, shell: true}
	case "mosh":
		l = launcher{valued: "p", long: " --port ", operands: 1}
	case "vagrant":
		l = launcher{lines: " -c --command ", only: true}
	case "gcloud", "aws":
		l = launcher{lines: " --command ", only: true}
	case "az":
		l = launcher{lines: " --scripts ", only: true}
	case "fly", "flyctl":
		l = launcher{lines: " -C --command ", only: true}
	case "heroku":
		l = launcher{verbs: " run run:detached run:inside ", valued: "asre", long: " --app --size --remote --env --type ", shell: true}
	case "ansible":
		l = launcher{lines: " -a --args ", only: true}
	case "pdsh", "dsh", "clush":
		l = launcher{valued: "wxlgfbtu", shell: true}
	case "lxc", "incus", "multipass", "crictl", "limactl", "machinectl", "distrobox", "ctr":
		l = launcher{verbs: " exec shell enter ", through: " tasks task ", valued: "npwueM", long: " --workdir --working-directory --env --user --uid --name --exec-id ", operands: 1}
	case "toolbox", "toolbx", "colima", "rdctl":
		l = launcher{verbs: " run ssh shell ", valued: "cdrp", long: " --container --distro --release --profile "}
	case "apptainer", "singularity":
		l = launcher{verbs: " exec ", valued: "BHWS", long: " --bind --home --pwd --workdir --env --env-file --overlay --mount --network --app ", operands: 1}
	case "gh":
		l = launcher{verbs: " ssh ", through: " codespace cs ", valued: "cR", long: " --codespace --profile --server-port ", shell: true}
	default:
		return l, false
	}
	return l, true
}

// here says it of a program that runs commands on this machine.
func here(name string) launcher {
	switch name {
	case "repo":
		return launcher{verbs: " forall ", lines: " -c ", only: true}
	case "systemd-nspawn":
		return launcher{valued: "DMuEiLMSZ"}
	case "wsl":
		return launcher{valued: "du", long: " --distribution --user --cd --shell-type --unregister --install --set-default --set-version --terminate --export --import --mount --unmount --update ", words: " -e --exec ", shell: true, apart: true}
	case "nix-shell":
		return launcher{lines: " --run --command ", only: true}
	case "nix":
		return launcher{verbs: " develop shell ", words: " -c --command ", only: true}
	case "guix", "op", "doppler", "dotenv", "dotenvx", "infisical", "chamber", "envchain", "teller", "lldb", "gnome-terminal":
		return launcher{words: " --args ", only: true}
	case "just":
		return launcher{words: " -c --command ", only: true}
	case "devbox", "devenv":
		return launcher{verbs: " run shell ", valued: "ceC", long: " --config --env --env-file "}
	case "aws-vault":
		return launcher{verbs: " exec ", operands: 1, valued: "d", long: " --duration --region --mfa-token --backend "}
	case "npx", "bunx", "pnpx", "uvx":
		return launcher{valued: "pw", long: " --package --workspace --from --with --python ", lines: " -c --call "}
	case "npm", "pnpm", "yarn", "bun":
		return launcher{verbs: " exec x dlx ", valued: "pwCF", long: " --package --workspace --prefix --filter --dir --cwd ", lines: " -c --call "}
	case "bundle", "rbenv", "pyenv", "asdf", "nodenv", "goenv":
		return launcher{verbs: " exec ", long: " --gemfile "}
	case "conda", "mamba", "micromamba":
		return launcher{verbs: " run ", valued: "np", long: " --name --prefix --cwd --root-prefix "}
	case "uv", "poetry", "pipenv", "hatch", "pdm", "rye", "pipx", "pixi":
		return launcher{verbs: " run ", through: " tool env ", valued: "pePC", long: " --python --with --from --group --extra --package --project --directory --env-file --index-url --env --spec "}
	case "mise":
		return launcher{verbs: " exec x ", lines: " -c --command ", only: true}
	case "watch":
		return launcher{valued: "nq", long: " --interval --equexit ", shell: true}
	case "entr":
		return launcher{lines: " -s "}
	case "watchexec":
		return launcher{valued: "wWeifsdoE", long: " --watch --watch-non-recursive --exts --ignore --filter --signal --debounce --shell --env --workdir --project-origin --stop-signal --delay-run --on-busy-update ", shell: true}
	case "nodemon":
		return launcher{lines: " -x --exec ", only: true}
	case "hyperfine":
		return launcher{valued: "wmMrSLDusN", long: " --warmup --runs --min-runs --max-runs --shell --export-json --export-markdown --export-csv --export-asciidoc --style --sort --time-unit --command-name --reference ",
			lines: " -p --prepare -c --cleanup --setup --conclude ", each: true}
	case "concurrently":
		return launcher{valued: "ncpml", long: " --names --max-processes --prefix --prefix-colors --prefix-length --kill-signal --restart-tries --restart-after ", each: true}
	case "xterm", "uxterm", "urxvt", "alacritty", "konsole", "foot", "st", "wezterm", "terminator", "xfce4-terminal", "lxterminal", "tilix":
		return launcher{words: " -e -x --execute --command ", only: true}
	case "kitty":
		return launcher{valued: "cdoTv", long: " --title --directory --config --override --class --name --session --listen-on ", words: " -e "}
	case "tmux":
		return launcher{verbs: " new-session new new-window neww split-window splitw respawn-pane respawnp respawn-window respawnw run-shell run display-popup popup pipe-pane pipep ",
			valued: "cFnstxyefpl", shell: true}
	case "screen":
		return launcher{valued: "cehpsStTXrRx"}
	case "su":
		return launcher{lines: " -c --command --session-command ", only: true}
	case "script":
		return launcher{valued: "BEIlmoOTt", long: " --log-in --log-out --log-io --log-timing --logging-format --output-limit --echo ", lines: " -c --command ", operands: 1}
	case "sg":
		return launcher{operands: 1, lines: " -c ", shell: true}
	case "gdb":
		return launcher{words: " --args -args ", only: true}
	case "ex", "vi", "vim", "nvim", "mysql", "mariadb", "psql", "sqlite3", "sed", "gsed", "emacs", "less", "socat", "capsh":
		return launcher{only: true, own: true}
	case "split":
		return launcher{lines: " --filter ", only: true, own: true}
	case "sort":
		return launcher{lines: " --compress-program ", only: true, own: true}
	case "zip":
		return launcher{lines: " -TT --unzip-command ", only: true, own: true}
	case "cargo": // cargo watch
		return launcher{lines: " -s --shell ", only: true, own: true}
	case "scp", "sftp":
		return launcher{lines: " -S ", only: true, own: true}
	case "rg":
		return launcher{lines: " --pre ", only: true, own: true}
	case "nc", "ncat":
		return launcher{lines: " -e -c --exec --sh-exec ", only: true, own: true}
	case "man":
		return launcher{lines: " -P --pager ", only: true, own: true}
	case "salt", "salt-call", "salt-ssh", "flatpak", "start-stop-daemon", "hub": // in a way of their own
		return launcher{only: true}
	case "rsync":
		return launcher{lines: " -e --rsh --rsync-path ", only: true, own: true}
	case "tar", "gtar", "bsdtar":
		return launcher{lines: " -I --use-compress-program --to-command --checkpoint-action -F --info-script --new-volume-script --rsh-command ", only: true, own: true}
	}
	return launcher{}
}

// listed reports whether a list has a word.
func listed(list, word string) bool {
	return list != "" && word != "" && !strings.Contains(word, " ") && strings.Contains(list, " "+word+" ")
}

// launched is what a launcher is told to run.
func (l launcher) launched(args []string) (in inside) {
	operands, verb := l.operands, l.verbs == ""
	entry := "" // the program of a container, in place of its own
	for i := 0; i < len(args); i++ {
		arg := args[i]
		long, value, inline := strings.Cut(arg, "=")
		cluster := len(arg) > 2 && arg[0] == '-' && arg[1] != '-' && listed(l.lines, "-"+arg[len(arg)-1:]) && !strings.ContainsAny(arg, "=/")
		if long == "--entrypoint" {
			if entry = value; !inline && i+1 < len(args) {
				entry = args[i+1]
			}
		}
		switch {
		case arg == "--" && l.own:
			return in
		case arg == "--" && verb && (!l.only || l.lines == "" || i+1 < len(args) && !strings.HasPrefix(args[i+1], "-")):
			rest := args[i+1:]
			return l.runs(in, rest[min(operands, len(rest)):])
		case inline && listed(l.lines, long):
			in.lines = append(in.lines, strings.TrimPrefix(value, "exec="))
		case (listed(l.lines, arg) || cluster) && i+1 < len(args):
			i++
			in.lines = append(in.lines, strings.TrimPrefix(args[i], "exec="))
		case len(arg) > 2 && listed(l.lines, arg[:2]) && strings.Contains(arg, " "): // -cLINE
			in.lines = append(in.lines, arg[2:])
		case inline && listed(l.words, long):
			return l.runs(in, append([]string{value}, args[i+1:]...))
		case listed(l.words, arg):
			return l.runs(in, args[i+1:])
		case strings.HasPrefix(arg, "--"):
			if !inline && (listed(l.long, arg) || l.flags != "" && !listed(l.flags, arg)) {
				i++
			}
		case len(arg) > 1 && arg[0] == '-':
			if at := strings.IndexAny(arg[1:], l.valued); l.valued != "" && at == len(arg)-2 {
				i++
			}
		case l.each:
			in.lines = append(in.lines, arg)
		case !verb && listed(l.verbs, arg):
			verb = true
		case !verb && listed(l.through, arg):
		case !verb && !l.only:
			return in // it does something else
		case l.only || !verb:
		case operands > 0:
			if operands--; operands == 0 && entry != "" {
				return l.runs(in, append([]string{entry}, args[i+1:]...))
			}
		case len(in.lines) > 0:
			return in
		default:
			return l.runs(in, args[i:])
		}
	}
	return in
}

// runs adds the words of a command.
func (l launcher) runs(in inside, words []string) inside {
	switch {
	case len(words) == 0:
	case l.shell && !(l.apart && len(words) > 1):
		in.lines = append(in.lines, strings.Join(words, " "))
	default:
		in.commands = append(in.commands, words)
	}
	return in
}

// launchedBy is what a program launches, including special cases: keys typed into a
// terminal, options of ssh that name a program, what an editor or a debugger gives to
// a shell, and a shell in a container after unknown options.
func launchedBy(name string, args []string) inside {
	switch name {
	case "salt", "salt-call", "salt-ssh":
		return salted(args)
	case "flatpak":
		return flatpaked(args)
	case "start-stop-daemon":
		return daemonized(args)
	case "hub":
		in := inside{}
		if len(args) > 0 {
			in.commands = [][]string{append([]string{"git"}, args...)}
		}
		return in
	}
	l := launcherOf(name)
	if name == "tmux" || name == "screen" {
		if in := typed(args); len(in.lines) > 0 {
			return in
		}
	}
	in := l.launched(args)
	switch name {
	case "ssh", "autossh":
		for _, arg := range args {
			for _, option := range [...]string{"ProxyCommand=", "LocalCommand=", "KnownHostsCommand=", "RemoteCommand="} {
				if _, line, ok := strings.Cut(arg, option); ok {
					in.lines = append(in.lines, line)
				}
			}
		}
	case "capsh": // -- and the words of bash
		if at := slices.Index(args, "--"); at >= 0 {
			in.commands = append(in.commands, append([]string{"bash"}, args[at+1:]...))
		}
	case "sed", "gsed":
		in.lines = append(in.lines, sedRuns(args)...)
	case "emacs":
		for _, arg := range args {
			if strings.Contains(arg, "shell-command") || strings.Contains(arg, "call-process") {
				in.lines = append(in.lines, quotedIn(arg)...)
			}
		}
	case "socat":
		for _, arg := range args {
			if kind, line, ok := strings.Cut(arg, ":"); ok && listed(" exec system shell ", strings.ToLower(kind)) {
				line, _, _ = strings.Cut(line, ",")
				in.lines = append(in.lines, strings.Trim(line, `"'`))
			}
		}
	case "mysql", "mariadb", "psql", "sqlite3":
		for _, arg := range args {
			for _, mark := range [...]string{`\!`, "system ", ".shell ", ".system "} {
				if line, ok := strings.CutPrefix(strings.TrimSpace(arg), mark); ok {
					in.lines = append(in.lines, line)
				}
			}
		}
	case "ex", "vi", "vim", "nvim", "gdb", "less":
		for _, arg := range args {
			arg = strings.TrimLeft(arg, "+: ")
			for _, before := range [...]string{"silent! ", "silent ", "sil! ", "sil ", "r ", "read ", "w ", "%"} {
				arg = strings.TrimPrefix(arg, before)
			}
			if line, ok := strings.CutPrefix(arg, "!"); ok {
				in.lines = append(in.lines, line)
			} else if line, ok := strings.CutPrefix(arg, "shell "); ok {
				in.lines = append(in.lines, line)
			}
		}
	}
	if len(in.lines)+len(in.commands) == 0 && l.operands > 0 {
		if at := slices.IndexFunc(args, func(arg string) bool { return isShell(program(arg)) }); at > 0 {
			in.commands = append(in.commands, args[at:])
		}
	}
	return in
}

// typed are the lines that the keys of send-keys and stuff write.
func typed(args []string) (in inside) {
	at := slices.IndexFunc(args, func(arg string) bool { return listed(" send-keys send stuff ", arg) })
	if at < 0 {
		return in
	}
	var b strings.Builder
	for keys := args[at+1:]; len(keys) > 0; keys = keys[1:] {
		switch key := keys[0]; {
		case (key == "-t" || key == "-N") && len(keys) > 1:
			keys = keys[1:]
		case b.Len() == 0 && len(key) == 2 && key[0] == '-':
		case key == "Enter" || key == "C-m" || key == "C-j" || key == "KPEnter":
			b.WriteByte('\n')
		case key == "Space":
			b.WriteByte(' ')
		default:
			b.WriteString(key)
		}
	}
	in.lines = append(in.lines, strings.NewReplacer(`\n`, "\n", `\r`, "\n", "^M", "\n", `\015`, "\n").Replace(b.String()))
	return in
}
