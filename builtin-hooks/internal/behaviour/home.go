package behaviour

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/session"
	"github.com/agents-hooks/agents-hooks/protocol"
)

const (
	// beganName is the state that says in which project a session began, for all behaviours.
	beganName  = "began"
	projectDir = "AGENTS_HOOKS_PROJECT_DIR"
)

// Home makes a call one of the project that its session began in, with the settings there: an
// agent that goes to another folder does not take its session along. A session of which no
// beginning was seen began where it is first seen: seen says where if nothing recorded it, as a
// tool call does not (BM-STO-15). Another worktree of the same repository is no other project, and
// one that is not there any more was moved.
func (c *Call) Home(seen func() string) error {
	here := c.Project()
	if c.Session() == "" || !filepath.IsAbs(here) {
		return nil
	}
	recorded := c.Runtime.began(c.Session())
	home := recorded
	if home == "" {
		home = seen()
	}
	if c.begins() || home != here && !isFolder(home) {
		home = here
	}
	if home != here && !c.Runtime.same(home, here) {
		c.Env = InProject(c.Env, home)
		c.Settings = c.reader.For(home, c.Env)
	}
	if home == recorded || c.trigger().IsTool() {
		return nil
	}
	return c.State.Update(beganName, func(o protocol.Object) protocol.Object {
		o.SetText("project", home)
		return o
	})
}

// Begun reports whether it is known where the session began.
func (c *Call) Begun() bool { return c.Runtime.began(c.Session()) != "" }

func (c *Call) trigger() protocol.EventType { return protocol.EventType(c.Event.Text("event_type")) }

// InProject is an environment with another project in it.
func InProject(env []string, project string) []string {
	return append(slices.DeleteFunc(slices.Clone(env), func(kv string) bool { return strings.HasPrefix(kv, projectDir+"=") }), projectDir+"="+project)
}

// begins reports whether the session begins anew with this event.
func (c *Call) begins() bool {
	source := c.Event.Text("source")
	return c.trigger() == protocol.PreSession && source != "resume" && source != "compact"
}

// SessionProject is the project that a session began in, as far as it is another one than that of the
// folder where its agent is.
func (w *Runtime) SessionProject(session, here string) string {
	home := w.began(session)
	if !isFolder(home) || w.same(home, here) {
		return here
	}
	return home
}

// same reports whether two folders are of one repository.
func (w *Runtime) same(a, b string) bool {
	return w.Repository != nil && w.Repository(a) == w.Repository(b)
}

// began is the project that a session was first seen in; "" if nobody knows.
func (w *Runtime) began(id string) string {
	dir := w.Session(id)
	if id == "" || dir == "" {
		return ""
	}
	return session.At(dir).Read(beganName).Text("project")
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
