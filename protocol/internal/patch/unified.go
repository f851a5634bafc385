package patch

import (
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Unified reads a unified diff, with git's extended headers if it has any. path is
// the file to use if the diff itself names none. ok is false for a text that is not a
// diff, and for one that different readers would read differently.
func Unified(text, path string) (files []protocol.Change, ok bool) {
	d := differ{path: path}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, "\r\n")
		next := ""
		if i+1 < len(lines) {
			next = strings.TrimRight(lines[i+1], "\r\n")
		}
		if !d.line(line, next) {
			return nil, false
		}
	}
	d.done()
	return d.files, len(d.files) > 0
}

// A differ reads a diff line by line.
type differ struct {
	path     string
	files    []protocol.Change
	f        *protocol.Change
	from     string // after ---
	git      bool
	hunk     bool
	old, new int // lines still to come in this hunk
	loose    bool
	taken    []string
	added    []string
}

func (d *differ) line(line, next string) bool {
	header := strings.HasPrefix(line, "--- ") && strings.HasPrefix(next, "+++ ")
	if d.hunk && (d.old > 0 || d.new > 0 || d.loose && !header && !strings.HasPrefix(line, "diff --git ") && !strings.HasPrefix(line, "@@")) {
		if header && !d.loose {
			return false // a file's header, or two lines of this one: it cannot be known
		}
		return d.body(line)
	}
	switch {
	case strings.HasPrefix(line, "diff --git "):
		d.done()
		a, b, ok := pair(line[len("diff --git "):])
		if !ok {
			return false
		}
		d.git, d.f = true, &protocol.Change{Action: protocol.Update, Path: b}
		if a != b {
			d.f.Path, d.f.To, d.f.Action = a, b, protocol.Move
		}
	case strings.HasPrefix(line, "--- "):
		d.from = name(line[4:])
		if !d.git || d.hunk {
			d.done()
		}
		d.hunk = false
	case strings.HasPrefix(line, "+++ "):
		d.named(d.from, name(line[4:]))
	case strings.HasPrefix(line, "@@"):
		if d.f == nil {
			if d.path == "" {
				return false
			}
			d.f = &protocol.Change{Action: protocol.Update, Path: d.path}
		}
		d.hunk = true
		d.old, d.new, d.loose = counts(line)
	case d.f != nil && d.git && !d.hunk:
		d.extended(line)
	case d.hunk && (strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-")):
		return d.body(line) // more lines than the header said
	}
	return true
}

// extended reads one of git's extended headers.
func (d *differ) extended(line string) {
	word := func(prefix string) (string, bool) {
		rest, ok := strings.CutPrefix(line, prefix)
		if strings.HasPrefix(rest, `"`) {
			rest = unquote(rest)
		}
		return rest, ok
	}
	if strings.HasPrefix(line, "new file mode") {
		d.f.Action, d.f.HasNew = protocol.Create, true
	}
	if strings.HasPrefix(line, "deleted file mode") {
		d.f.Action = protocol.Delete
	}
	if p, ok := word("rename from "); ok {
		d.f.Action, d.f.Path = protocol.Move, p
	}
	if p, ok := word("rename to "); ok {
		d.f.Action, d.f.To = protocol.Move, p
	}
	if p, ok := word("copy to "); ok {
		d.f.Action, d.f.Path, d.f.To = protocol.Create, p, ""
	}
}

// named reads the names of --- and +++.
func (d *differ) named(from, to string) {
	if !d.git {
		d.done()
		d.f = &protocol.Change{Action: protocol.Update}
	}
	if d.f == nil {
		d.f = &protocol.Change{Action: protocol.Update}
	}
	if strings.HasPrefix(from, "a/") && strings.HasPrefix(to, "b/") || from == "/dev/null" && strings.HasPrefix(to, "b/") || to == "/dev/null" && strings.HasPrefix(from, "a/") {
		from, to = strings.TrimPrefix(from, "a/"), strings.TrimPrefix(to, "b/")
	}
	switch {
	case from == "/dev/null":
		d.f.Action, d.f.Path, d.f.To = protocol.Create, to, ""
	case to == "/dev/null":
		d.f.Action, d.f.Path, d.f.To = protocol.Delete, from, ""
	case d.f.Action == protocol.Create:
		d.f.Path = to
	case d.f.Action == protocol.Move || from != to && d.git:
		d.f.Action, d.f.Path, d.f.To = protocol.Move, from, to
	default:
		d.f.Path = to
	}
}

func (d *differ) body(line string) bool {
	sign := byte(' ')
	if line != "" {
		sign = line[0]
	}
	switch sign {
	case '+':
		d.added = append(d.added, line[1:])
		d.new--
	case '-':
		d.taken = append(d.taken, line[1:])
		d.old--
	case '\\':
	default:
		d.old--
		d.new--
	}
	return true
}

func (d *differ) done() {
	if d.f != nil {
		if d.f.Action != protocol.Delete {
			d.f.HasOld = d.f.Action != protocol.Create && len(d.taken) > 0
			if d.f.HasOld {
				d.f.Old = strings.Join(d.taken, "\n")
			}
			d.f.HasNew = d.f.Action == protocol.Create || len(d.added) > 0
			d.f.New = strings.Join(d.added, "\n")
		}
		d.files = append(d.files, *d.f)
	}
	d.f, d.taken, d.added, d.hunk, d.git, d.loose, d.old, d.new = nil, nil, nil, false, false, false, 0, 0
}

// counts are the numbers of lines that a hunk has in the old file and in the new one.
// loose is set if its header does not say.
func counts(line string) (before, after int, loose bool) {
	fields := strings.Fields(line)
	if len(fields) < 3 || !strings.HasPrefix(fields[1], "-") || !strings.HasPrefix(fields[2], "+") {
		return 0, 0, true
	}
	n := func(s string) int {
		_, count, ok := strings.Cut(s[1:], ",")
		if !ok {
			return 1
		}
		v, err := strconv.Atoi(count)
		if err != nil {
			loose = true
		}
		return v
	}
	before, after = n(fields[1]), n(fields[2])
	return before, after, loose
}

// name is the file of a --- or +++ line: its time follows a tab.
func name(s string) string {
	if strings.HasPrefix(s, `"`) {
		return unquote(s)
	}
	s, _, _ = strings.Cut(s, "\t")
	return strings.TrimSpace(s)
}

// pair are the two names of a "diff --git" line, without a/ and b/.
func pair(s string) (a, b string, ok bool) {
	if strings.HasPrefix(s, `"`) || strings.HasSuffix(s, `"`) {
		at := strings.Index(s, ` "b/`)
		if at < 0 {
			at = strings.Index(s, " b/")
		}
		if at < 0 {
			return "", "", false
		}
		a, b = name(s[:at]), name(s[at+1:])
	} else {
		// If both names are the same, they meet in the middle; otherwise at the last
		// " b/".
		if half := len(s) / 2; len(s)%2 == 1 && strings.TrimPrefix(s[:half], "a/") == strings.TrimPrefix(s[half+1:], "b/") {
			a, b = s[:half], s[half+1:]
		} else if at := strings.LastIndex(s, " b/"); at >= 0 {
			a, b = s[:at], s[at+1:]
		} else if a, b, ok = strings.Cut(s, " "); !ok {
			return "", "", false
		}
	}
	return strings.TrimPrefix(a, "a/"), strings.TrimPrefix(b, "b/"), a != "" && b != ""
}

// unquote removes git's quotes from a name.
func unquote(s string) string {
	var b []byte
	for i := 1; i < len(s) && s[i] != '"'; i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			continue
		}
		i++
		switch at := strings.IndexByte(`abtnvfr"\`, s[i]); {
		case at >= 0:
			b = append(b, "\a\b\t\n\v\f\r\"\\"[at])
		case i+2 < len(s) && s[i] >= '0' && s[i] <= '3':
			v, _ := strconv.ParseUint(s[i:i+3], 8, 8)
			b = append(b, byte(v))
			i += 2
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}
