package record

import (
	"fmt"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// A status describes a project's recordings, and lists those of others. Its JSON form is
// stable.
type status struct {
	Schema int `json:"schema"`
	recorded
	Others []recorded `json:"others"`
	Limits limits     `json:"limits"`
}

// recorded is a project's recordings, as record shows them.
type recorded struct {
	Project   string    `json:"project"`
	Recording bool      `json:"recording"`
	Since     string    `json:"since"` // ISO 8601, "" if it is off
	Dir       string    `json:"dir"`
	Bytes     int64     `json:"bytes"`
	Sessions  []session `json:"sessions"`

	since time.Time
}

type session struct {
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
	Last  string `json:"last"` // when it was last written to

	last time.Time
}

// limits are the limits of what is kept.
type limits struct {
	Event   int `json:"event_bytes"`
	Text    int `json:"text_bytes"`
	Session int `json:"session_bytes"`
	Total   int `json:"total_bytes"`
}

func statusOf(store record.Store, root string) (status, error) {
	p, err := store.Project(root)
	if err != nil {
		return status{}, fmt.Errorf("record: %w", err)
	}
	all, err := store.Projects()
	if err != nil {
		return status{}, fmt.Errorf("record: %w", err)
	}
	s := status{Schema: 1, recorded: recordedOf(p), Others: []recorded{}, Limits: limits{record.MaxLine, record.MaxText, record.MaxSession, record.MaxTotal}}
	for _, o := range all {
		if o.Root != root {
			s.Others = append(s.Others, recordedOf(o))
		}
	}
	return s, nil
}

func recordedOf(p record.Project) recorded {
	r := recorded{Project: p.Root, Recording: p.On, Dir: p.Dir, Bytes: p.Bytes(), Sessions: []session{}, since: p.Since}
	if !p.Since.IsZero() {
		r.Since = p.Since.UTC().Format(time.RFC3339)
	}
	for _, s := range p.Sessions {
		r.Sessions = append(r.Sessions, session{File: s.Path, Bytes: s.Bytes, Last: s.Last.UTC().Format(time.RFC3339), last: s.Last})
	}
	return r
}

func printStatus(sh *shell.Shell, s status) {
	word := "off"
	if s.Recording {
		word = sh.Paint(shell.Yellow, "on") + ", since " + s.since.Local().Format(time.DateTime)
	}
	sh.Printf("recording of %s: %s\n", shell.Plain(sh.Short(s.Project)), word)
	for _, f := range s.Sessions {
		sh.Printf("  %s  %9s  %s\n", f.last.Local().Format(time.DateTime), shell.Size(f.Bytes), sh.Shown(f.File))
	}
	for _, o := range s.Others {
		if !o.Recording && len(o.Sessions) == 0 {
			continue
		}
		word := "off"
		if o.Recording {
			word = sh.Paint(shell.Yellow, "on")
		}
		sh.Printf("also %s: %s, %s, %s\n", shell.Plain(sh.Short(o.Project)), word, text.Count(len(o.Sessions), "session"), shell.Size(o.Bytes))
	}
	sh.Hints(s.next(sh.Short(s.Dir)))
}

// next are hints on what to do next; dir has the recordings.
func (s status) next(dir string) []string {
	const play, stop = "agents-hooks replay FILE plays one through the hooks that are there now", "agents-hooks record off stops it"
	switch {
	case s.Recording && len(s.Sessions) == 0:
		return []string{"each event of an agent in this project is kept from now on, in " + dir, stop}
	case s.Recording:
		return []string{play, stop}
	case len(s.Sessions) > 0:
		return []string{play, "agents-hooks record clear deletes them"}
	}
	return []string{"agents-hooks record on begins"}
}
