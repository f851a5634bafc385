package deed

import (
	"path"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// touched adds the files that a command's own words say it changes.
func (r *reader) touched(argv []string) {
	name, args := argv[0], argv[1:]
	each := func(action protocol.Action, names []string) {
		for _, file := range names {
			if r.changes.names(file) {
				r.changes.add(protocol.Change{Action: action, Path: file})
			}
		}
	}
	switch name {
	case "mkdir", "mkfifo", "mknod":
		o := operands(args, "m", "--mode")
		if name == "mknod" {
			o.rest = o.rest[:min(1, len(o.rest))]
		}
		each(protocol.Create, o.rest)
	case "rm", "unlink", "rmdir", "trash", "trash-put", "rimraf", "del-cli":
		each(protocol.Delete, operands(args, "").rest)
	case "shred", "touch", "truncate", "tee", "sponge":
		each(protocol.Update, operands(args, map[string]string{"shred": "ns", "touch": "drt", "truncate": "sr"}[name], "--size", "--reference", "--date", "--time", "--iterations").rest)
	case "mv":
		r.placed(protocol.Move, operands(args, "tS", "--target-directory", "--suffix"))
	case "cp":
		r.placed(protocol.Create, operands(args, "tS", "--target-directory", "--suffix"))
	case "ln":
		o := operands(args, "tS", "--target-directory", "--suffix")
		if len(o.rest) == 1 {
			o.rest = append(o.rest, ".")
		}
		r.placed(protocol.Create, o)
	case "link", "xxd", "uniq":
		if o := operands(args, "clgsofNw"); len(o.rest) == 2 {
			each(protocol.Create, o.rest[1:])
		}
	case "rename", "prename", "file-rename":
		r.renamed(args, each)
	case "split", "gsplit":
		split(args, each)
	case "csplit", "gcsplit":
		csplit(args, each)
	case "gio":
		if len(args) > 1 && (args[0] == "trash" || args[0] == "remove") {
			each(protocol.Delete, operands(args[1:], "").rest)
		}
	case "scp":
		r.copied(operands(args, "cFiJloPSX"), each)
	case "rsync":
		if slices.Contains(args, "--remove-source-files") {
			r.taken(operands(args, "efBMT", "--exclude", "--include", "--rsh"), each)
		}
		r.copied(operands(args, "efBMT", "--exclude", "--include", "--rsh", "--rsync-path", "--files-from", "--filter", "--exclude-from", "--include-from", "--backup-dir", "--suffix", "--log-file",
			"--out-format", "--port", "--temp-dir", "--partial-dir", "--chmod", "--chown", "--compare-dest", "--copy-dest", "--link-dest", "--bwlimit", "--max-size", "--min-size", "--timeout"), each)
	case "install":
		r.installed(args, each)
	case "sed", "gsed", "perl", "ruby", "yq":
		r.inPlace(name, args, each)
	case "dd":
		for _, arg := range args {
			if file, ok := strings.CutPrefix(arg, "of="); ok {
				each(protocol.Create, []string{file})
			}
		}
	case "sort":
		each(protocol.Create, operands(args, "oktTS", "--output").valuesOf("o", "--output"))
	case "curl", "wget":
		r.fetched(name, args, each)
	case "gzip", "bzip2", "xz", "gunzip", "bunzip2", "unxz":
		r.packed(name, operands(args, "S", "--suffix"))
	case "script":
		each(protocol.Update, operands(args, "BEIlmoOTtc", "--command").rest)
	case "zip":
		r.zipped(args, each)
	case "patch":
		r.patched(args, each)
	case "tar", "gtar", "bsdtar", "unzip":
		r.unpacked(name, args, each)
	case "find", "gfind":
		r.found(args, each)
	case "fd", "fdfind":
		r.foundByFd(args)
	case "git":
		r.git(args, each)
	case "chmod", "chown", "chgrp", "chattr", "setfacl":
		each(protocol.Update, ruled(name, args))
	default:
		r.touchedByOthers(name, args, each)
	}
}

// touchedByOthers adds what programs that write beside their own work change, those of
// tables, and cmdlets.
func (r *reader) touchedByOthers(name string, args []string, each func(protocol.Action, []string)) {
	switch name {
	case "zstd", "unzstd":
		if o := operands(args, "o"); len(o.values["o"]) > 0 {
			each(protocol.Create, o.values["o"])
		} else {
			o.flags += " k" // it keeps what it packs
			r.packed(name, o)
		}
	case "docker", "podman", "nerdctl", "kubectl", "oc", "aws", "gsutil", "gcloud", "rclone", "mc":
		if at := slices.IndexFunc(args, func(arg string) bool { return listed(" cp copy copyto mv move moveto ", arg) }); at >= 0 && at < 3 {
			if strings.HasPrefix(args[at], "m") {
				r.taken(operands(args[at+1:], "c", "--profile", "--region"), each)
			}
			r.copied(operands(args[at+1:], "cn", "--container", "--namespace", "--profile", "--region"), each)
		}
		r.put(outputsOf(name), args, each)
	case "strace", "ltrace", "time", "gtime", "perf": // their own options precede the command
		rest, _ := wrapperOf(name).behind(name, args)
		r.put(" -o --output ", args[:len(args)-len(rest)], each)
	default:
		if files, ok := r.edited(name, args); ok {
			each(protocol.Update, files)
		} else if options := outputsOf(name); options != "" {
			r.put(options, args, each)
		} else {
			r.cmdlet(name, args)
		}
	}
}

func (r *reader) installed(args []string, each func(protocol.Action, []string)) {
	if o := operands(args, "gmotS", "--mode", "--owner", "--group", "--target-directory", "--suffix"); o.has("d", "--directory") {
		each(protocol.Create, o.rest)
	} else {
		r.placed(protocol.Create, o)
	}
}

// zipped adds an archive, and the files that move into it.
func (r *reader) zipped(args []string, each func(protocol.Action, []string)) {
	if o := operands(args, "bintxO"); len(o.rest) > 0 {
		each(protocol.Update, o.rest[:1])
		if o.has("m", "--move") {
			each(protocol.Delete, o.rest[1:])
		}
	}
}

// inPlace adds the files that a program changes where they are, if it is told to.
func (r *reader) inPlace(name string, args []string, each func(protocol.Action, []string)) {
	switch name {
	case "sed", "gsed":
		if o := operands(args, "efl."); o.has("i", "--in-place") {
			r.changes.may(scripted(name, slices.Concat(o.valuesOf("e", "--expression"), o.rest[:min(1, len(o.rest))]))...)
			if !o.has("e", "--expression") && !o.has("f", "--file") && len(o.rest) > 0 {
				o.rest = o.rest[1:] // the script
			}
			each(protocol.Update, o.rest)
		}
	case "perl", "ruby":
		if o := operands(args, "eEIM."); o.has("i", "") {
			r.changes.may(scripted(name, append(o.values["e"], o.values["E"]...))...)
			each(protocol.Update, o.rest)
		}
	case "yq":
		if o := operands(args, "ops", "--from-file"); o.has("i", "--inplace") || o.has("", "--in-place") {
			if len(o.rest) > 0 && slices.Contains([]string{"e", "eval", "ea", "eval-all"}, o.rest[0]) {
				o.rest = o.rest[1:]
			}
			if len(o.rest) > 1 {
				r.changes.may(o.rest[0])
				o.rest = o.rest[1:] // the expression
			}
			each(protocol.Update, o.rest)
		}
	}
}

// packed adds the files with which a packer replaces others: FILE.gz instead of FILE,
// or the reverse.
func (r *reader) packed(name string, o sorted) {
	if o.has("c", "--stdout") || o.has("t", "--test") || o.has("l", "--list") {
		return
	}
	ending := map[string]string{"gzip": ".gz", "gunzip": ".gz", "bzip2": ".bz2", "bunzip2": ".bz2", "xz": ".xz", "unxz": ".xz", "zstd": ".zst", "unzstd": ".zst"}[name]
	for _, file := range o.rest {
		to := file + ending
		if strings.Contains(name, "un") || o.has("d", "--decompress") || o.has("d", "--uncompress") {
			to = strings.TrimSuffix(file, ending)
		}
		switch {
		case !known(file):
		case o.has("k", "--keep"):
			r.changes.add(protocol.Change{Action: protocol.Create, Path: to})
		default:
			r.changes.add(protocol.Change{Action: protocol.Move, Path: file, To: to})
		}
	}
}

// git adds the files that git deletes, moves or restores.
func (r *reader) git(args []string, each func(protocol.Action, []string)) {
	if len(args) == 0 {
		return
	}
	switch o := operands(args[1:], "s", "--source", "--output"); args[0] {
	case "rm":
		if !o.has("", "--cached") {
			each(protocol.Delete, o.rest)
		}
	case "mv":
		r.placed(protocol.Move, o)
	case "restore":
		each(protocol.Update, o.rest)
	case "checkout":
		if at := slices.Index(args, "--"); at > 0 {
			each(protocol.Update, args[at+1:])
		} else if !o.has("b", "--orphan") && !o.has("B", "") && !o.has("t", "--track") {
			for i, file := range o.rest {
				if i > 0 || namesFile(file) {
					each(protocol.Update, []string{file})
				}
			}
		}
	case "clean":
		if o.has("f", "--force") && !o.has("n", "--dry-run") {
			each(protocol.Delete, o.rest)
		}
	case "stash":
		o := operands(args[1:], "m", "--message", "--pathspec-from-file")
		switch at := slices.Index(args, "--"); {
		case len(o.rest) > 0 && slices.Contains([]string{"list", "show", "drop", "branch", "clear", "create", "store", "pop", "apply"}, o.rest[0]):
		case at > 0:
			each(protocol.Update, args[at+1:])
		case len(o.rest) > 1 && o.rest[0] == "push":
			each(protocol.Update, o.rest[1:])
		}
	case "clone":
		if o := operands(args[1:], "bocuj", "--branch", "--origin", "--config", "--depth", "--reference", "--template", "--filter", "--separate-git-dir", "--upload-pack", "--jobs"); len(o.rest) > 1 {
			each(protocol.Create, o.rest[1:2])
		}
	case "worktree", "submodule":
		if o := operands(args[1:], "bB", "--reason", "--name", "--reference", "--branch", "--depth"); len(o.rest) > 1 && o.rest[0] == "add" {
			at := 1
			if args[0] == "submodule" {
				at = min(2, len(o.rest)-1)
			}
			each(protocol.Create, o.rest[at:at+1])
		}
	case "config":
		if o := operands(args[1:], "f", "--file", "--blob", "--type", "--default", "--value", "--comment"); !o.has("", "--get") && !o.has("l", "--list") && len(o.rest) > 1 {
			each(protocol.Update, o.valuesOf("f", "--file"))
			r.changes.may(o.rest[1:]...)
		}
	case "archive":
		each(protocol.Create, operands(args[1:], "o", "--output", "--prefix", "--format").valuesOf("o", "--output"))
	case "bundle":
		if o := operands(args[1:], ""); len(o.rest) > 1 && o.rest[0] == "create" {
			each(protocol.Create, o.rest[1:2])
		}
	case "diff", "show", "log", "diff-tree", "diff-index", "diff-files", "format-patch":
		each(protocol.Create, o.values["--output"])
	}
}

// namesFile reports whether a word that git may take for a branch or a file looks
// like a file: .env and a.yaml do, v1.2 does not.
func namesFile(word string) bool {
	ending := strings.TrimPrefix(path.Ext(word), ".")
	return word == "." || ending != "" && strings.Trim(ending[:1], "0123456789") != ""
}

// placed adds files that are created at the last operand, or in a folder that an
// option names. A last operand that ends with a slash, or follows several others, is
// a folder.
func (r *reader) placed(action protocol.Action, o sorted) {
	files, to, folder := o.rest, "", false
	if dirs := o.valuesOf("t", "--target-directory"); len(dirs) > 0 {
		to, folder = dirs[len(dirs)-1], true
	} else if n := len(files); n > 1 {
		to, files = files[n-1], files[:n-1]
		folder = n > 2 || strings.HasSuffix(to, "/") || to == "." || to == ".."
	}
	if to == "" {
		return
	}
	for _, file := range files {
		at := to
		if folder {
			at = path.Join(to, path.Base(file))
		}
		switch {
		case action == protocol.Move && r.changes.names(file):
			c := protocol.Change{Action: protocol.Move, Path: file}
			if r.changes.names(at) {
				c.To = at
			} else {
				c.Action = protocol.Delete
			}
			r.changes.add(c)
		case r.changes.names(at):
			r.changes.add(protocol.Change{Action: protocol.Create, Path: at})
		}
	}
}

// names reports whether a word names a file as it is written. If only a part of the
// name is known, it is noted: $DIR/.env.
func (w *writer) names(word string) bool {
	if strings.ContainsAny(word, "$`") {
		for _, name := range [...]string{word, defaulted(word)} {
			if !slices.Contains(w.deed.Paths, name) && len(w.deed.Paths) < maxList {
				w.deed.Paths = append(w.deed.Paths, name)
			}
		}
	}
	return known(word)
}

// defaulted is a word with the defaults that its expansions give: ${X:-a}.
func defaulted(word string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(word, "${")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		inner, after, closed := strings.Cut(rest, "}")
		at := strings.IndexAny(inner, "-=+") // behind a colon, or not
		if name := strings.TrimSuffix(inner[:max(at, 0)], ":"); closed && name != "" && !strings.ContainsAny(name, "$`#%/:") {
			b.WriteString(strings.Trim(inner[at+1:], `"'`))
		} else {
			b.WriteString("${" + inner)
			if closed {
				b.WriteByte('}')
			}
		}
		word = after
	}
}

// known reports whether a word names a file as it is written.
func known(name string) bool {
	return name != "" && name != "-" && name != "{}" && !strings.ContainsAny(name, "$`") && !strings.HasPrefix(name, "/dev/")
}

// sorted are the words of a command after its name, sorted by kind.
type sorted struct {
	rest   []string            // those that are not options
	flags  string              // short ones, between blanks, and long ones
	values map[string][]string // short ones that take a value, and of --long=VALUE
}

func (o sorted) has(short, long string) bool {
	for _, f := range strings.Fields(o.flags) {
		switch {
		case strings.HasPrefix(f, "--"):
			if long != "" && f == long {
				return true
			}
		case short != "" && f == short:
			return true
		}
	}
	return false
}

// valuesOf are the values of an option, by its short and its long name.
func (o sorted) valuesOf(short, long string) []string {
	return append(o.values[short], o.values[long]...)
}

// operands sorts the words of a command. valued are the short options that take a
// value, in the same word or the next, with a dot if what follows -i is a backup's
// suffix; long are long ones whose value may be the next word.
func operands(args []string, valued string, long ...string) (o sorted) {
	o.values = map[string][]string{}
	var flags strings.Builder
	defer func() { o.flags = flags.String() }()
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			o.rest = append(o.rest, args[i+1:]...)
			return o
		case strings.HasPrefix(arg, "--"):
			name, value, ok := strings.Cut(arg, "=")
			flags.WriteString(" " + name)
			if !ok && i+1 < len(args) && slices.Contains(long, name) {
				i++
				value, ok = args[i], true
			}
			if ok {
				o.values[name] = append(o.values[name], value)
			}
		case len(arg) > 1 && arg[0] == '-':
			for at := 1; at < len(arg); at++ {
				letter := arg[at : at+1]
				flags.WriteString(" " + letter)
				if letter == "i" && strings.Contains(valued, ".") {
					break
				}
				if strings.Contains(valued, letter) {
					value := arg[at+1:]
					if value == "" && i+1 < len(args) {
						i++
						value = args[i]
					}
					o.values[letter] = append(o.values[letter], value)
					break
				}
			}
		default:
			o.rest = append(o.rest, arg)
		}
	}
	return o
}
