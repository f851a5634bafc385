package screen

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// programs judge a simple command by the words after its program's name, as far as they
// know it. "" is no reason to hold it.
var programs = map[string]func(args []string) (kind, why string){
	"rm": removes, "unlink": none, "rmdir": windowsRemoves, "rd": windowsRemoves, "del": windowsRemoves, "erase": windowsRemoves, "remove-item": powershellRemoves, "ri": powershellRemoves,
	"find": finds, "dd": device, "shred": always("overwrites files"), "wipefs": always("removes a file system"), "mkswap": always("formats a device"), "fdisk": disks, "parted": disks, "sgdisk": disks, "diskpart": disks,
	"format": formats, "format-volume": always("formats a volume"), "clear-disk": always("clears a disk"), "diskutil": verbs("erases a disk", "erasedisk", "erasevolume", "partitiondisk", "secureerase", "zerodisk"),
	"git": gits, "gh": pairs("deletes what is kept elsewhere", "repo delete", "release delete", "secret delete", "api -X=DELETE"),
	"docker": dockers, "podman": dockers, "docker-compose": composes, "kubectl": clusters, "oc": verbs("removes what runs in a cluster", "delete"), "helm": verbs("removes what runs in a cluster", "uninstall", "delete"),
	"terraform": terraforms, "tofu": terraforms, "pulumi": verbs("removes infrastructure", "destroy", "down"), "aws": clouds, "gcloud": clouds, "az": clouds, "gsutil": verbs("removes what is stored", "rm", "rb"), "mc": verbs("removes what is stored", "rm", "rb"), "heroku": clouds, "flyctl": verbs("removes what runs", "destroy"), "fly": verbs("removes what runs", "destroy"),
	"dropdb": always("removes a database"), "dropuser": always("removes a user of a database"), "redis-cli": verbs("removes data from a database", "flushall", "flushdb"), "mysqladmin": verbs("removes a database", "drop"), "rake": verbs("removes a database", "db:drop", "db:reset"), "rails": verbs("removes a database", "db:drop", "db:reset"), "prisma": pairs("removes a database", "migrate reset", "db push --force-reset"), "manage.py": verbs("removes data from a database", "flush", "reset_db"),
	"chmod": chmods, "chown": owns, "chgrp": owns, "kill": kills, "killall": always("ends programs of others, by their name"), "pkill": always("ends programs of others, by their name"), "taskkill": kills,
	"shutdown": always("stops the machine"), "reboot": always("stops the machine"), "halt": always("stops the machine"), "poweroff": always("stops the machine"), "init": verbs("stops the machine", "0", "6"), "stop-computer": always("stops the machine"), "restart-computer": always("stops the machine"),
	"crontab": flags("removes what is scheduled", "-r"), "userdel": always("removes a user"), "deluser": always("removes a user"), "iptables": weakens("opens the firewall", "-F", "--flush"), "nft": weakens("opens the firewall", "flush"), "ufw": weakens("opens the firewall", "disable", "reset"), "setenforce": weakens("switches protection off", "0", "permissive"), "csrutil": weakens("switches protection off", "disable"), "spctl": weakens("switches protection off", "--master-disable"), "set-executionpolicy": weakens("switches protection off", "bypass", "unrestricted"), "set-mppreference": always("switches protection off"),
	"truncate": truncates, "rsync": flags("removes what is at the other end only", "--delete", "--delete-after", "--delete-before", "--delete-excluded"), "curl": curls, "wget": wgets, "npm": npms, "pnpm": npms, "yarn": npms, "mv": moves, "zfs": verbs("removes a file system", "destroy"), "zpool": verbs("removes a file system", "destroy"), "lvremove": always("removes a volume"), "vgremove": always("removes a volume"), "history": flags("hides what was done", "-c"), "visudo": always("gives rights of the administrator"), "security": verbs("changes what the machine trusts", "delete-keychain", "add-trusted-cert", "dump-keychain"), "reg": verbs("removes settings of the machine", "delete"), "vssadmin": verbs("removes back-ups", "delete"), "bcdedit": always("changes how the machine starts"),
}

func none([]string) (kind, why string) { return "", "" }

func always(why string) func([]string) (string, string) {
	return func(args []string) (string, string) {
		if slices.Contains(args, "--help") || slices.Contains(args, "--version") {
			return "", ""
		}
		if strings.Contains(why, "protection") {
			return Weakens, why
		}
		return Destructive, why
	}
}

// verbs holds a command that has one of these words among its first ones, unless it
// only shows what it would do (--dry-run).
func verbs(why string, list ...string) func([]string) (string, string) {
	return func(args []string) (string, string) {
		if dry(args) {
			return "", ""
		}
		words := 0
		for _, a := range args {
			if slices.Contains(list, strings.ToLower(a)) {
				return Destructive, why
			}
			// Later words are not verbs any more, but an argument or a sentence.
			if words++; words == verbWords {
				break
			}
		}
		return "", ""
	}
}

// verbWords is how many words may come before a verb: options of the program itself and
// their values.
const verbWords = 4

func flags(why string, list ...string) func([]string) (string, string) {
	return func(args []string) (string, string) {
		if !dry(args) && has(args, list...) {
			return Destructive, why
		}
		return "", ""
	}
}

func weakens(why string, list ...string) func([]string) (string, string) {
	return func(args []string) (string, string) {
		for _, a := range args {
			if slices.Contains(list, a) || slices.Contains(list, strings.ToLower(a)) {
				return Weakens, why
			}
		}
		return "", ""
	}
}

// pairs holds a command that has all words of one of these.
func pairs(why string, list ...string) func([]string) (string, string) {
	return func(args []string) (string, string) {
		all := strings.ToLower(strings.Join(args, " "))
		for _, p := range list {
			found := true
			for _, w := range strings.FieldsFunc(strings.ToLower(p), func(c rune) bool { return c == ' ' || c == '=' }) {
				found = found && slices.Contains(strings.Fields(all), w)
			}
			if found {
				return Destructive, why
			}
		}
		return "", ""
	}
}

func dry(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		return a == "--dry-run" || strings.HasPrefix(a, "--dry-run=") && a != "--dry-run=none" || a == "--help" || strings.EqualFold(a, "-whatif")
	})
}

func has(args []string, list ...string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return slices.Contains(list, a) })
}

// short reports whether some combined short options contain one of the letters.
func short(args []string, letters string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		return len(a) > 1 && len(a) < 10 && a[0] == '-' && a[1] != '-' && strings.ContainsAny(a[1:], letters) && !strings.ContainsFunc(a, func(c rune) bool { return c >= 0x80 })
	})
}

// starters are where a command may begin in prose: the programs above, and those that
// run others.
var starters = sync.OnceValue(func() *regexp.Regexp {
	names := []string{"sudo", "doas", "sh", "bash", "zsh", "xargs", "eval", "env", "cmd", "powershell", "pwsh", "mkfs[.a-z0-9]*"}
	for name := range programs {
		names = append(names, regexp.QuoteMeta(name))
	}
	slices.Sort(names)
	return regexp.MustCompile(`(?i)(?:^|[^\w.-]|/)((?:` + strings.Join(names, "|") + `)(?:\.exe)?\s+[^\s])`)
})

// judge says why a simple command is a reason to hold, "" if it is none.
func judge(argv []string) (kind, why string) {
	if len(argv) == 0 || argv[0] == "" {
		return "", ""
	}
	name := strings.TrimSuffix(strings.ToLower(path.Base(strings.ReplaceAll(argv[0], `\`, "/"))), ".exe")
	if strings.HasPrefix(name, "mkfs") {
		return Destructive, "formats a device"
	}
	if unicode.IsUpper(rune(argv[0][0])) && !strings.Contains(argv[0], "-") && !slices.ContainsFunc(argv[1:], func(a string) bool { return strings.HasPrefix(a, "-") || strings.HasPrefix(a, "/") }) {
		return "", "" // a sentence that begins with the word: "Reboot is not needed"
	}
	if do := programs[name]; do != nil {
		return do(argv[1:])
	}
	if len(argv) > 1 && (strings.HasPrefix(name, "python") || name == "npx" || name == "bundle") {
		return judge(slices.DeleteFunc(slices.Clone(argv[1:]), func(a string) bool { return a == "exec" }))
	}
	return "", ""
}

// made are folders and files that a build makes again: removing them loses nothing.
var made = strings.Fields(`node_modules dist build target out bin obj .cache cache __pycache__ .pytest_cache .mypy_cache .ruff_cache .next .nuxt .turbo .parcel-cache
	.gradle .terraform vendor venv .venv coverage .tox .eggs deriveddata pods _build deps .dart_tool .angular .svelte-kit .vite tmp .tmp logs log storybook-static cmakefiles cmakecache.txt
	package-lock.json yarn.lock pnpm-lock.yaml gemfile.lock poetry.lock cargo.lock .eslintcache .bundle elm-stuff zig-cache .zig-cache bazel-out .stack-work dist-newstyle nbproject .nyc_output public/build`)

// removes judges rm: what a build makes again may be removed, and so may single files.
func removes(args []string) (kind, why string) {
	deep := short(args, "rR") || has(args, "--recursive", "--no-preserve-root")
	if deep && !slices.ContainsFunc(args, func(a string) bool { return a != "" && a[0] != '-' }) {
		return Destructive, "removes files that something else names"
	}
	for _, a := range operands(args) {
		if a == "" || a[0] == '-' || a == "{}" || a == "+" || a == `\;` || a == ";" { // named by find, which is judged itself
			continue
		}
		if wide(a) || deep && !rebuilt(a) {
			return Destructive, "removes files that nothing brings back"
		}
	}
	return "", ""
}

// operands are the arguments up to the rest of a sentence: "rm -rf target and build
// again". A path after the "and" is one more argument.
func operands(args []string) []string {
	for i, a := range args {
		if (a == "and" || a == "then" || a == "or") && !slices.ContainsFunc(args[i:], func(b string) bool { return strings.ContainsAny(b, "/~$*") }) {
			return args[:i]
		}
	}
	return args
}

// wide reports whether a path means everything, or all of somebody's files.
func wide(p string) bool {
	p = strings.Trim(p, `"'`)
	switch clean := strings.TrimRight(p, "/*."); {
	case clean == "" || clean == "~" || clean == "$HOME" || clean == "${HOME}" || clean == `%USERPROFILE%`:
		return true
	case len(clean) == 2 && clean[1] == ':':
		return true
	}
	parts := strings.Split(strings.Trim(p, "/"), "/")
	return strings.HasPrefix(p, "/") && len(parts) == 1 && parts[0] != "tmp"
}

func rebuilt(p string) bool {
	p = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(strings.TrimRight(strings.Trim(p, `"'`), ".,;")), "/*"), "/")
	p = strings.ReplaceAll(p, `\`, "/")
	if p == "" || strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "/tmp/") || strings.Contains(p, "..") || strings.ContainsAny(p, "$`") {
		return strings.HasSuffix(p, "/.cache") && strings.HasPrefix(p, "$home") || temporary().MatchString(p)
	}
	base := path.Base(p)
	return slices.Contains(made, base) || strings.HasPrefix(p, "/tmp/") || strings.HasSuffix(base, ".egg-info") || strings.HasPrefix(p, "~/.cache/") || strings.HasPrefix(base, "cmake-build") || strings.HasSuffix(base, ".lock")
}

// temporary are variable names that scripts use for a folder which they made
// themselves.
var temporary = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\$\{?(?:tmp|temp)(?:_?dir)?\}?$`) })

func windowsRemoves(args []string) (string, string) {
	if slices.ContainsFunc(args, func(a string) bool { return strings.EqualFold(a, "/s") }) {
		for _, a := range args {
			if !strings.HasPrefix(a, "/") && !rebuilt(a) {
				return Destructive, "removes files that nothing brings back"
			}
		}
	}
	return "", ""
}

func powershellRemoves(args []string) (string, string) {
	if dry(args) || !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(strings.ToLower(a), "-r") }) {
		return "", ""
	}
	named := false
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			if named = true; !rebuilt(a) {
				return Destructive, "removes files that nothing brings back"
			}
		}
	}
	if !named {
		return Destructive, "removes files that something else names"
	}
	return "", ""
}

func finds(args []string) (string, string) {
	i := slices.IndexFunc(args, func(a string) bool { return a == "-delete" || a == "-exec" || a == "-execdir" })
	if i < 0 {
		return "", ""
	}
	if args[i] != "-delete" && (i+1 >= len(args) || path.Base(args[i+1]) != "rm") {
		return "", ""
	}
	for _, a := range args {
		if name := strings.Trim(strings.ToLower(a), `"'*`); slices.Contains(made, name) || name == ".pyc" || name == ".orig" || name == ".tmp" || name == ".ds_store" || name == ".class" || name == ".o" {
			return "", ""
		}
	}
	return Destructive, "removes files that nothing brings back"
}

func device(args []string) (string, string) {
	for _, a := range args {
		if strings.HasPrefix(a, "of=/dev/") && a != "of=/dev/null" {
			return Destructive, "writes over a device"
		}
	}
	return "", ""
}

func disks(args []string) (string, string) {
	if has(args, "-l", "--list", "-p", "print") {
		return "", ""
	}
	return Destructive, "changes the partitions of a disk"
}

func formats(args []string) (string, string) {
	if slices.ContainsFunc(args, func(a string) bool { return len(a) == 2 && a[1] == ':' }) {
		return Destructive, "formats a drive"
	}
	return "", ""
}

func gits(args []string) (string, string) {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") { // options of git itself
		if (args[0] == "-C" || args[0] == "-c") && len(args) > 1 {
			args = args[1:]
		}
		args = args[1:]
	}
	if len(args) == 0 || dry(args) {
		return "", ""
	}
	verb, rest := args[0], args[1:]
	bad := false
	switch verb {
	case "push":
		bad = short(rest, "fd") || has(rest, "--force", "--mirror", "--delete", "--prune") || slices.ContainsFunc(rest, func(a string) bool { return strings.HasPrefix(a, "+") || strings.HasPrefix(a, ":") && len(a) > 1 })
	case "reset":
		bad = has(rest, "--hard", "--merge")
	case "clean":
		bad = (short(rest, "f") || has(rest, "--force")) && !short(rest, "n")
	case "checkout", "restore":
		bad = has(rest, ".", "*", ":/") && !has(rest, "--staged") || verb == "checkout" && (short(rest, "f") || has(rest, "--force"))
	case "stash":
		bad = has(rest, "drop", "clear")
	case "branch":
		bad = short(rest, "D") || has(rest, "--delete") && has(rest, "--force")
	case "filter-branch", "filter-repo", "update-ref":
		bad = verb != "update-ref" || has(rest, "-d", "--delete")
	case "reflog":
		bad = has(rest, "expire", "delete")
	case "gc":
		bad = has(rest, "--prune=now", "--prune=all")
	case "config":
		if all := strings.ToLower(strings.Join(rest, " ")); strings.Contains(all, "sslverify false") || strings.Contains(all, "core.hookspath") && !ownHooks(rest) {
			return Weakens, "switches a check off"
		}
	case "commit":
		if has(rest, "--no-verify") || short(rest, "n") {
			return Weakens, "switches a check off that guards a commit or a push"
		}
	}
	if bad {
		return Destructive, "takes away work that was not kept elsewhere"
	}
	return "", ""
}

// ownHooks reports whether git is given hooks in the project, where they are read along
// with it.
func ownHooks(args []string) bool {
	last := args[len(args)-1]
	return !strings.HasPrefix(last, "/") && !strings.ContainsAny(last, "~$") && !strings.Contains(last, "..") && strings.Contains(strings.ToLower(last), "h") && !strings.EqualFold(last, "core.hooksPath")
}

func chmods(args []string) (string, string) {
	for _, a := range args {
		if a == "777" || a == "0777" || a == "a+rwx" || a == "666" || a == "o+w" || a == "a+w" || a == "ugo+rwx" || strings.HasSuffix(a, "u+s") || strings.HasPrefix(a, "4") && len(a) == 4 {
			return Weakens, "lets everybody change files, or run them as their owner"
		}
		if short(args, "R") && wide(a) {
			return Destructive, "changes the rights of everything"
		}
	}
	return "", ""
}

func owns(args []string) (string, string) {
	if short(args, "R") && slices.ContainsFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") && strings.HasPrefix(a, "/") && wide(a) }) {
		return Destructive, "changes the owner of everything"
	}
	return "", ""
}

func kills(args []string) (string, string) {
	if has(args, "-1") && len(args) > 1 && args[len(args)-1] == "-1" || slices.ContainsFunc(args, func(a string) bool { return strings.EqualFold(a, "/im") }) {
		return Destructive, "ends programs of others"
	}
	return "", ""
}

func truncates(args []string) (string, string) {
	if has(args, "-s0", "--size=0") || has(args, "-s") && has(args, "0") {
		if slices.ContainsFunc(args, func(a string) bool { return strings.HasSuffix(a, ".log") }) {
			return "", ""
		}
		return Destructive, "empties files"
	}
	return "", ""
}

func curls(args []string) (string, string) {
	if short(args, "k") || has(args, "--insecure") {
		return Weakens, "switches a check of certificates off"
	}
	return "", ""
}

func wgets(args []string) (string, string) {
	if has(args, "--no-check-certificate") {
		return Weakens, "switches a check of certificates off"
	}
	return "", ""
}

func npms(args []string) (string, string) {
	if has(args, "unpublish") {
		return Destructive, "takes back what others depend on"
	}
	return "", ""
}

func moves(args []string) (string, string) {
	if len(args) > 1 && args[len(args)-1] == "/dev/null" {
		return Destructive, "removes files that nothing brings back"
	}
	return "", ""
}
