package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/scratch"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// copyState makes a state directory with those parts of the user's that hooks and
// their trust depend on: the approvals, and the hooks' own data. Sessions' data is
// left out: a replay begins them anew.
func (p *player) copyState() (string, error) {
	dir, err := os.MkdirTemp("", "agents-hooks-replay-")
	if err != nil {
		return "", fmt.Errorf("making a state directory: %w", err)
	}
	if b, err := os.ReadFile(filepath.Join(p.host.State, "trust.json")); err == nil {
		err = os.WriteFile(filepath.Join(dir, "trust.json"), b, 0o600)
		if err != nil {
			scratch.RemoveAll(dir)
			return "", err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		scratch.RemoveAll(dir)
		return "", err
	}
	if err := scratch.CopyFiles(filepath.Join(p.host.State, "hooks"), filepath.Join(dir, "hooks")); err != nil {
		p.Warn(fmt.Errorf("hooks start without their state: %w", err))
		scratch.RemoveAll(filepath.Join(dir, "hooks"))
	}
	return dir, nil
}

// forgetTwins allows an event to be answered again that was answered before: two
// events of one tool use were answered once when they came, or are two here.
func forgetTwins(state string) { scratch.RemoveAll(filepath.Join(state, "dedup")) }

// asKept is an answer as record would have stored it, with the user's own state
// directory in place of the copy.
func (p *player) asKept(a record.Answer, state string) record.Answer {
	quoted := func(s string) string { q := string(protocol.Quote(s)); return q[1 : len(q)-1] }
	back := strings.NewReplacer(state, p.host.State, quoted(state), quoted(p.host.State)).Replace
	a.Reason, a.Stdout, a.Stderr = back(a.Reason), back(a.Stdout), back(a.Stderr)
	for i := range a.Files {
		a.Files[i] = back(a.Files[i])
	}
	return a.Redact()
}
