package workspace

import (
	"errors"
	"fmt"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// wholeMost bounds one object of a damaged file.
const wholeMost = 256 << 10

// whole are the JSON objects of a damaged file that are complete, and that fit: of a
// file that was cut, or overwritten in its middle, what comes before and after.
func whole(b []byte, fits func(protocol.Object) bool) (list []protocol.Object) {
	var open []int
	text := false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text && c == '\n': // no text of JSON goes over a line: its end is missing
			text = false
		case text:
		case c == '{':
			open = append(open, i)
		case c == '}' && len(open) > 0:
			from := open[len(open)-1]
			open = open[:len(open)-1]
			if i-from > wholeMost {
				continue
			}
			if o, err := protocol.ParseObject(b[from : i+1]); err == nil && fits(o) {
				list = append(list, o)
			}
		}
	}
	return list
}

// Salvage are the nodes and memos of a damaged graph.json that are whole.
func Salvage(b []byte) (nodes, memos []protocol.Object) {
	return whole(b, func(o protocol.Object) bool {
			return o.Text("id") != "" && o.Text("type") != "" && isStatus(o.Text("status"))
		}),
		whole(b, func(o protocol.Object) bool { return len(o.Text("id")) > 5 && o.Text("id")[:5] == "memo-" })
}

// Damage is what of the files of the person, beside workspaces, cannot be read: nil as
// a rule. Who is bound to nothing because of that should hear of it.
func (p Place) Damage() error {
	if p.Home == "" {
		return nil
	}
	var errs []error
	if err := p.Unreadable(); err != nil {
		errs = append(errs, err)
	}
	if b, err := statefile.Read(p.indexPath()); err == nil && b != nil {
		if _, err := parseIndex(b); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", p.indexPath(), err))
		}
	}
	if b, err := statefile.Read(p.claimsPath()); err == nil && len(b) > 0 {
		if _, err := protocol.ParseObject(b); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", p.claimsPath(), err))
		}
	}
	return errors.Join(errs...)
}

// Unreadable is why the bindings cannot be read: then no session is bound to anything.
func (p Place) Unreadable() error {
	if _, err := p.readBindings(); err != nil {
		return fmt.Errorf("%s: %w", p.bindingsPath(), err)
	}
	return nil
}

// MendFiles lets what of those files is whole go on; each is kept aside as it was. One
// of a newer version stays.
func (p Place) MendFiles(now time.Time) error {
	if p.Damage() == nil {
		return nil
	}
	_, err := p.UpdateIndex(now, func(list []protocol.Object) []protocol.Object { return list })
	return errors.Join(err, p.updateBindings(now, nil), p.updateClaims(now, func(*protocol.Object) error { return nil }))
}
