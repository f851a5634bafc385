package install

import (
	"fmt"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Add returns the edits that make the agent call us: for each event of e exactly
// one entry, up to date, behind the entries of others.
func Add(d *protocol.Dialect, s protocol.Site, e protocol.Entry) ([]protocol.Edit, error) {
	if err := checkEntry(d, s, e); err != nil {
		return nil, err
	}
	n, err := open(d, s)
	if err != nil {
		return nil, err
	}
	if err := n.register(e); err != nil {
		return nil, err
	}
	return n.edits()
}

// Remove returns the edits that take our entries out of the agent's file, and
// what recorded them.
func Remove(d *protocol.Dialect, s protocol.Site) ([]protocol.Edit, error) {
	n, err := open(d, s)
	if err != nil {
		return nil, err
	}
	have, err := n.ours()
	if err != nil {
		return nil, err
	}
	if err := n.remove(have); err != nil {
		return nil, err
	}
	return n.edits()
}

// Inspect tells what stands in the agent's file, and whether the agent will run
// it.
func Inspect(d *protocol.Dialect, s protocol.Site) (protocol.Installation, error) {
	n, err := open(d, s)
	if err != nil {
		return protocol.Installation{}, err
	}
	out := protocol.Installation{File: n.path}
	have, err := n.ours()
	if err != nil {
		return out, err
	}
	l, err := openLedger(d, s)
	if err != nil {
		return out, err
	}
	off := n.off()
	if off == "" {
		off = l.off()
	}
	if off != "" && len(have) > 0 {
		out.Notes = append(out.Notes, "the agent runs no entry: "+off)
	}
	seen := map[string]bool{}
	for _, h := range have {
		r := protocol.Registered{
			Event: h.Event, File: n.path, Line: n.line(h.offset), Command: h.Fields.Text("command"),
			Argv: h.argv, Timeout: n.timeoutOf(h.Fields),
		}
		r.Trusted, r.Problem = l.approved(n.path, h.Handler)
		if p := n.problem(h, off, seen[h.Event]); r.Problem == "" {
			r.Problem = p
		}
		seen[h.Event] = true
		out.Entries = append(out.Entries, r)
	}
	return out, nil
}

// open reads the agent's file.
func open(d *protocol.Dialect, s protocol.Site) (*nested, error) {
	if d.Config == nil {
		return nil, fmt.Errorf("%s: nothing to install", d.Name)
	}
	if d.Config.Shape != protocol.NestedJSON {
		return nil, fmt.Errorf("%s: shape %q is not known", d.Name, d.Config.Shape)
	}
	path := d.Config.File(s)
	if path == "" {
		return nil, fmt.Errorf("%s has no file of its own for a %s", d.Name, s.Scope)
	}
	b, err := read(s, path)
	if err != nil {
		return nil, err
	}
	doc, err := parseDocument(path, b)
	if err != nil {
		return nil, err
	}
	return &nested{doc, d, s}, nil
}

// edits are those of the agent's file, and of the ledger that goes with it.
func (n *nested) edits() ([]protocol.Edit, error) {
	after := n.bytes()
	edits := change(n.path, n.before, after)
	if n.d.Config.Ledger == nil {
		return edits, nil
	}
	have, err := n.ours()
	if err != nil {
		return nil, err
	}
	l, err := openLedger(n.d, n.site)
	if err != nil {
		return nil, err
	}
	recorded, err := l.record(n.path, have)
	if err != nil {
		return nil, err
	}
	return append(edits, recorded...), nil
}

// checkEntry refuses a command that we would not know again.
func checkEntry(d *protocol.Dialect, s protocol.Site, e protocol.Entry) error {
	if len(e.Argv) == 0 || !absolute(s, e.Argv[0]) {
		return fmt.Errorf("the command %q does not begin with an absolute path", e.Argv)
	}
	if !Ours(e.Argv, d) {
		return fmt.Errorf("the command %q is not agents-hooks run --agent=%s", e.Argv, d.ID)
	}
	for _, arg := range e.Argv {
		if strings.ContainsAny(arg, "\x00\r\n") {
			return fmt.Errorf("the command %q holds a line break, which no agent's file can carry", e.Argv)
		}
	}
	for _, name := range e.Events {
		if _, ok := d.Native(name); !ok {
			return fmt.Errorf("%s has no event %q", d.Name, name)
		}
	}
	return nil
}

// absolute reports whether a path is one on the site's system.
func absolute(s protocol.Site, path string) bool {
	if s.GOOS != "windows" {
		return strings.HasPrefix(path, "/")
	}
	return strings.HasPrefix(path, `\\`) ||
		len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}

// off says what in the agent's settings keeps it from running any entry.
func (n *nested) off() string {
	if n.d.Config.Off == nil {
		return ""
	}
	return n.d.Config.Off(plain(n.root))
}

// problem says what keeps an entry from doing its work.
func (n *nested) problem(h handler, off string, second bool) string {
	native, known := n.d.Native(h.Event)
	switch limit := n.timeoutOf(h.Fields); {
	case off != "":
		return off
	case !known:
		return "the event is none that we know"
	case second:
		return "a second entry for the same event"
	case h.Matcher != "" && h.Matcher != "*" && h.Matcher != native.Matcher:
		return fmt.Sprintf("matcher %q keeps events away", h.Matcher)
	case h.Fields.Bool("async"):
		return "async: its answer is not waited for"
	case limit > 0 && limit < time.Second:
		return fmt.Sprintf("a time limit of %s is too short", limit)
	}
	return ""
}
