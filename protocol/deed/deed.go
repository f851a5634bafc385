package deed

import (
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Limits. Texts of an event are cut to maxText; anything longer than maxLine is not
// read at all, and counts as a match. So does what is over one of the others.
const (
	maxText   = 64 << 10
	maxLine   = 256 << 10
	maxList   = 500     // commands, and changes
	maxListed = 1 << 20 // bytes of commands: each contains those inside it
	maxPieces = 4 * maxList
	maxFolder = 4 << 10 // bytes of a path, of which no system has more
)

// Of is what the call of a tool event does. It is read only once.
func Of(ev *protocol.Event) *protocol.Deed {
	if ev.Deed == nil {
		ev.Deed = read(ev)
	}
	return ev.Deed
}

func read(ev *protocol.Event) *protocol.Deed {
	d := &protocol.Deed{}
	if !ev.Type.IsTool() {
		return d
	}
	c := ev.Call
	if c == nil {
		c = protocol.Tools(nil).NewCall(ev.Fields.Text("tool_name"), ev.Fields.Get("tool_input"))
	}
	called(ev, c, d)
	if ev.Unread != "" {
		d.UnreadCommands, d.UnreadChanges = ev.Unread, ev.Unread
	}
	if ev.Type.HasResult() {
		d.Result = result(ev)
	}
	return d
}

// called reads what a call runs and changes.
func called(ev *protocol.Event, c *protocol.Call, d *protocol.Deed) {
	defer func() {
		if p := recover(); p != nil { // guards must hear of the call all the same
			d.UnreadCommands, d.UnreadChanges = "a call", "a call"
		}
	}()
	if c.Does.Has(protocol.Runs | protocol.RawShell) {
		commands(ev, c, d)
	}
	if c.Does.Has(protocol.Changes | protocol.Deletes | protocol.Moves) {
		changes(ev, c, d)
	}
}

// Tell is the event as a hook gets it: with the fields commands, changes and result,
// if there are any. ev is not changed.
func Tell(ev *protocol.Event) *protocol.Event {
	if !ev.Type.IsTool() {
		return ev
	}
	d := Of(ev)
	if len(d.Commands) == 0 && len(d.Changes) == 0 && d.Result == nil {
		return ev
	}
	told := *ev
	told.Fields = append(make(protocol.Object, 0, len(ev.Fields)+3), ev.Fields...)
	if len(d.Commands) > 0 {
		told.Fields.Set("commands", list(d.Commands, command))
	}
	if len(d.Changes) > 0 {
		told.Fields.Set("changes", list(d.Changes, change))
	}
	if d.Result != nil {
		told.Fields.Set("result", ended(d.Result))
	}
	return &told
}

func list[T any](items []T, one func(T) protocol.Object) protocol.Raw {
	return protocol.ListOf(items, func(item T) protocol.Raw { return one(item).Raw() })
}

func command(c protocol.Command) (o protocol.Object) {
	cut := put(&o, "text", c.Text)
	if c.Argv != nil {
		words, left := make([]string, 0, len(c.Argv)), maxText
		for _, word := range c.Argv {
			if len(word) > left {
				word, cut = clip(word, left), true
			}
			left -= len(word)
			words = append(words, word)
		}
		o.Set("argv", protocol.TextList(words))
	}
	return marked(o, cut)
}

func change(c protocol.Change) (o protocol.Object) {
	o.SetText("action", string(c.Action))
	cut := false
	if c.Path != "" {
		cut = put(&o, "path", c.Path)
	}
	if c.To != "" {
		cut = put(&o, "to", c.To) || cut
	}
	if c.HasOld {
		cut = put(&o, "old", c.Old) || cut
	}
	if c.HasNew {
		cut = put(&o, "new", c.New) || cut
	}
	return marked(o, cut)
}

// put adds a text, and reports whether it had to be cut.
func put(o *protocol.Object, name, text string) bool {
	short := clip(text, maxText)
	o.SetText(name, short)
	return len(short) < len(text)
}

func marked(o protocol.Object, cut bool) protocol.Object {
	if cut {
		o.Set("cut", protocol.Raw("true"))
	}
	return o
}

// clip cuts a text to n bytes, between characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}

// commands reads what a call runs.
func commands(ev *protocol.Event, c *protocol.Call, d *protocol.Deed) {
	r := &reader{raw: c.Does.Has(protocol.RawShell), changes: writer{deed: d, dir: ev.WorkDir}}
	for _, name := range [...]string{"workdir", "cwd", "Cwd", "working_directory", "directory"} {
		if dir := c.Input.Text(name); dir != "" {
			r.changes.dir = absolute(ev.WorkDir, dir)
		}
	}
	if line := c.Input.Get("input"); c.NativeInput == nil && len(c.Input) == 1 {
		r.member(c.Input, "command", line) // not an object, but the line itself or its words
	}
	objects := []protocol.Object{c.Input}
	if c.Does.Has(protocol.Learned) {
		objects, r.unread = protocol.Nested(c.Input)
	}
	r.members(c, objects, !c.Does.Has(protocol.Learned))
	if c.Does.Has(protocol.Learned) {
		r.learned(protocol.WordsOf(c.NativeName), objects)
	}
	if nothing := len(r.out)+len(r.lines) == 0 && r.unread == ""; nothing && c.Name == protocol.Shell {
		r.members(c, objects, false)
		d.NoCommand = len(r.out)+len(r.lines) == 0 && r.unread == "" && !idle(c.Input)
	}
	d.Commands, d.Lines, d.Pipes, d.Pieces, d.UnreadCommands = r.out, r.lines, r.pipelines, r.pieces, r.unread
	if d.UnreadChanges == "" {
		d.UnreadChanges = r.unread // what such a command changes is not known either
	}
}

// members reads the members of an input that hold commands: only listed ones for a
// known tool, otherwise any whose name says so.
func (r *reader) members(c *protocol.Call, objects []protocol.Object, listed bool) {
	for _, o := range objects {
		for _, m := range o {
			if !strings.Contains(protocol.CommandMembers, " "+m.Name+" ") && (listed || !protocol.IsCommand(m.Name)) || c.Derived(m.Name) {
				continue
			}
			if text := protocol.TextOf(m.Value); simple(text) && !r.raw && !o.Has("args") {
				r.note(text)
				r.plain(strings.Fields(text))
			} else if m.Name != "command" || !(c.Does.Has(protocol.Learned) && protocol.IsEditVerb(o)) {
				r.member(o, m.Name, m.Value)
			}
		}
	}
}

// idle reports whether an input says that nothing is run: with an empty command.
func idle(input protocol.Object) bool {
	return slices.ContainsFunc(input, func(m protocol.Member) bool {
		v := string(m.Value)
		return protocol.IsCommand(m.Name) && (v == "[]" || len(v) > 1 && v[0] == '"' && strings.TrimSpace(protocol.TextOf(m.Value)) == "")
	})
}

// A reader collects the commands of one call.
type reader struct {
	raw       bool // no shell grammar accepts its lines
	out       []protocol.Command
	lines     []string
	pieces    []string
	pipelines []string
	changes   writer // what its lines write into files
	unread    string
	until     time.Time
	since     time.Duration   // processor time when until passed
	reread    int             // bytes of bodies that were read again
	listed    int             // bytes of commands
	over      bool            // nothing more is read: the time has passed
	tried     map[string]bool // the pieces

	known   map[string]string // variables that the text itself sets
	aliases map[string]string // of the shell
	ofGit   map[string]string // aliases that git config sets
}

// note stores a line unchanged.
func (r *reader) note(line string) {
	if !slices.Contains(r.lines, line) {
		r.lines = append(r.lines, line)
	}
}

func (r *reader) add(c protocol.Command) {
	for _, have := range r.out {
		if have.Text == c.Text && (have.Argv == nil) == (c.Argv == nil) && len(have.Argv) == len(c.Argv) {
			return
		}
	}
	switch {
	case len(r.out) == maxList:
		r.unread = "a call of more than 500 commands"
	case len(r.out) > 0 && r.listed+len(c.Text) > maxListed:
		r.unread = "commands that come to over 1 MiB"
	default:
		r.listed += len(c.Text)
		r.out = append(r.out, c)
	}
}

// piece adds texts that matchers alone are tried on.
func (r *reader) piece(texts ...string) {
	for _, text := range texts {
		if r.tried[text] {
			continue
		}
		if len(r.pieces) == maxPieces {
			r.unread = "a call of more than 2000 possible commands"
			return
		}
		if r.tried == nil {
			r.tried = map[string]bool{}
		}
		r.tried[text] = true
		r.pieces = append(r.pieces, text)
	}
}

// plain reads a command of plain words; usually there is no other inside it.
func (r *reader) plain(argv []string) {
	if heldBy(argv[0]) != nothing || strings.HasPrefix(argv[0], "git-") || program(argv[0]) != argv[0] || isCmdlet(argv[0]) || slices.Contains(argv, "--") || hasLong(argv) && spelled(argv) != nil {
		r.command(argv, 0)
		return
	}
	r.add(protocol.Command{Text: strings.Join(argv, " "), Argv: argv})
	if touches(argv[0]) {
		r.touched(argv)
	}
}

// hasLong reports whether a command has long options: most have none.
func hasLong(argv []string) bool {
	return slices.ContainsFunc(argv, func(arg string) bool { return strings.HasPrefix(arg, "--") })
}

// simple reports whether a line is one command of plain words, as most lines are; it
// needs no grammar.
func simple(line string) bool {
	for i := 0; i < len(line); i++ {
		if c := line[i]; c != ' ' && !plainByte(c) {
			return false
		}
	}
	name, _, _ := strings.Cut(strings.TrimLeft(line, " "), " ")
	hold := heldBy(name)
	return name != "" && !strings.ContainsAny(name, "/=.") && (hold == nothing || hold == launches)
}

func plainByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_./:,@+%=", c) >= 0
}

// touches reports whether a program's words name files that it changes.
func touches(name string) bool {
	switch name {
	case "rm", "unlink", "rmdir", "shred", "touch", "truncate", "tee", "sponge", "mv", "cp", "ln", "rsync", "scp", "install",
		"sed", "gsed", "perl", "ruby", "dd", "curl", "wget", "sort", "patch", "find", "gfind", "fd", "fdfind", "git", "gio", "chmod", "chown", "chgrp", "chattr", "setfacl", "emacs", "crudini", "dotenvx", "degit", "tiged", "svn", "hg",
		"mkdir", "mkfifo", "mknod", "link", "xxd", "uniq", "trash", "trash-put", "rimraf", "del-cli", "zstd", "unzstd", "gtar", "bsdtar", "yq", "gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "tar", "unzip", "zip", "script", "7z", "7za", "7zz", "ffmpeg", "fallocate", "sqlite3", "docker", "podman", "nerdctl", "kubectl", "oc", "aws", "gsutil", "gcloud", "rclone", "mc", "sd", "strace", "ltrace", "time", "gtime", "perf", "dos2unix", "unix2dos", "rpl", "dotenv", "cpio", "ar", "convert", "magick", "save", "mmv", "ed", "red", "ex", "vi", "vim", "nvim", "awk", "gawk",
		"gofmt", "goimports", "gofumpt", "shfmt", "prettier", "eslint", "stylelint", "clang-format", "autopep8", "black", "isort", "rustfmt", "rename", "prename", "file-rename", "split", "gsplit", "csplit", "gcsplit":
		return true
	}
	return outputsOf(name) != "" || cmdlet(name) != ""
}

// A hold is how a program carries another command in its own words.
type hold uint8

const (
	nothing  hold = iota
	keyword       // a word of the shell itself
	shell         // sh -c LINE
	line          // eval LINE
	wrapped       // sudo COMMAND
	launches      // docker run … COMMAND
	options       // git -C DIR COMMAND
	action        // find -exec COMMAND
	power         // pwsh -Command LINE
)

// heldBy says how a program carries another command in its own words.
func heldBy(name string) hold {
	switch name {
	case "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "in", "function", "select", "coproc", "declare", "export", "local", "readonly", "typeset", "let", "repeat", "foreach", "end":
		return keyword
	case "sh", "bash", "zsh", "dash", "ksh", "ksh93", "mksh", "ash", "fish", "rbash", "yash", "osh", "csh", "tcsh", "hush", "nu", "elvish", "xonsh", "rc", "es":
		return shell
	case "eval", "parallel", "sem", "trap", "alias":
		return line
	case "sudo", "doas", "env", "nohup", "builtin", "noglob", "nocorrect", "setsid", "busybox", "toybox", "caffeinate", "unbuffer", "pkexec", "gosu", "su-exec", "time", "command", "-",
		"exec", "nice", "ionice", "stdbuf", "timeout", "gtimeout", "xargs", "gxargs", "chroot", "taskset", "chrt", "arch", "setarch", "linux64", "linux32", "unshare", "nsenter", "setpriv",
		"prlimit", "firejail", "bwrap", "strace", "ltrace", "valgrind", "perf", "catchsegv", "eatmydata", "fakeroot", "proxychains", "proxychains4", "torsocks", "systemd-run",
		"dbus-run-session", "xvfb-run", "direnv", "chronic", "ts", "faketime", "flock", "runuser",
		"sshpass", "numactl", "cgexec", "cpulimit", "runcon", "daemonize", "run0", "please", "dbus-launch", "nocache", "retry", "tsocks", "flatpak-spawn", "winpty", "ssh-agent", "lima",
		"systemd-inhibit", "proot", "choom", "tini", "dumb-init", "catatonit", "chpst", "softlimit", "setuidgid", "s6-setuidgid", "envdir", "rlwrap", "uname26", "i386", "authbind", "aa-exec", "trickle", "heaptrack", "annotate-output",
		"lxc-attach", "lxc-execute", "ip", "sandbox-exec", "wine", "wine64", "setlock", "gtime":
		return wrapped
	case "docker", "podman", "nerdctl", "docker-compose", "podman-compose", "kubectl", "oc", "k", "k3s", "microk8s", "ssh", "autossh", "mosh", "vagrant", "gcloud", "aws", "az",
		"fly", "flyctl", "heroku", "ansible", "pdsh", "dsh", "clush", "lxc", "incus", "multipass", "crictl", "limactl", "machinectl", "distrobox", "ctr", "toolbox", "toolbx",
		"colima", "rdctl", "apptainer", "singularity", "gh", "repo", "systemd-nspawn", "wsl", "nix-shell", "nix", "guix", "op", "doppler", "dotenv", "dotenvx", "infisical", "chamber", "envchain", "teller", "lldb",
		"salt", "salt-call", "salt-ssh", "flatpak", "start-stop-daemon", "hub",
		"gnome-terminal", "just", "aws-vault", "npx", "bunx", "pnpx", "uvx", "npm", "pnpm", "yarn", "bun", "bundle", "rbenv", "pyenv", "asdf", "nodenv", "goenv", "conda", "mamba",
		"micromamba", "uv", "devbox", "devenv", "poetry", "pipenv", "hatch", "pdm", "rye", "pipx", "mise", "watch", "entr", "watchexec", "nodemon", "hyperfine", "concurrently", "xterm", "uxterm",
		"urxvt", "alacritty", "konsole", "foot", "st", "wezterm", "terminator", "xfce4-terminal", "lxterminal", "tilix", "kitty", "tmux", "screen", "su", "script", "sg", "gdb",
		"ex", "vi", "vim", "nvim", "rsync", "tar", "gtar", "bsdtar", "pixi", "capsh", "split", "sort", "zip", "cargo", "scp", "sftp", "rg", "socat", "nc", "ncat", "less", "man",
		"mysql", "mariadb", "psql", "sqlite3", "sed", "gsed", "emacs":
		return launches
	case "git":
		return options
	case "find", "gfind", "fd", "fdfind":
		return action
	case "pwsh", "powershell", "cmd":
		return power
	}
	return nothing
}

// program is the name of a program without its folder, and in lower case if it ends
// in .exe, or is one of Windows itself. Zsh looks up =rm, and coreutils are also
// called grm.
func program(word string) string {
	name := word
	if i := max(strings.LastIndexByte(name, '/'), strings.LastIndexByte(name, '\\')); i >= 0 && !strings.ContainsAny(name[i+1:], "$`(){}") {
		name = name[i+1:]
	}
	if len(name) > 1 && name[0] == '=' {
		name = name[1:]
	}
	switch name {
	case "grm", "gcp", "gmv", "gln", "gtee", "gdd", "ginstall", "gtouch", "gtruncate", "gshred", "gsort", "gunlink", "grmdir", "gmkdir", "genv", "gnice", "gnohup", "gstdbuf":
		return name[1:]
	}
	if lower := strings.ToLower(name); strings.HasSuffix(lower, ".exe") || heldBy(lower) == power {
		name = strings.TrimSuffix(lower, ".exe")
	}
	return name
}

// isCmdlet reports whether a word is a cmdlet, or a word of PowerShell, that runs what
// follows.
func isCmdlet(name string) bool {
	switch strings.ToLower(name) {
	case "iex", "invoke-expression", "try", "%", "foreach-object", "icm", "invoke-command", "start-job", "measure-command", "&", ".", "start-process", "saps", "start":
		return true
	}
	return false
}

// outputsOf are the options that tell a program which file to write, each between
// spaces; "" if there are none, and for programs that touched knows by itself.
func outputsOf(name string) string {
	switch name {
	case "gcc", "g++", "cc", "c++", "clang", "clang++", "ld", "rustc", "ghc", "as", "nasm", "pandoc", "dot", "age", "age-keygen", "protoc", "xsltproc", "base64", "gpg", "gpg2", "sops", "objdump", "ldd",
		"shuf", "psql", "kustomize", "cosign", "syft", "qrencode", "cloc", "iconv", "xmllint", "minify", "uglifyjs", "terser", "svgo", "sass", "lessc", "postcss", "swagger-cli", "yt-dlp", "http", "https", "xh", "aria2c", "nm", "strip", "objcopy":
		return " -o --output "
	case "op", "gcloud":
		return " -o --out-file "
	case "gh":
		return " -O --output "
	case "tcpdump", "tshark", "dumpcap":
		return " -w "
	case "logrotate":
		return " -s --state "
	case "openssl", "terraform", "tofu":
		return " -out -keyout "
	case "ssh-keygen", "pg_dump", "pg_dumpall":
		return " -f --file "
	case "mysqldump", "mariadb-dump":
		return " -r --result-file "
	case "esbuild", "tsc", "bun":
		return " --outfile --outFile "
	case "go":
		return " -o -coverprofile -cpuprofile -memprofile "
	}
	return ""
}
