package runner

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/confine"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A spot is a home directory with a project in it, and what hooks may reach for.
type spot struct {
	home, project string
	env           []string
}

func newSpot(t *testing.T) spot {
	t.Helper()
	if missing := confine.Supported().Missing(); len(missing) > 0 {
		t.Skipf("this system does not enforce %v", missing)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must.Do(t, err)
	p := spot{home: filepath.Join(dir, "home")}
	p.project = filepath.Join(p.home, "code", "project")
	write(filepath.Join(p.home, ".ssh", "id"), "SECRET\n", 0o600)
	write(filepath.Join(p.home, ".config", "agents", "hooks.toml"), "# mine\n", 0o600)
	write(filepath.Join(p.home, ".gitconfig"), "[user]\n\tname = me\n\temail = me@example.org\n", 0o600)
	write(filepath.Join(p.project, "file"), "text\n", 0o644)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	must.Do(t, err)
	t.Cleanup(func() { l.Close() })
	for _, kv := range testEnv() {
		if name, _, _ := strings.Cut(kv, "="); name != "HOME" && name != "TMPDIR" {
			p.env = append(p.env, kv)
		}
	}
	p.env = append(p.env, "HOME="+p.home, "TMPDIR="+t.TempDir(), "TCP="+l.Addr().String(), fmt.Sprint("NEIGHBOUR=", os.Getpid()))
	return p
}

// runner is one for the spot; home says what the person's home directory is.
func (p spot) runner(t *testing.T) *Runner {
	r := newRunner(t)
	r.Env, r.Home = slices.Clone(p.env), p.home
	return r
}

// run runs one hook in the project, held to a sandbox or not, and returns what it
// said on stderr.
func (p spot) run(t *testing.T, r *Runner, h *discovery.Hook, box *discovery.Sandbox) (Report, string) {
	t.Helper()
	h.Sandbox, h.Layer = box, discovery.ProjectLayer
	ev := event(protocol.PreToolCall)
	ev.WorkDir = p.project
	s := set(h)
	s.Project, s.Root = p.project, p.project
	rep := guarded(t, func() Report { return r.Run(context.Background(), ev, s) })
	if len(rep.Results) != 1 {
		t.Fatalf("%d results", len(rep.Results))
	}
	return rep, strings.TrimSpace(rep.Results[0].Stderr)
}
