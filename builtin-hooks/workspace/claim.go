package workspace

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Claim says whose a node is. It holds until its lease is over, and longer while
// the session is seen at work; a session that ended has none.
//
// Claims are of this machine, as sessions are: they lie beside the bindings, in a
// file of ours, and not in the workspace, which may travel.
type Claim struct {
	Session   string
	At, Until time.Time
	Lease     time.Duration
}

const claimsFile = "claims.json"

func (p Place) claimsPath() string { return filepath.Join(p.Home, claimsFile) }

func claimOf(raw protocol.Raw) Claim {
	o := protocol.ObjectOf(raw)
	c := Claim{Session: o.Text("session"), At: timeOf(o.Get("at")), Until: timeOf(o.Get("until"))}
	if c.Lease = c.Until.Sub(c.At); o.Has("renewed") {
		c.Lease = c.Until.Sub(timeOf(o.Get("renewed")))
	}
	return c
}

// held are the valid claims of a workspace, by node.
func (p Place) held(doc protocol.Object, workspace string, now time.Time) map[string]Claim {
	list := doc.Sub("claims").Sub(workspace)
	if len(list) == 0 {
		return nil
	}
	sessions := p.bindings()
	out := map[string]Claim{}
	for _, m := range list {
		c := claimOf(m.Value)
		if b := bindingOf(c.Session, sessions.Get(c.Session)); b.Workspace == workspace && !b.Ended {
			if until := b.LastSeen.Add(c.Lease); until.After(c.Until) && !b.LastSeen.After(now) {
				c.Until = until
			}
		}
		if c.Session != "" && now.Before(c.Until) && !now.Add(claimMost).Before(c.Until) {
			out[m.Name] = c
		}
	}
	return out
}

// claimMost is the longest lease; one that ends later was made by a wrong clock.
const claimMost = 24 * time.Hour

// Claims are those of a workspace that hold, by the ids of nodes.
func (p Place) Claims(workspace string, now time.Time) map[string]Claim {
	if p.Home == "" {
		return nil
	}
	b, err := statefile.Read(p.claimsPath())
	if err != nil || len(b) == 0 {
		return nil
	}
	doc, err := protocol.ParseObject(b)
	if err != nil {
		return nil
	}
	return p.held(doc, workspace, now)
}

// Claim gives a session the node that choose names, "" for none; choose gets the
// claims that hold. No two sessions are given one node: the file is locked
// meanwhile. What a session has already it has for a new lease.
func (p Place) Claim(workspace, session string, lease time.Duration, now time.Time, choose func(held map[string]Claim) (node string, err error)) error {
	if p.Home == "" {
		return fmt.Errorf("there is no data directory: set HOME or XDG_DATA_HOME")
	}
	return p.updateClaims(now, func(doc *protocol.Object) error {
		held := p.held(*doc, workspace, now)
		node, err := choose(held)
		if err != nil || node == "" {
			return err
		}
		c, mine := held[node]
		if mine && c.Session != session {
			return fmt.Errorf("node %q is claimed by session %q", node, c.Session)
		}
		at := now
		if mine {
			at = c.At
		}
		var o protocol.Object
		o.SetText("session", session)
		o.Set("at", millis(at))
		o.Set("renewed", millis(now))
		o.Set("until", millis(now.Add(lease)))
		all := doc.Sub("claims")
		list := all.Sub(workspace)
		list.Set(node, o.Raw())
		all.Set(workspace, list.Raw())
		doc.Set("claims", all.Raw())
		return nil
	})
}

// Release takes claims back that match.
func (p Place) Release(now time.Time, match func(workspace, node string, c Claim) bool) error {
	if p.Home == "" {
		return nil
	}
	if b, err := statefile.Read(p.claimsPath()); err != nil || len(b) == 0 {
		return nil
	}
	return p.updateClaims(now, func(doc *protocol.Object) error {
		dropClaims(doc, match)
		return nil
	})
}

// dropClaims takes claims out that match.
func dropClaims(doc *protocol.Object, match func(workspace, node string, c Claim) bool) {
	var all protocol.Object
	for _, space := range doc.Sub("claims") {
		list := slices.DeleteFunc(protocol.ObjectOf(space.Value), func(m protocol.Member) bool { return match(space.Name, m.Name, claimOf(m.Value)) })
		if len(list) > 0 {
			all = append(all, protocol.Member{Name: space.Name, Value: list.Raw()})
		}
	}
	doc.Set("claims", all.Raw())
}

// updateClaims changes the file. Claims without anything left to hold are removed a day
// later; a file that cannot be read is kept aside.
func (p Place) updateClaims(now time.Time, change func(doc *protocol.Object) error) error {
	return statefile.UpdateDurable(p.claimsPath(), lockWait, func(old []byte) ([]byte, error) {
		doc := protocol.Object{{Name: "version", Value: protocol.Quote("1.0")}}
		if len(old) > 0 {
			o, err := protocol.ParseObject(old)
			if err != nil {
				if _, err := statefile.Keep(p.claimsPath(), now, old); err != nil {
					return nil, err
				}
			} else {
				doc = o
			}
		}
		dropClaims(&doc, func(_, _ string, c Claim) bool { return now.Sub(c.Until) >= claimMost })
		if err := change(&doc); err != nil {
			return nil, err
		}
		if string(doc.Raw()) == string(protocol.ObjectOf(old).Raw()) {
			return nil, nil
		}
		return pretty(doc), nil
	})
}
