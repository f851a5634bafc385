package failure

import (
	"slices"
	"strconv"
	"strings"
)

// An answer is an exit code by which a program says something other than that it
// failed.
type answer struct {
	programs string // any of these programs
	subs     string // with one of these words among its arguments, if given
	options  string // with one of these options, if given
	exits    string // the codes
	unless   string // but none of this in its output; alternatives are separated by |
}

// asked are the answers of programs, grouped by what they mean.
var asked = []answer{
	// No match, a difference, or "no".
	{programs: "grep egrep fgrep zgrep rg ag ack ugrep ast-grep sg diff cmp sdiff colordiff zdiff xzdiff comm difft dyff findstr fc", exits: "1"},
	{programs: "test [ [[ false expr let (( bc tty mesg wait read fzf gum zenity dialog locate fd flock", exits: "1"},
	{programs: "pgrep pkill killall pidof fuser lsof ps jobs", exits: "1"},
	{programs: "which type command hash where whereis getent id mountpoint groups locale man apropos crontab findmnt blkid lsmod xcode-select defaults launchctl pkgutil", exits: "1 2 3 113"},
	{programs: "xargs", exits: "1 123"},
	{programs: "xmllint", options: "--xpath", exits: "10 11"},
	{programs: "jq yq dasel gojq", options: "-e --exit-status", exits: "1 4"},
	{programs: "openssl", options: "-checkend", exits: "1"},
	{programs: "pkg-config pkgconf", options: "--exists --atleast-version --exact-version --max-version", exits: "1"},
	{programs: "gpg gpg2", options: "--list-keys --list-secret-keys -k -K", exits: "2"},
	{programs: "ssh-add", options: "-l -L", exits: "1 2"},
	{programs: "ssh-keygen", options: "-F", exits: "1"},
	{programs: "sudo", options: "-n -l", exits: "1"},
	{programs: "reg schtasks sc tasklist", subs: "query /query", exits: "1 1060"},
	// Does anybody answer?
	{programs: "pg_isready", exits: "1 2"},
	{programs: "nc ncat netcat", options: "-z -zv -vz -zvw1 -zw1", exits: "1"},
	{programs: "ping ping6 host dig nslookup", exits: "1 2"},
	{programs: "mysqladmin", subs: "ping status", exits: "1"},
	{programs: "redis-cli valkey-cli", subs: "ping", exits: "1", unless: "wrongpass|noauth"},
	{programs: "wget", options: "--spider", exits: "1 4 8"},
	{programs: "curl", options: "--head -I --write-out -w", exits: "7 22 28 52 56"},
	{programs: "adb", subs: "get-state", exits: "1"},
	{programs: "vault", subs: "status", exits: "2"},
	// What state is it in?
	{programs: "systemctl service rc-service", subs: "is-active is-enabled is-failed is-system-running status show", exits: "1 2 3 4"},
	{programs: "tmux screen", subs: "has-session has ls", exits: "1"},
	{programs: "screen", options: "-ls -list", exits: "1"},
	{programs: "podman docker", subs: "exists diff", exits: "1"},
	{programs: "kubectl oc", subs: "can-i", exits: "1"},
	{programs: "kubectl helm oc argocd", subs: "diff", exits: "1 2"},
	{programs: "terraform tofu terragrunt", options: "-detailed-exitcode --detailed-exitcode", exits: "2"},
	{programs: "helm", options: "--detailed-exitcode", exits: "2"},
	{programs: "pulumi", options: "--expect-no-changes", exits: "1 255", unless: "error:"},
	{programs: "gh glab", subs: "status checks diff", exits: "1 8"},
	{programs: "prisma", subs: "status", exits: "1", unless: "error:"},
	{programs: "prisma", options: "--exit-code", exits: "2"},
	{programs: "manage.py", options: "--check", exits: "1", unless: "traceback"},
	{programs: "python python3 django-admin", subs: "makemigrations migrate", options: "--check", exits: "1", unless: "traceback"},
	{programs: "alembic", subs: "check", exits: "1 255", unless: "traceback"},
	{programs: "make gmake", options: "-q --question", exits: "1"},
	{programs: "aws", subs: "ls", exits: "1", unless: "error|unable|denied"},
	{programs: "az", subs: "show exists", exits: "3"},
	// What could be newer, or is known to be unsafe?
	{programs: "npm pnpm yarn bun", subs: "outdated audit ls list why explain", exits: "1 2 4 6 8 12 14 16 24 28 30", unless: "enetunreach|eresolve|enotfound|econnrefused|enolock|eaudit|not logged in"},
	{programs: "ncu npm-check-updates npm-check", exits: "1", unless: "error:"},
	{programs: "bundle gem composer brew poetry mix flutter dart opam conda choco scoop", subs: "outdated hex.outdated show audit", exits: "1 2", unless: "could not|error:|failed to|not found|no such"},
	{programs: "cargo", subs: "outdated audit", exits: "1", unless: "error: could not|error: failed|no such command|no such subcommand"},
	{programs: "pip pip3", subs: "check", exits: "1", unless: "error:"},
	{programs: "pip-audit bundler-audit bundle-audit osv-scanner govulncheck safety snyk", exits: "1 3 64", unless: "error:|could not|failed to"},
	{programs: "dnf yum zypper microdnf", exits: "100"},
	// Is it formatted? A code that is not one of these means that it could not be read.
	{programs: "prettier prettierd", options: "--check -c --list-different -l", exits: "1", unless: "[error]"},
	{programs: "black", options: "--check --diff", exits: "1"},
	{programs: "isort", options: "--check-only --check -c --diff", exits: "1"},
	{programs: "ruff", subs: "format", options: "--check --diff", exits: "1", unless: "error:|failed to parse"},
	{programs: "yapf autopep8 docformatter", options: "--diff -d --exit-code --check -c", exits: "1 2 3"},
	{programs: "cargo", subs: "fmt", options: "--check -- --all", exits: "1", unless: "error:|error[|is not installed"},
	{programs: "rustfmt", options: "--check", exits: "1", unless: "error:|error["},
	{programs: "gofmt gofumpt goimports gci golines shfmt", options: "-l -d", exits: "1", unless: "expected|must be|reached eof"},
	{programs: "stylua", options: "--check -c", exits: "1", unless: "error:"},
	{programs: "mix", subs: "format", options: "--check-formatted", exits: "1", unless: "syntaxerror|tokenmissing"},
	{programs: "dart flutter", subs: "format", options: "--set-exit-if-changed", exits: "1"},
	{programs: "clang-format", options: "--dry-run -n", exits: "1"},
	{programs: "dotnet", subs: "format", options: "--verify-no-changes --verify-no-changes=true", exits: "1 2"},
	{programs: "terraform tofu packer", subs: "fmt", options: "-check -check=true --check", exits: "1 3", unless: "error:"},
	{programs: "terragrunt", subs: "hclfmt", options: "--terragrunt-check --check", exits: "1"},
	{programs: "biome rome", subs: "format", exits: "1", unless: "parse"},
	{programs: "dprint", subs: "check", exits: "20"},
	{programs: "deno", subs: "fmt", options: "--check", exits: "1", unless: "error parsing|error formatting"},
	{programs: "zig", subs: "fmt", options: "--check", exits: "1", unless: "error:"},
	{programs: "buf", subs: "format", options: "--exit-code", exits: "100"},
	{programs: "elm-format", options: "--validate", exits: "1"},
	{programs: "ocamlformat", options: "--check", exits: "1", unless: "error:"},
	{programs: "ormolu fourmolu", options: "--mode -m", exits: "100"},
	{programs: "scalafmt ktfmt google-java-format nixfmt nixpkgs-fmt alejandra swiftformat taplo buildifier fprettify", options: "--check --test --list --set-exit-if-changed --lint --mode=check -c --dry-run", exits: "1 3 4", unless: "error:"},
	{programs: "php-cs-fixer", options: "--dry-run", exits: "8"},
	{programs: "pint", options: "--test", exits: "1"},
	// There was nothing to do.
	{programs: "pytest py.test", exits: "5"},
	{programs: "python python3 uv", subs: "pytest", exits: "5"},
	{programs: "rsync", exits: "24"}, // files that vanished meanwhile
	{programs: "git", options: "--exit-code --quiet", exits: "1 2"},
	{programs: "git", subs: "merge-tree cherry verify-commit verify-tag", exits: "1"},
	{programs: "git", options: "--check", exits: "1 2"},
}

// inTable reports whether a program with these arguments answers by its exit code.
func inTable(words []string, exit int, text string) bool {
	code := strconv.Itoa(exit)
	for i := range asked {
		a := &asked[i]
		if !hasField(a.programs, words[0]) || !hasField(a.exits, code) {
			continue
		}
		among := func(list string, options bool) bool {
			return list == "" || slices.ContainsFunc(words[1:], func(w string) bool {
				if options {
					w, _, _ = strings.Cut(w, "=")
				}
				return hasField(list, w) || !options && hasField(list, w[strings.LastIndexByte(w, '/')+1:])
			})
		}
		if among(a.subs, false) && (among(a.options, true) || among(a.options, false)) && !(a.unless != "" && slices.ContainsFunc(strings.Split(a.unless, "|"), func(s string) bool { return strings.Contains(text, s) })) {
			return true
		}
	}
	return false
}

// hasField reports whether a list contains a word.
func hasField(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// probes reports whether a call only asks whether somebody answers: for its health, or
// by a command that does nothing.
func probes(words []string, exit int) bool {
	rest := strings.Join(words[1:], " ")
	switch words[0] {
	case "curl", "http", "https", "xh", "wget":
		quiet := strings.Contains(rest, "/dev/null") || slices.ContainsFunc(words[1:], func(w string) bool {
			return strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Contains(w, "f") && strings.Contains(w, "s") || w == "--fail"
		})
		health := slices.ContainsFunc([]string{"/health", "/ready", "/live", "/ping", "/status", "/up", "/version"}, func(s string) bool { return strings.Contains(rest, s) })
		local := strings.Contains(rest, "localhost") || strings.Contains(rest, "127.0.0.1") || strings.Contains(rest, "[::1]")
		return (health && (local || quiet) || quiet && local || strings.Contains(rest, "/dev/null")) && !strings.Contains(rest, "-o ./") && slices.Contains([]int{1, 4, 7, 8, 22, 28, 52, 56}, exit)
	case "ssh":
		last := words[len(words)-1]
		return exit == 255 && (strings.Contains(rest, "BatchMode=yes") || strings.Contains(rest, "ConnectTimeout=")) && slices.Contains([]string{"true", "exit", ":", "echo", "ok", "uptime", "hostname"}, last)
	}
	return false
}

// turned reports whether a command line inverts its exit code, or ignores it.
func turned(command string) bool {
	s := strings.TrimRight(command, "; \n")
	for _, end := range [...]string{"|| true", "|| :", "||true", "|| exit 0", "|| echo", "; true", "; exit 0"} {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	from := 0
	for _, sep := range [...]string{"&&", "||", ";", "\n"} {
		if i := strings.LastIndex(s, sep); i >= 0 {
			from = max(from, i+len(sep))
		}
	}
	return strings.HasPrefix(strings.TrimSpace(s[from:]), "! ")
}

// plain is a command line without process substitutions: diff <(sort a) <(sort b).
func plain(command string) string {
	for {
		i := strings.Index(command, "<(")
		if i < 0 {
			return command
		}
		depth, end := 0, len(command)
		for k := i + 1; k < len(command); k++ {
			if command[k] == '(' {
				depth++
			} else if command[k] == ')' {
				if depth--; depth == 0 {
					end = k + 1
					break
				}
			}
		}
		command = command[:i] + "file" + command[end:]
	}
}
