package connect

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// machine is a machine with this program at a permanent place.
func machine(t *testing.T) host.Host {
	t.Helper()
	home := t.TempDir()
	h := shelltest.Host(home, home)
	h.Self = filepath.Join(home, "bin", filepath.Base(h.Self))
	must.Script(t, h.Self, "x")
	return h
}

// A plan touches nothing; carrying it out does what it said, and then nothing is left
// to plan.
func TestAPlanIsWhatIsCarriedOut(t *testing.T) {
	t.Parallel()
	for _, d := range agents.All() {
		if d.Config == nil {
			continue
		}
		t.Run(d.ID, func(t *testing.T) {
			t.Parallel()
			h := machine(t)
			o := InstallOptions{Options: Options{Scope: protocol.UserScope}, programs: setup.Kept(h)}
			before := filesBelow(t, h.Home)
			p, err := planInstall(h, d, o, nil, nil)
			must.Do(t, err)
			if !p.entry || !p.clean || len(p.files()) == 0 {
				t.Fatalf("on an empty machine the plan is %+v", p)
			}
			if after := filesBelow(t, h.Home); !slices.Equal(before, after) {
				t.Fatalf("planning made of %q %q", before, after)
			}
			must.Do(t, carryOut(h.State, d, o.Site(h), p, p.files()))
			for _, e := range p.edits {
				if b, err := os.ReadFile(e.Path); err != nil || !setup.Same(b, e.After) {
					t.Errorf("%s is not what was planned (%v)", e.Path, err)
				}
			}
			if again, err := planInstall(h, d, o, nil, nil); err != nil || len(again.files()) > 0 || again.clean {
				t.Errorf("a second plan is %+v (%v)", again, err)
			}
		})
	}
}

func filesBelow(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		list = append(list, path)
		return err
	})
	must.Do(t, err)
	return list
}
