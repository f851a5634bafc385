package strange

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// mostTail is how much of what was added to a transcript is searched.
const mostTail = 1 << 20

// A late transcript is one that its agent goes on writing when the events of a turn are
// over (protocol.Dialect.RefusedLate). Of each it is kept, in strange/AGENT.late, up to
// where it was searched, so that the rest can be searched when somebody asks.
type late struct {
	path, version string
	searched      int64
}

func lateFile(state, agent string) string { return filepath.Join(dir(state), agent+".late") }

// Follow searches a transcript now, and lets Settle search what is added to it later.
func Follow(state string, agent *protocol.Dialect, path, version string, now time.Time) error {
	if state == "" || !protocol.ValidName(agent.ID) {
		return nil
	}
	return searchLate(state, agent, &late{path: path, version: version}, now)
}

// Settle counts what agents have added to their transcripts since these were searched.
func Settle(state string, agents []*protocol.Dialect, now time.Time) error {
	for _, a := range agents {
		if b, err := statefile.Read(lateFile(state, a.ID)); err != nil || len(b) == 0 || !a.RefusedLate {
			continue
		}
		if err := searchLate(state, a, nil, now); err != nil {
			return err
		}
	}
	return nil
}

// searchLate searches the transcripts that are followed, and another one unless it is nil.
func searchLate(state string, agent *protocol.Dialect, also *late, now time.Time) error {
	type found struct {
		protocol.Refusal
		version string
	}
	var list []found
	err := statefile.Update(lateFile(state, agent.ID), lockWait, func(old []byte) ([]byte, error) {
		rows := parseLate(old)
		if also != nil {
			row := *also
			if i := slices.IndexFunc(rows, func(r late) bool { return r.path == also.path }); i >= 0 {
				row.searched = rows[i].searched
				rows = slices.Delete(rows, i, i+1)
			}
			rows = append(rows, row)
		}
		rows = rows[max(0, len(rows)-mostRows):]
		for i := range rows {
			for _, r := range agent.Refused(rows[i].added()) {
				list = append(list, found{r, rows[i].version})
			}
		}
		return formatLate(rows), nil
	})
	for _, f := range list {
		if err == nil {
			err = Note(state, agent, f.Strange(), f.version, f.Answer, now)
		}
	}
	return err
}

// added are the whole lines since the last search, nil if there are none.
func (l *late) added() []byte {
	f, err := safefile.Open(l.path)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() <= l.searched {
		return nil
	}
	from := max(l.searched, info.Size()-mostTail)
	b := make([]byte, info.Size()-from)
	if _, err := f.ReadAt(b, from); err != nil && err != io.EOF {
		return nil
	}
	b = b[:bytes.LastIndexByte(b, '\n')+1]
	l.searched = from + int64(len(b))
	return b
}

func parseLate(b []byte) (rows []late) {
	for line := range bytes.Lines(b) {
		o, err := protocol.ParseObject(line)
		if err != nil || o.Text("path") == "" {
			continue
		}
		n, _ := strconv.ParseInt(string(o.Get("searched")), 10, 64)
		rows = append(rows, late{o.Text("path"), o.Text("version"), n})
	}
	return rows
}

func formatLate(rows []late) (b []byte) {
	for _, r := range rows {
		var o protocol.Object
		o.SetText("path", r.path)
		o.SetText("version", r.version)
		o.Set("searched", protocol.Raw(strconv.FormatInt(r.searched, 10)))
		b = append(o.Append(b), '\n')
	}
	return b
}
