// Package session keeps the state of one session of an agent for the built-in hooks, in
// a directory that all of them share:
//
//	deferred.json     texts that no event could carry yet ([Dir.Defer], [Dir.Take])
//	NAME.spool        lines of hot events, until they are needed ([Dir.Spool], [Dir.Drain])
//	once-HOOK.json    the last answer of a hook ([Dir.Once])
//	NAME.json         the state of a behaviour ([Dir.Update], [Dir.Read])
//	began.json        the project that the session began in
//
// Every event is a separate process, several may run at once, and any of them may be
// killed. An acknowledged change persists; package statefile does the work. Nothing
// waits longer than two seconds.
//
// A Dir of no session, the zero value, keeps nothing and never fails.
package session

import (
	"path/filepath"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// wait is how long a file may be held by another process.
const wait = 2 * time.Second

// A Dir is the directory of one session.
type Dir struct{ path string }

// At is the Dir at a path; "" is that of no session.
func At(path string) Dir { return Dir{path} }

func (d Dir) file(name string) string { return filepath.Join(d.path, name) }

// Read is the state that a behaviour keeps under a name, nil if there is none or
// none that can be read.
func (d Dir) Read(name string) protocol.Object {
	if d.path == "" {
		return nil
	}
	b, err := statefile.Read(d.file(name + ".json"))
	if err != nil {
		return nil
	}
	return parse(b)
}

// Update changes that state under a lock. What cannot be read counts as nothing;
// members that change does not know stay.
func (d Dir) Update(name string, change func(protocol.Object) protocol.Object) error {
	if d.path == "" {
		change(nil)
		return nil
	}
	return statefile.Update(d.file(name+".json"), wait, func(old []byte) ([]byte, error) {
		o := change(parse(old))
		if o == nil {
			return nil, nil
		}
		return append(o.Append(nil), '\n'), nil
	})
}

// parse reads a state file, which somebody may have truncated.
func parse(b []byte) protocol.Object {
	if len(b) == 0 {
		return nil
	}
	o, err := protocol.ParseObject(b)
	if err != nil {
		return nil
	}
	return o
}
