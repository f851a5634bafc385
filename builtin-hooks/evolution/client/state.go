package client

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/compat"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// Files of the client, in the folder of evolution. The original can read the first two,
// which are its own.
const (
	cursorFile = "sync-cursor.json"
	queueFile  = "sync-retry-queue.json"
	knownFile  = "sync-known.json"
	lockName   = "sync"
)

// fileWait bounds how long to wait for another process that is changing a file.
const fileWait = 2 * time.Second

// A mark is the cursor file: the cursor of the scope that was pulled last, and of all
// scopes.
type mark struct {
	compat.Mark
	Scope  string                   `json:"scope"`
	TS     int64                    `json:"ts"`
	Server string                   `json:"server,omitempty"`
	Scopes map[string]*scopeOfState `json:"scopes,omitempty"`
}

type scopeOfState struct {
	compat.Mark
	// Wire is the name that the server accepts for the scope, if it is not the expected
	// one.
	Wire string `json:"wire,omitempty"`
}

// readJSON reads a file; if it is missing or unreadable JSON, it is the zero value.
func readJSON[T any](path string) (v T, err error) {
	b, err := statefile.Read(path)
	if err != nil || b == nil {
		return v, err
	}
	if json.Unmarshal(b, &v) != nil {
		var zero T
		return zero, nil
	}
	return v, nil
}

// changeJSON changes a file under its lock, durably.
func changeJSON[T any](path string, change func(*T)) error {
	return statefile.UpdateDurable(path, fileWait, func(old []byte) ([]byte, error) {
		var v T
		if old != nil && json.Unmarshal(old, &v) != nil {
			var zero T
			v = zero
		}
		change(&v)
		b, err := json.Marshal(v)
		return append(b, '\n'), err
	})
}

// scopeState is what is known about a scope at a server.
func (m *mark) scopeState(server, scope string) scopeOfState {
	if m.Server != "" && m.Server != server {
		return scopeOfState{}
	}
	if s := m.Scopes[scope]; s != nil {
		return *s
	}
	// A file written by the original has one scope.
	if m.Scope == scope && len(m.Scopes) == 0 {
		return scopeOfState{Mark: m.Mark}
	}
	return scopeOfState{}
}

// remember changes what is known about a scope.
func (s *Sync) remember(change func(*scopeOfState)) error {
	return changeJSON(filepath.Join(s.Dir, cursorFile), func(m *mark) {
		if m.Server != "" && m.Server != s.Client.Base {
			m.Scopes = nil // servers are counted separately
		}
		now := m.scopeState(s.Client.Base, s.Scope)
		change(&now)
		if m.Scopes == nil {
			m.Scopes = map[string]*scopeOfState{}
		}
		m.Scopes[s.Scope] = &now
		m.Server, m.Scope, m.Mark, m.TS = s.Client.Base, s.Scope, now.Mark, s.Now().UnixMilli()
	})
}

func (s *Sync) state() (scopeOfState, error) {
	m, err := readJSON[mark](filepath.Join(s.Dir, cursorFile))
	return m.scopeState(s.Client.Base, s.Scope), err
}

// An entry is something that could not be sent, as kept in the retry queue.
type entry struct {
	Outcomes []api.Outcome `json:"outcomes"`
	Report   *report       `json:"report,omitempty"`
	Scope    string        `json:"scope,omitempty"`
	TS       int64         `json:"ts"` // ms
}

// A report says which signals a session met without any gene.
type report struct {
	ID         string `json:"report_id"`
	RawContext string `json:"raw_context"`
	Outcome    string `json:"outcome"`
	Task       string `json:"task,omitempty"`
}

// queueMax is how many entries the queue keeps.
const queueMax = 10

// id distinguishes entries.
func (e entry) id() string {
	b, _ := json.Marshal(struct {
		O []api.Outcome
		R *report
	}{e.Outcomes, e.Report})
	return string(b)
}

func (s *Sync) queue() ([]entry, error) {
	return readJSON[[]entry](filepath.Join(s.Dir, queueFile))
}

// enqueue keeps something that could not be sent. The oldest entries are dropped; their
// outcomes are in the store and are sent after the next session.
func (s *Sync) enqueue(e entry) error {
	e.TS, e.Scope = s.Now().UnixMilli(), s.Scope
	return changeJSON(filepath.Join(s.Dir, queueFile), func(q *[]entry) {
		if slices.ContainsFunc(*q, func(x entry) bool { return x.id() == e.id() }) {
			return
		}
		*q = append(*q, e)
		if n := len(*q) - queueMax; n > 0 {
			s.Log("sync: the retry queue is full, %d of the oldest entries left it; their outcomes are kept in the store", n)
			*q = slices.Delete(*q, 0, n)
		}
	})
}

// dequeue removes an entry.
func (s *Sync) dequeue(e entry) error {
	return changeJSON(filepath.Join(s.Dir, queueFile), func(q *[]entry) {
		*q = slices.DeleteFunc(*q, func(x entry) bool { return x.id() == e.id() })
		if *q == nil {
			*q = []entry{}
		}
	})
}

// known is what else is known about a server.
type known struct {
	Server string `json:"server"`
	// Genes are the local genes that the server has, by their local id.
	Genes map[string]sent `json:"genes"`
	// Role is the person's role there; Waiting are other people's genes that no
	// reviewer has read and that this person may review.
	Role    string   `json:"role,omitempty"`
	Waiting []string `json:"waiting,omitempty"`
	// Reviewed are sessions whose unjudged outcomes are not pushed, and Reported those
	// for which a report was made; the newest last.
	Reviewed []string `json:"reviewed"`
	Reported []string `json:"reported"`
}

// sent is a local gene at the server.
type sent struct {
	ID         string `json:"id"`         // there; "" if the server refused it
	Visibility string `json:"visibility"` // there
}

func (s *Sync) known() (known, error) {
	k, err := readJSON[known](filepath.Join(s.Dir, knownFile))
	if k.Server != s.Client.Base {
		k.Server, k.Genes, k.Role, k.Waiting = s.Client.Base, nil, "", nil // another server has none of them
	}
	return k, err
}

func (s *Sync) know(change func(*known)) error {
	return changeJSON(filepath.Join(s.Dir, knownFile), func(k *known) {
		if k.Server != s.Client.Base {
			k.Server, k.Genes, k.Role, k.Waiting = s.Client.Base, nil, "", nil
		}
		if k.Genes == nil {
			k.Genes = map[string]sent{}
		}
		change(k)
	})
}

// add appends a session to a bounded list.
func add(list []string, id string) []string {
	const most = 500
	if slices.Contains(list, id) {
		return list
	}
	list = append(list, id)
	return list[max(0, len(list)-most):]
}

// hold keeps the user's other processes from pushing at the same time.
func (s *Sync) hold(wait time.Duration) (release func(), err error) {
	return statefile.Hold(filepath.Join(s.Dir, lockName), wait)
}
