package dispatch

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/wake"
)

// export has a worker started that sends the run log to where the person wants it,
// unless one was started a moment ago. The answer is out; nothing is sent from here.
func (c call) export(f *fitted) []string {
	if f == nil || f.set.Settings.Export == nil || !wake.Due(c.host.State, c.host.Now()) {
		return nil
	}
	if err := wake.At(c.host.State, c.host.Now().Add(wake.Held)); err != nil {
		return nil // without a place for its state a worker could do nothing
	}
	if err := f.world.Detach(c.host.State, c.host.Env, "export", "--worker"); err != nil {
		return []string{err.Error()}
	}
	return nil
}
