package deed

import (
	"path"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// fetched adds the files that curl and wget save downloads in: named ones, or the
// last part of the address.
func (r *reader) fetched(name string, args []string, each func(protocol.Action, []string)) {
	if name == "wget" {
		o := operands(args, "OaioPtTUQwAeDIRXB", "--output-document", "--directory-prefix", "--output-file", "--append-output", "--user-agent", "--header", "--post-data",
			"--post-file", "--timeout", "--tries", "--user", "--password", "--load-cookies", "--save-cookies", "--wait", "--limit-rate", "--input-file", "--execute")
		each(protocol.Create, slices.Concat(o.valuesOf("o", "--output-file"), o.valuesOf("a", "--append-output"), o.values["--save-cookies"]))
		named := o.valuesOf("O", "--output-document")
		each(protocol.Create, named)
		for _, url := range o.rest {
			if file := saved(url, true); len(named) == 0 && file != "" && !o.has("", "--spider") {
				each(protocol.Create, []string{path.Join(last(o.valuesOf("P", "--directory-prefix")), file)})
			}
		}
		return
	}
	o := operands(args, "oAbcdeFHmTuXxCDEKPQrtUwyYz", "--output", "--output-dir", "--url", "--header", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--json", "--request",
		"--user", "--user-agent", "--referer", "--cookie", "--cookie-jar", "--dump-header", "--connect-timeout", "--max-time", "--retry", "--retry-delay", "--proxy", "--cacert", "--cert",
		"--key", "--resolve", "--form", "--range", "--write-out", "--limit-rate", "--upload-file", "--config",
		"--trace", "--trace-ascii", "--stderr", "--etag-save", "--hsts", "--alt-svc", "--libcurl")
	for _, option := range [...]string{"--trace", "--trace-ascii", "--stderr", "--etag-save", "--hsts", "--alt-svc", "--libcurl"} {
		each(protocol.Create, o.values[option])
	}
	each(protocol.Create, slices.Concat(o.valuesOf("D", "--dump-header"), o.valuesOf("c", "--cookie-jar")))
	folder, named := last(o.values["--output-dir"]), o.valuesOf("o", "--output")
	for _, file := range named {
		if known(file) {
			each(protocol.Create, []string{path.Join(folder, file)})
		}
	}
	if !o.has("O", "--remote-name") && !o.has("", "--remote-name-all") {
		return
	}
	urls := append(o.rest, o.values["--url"]...)
	for _, url := range urls[min(len(named), len(urls)):] {
		if file := saved(url, false); file != "" {
			each(protocol.Create, []string{path.Join(folder, file)})
		}
	}
}

// saved is the name at the end of an address, "" if that is not known. wget keeps the
// query in the name, decodes escapes, and has a default name for a folder.
func saved(url string, wget bool) string {
	url, _, _ = strings.Cut(url, "#")
	if !wget {
		url, _, _ = strings.Cut(url, "?")
	}
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
	}
	at, _, _ := strings.Cut(url, "?")
	slash := strings.LastIndexByte(at, '/')
	switch {
	case !known(url):
		return ""
	case wget && (slash < 0 || slash == len(at)-1):
		return "index.html"
	case slash < 0:
		return ""
	case wget:
		return unpercent(url[slash+1:])
	}
	return url[slash+1:]
}

func last(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

// copied adds what rsync and scp write to the last operand, if that is on this
// machine. A source that ends with a slash stands for its contents.
func (r *reader) copied(o sorted, each func(protocol.Action, []string)) {
	n := len(o.rest)
	if n < 2 || remote(o.rest[n-1]) {
		return
	}
	to := o.rest[n-1]
	for _, from := range o.rest[:n-1] {
		if remote(from) {
			_, from, _ = strings.Cut(from, ":")
		}
		if known(to) && known(from) && !strings.HasSuffix(from, "/") && (n > 2 || strings.HasSuffix(to, "/") || to == "." || to == "..") {
			each(protocol.Create, []string{path.Join(to, path.Base(from))})
		} else {
			each(protocol.Create, []string{to})
		}
	}
}

// taken adds the files of this machine that a copy removes where they were.
func (r *reader) taken(o sorted, each func(protocol.Action, []string)) {
	if n := len(o.rest); n > 1 {
		each(protocol.Delete, slices.DeleteFunc(slices.Clone(o.rest[:n-1]), remote))
	}
}

// remote reports whether an operand of rsync and scp is on another machine.
func remote(file string) bool {
	host, _, ok := strings.Cut(file, ":")
	return ok && !strings.Contains(host, "/") && len(host) > 1
}

// patched adds the file that patch is told to change or write.
func (r *reader) patched(args []string, each func(protocol.Action, []string)) {
	o := operands(args, "BDFYdgiopVz", "--output", "--directory", "--input", "--strip", "--fuzz", "--reject-file", "--suffix", "--prefix")
	folder := last(o.valuesOf("d", "--directory"))
	if out := o.valuesOf("o", "--output"); len(out) > 0 {
		each(protocol.Create, []string{path.Join(folder, last(out))})
	} else if len(o.rest) > 0 {
		each(protocol.Update, []string{path.Join(folder, o.rest[0])})
	}
}

// unpacked adds what an archive is unpacked into, if that is named, and an archive
// that is created.
func (r *reader) unpacked(name string, args []string, each func(protocol.Action, []string)) {
	var folder string
	var members []string
	if name == "unzip" {
		o := operands(args, "dP")
		if len(o.rest) == 0 || o.has("l", "") || o.has("p", "") || o.has("t", "") {
			return
		}
		folder, members = last(o.values["d"]), o.rest[1:]
	} else {
		if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
			args = append([]string{"-" + args[0]}, args[1:]...)
		}
		o := operands(args, "fCTbXIK", "--file", "--directory", "--exclude", "--files-from", "--transform", "--owner", "--group")
		switch {
		case o.has("c", "--create"):
			each(protocol.Create, o.valuesOf("f", "--file"))
			if o.has("", "--remove-files") {
				for _, member := range o.rest {
					each(protocol.Delete, []string{path.Join(last(o.valuesOf("C", "--directory")), member)})
				}
			}
			return
		case !o.has("x", "--extract") && !o.has("", "--get") || o.has("O", "--to-stdout"):
			return
		}
		folder, members = last(o.valuesOf("C", "--directory")), o.rest
	}
	if len(members) == 0 && folder != "" {
		each(protocol.Update, []string{folder})
	}
	for _, member := range members {
		if known(member) && !strings.ContainsAny(member, "*?[") {
			each(protocol.Create, []string{path.Join(folder, member)})
		}
	}
}

// writesRows reports whether SQL statements, or commands of its shell, write.
func writesRows(text string) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(text)), func(word string) bool {
		return slices.Contains([]string{"insert", "update", "delete", "create", "drop", "alter", "replace", "vacuum", ".restore", ".import"}, word)
	})
}

// put adds the files that options say are written.
func (r *reader) put(options string, args []string, each func(protocol.Action, []string)) {
	for i, arg := range args {
		name, value, inline := strings.Cut(arg, "=")
		switch {
		case inline && listed(options, name):
			each(protocol.Create, []string{value})
		case listed(options, arg) && i+1 < len(args):
			each(protocol.Create, args[i+1:i+2])
		case len(arg) > 2 && arg[0] == '-' && arg[1] != '-' && listed(options, arg[:2]) && !inline:
			each(protocol.Create, []string{arg[2:]})
		}
	}
}

// edited adds the files that an editor, or a program that rewrites files in place, is
// told to change; known is false for other programs.
func (r *reader) edited(name string, args []string) (files []string, ok bool) {
	switch name {
	case "sd":
		if o := operands(args, "nf", "--max-replacements", "--flags"); len(o.rest) > 2 && !o.has("p", "--preview") {
			r.changes.may(o.rest[1])
			files = o.rest[2:]
		}
	case "emacs":
		if o := operands(args, "lfL", "--eval", "--load", "--funcall", "--directory", "--visit", "--file", "--insert"); o.has("", "--batch") {
			files = append(o.rest, append(o.values["--visit"], o.values["--file"]...)...)
		}
	case "crudini":
		if o := operands(args, "", "--output", "--format"); len(o.rest) > 0 && !o.has("", "--get") {
			r.changes.may(o.rest[1:]...)
			files = o.rest[:1]
		}
	case "dotenvx":
		if o := operands(args, "f", "--env-file"); len(o.rest) > 0 && slices.Contains([]string{"set", "encrypt", "decrypt", "rotate"}, o.rest[0]) {
			r.changes.may(o.rest[1:]...)
			files = o.valuesOf("f", "--env-file")
		}
	case "dos2unix", "unix2dos":
		files = operands(args, "").rest
	case "rpl":
		if o := operands(args, "xtp"); len(o.rest) > 2 {
			r.changes.may(o.rest[1])
			files = o.rest[2:]
		}
	case "dotenv":
		if o := operands(args, "fqe", "--file"); len(o.rest) > 1 && (o.rest[0] == "set" || o.rest[0] == "unset") {
			r.changes.may(o.rest[2:]...)
			if files = o.valuesOf("f", "--file"); len(files) == 0 {
				files = []string{".env"}
			}
		}
	case "save": // of nu
		files = operands(args, "").rest
	case "sqlite3":
		o := operands(args, "", "-cmd", "-separator")
		if len(o.rest) > 1 && writesRows(strings.Join(o.rest[1:], " ")) {
			files = o.rest[:1]
			r.changes.may(o.rest[1:]...)
		}
		for _, text := range o.rest {
			if words := strings.Fields(text); len(words) > 1 && listed(" .output .once .backup .save .dump ", words[0]) {
				files = append(files, words[len(words)-1])
			}
		}
	case "ed", "red":
		files = operands(args, "p", "--prompt").rest
	case "ex", "vi", "vim", "nvim":
		o := operands(args, "cTtuUwWS", "--cmd", "--clean")
		r.changes.may(scripted(name, args)...)
		scripted := name == "ex" || o.has("s", "") || o.has("c", "")
		commands := slices.Concat(o.values["c"], o.values["--cmd"])
		for _, word := range o.rest {
			if command, is := strings.CutPrefix(word, "+"); is {
				scripted = true
				commands = append(commands, command)
			} else {
				files = append(files, word)
			}
		}
		if !scripted || o.has("R", "") {
			files = nil
		}
		for _, command := range commands { // :w FILE
			if words := strings.Fields(strings.TrimLeft(command, ":%")); len(words) == 2 && listed(" w write wq saveas sav x up update ", strings.TrimSuffix(words[0], "!")) {
				files = append(files, words[1])
			}
		}
	case "awk", "gawk":
		o := operands(args, "fFvilEe", "--file", "--include", "--assign", "--field-separator")
		if !slices.Contains(o.valuesOf("i", "--include"), "inplace") {
			return nil, true
		}
		if !o.has("f", "--file") && len(o.rest) > 0 {
			r.changes.may(o.rest[0])
			o.rest = o.rest[1:] // the program
		}
		for _, word := range o.rest {
			if !strings.Contains(word, "=") {
				files = append(files, word)
			}
		}
	default:
		if files, ok = made(name, args); !ok {
			files, ok = formatted(name, args)
		}
		return files, ok
	}
	return files, true
}

// made are the files that archives, converters and checkouts are told to write.
func made(name string, args []string) (files []string, ok bool) {
	switch name {
	case "7z", "7za", "7zz":
		switch o := operands(args, "o"); {
		case len(o.rest) < 2:
		case slices.Contains([]string{"a", "u", "d", "rn"}, o.rest[0]):
			files = o.rest[1:2]
			if slices.Contains(args, "-sdel") {
				files = o.rest[1:]
			}
		case o.rest[0] == "x" || o.rest[0] == "e":
			files = o.values["o"]
			for _, member := range o.rest[2:] {
				files = append(files, path.Join(last(o.values["o"]), member))
			}
		}
	case "ffmpeg":
		if n := len(args); n > 1 && !strings.HasPrefix(args[n-1], "-") {
			files = args[n-1:]
		}
	case "degit", "tiged":
		if o := operands(args, ""); len(o.rest) > 1 {
			files = o.rest[1:2]
		}
	case "svn", "hg":
		if o := operands(args, "rub", "--revision", "--branch", "--username", "--password"); len(o.rest) > 2 && slices.Contains([]string{"checkout", "co", "export", "clone"}, o.rest[0]) {
			files = o.rest[2:3]
		}
	case "cpio":
		if o := operands(args, "DEFHIO", "--file", "--directory"); o.has("i", "--extract") && !o.has("t", "--list") {
			files = o.rest
		}
	case "ar":
		if len(args) > 2 && strings.Contains(args[0], "x") {
			files = args[2:]
		}
	case "convert", "magick", "mmv":
		if n := len(args); n > 1 && !strings.HasPrefix(args[n-1], "-") {
			files = args[n-1:]
		}
	case "fallocate":
		files = operands(args, "lonp", "--length", "--offset").rest
	default:
		return nil, false
	}
	return files, true
}

// formatted are the files that a formatter is told to write back.
func formatted(name string, args []string) (files []string, ok bool) {
	switch name {
	case "gofmt", "goimports", "gofumpt", "shfmt", "prettier":
		if o := operands(args, "r", "--parser", "--config", "--local"); o.has("w", "--write") {
			files = o.rest
		}
	case "eslint", "stylelint":
		if o := operands(args, "cf", "--config", "--format"); o.has("", "--fix") {
			files = o.rest
		}
	case "clang-format", "autopep8":
		if o := operands(args, "", "--style"); o.has("i", "--in-place") {
			files = o.rest
		}
	case "black", "isort", "rustfmt":
		if o := operands(args, "lt", "--edition", "--line-length", "--config", "--profile"); !o.has("", "--check") && !o.has("", "--diff") && !o.has("c", "--check-only") {
			files = o.rest
		}
	default:
		return nil, false
	}
	return files, true
}
