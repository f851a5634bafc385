package dispatch

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/wake"
)

// export starts a worker that sends the run log to the user's collector, unless one was started
// recently. The answer is out; this process sends nothing.
func (c call) export(f *fitted) []string {
	if f == nil || f.set.Settings.Export == nil || !wake.Due(c.host.State, c.host.Now()) {
		return nil
	}
	if err := wake.At(c.host.State, c.host.Now().Add(wake.Held)); err != nil {
		return nil // without a state directory a worker can do nothing
	}
	if err := f.world.Detach(c.host.State, c.host.Env, "export", "--worker"); err != nil {
		return []string{err.Error()}
	}
	return nil
}
