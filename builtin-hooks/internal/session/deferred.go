package session

import (
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// An Item is a text that could not be given to the agent when it was due, and
// waits for an event that can carry it.
type Item struct {
	Kind    string // of each kind, at most one waits: a new one replaces the old
	Text    string
	Expires time.Time // after that nobody wants it
}

const deferredFile = "deferred.json"

// Defer keeps an item for the next event that can carry it.
func (d Dir) Defer(item Item) error {
	if d.path == "" {
		return nil
	}
	return d.items(func(list []Item) []Item {
		for i := range list {
			if list[i].Kind == item.Kind {
				list[i] = item
				return list
			}
		}
		return append(list, item)
	})
}

// Take takes the items of some kinds out, all kinds if none is named: whoever
// gets one delivers it, and nobody else does. Expired ones are removed and not
// returned.
func (d Dir) Take(now time.Time, kinds ...string) (taken []Item, err error) {
	if !d.Waiting() {
		return nil, nil
	}
	err = d.items(func(list []Item) []Item {
		kept := []Item{}
		for _, item := range list {
			switch {
			case !item.Expires.After(now):
			case len(kinds) == 0 || slices.Contains(kinds, item.Kind):
				taken = append(taken, item)
			default:
				kept = append(kept, item)
			}
		}
		return kept
	})
	if err != nil {
		return nil, err
	}
	return taken, nil
}

// Drop removes the items of a kind, which are wanted no more.
func (d Dir) Drop(kind string) error {
	_, err := d.Take(time.Time{}.AddDate(1, 0, 0), kind)
	return err
}

// Waiting reports whether there may be an item. It is one call of the system
// where there is none, which is what nearly every event finds.
func (d Dir) Waiting() bool {
	if d.path == "" {
		return false
	}
	b, err := statefile.Read(d.file(deferredFile))
	return err == nil && len(b) > len(`{"items": []}`)+1
}

func (d Dir) items(change func([]Item) []Item) error {
	return statefile.Update(d.file(deferredFile), wait, func(old []byte) ([]byte, error) {
		o := parse(old)
		var list []Item
		for _, raw := range protocol.ElementsOf(o.Get("items")) {
			m := protocol.ObjectOf(raw)
			at, err := time.Parse(time.RFC3339Nano, m.Text("expires"))
			if err != nil || m.Text("kind") == "" {
				continue
			}
			list = append(list, Item{m.Text("kind"), m.Text("text"), at})
		}
		o.Set("items", protocol.ListOf(change(list), func(item Item) protocol.Raw {
			var m protocol.Object
			m.SetText("kind", item.Kind)
			m.SetText("text", item.Text)
			m.SetText("expires", item.Expires.UTC().Format(time.RFC3339Nano))
			return m.Raw()
		}))
		return append(o.Append(nil), '\n'), nil
	})
}
