package hooks

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/session"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// An agent that is killed reports no end, and some agents never do. So each session with a prompt
// is on a list of its memory, in the state directory, until its work is compiled, and a session
// that begins compiles what others left there (BM-FBK-15):
//
//	{ID: {"agent": PID, "where": …}}          it is going on, in a process if that is known
//	{ID: {"due": TIME, "reason": …}}          it is over; nobody else compiles it after that time
//
// A session that is compiled and goes on all the same loses nothing: it counts from the beginning,
// as one that is resumed, and its summary is compiled again.
const (
	// idleOver is after how long without an event a session counts as over, if it is not known
	// whether its agent runs.
	idleOver = 6 * time.Hour
	// workerTime is how long the worker of a session may take to compile it.
	workerTime = 2 * time.Minute
	// closeMost is how many sessions one that begins compiles.
	closeMost = 10
	// cutOff is how a session ended whose end nobody saw.
	cutOff = "cut_off"
)

// openList is the file with that list, "" if nothing can be kept.
func openList(c *behaviour.Call, place memory.Place) string {
	if c.Runtime.State == "" {
		return ""
	}
	root := place.Root
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	sum := sha256.Sum256([]byte(root + "\x00" + place.Folder()))
	return filepath.Join(c.Runtime.State, "memory-open", hex.EncodeToString(sum[:16])+".json")
}

// changeList changes the list, if change says so.
func changeList(c *behaviour.Call, place memory.Place, change func(list *protocol.Object) (changed bool)) error {
	file := openList(c, place)
	if file == "" {
		return nil
	}
	return statefile.Update(file, 2*time.Second, func(old []byte) ([]byte, error) {
		list, err := protocol.ParseObject(old)
		if err != nil {
			list = protocol.Object{}
		}
		if !change(&list) {
			return nil, nil
		}
		return append(list.Append(nil), '\n'), nil
	})
}

// enlist puts a session on the list, at its first prompt. The process of the agent is the nearest
// one that both this event and the beginning of the session descend from: shells between are not
// the same.
func enlist(c *behaviour.Call) error {
	if c.Session() == "" || !filepath.IsAbs(c.Project()) || c.Runtime.State == "" {
		return nil
	}
	var entry protocol.Object
	if began := c.State.Read(stateName); c.Runtime.Processes != nil && began.Has("processes") {
		where, pids := c.Runtime.Processes()
		before := protocol.TextsOf(began.Get("processes"))
		if i := slices.IndexFunc(pids, func(pid int) bool { return slices.Contains(before, strconv.Itoa(pid)) }); i >= 0 && where == began.Text("where") {
			entry.Set("agent", strconv.AppendInt(nil, int64(pids[i]), 10))
			entry.SetText("where", where)
		}
	}
	return changeList(c, storeOf(c), func(list *protocol.Object) bool {
		list.Set(c.Session(), entry.Raw())
		return true
	})
}

// begunFrom records which processes a session began in.
func begunFrom(c *behaviour.Call, o *protocol.Object) {
	if c.Runtime.Processes == nil {
		return
	}
	where, pids := c.Runtime.Processes()
	var list []string
	for _, pid := range pids {
		list = append(list, strconv.Itoa(pid))
	}
	o.SetText("where", where)
	o.Set("processes", protocol.TextList(list))
}

// changeEntry changes what the list says of the call's session, if it is on it: nil takes it off.
func changeEntry(c *behaviour.Call, place memory.Place, change func(entry protocol.Object) protocol.Object) error {
	return changeList(c, place, func(list *protocol.Object) bool {
		if !list.Has(c.Session()) {
			return false
		}
		if entry := change(list.Sub(c.Session())); entry == nil {
			list.Delete(c.Session())
		} else {
			list.Set(c.Session(), entry.Raw())
		}
		return true
	})
}

// overFrom is the entry of a session that is over, and that another one compiles from a time on.
func overFrom(at time.Time, reason string) (entry protocol.Object) {
	entry.SetText("due", at.UTC().Format(time.RFC3339Nano))
	entry.SetText("reason", reason)
	return entry
}

// leave records that a session is over, and how: its worker compiles it now.
func leave(c *behaviour.Call, place memory.Place, reason string) error {
	return changeEntry(c, place, func(protocol.Object) protocol.Object { return overFrom(c.Now.Add(workerTime), reason) })
}

// retry lets the next session compile this one. If it goes on by now, its own end does.
func retry(c *behaviour.Call, place memory.Place, reason string) error {
	return changeEntry(c, place, func(entry protocol.Object) protocol.Object {
		if entry.Has("due") {
			return overFrom(c.Now, reason)
		}
		return entry
	})
}

// delist takes a session off the list, which is compiled, unless it goes on by now.
func delist(c *behaviour.Call, place memory.Place) error {
	return changeEntry(c, place, func(entry protocol.Object) protocol.Object {
		if entry.Has("due") {
			return nil
		}
		return entry
	})
}

// closeOthers compiles the sessions of this memory that are over and that nobody compiled.
func closeOthers(c *behaviour.Call, place memory.Place) error {
	file := openList(c, place)
	if b, err := statefile.Read(file); file == "" || err != nil || len(b) <= len("{}\n") {
		return err
	}
	over := map[string]string{}
	err := changeList(c, place, func(list *protocol.Object) (changed bool) {
		for _, m := range *list {
			entry := protocol.ObjectOf(m.Value)
			if m.Name == c.Session() { // it goes on, in another process
				changed = changed || len(entry) > 0
				list.Set(m.Name, protocol.Raw("{}"))
				continue
			}
			if len(over) < closeMost && isOver(c, m.Name, entry) {
				over[m.Name], changed = cmp.Or(entry.Text("reason"), cutOff), true
				list.Set(m.Name, overFrom(c.Now.Add(workerTime), over[m.Name]).Raw()) // no other one compiles it
			}
		}
		return changed
	})
	for id, reason := range over {
		err = errors.Join(err, closeOne(c, id, reason))
	}
	return err
}

// isOver reports whether a session is over: it said so and its worker did not compile it, its
// agent's process is gone, or nothing happened in it for long.
func isOver(c *behaviour.Call, id string, entry protocol.Object) bool {
	if at, err := time.Parse(time.RFC3339Nano, entry.Text("due")); err == nil {
		return !c.Now.Before(at)
	}
	if pid := int(entry.Int("agent")); pid > 0 && c.Runtime.Processes != nil {
		if where, _ := c.Runtime.Processes(); where == entry.Text("where") && !statefile.Runs(pid) {
			return true
		}
	}
	last, known := session.At(c.Runtime.Session(id)).Changed(spoolName)
	return !known || c.Now.Sub(last) >= idleOver
}

// closeOne compiles one of them, as of its last event.
func closeOne(c *behaviour.Call, id, reason string) error {
	other := *c
	other.Event = protocol.Object{}
	other.Event.SetText("event_type", string(protocol.PostSession))
	other.Event.SetText("session_id", id)
	other.Event.SetText("work_dir", c.WorkDir())
	other.State = session.At(c.Runtime.Session(id))
	if last, known := other.State.Changed(spoolName); known && last.Before(c.Now) {
		other.Now = last
	}
	end := memory.End{Session: id, Reason: reason, Unseen: true}
	if at, err := time.Parse(time.RFC3339Nano, other.State.Read(stateName).Text("began")); err == nil {
		end.DurationMS = max(other.Now.Sub(at), 0).Milliseconds()
	}
	return Work(&other, end, nil)
}
