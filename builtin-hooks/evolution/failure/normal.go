package failure

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A normalised line is a line in the form in which it is compared.
type normalised struct {
	here  string // with its names: the same failure in this project
	there string // without them: the same failure elsewhere
	text  string // for people and for searching
	code  string // an error code, or the class of an exception
	place int    // the first line number
	where string // and its file
}

// normal removes from a line what differs from one time to the next and, for there,
// what differs from one project to the next.
func normal(line string, projects []string) (n normalised) {
	var here, there, text []string
	words := strings.Fields(apart(line))
	names := quotedWords(words)
	for i, word := range words {
		core, name := strings.Trim(word, edges), names[i]
		if strings.HasPrefix(core, "/") {
			core = dotted(word, core)
		}
		if core == "" {
			if len(word) <= 5 && strings.ContainsAny(word, quotes) {
				text = append(text, word) // ';'
			}
			continue
		}
		if n.place == 0 {
			if n.place = lineOf(core); n.place > 0 {
				n.where = core[:strings.IndexAny(core, ":(")] + ":" + strconv.Itoa(n.place)
			}
		}
		show := func(with string) { text = append(text, strings.Replace(word, core, with, 1)) }
		switch {
		case isCode(core) || isClass(core, word):
			if n.code == "" || isClass(n.code, n.code+":") && isClass(core, word) {
				n.code = core // in a chain the last one gives the reason
			}
			here, there = append(here, core), append(there, core)
			show(core)
		case isStatus(core):
			here, there = append(here, core), append(there, core)
			show(core)
		case isHash(core) && i > 0 && words[i-1] == "NO_PUBKEY":
			show(core) // it is what has to be installed or fixed
		case isTime(core) || isHash(core):
		case isPath(core):
			base, kind := baseOf(core)
			here, there = append(here, base), append(there, "file"+kind)
			if kind == ":url" {
				show("url")
			} else if kind == "" || slices.Contains(telltale, kind) {
				show(base)
			} else if show("file" + kind); strings.Contains(core, "(") {
				text[len(text)-1] = strings.Replace(text[len(text)-1], ")", "", 1) // of the place
			}
		case mine(core, projects):
			here = append(here, core)
		default:
			plain := digits(core)
			if plain == "" || plain == "#" {
				continue
			}
			here = append(here, plain)
			if isProduct(core) {
				show(core)
			} else {
				show(strings.ReplaceAll(plain, "#", ""))
			}
			if !name && !isName(core) {
				there = append(there, strings.ToLower(plain))
			}
		}
	}
	n.here, n.there, n.text = strings.Join(here, " "), strings.Join(there, " "), strings.Join(slices.DeleteFunc(text, func(s string) bool { return s == "" }), " ")
	return n
}

// dotted is a path with its leading dots: ./x, ../x.
func dotted(word, path string) string {
	at := strings.Index(word, path)
	from := at
	for from > 0 && word[from-1] == '.' {
		from--
	}
	return word[from:at] + path
}

const edges = " \t\"'`‘’“”«»()[]{}<>,;:!?.…*=-|│^~#•●✗✕✘×"

const quotes = "\"'`‘’“”«»「」"

func isQuoted(word string) bool {
	return strings.ContainsAny(word, quotes) && !strings.Contains(word, "n't")
}

// quotedWords reports which words are in quotes, as names are. More than two together
// are a sentence that a program passes on.
func quotedWords(words []string) []bool {
	names, open, start := make([]bool, len(words)), false, 0
	for i, w := range words {
		was := open
		open = inQuotes(w, open)
		if names[i] = was || isQuoted(w); !was {
			start = i
		}
		if was && !open && i-start > 1 || open && i == len(words)-1 {
			clear(names[start : i+1])
		}
	}
	return names
}

// inQuotes reports whether a quote is still open after a word.
func inQuotes(word string, open bool) bool {
	if strings.Contains(word, "n't") || strings.Contains(word, "'s") {
		return open
	}
	for _, r := range word {
		if strings.ContainsRune("\"`'", r) {
			open = !open
		} else if strings.ContainsRune("‘“«「", r) {
			open = true
		} else if strings.ContainsRune("’”»」", r) {
			open = false
		}
	}
	return open
}

// mine reports whether a word is the name of the project.
func mine(word string, projects []string) bool {
	return slices.ContainsFunc(projects, func(p string) bool { return len(p) > 2 && strings.EqualFold(word, p) })
}

// apart puts a space before a code in brackets after a word: error[E0308].
func apart(line string) string {
	i := strings.IndexByte(line, '[')
	if i <= 0 || line[i-1] == ' ' {
		return line
	}
	if end := strings.IndexByte(line[i:], ']'); end > 0 && isCode(line[i+1:i+end]) {
		return line[:i] + " " + line[i:]
	}
	return line
}

// telltale are the extensions of files whose names are the same in many projects.
var telltale = []string{".json", ".toml", ".lock", ".mod", ".sum", ".yaml", ".yml", ".xml", ".cfg", ".conf", ".ini", ".env", ".so", ".h", ".dll", ".dylib", ".gradle", ".sock"}

// isProduct reports whether a number is part of a name that means the same everywhere:
// ESP32.
func isProduct(w string) bool {
	const most = 3 // digits
	head := strings.TrimRight(w, "0123456789")
	return len(head) >= 2 && len(head) < len(w) && len(w)-len(head) <= most && strings.Trim(head, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// isStatus reports whether a word is an HTTP status that says what is wrong.
func isStatus(w string) bool {
	switch w {
	case "400", "401", "403", "404", "405", "407", "408", "409", "413", "415", "422", "429", "500", "502", "503", "504":
		return true
	}
	return false
}

// isCode reports whether a word is an error code or the class of an exception.
func isCode(w string) bool {
	for _, end := range [...]string{"Error", "Exception", "Fault", "Violation"} {
		if head, ok := strings.CutSuffix(w, end); ok && head != "" {
			last := head[strings.LastIndexAny(head, ".:$")+1:]
			return last != "" && last[0] >= 'A' && last[0] <= 'Z'
		}
	}
	letters, numbers, upper := 0, 0, true
	for i := 0; i < len(w); i++ {
		switch c := w[i]; {
		case c >= 'A' && c <= 'Z':
			letters++
		case c >= '0' && c <= '9':
			numbers++
		case c == '_' || c == '-':
		default:
			upper = false
		}
	}
	switch {
	case !upper || letters == 0 || len(w) > 40:
		return false
	case strings.HasPrefix(w, "ERR_") || strings.HasPrefix(w, "E") && numbers == 0 && len(w) >= 5 && len(w) <= 16 && isErrno(w):
		return true
	}
	// Letters, then at least three digits: TS2322, E0382, C2065, LNK2019, ORA-01017.
	i := 0
	for i < len(w) && (w[i] < '0' || w[i] > '9') {
		i++
	}
	return letters <= 6 && numbers >= 3 && numbers <= 5 && i > 0 && len(w)-i == numbers
}

// isClass reports whether a word is the full name of a class before a colon, as
// exceptions are printed whatever their name is: PG::UndefinedTable:,
// jupyter_client.kernelspec.NoSuchKernel:
func isClass(core, word string) bool {
	i, end := strings.LastIndex(core, "::"), 2
	if i < 0 {
		i, end = strings.LastIndexByte(core, '.'), 1
	}
	if i <= 0 || !strings.HasSuffix(word, ":") || len(core)-i-end < 4 {
		return false
	}
	last := core[i+end:]
	if last[0] < 'A' || last[0] > 'Z' || strings.IndexFunc(last, func(r rune) bool { return !unicode.IsLetter(r) }) >= 0 || strings.ToUpper(last) == last {
		return false
	}
	return end == 2 && core[0] >= 'A' && core[0] <= 'Z' || end == 1 && !strings.ContainsAny(core, `/\`) && core[0] >= 'a' && core[0] <= 'z'
}

func isErrno(w string) bool {
	return slices.Contains([]string{"EACCES", "EADDRINUSE", "EADDRNOTAVAIL", "EAGAIN", "EAI_AGAIN", "EBADF", "EBUSY", "ECONNABORTED", "ECONNREFUSED", "ECONNRESET", "EEXIST", "EHOSTUNREACH", "EINTEGRITY", "EINVAL", "EISDIR", "ELIFECYCLE", "EMFILE", "ENFILE", "ENOENT", "ENOMEM", "ENOSPC", "ENOTCONN", "ENOTDIR", "ENOTEMPTY", "ENOTFOUND", "EPERM", "EPIPE", "EPROTO", "ERESOLVE", "EROFS", "ETARGET", "ETIMEDOUT", "EUSAGE", "EXDEV", "EBADENGINE", "EBADPLATFORM", "ELOOP", "ENOTSUP", "ENETUNREACH"}, w)
}

// isTime reports whether a word is a time, a date or a duration.
func isTime(w string) bool {
	numbers, others := 0, 0
	for i := 0; i < len(w); i++ {
		switch c := w[i]; {
		case c >= '0' && c <= '9':
			numbers++
		case strings.IndexByte(":-+.,/TZ%#", c) >= 0:
		default:
			others++
		}
	}
	if numbers > 0 && others == 0 {
		return true
	}
	for _, unit := range [...]string{"ms", "s", "µs", "ns", "m", "kb", "mb", "gb", "kib", "mib", "gib", "b"} {
		if head, ok := strings.CutSuffix(strings.ToLower(w), unit); ok && head != "" && strings.Trim(head, "0123456789.,") == "" {
			return true
		}
	}
	return false
}

// isHash reports whether a word is a hash, a memory address or an id.
func isHash(w string) bool {
	w = strings.TrimPrefix(strings.TrimPrefix(w, "0x"), "sha256:")
	numbers := 0
	for i := 0; i < len(w); i++ {
		c := w[i] | 0x20
		switch {
		case w[i] >= '0' && w[i] <= '9':
			numbers++
		case c >= 'a' && c <= 'f' || w[i] == '-' && len(w) > 30:
		default:
			return false
		}
	}
	return len(w) >= 7 && numbers > 0
}

// isPath reports whether a word is a file or a folder, by a slash or an extension.
func isPath(w string) bool {
	if strings.Contains(w, "://") {
		return true
	}
	head, _, _ := strings.Cut(w, ":")
	if strings.Count(head, `\`) == 1 && !strings.Contains(head, "/") {
		return false // an escape: \r
	}
	if strings.ContainsAny(head, `/\`) {
		return len(head) > 1 && !strings.HasPrefix(head, "@") && (strings.Count(head, "/") != 1 || strings.HasPrefix(head, "/") || strings.HasPrefix(head, ".") || kindOf(head) != "")
	}
	return kindOf(head) != ""
}

// kindOf is the extension of a file's name, "" if it has none.
func kindOf(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 || len(name)-i > 8 || len(name)-i < 2 {
		return ""
	}
	end := strings.ToLower(name[i:])
	if strings.IndexByte(end, '(') > 0 {
		end = end[:strings.IndexByte(end, '(')]
	}
	if slices.Contains(endings, end) {
		return end
	}
	return ""
}

var endings = []string{".go", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".py", ".rb", ".rs", ".java", ".kt", ".kts", ".scala", ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".hh", ".m", ".mm", ".cs", ".fs", ".vb", ".swift", ".php", ".pl", ".pm", ".lua", ".r", ".jl", ".ex", ".exs", ".erl", ".hs", ".ml", ".clj", ".dart", ".zig", ".nim", ".v", ".sol", ".sql", ".sh", ".ps1", ".so", ".a", ".o", ".dll", ".dylib", ".lib", ".json", ".yaml", ".yml", ".toml", ".xml", ".ini", ".cfg", ".conf", ".env", ".lock", ".mod", ".sum", ".gradle", ".tf", ".csproj", ".sln", ".proto", ".css", ".scss", ".html", ".vue", ".svelte", ".md", ".txt", ".tex", ".csv", ".log", ".pem", ".crt", ".key", ".zip", ".gz", ".tar", ".whl", ".jar", ".lean", ".vhd", ".sv", ".f90", ".adb", ".pas", ".cr", ".gleam", ".nix"}

// baseOf is the last part of a path without its place, and its kind: an extension, or
// that it is a URL.
func baseOf(w string) (base, kind string) {
	if strings.Contains(w, "://") {
		_, rest, _ := strings.Cut(w, "://")
		if host, _, _ := strings.Cut(rest, "/"); host != "" {
			return digits(host), ":url"
		}
		w = rest
	}
	w, _, _ = strings.Cut(w, ":")
	w, _, _ = strings.Cut(w, "(")
	base = w[strings.LastIndexAny(w, `/\`)+1:]
	if kindOf(base) == "" {
		return digits(base), ""
	}
	return digits(base), kindOf(base)
}

// lineOf is the line number in a place: file.go:12:3, file.ts(12,3).
func lineOf(w string) int {
	at := strings.IndexAny(w, ":(")
	if at <= 0 || kindOf(strings.TrimSpace(w[:at])) == "" {
		return 0
	}
	n := 0
	for i := at + 1; i < len(w) && w[i] >= '0' && w[i] <= '9' && n < 1e7; i++ {
		n = n*10 + int(w[i]-'0')
	}
	return n
}

// digits replaces each number in a word with one #.
func digits(w string) string {
	var b strings.Builder
	in := false
	for _, r := range w {
		if r >= '0' && r <= '9' {
			if !in {
				b.WriteByte('#')
			}
			in = true
			continue
		}
		in = false
		b.WriteRune(r)
	}
	return b.String()
}

// isName reports whether a word is a name in a program: parts joined by punctuation, or
// with capitals inside.
func isName(w string) bool {
	if strings.ContainsAny(w, "_.:/@$()<>=&") {
		return true
	}
	lower := false
	for _, r := range w {
		if lower && unicode.IsUpper(r) {
			return true
		}
		lower = unicode.IsLower(r)
	}
	return false
}
