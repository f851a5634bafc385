package deed

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Files whose names a program makes of others: rename, split and csplit.

// renamed adds files that rename moves: by a replacement of text in their names, or by an
// expression of Perl, of which a plain s/from/to/ is understood.
func (r *reader) renamed(args []string, each func(protocol.Action, []string)) {
	o := operands(args, "")
	if o.has("n", "--nono") || o.has("", "--no-act") || len(o.rest) < 2 {
		return
	}
	into := func(string) (string, bool) { return "", false }
	files := o.rest[1:]
	switch first := o.rest[0]; {
	case isExpression(first):
		into = replaces(first)
	case len(o.rest) > 2:
		into, files = func(name string) (string, bool) { return strings.Replace(name, first, o.rest[1], 1), true }, o.rest[2:]
	}
	for _, file := range files {
		dir, name := path.Split(file)
		switch to, ok := into(name); {
		case !known(file):
		case !ok:
			each(protocol.Delete, []string{file})
		case to != name:
			r.changes.add(protocol.Change{Action: protocol.Move, Path: file, To: dir + to})
		}
	}
}

// isExpression reports whether a word is a substitution of Perl.
func isExpression(word string) bool {
	rest, ok := strings.CutPrefix(word, "s")
	if !ok {
		rest, ok = strings.CutPrefix(word, "y")
	}
	return ok && len(rest) > 2 && strings.IndexByte("/|#,!@%:{", rest[0]) >= 0 || strings.HasPrefix(word, "tr/")
}

// replaces is what a plain s/from/to/ makes of a name; ok is false where it is not plain.
func replaces(expression string) func(name string) (to string, ok bool) {
	parts := strings.Split(expression[1:], expression[1:2])
	if expression[0] != 's' || len(parts) != 4 || strings.ContainsAny(parts[2], "$\\") {
		return func(string) (string, bool) { return "", false }
	}
	from, start := strings.CutPrefix(parts[1], "^")
	from, end := strings.CutSuffix(from, "$")
	if strings.ContainsAny(strings.ReplaceAll(from, `\.`, ""), `^$.*+?()[]{}|\`) {
		return func(string) (string, bool) { return "", false }
	}
	from = strings.ReplaceAll(from, `\.`, ".")
	return func(name string) (string, bool) {
		switch {
		case start && end:
			if name == from {
				return parts[2], true
			}
		case start:
			if rest, ok := strings.CutPrefix(name, from); ok {
				return parts[2] + rest, true
			}
		case end:
			if rest, ok := strings.CutSuffix(name, from); ok {
				return rest + parts[2], true
			}
		case strings.Contains(parts[3], "g"):
			return strings.ReplaceAll(name, from, parts[2]), true
		default:
			return strings.Replace(name, from, parts[2], 1), true
		}
		return name, true
	}
}

// split adds the first files that split writes: all that one letter or digit makes
// different.
func split(args []string, each func(protocol.Action, []string)) {
	o := operands(args, "abClnt", "--suffix-length", "--bytes", "--line-bytes", "--lines", "--number", "--separator", "--additional-suffix", "--filter")
	if len(o.values["--filter"]) > 0 {
		return // which says itself where it writes
	}
	prefix, letters := "x", "abcdefghijklmnopqrstuvwxyz"
	if len(o.rest) > 1 {
		prefix = o.rest[1]
	}
	switch {
	case o.has("d", "--numeric-suffixes"):
		letters = "0123456789"
	case o.has("x", "--hex-suffixes"):
		letters = "0123456789abcdef"
	}
	parted(prefix, letters, width(o.valuesOf("a", "--suffix-length")), last(o.values["--additional-suffix"]), each)
}

// csplit is split for csplit.
func csplit(args []string, each func(protocol.Action, []string)) {
	o := operands(args, "bfn", "--suffix-format", "--prefix", "--digits")
	prefix := cmp.Or(last(o.valuesOf("f", "--prefix")), "xx")
	format := last(o.valuesOf("b", "--suffix-format"))
	before, rest, ok := strings.Cut(format, "%")
	if !ok {
		parted(prefix, "0123456789", width(o.valuesOf("n", "--digits")), "", each)
		return
	}
	after := strings.TrimLeft(rest, "0123456789.-+ #'")
	if strings.HasSuffix(rest[:len(rest)-len(after)], ".0") { // of nought, nothing
		each(protocol.Create, []string{prefix + before + after[min(1, len(after)):]})
	}
	parted(prefix+before, "0123456789", 1, after[min(1, len(after)):], each)
}

// parted adds the names that differ in the last sign of what is put between.
func parted(prefix, letters string, width int, suffix string, each func(protocol.Action, []string)) {
	names := make([]string, 0, len(letters))
	for _, letter := range letters {
		names = append(names, prefix+strings.Repeat(letters[:1], width-1)+string(letter)+suffix)
	}
	each(protocol.Create, names)
}

// width is how many signs are put behind a prefix: two, unless an option says otherwise.
func width(values []string) int {
	if n, err := strconv.Atoi(last(values)); err == nil && n > 0 && n < 32 {
		return n
	}
	return 2
}
