package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// statePath is a session's file, named as in the original if its id can be a file name.
func (p Place) statePath(session string) string {
	for _, r := range session {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_') || len(session) > 100 {
			sum := sha256.Sum256([]byte(session))
			session = "x-" + hex.EncodeToString(sum[:8])
			break
		}
	}
	return filepath.Join(p.Dir, stateDir, session+".json")
}

// Saved reports whether somebody wrote a summary of a session, and how many facts it saved.
func (p Place) Saved(session string) (summary bool, facts int) {
	o := p.state(session)
	return o.Bool("summary_saved") && o.Text("summary_source") != autoSource, int(o.Int("fact_count"))
}

// state is what is known about a session, nothing if that cannot be read.
func (p Place) state(session string) protocol.Object {
	if session == "" {
		return nil
	}
	b, err := p.files().Read(p.statePath(session))
	if err != nil || b == nil {
		return nil
	}
	o, err := protocol.ParseObject(b)
	if err != nil {
		return nil
	}
	return o
}

// UpdateState changes what is known about a session, in the original's keys.
func (p Place) UpdateState(session string, now time.Time, change func(o *protocol.Object)) error {
	return p.updateState(session, now, lockWait, change)
}

func (p Place) updateState(session string, now time.Time, wait time.Duration, change func(o *protocol.Object)) error {
	if session == "" {
		return nil
	}
	return p.files().Update(p.statePath(session), wait, func(old []byte) ([]byte, error) {
		o, err := protocol.ParseObject(old)
		if err != nil {
			o = protocol.Object{}
			o.SetText("session_id", session)
			o.SetText("created_at", Stamp(now))
			o.Set("summary_saved", protocol.Raw("false"))
			o.Set("fact_count", protocol.Raw("0"))
			o.Set("stage_summary_count", protocol.Raw("0"))
		}
		change(&o)
		o.SetText("updated_at", Stamp(now))
		return append(o.Append(nil), '\n'), nil
	})
}

// Offered is how often agents were asked to make facts of a session (BM-FBK-06).
func (p Place) Offered(session string) int { return int(p.state(session).Int("offered")) }

// Offer counts that an agent is asked for that.
func (p Place) Offer(session string, now time.Time) error {
	return p.UpdateState(session, now, func(o *protocol.Object) { count(o, "offered") })
}

// count increments a number in a session's state.
func count(o *protocol.Object, name string) {
	n, _ := strconv.Atoi(string(o.Get(name)))
	o.Set(name, strconv.AppendInt(nil, int64(n+1), 10))
}

// KeepStage saves what a session did so far as one entry of type S, without a model
// (BM-ASK-11).
func (p Place) KeepStage(f Fact) error {
	f.Kind = "S"
	if err := p.Keep(f); err != nil {
		return err
	}
	return p.UpdateState(f.Session, f.Time, func(o *protocol.Object) { count(o, "stage_summary_count") })
}
