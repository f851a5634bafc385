package install

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// The marks around what we write into a ledger, and after each seal. The agent edits
// the file too, and may put tables of its own between the marks or replace a seal
// together with its mark; so a table counts as ours only while its seal is marked.
const (
	blockBegin = "# >>> agents-hooks: approval of its entries (install writes it, uninstall removes it) >>>"
	blockEnd   = "# <<< agents-hooks <<<"
	sealMark   = "# agents-hooks"
)

// A ledger is the file of a [protocol.Ledger].
type ledger struct {
	*protocol.Ledger
	site   protocol.Site
	path   string
	before []byte
	values map[string]any
}

// openLedger reads the ledger; an agent without one has a nil ledger.
func openLedger(d *protocol.Dialect, s protocol.Site) (*ledger, error) {
	if d.Config.Ledger == nil {
		return nil, nil
	}
	l := &ledger{Ledger: d.Config.Ledger, site: s, path: d.Config.Ledger.File(s)}
	var err error
	if l.before, err = read(s, l.path); err != nil {
		return nil, err
	}
	l.values, err = parseTOML(l.path, l.before)
	return l, err
}

// lookup is the value at a path of keys.
func lookup(values map[string]any, path ...string) (any, bool) {
	var v any = values
	for _, key := range path {
		table, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		if v, ok = table[key]; !ok {
			return nil, false
		}
	}
	return v, true
}

func (l *ledger) at(values map[string]any, name, key string) (any, bool) {
	return lookup(values, append(strings.Split(l.Table, "."), name, key)...)
}

func (l *ledger) off() string {
	if l == nil || l.Off == nil {
		return ""
	}
	return l.Off(func(path ...string) (any, bool) { return lookup(l.values, path...) })
}

// names are those that an entry may have in the ledger.
func (l *ledger) names(file string, h protocol.Handler) []string {
	var out []string
	for _, f := range l.Files(l.site, file) {
		out = append(out, f+l.Place(h))
	}
	return out
}

// approved reports whether the ledger vouches for an entry, and if not, why.
func (l *ledger) approved(file string, h protocol.Handler) (bool, string) {
	if l == nil {
		return true, ""
	}
	found := false
	for _, name := range l.names(file, h) {
		if on, ok := l.at(l.values, name, l.Enabled); ok && on == false {
			return false, "switched off in " + l.path
		}
		seal, ok := l.at(l.values, name, l.Key)
		if ok && seal == l.Seal(h) {
			return true, ""
		}
		found = found || ok
	}
	if found {
		return false, "changed or moved since it was approved in " + l.path + "; install again"
	}
	return false, "not approved in " + l.path + "; install again"
}

// record returns the edits that make the ledger vouch for these entries of a
// file, and for no other entry of ours in that file.
func (l *ledger) record(file string, handlers []found) ([]protocol.Edit, error) {
	wanted := map[string]string{}
	var order []string
	for _, h := range handlers {
		for _, name := range l.names(file, h.Handler) {
			wanted[name] = l.Seal(h.Handler)
			order = append(order, name)
		}
	}
	t := parseLedger(l)
	t.dropStale(l.Files(l.site, file), wanted)
	for _, name := range order {
		if seal, ok := l.at(l.values, name, l.Key); ok && seal == wanted[name] && !t.dropped[name] {
			continue
		}
		if !t.reseal(name, wanted[name]) {
			t.added = append(t.added, name)
		}
	}
	after := t.text(wanted)
	if len(order) == 0 && len(bytes.TrimSpace(l.before)) == 0 {
		return nil, nil // nothing stood in it, so nothing of ours
	}
	values, err := parseTOML(l.path, after)
	if err != nil {
		return nil, fmt.Errorf("cannot record our entries: %v; is %s defined twice?", err, l.Table)
	}
	for _, name := range order {
		if seal, _ := l.at(values, name, l.Key); seal != wanted[name] {
			return nil, fmt.Errorf("%s: cannot record our entry %q: another value is in its place; remove it", l.path, name)
		}
	}
	return change(l.path, l.before, after), nil
}
