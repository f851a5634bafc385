package runner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A ticket counts as often as it says, by the key of this state, and for a process that this
// one descends from.
func TestATicketCountsForAnAncestor(t *testing.T) {
	state := t.TempDir()
	if Nested(state, newTicket(make([]byte, keySize), 2, os.Getppid())) != 0 {
		t.Error("a ticket counts where there is no key")
	}
	key, err := newKey(keyFile(state))
	must.Do(t, err)
	good := newTicket(key, 2, os.Getppid())
	for name, c := range map[string]struct {
		state, ticket string
		want          int
	}{
		"of our parent":           {state, good, 2},
		"none":                    {state, "", 0},
		"without a state":         {"", good, 0},
		"in another state":        {filepath.Join(state, "other"), good, 0},
		"by another key":          {state, newTicket(make([]byte, keySize), 2, os.Getppid()), 0},
		"of no ancestor":          {state, newTicket(key, 2, os.Getpid()), 0},
		"that counts none":        {state, newTicket(key, 0, os.Getppid()), 0},
		"of no process":           {state, newTicket(key, 2, 0), 0},
		"with another number":     {state, "3" + strings.TrimPrefix(good, "2"), 0},
		"that is cut":             {state, good[:len(good)-1], 0},
		"of two parts":            {state, "2-" + good[len(good)-32:], 0},
		"with words for numbers":  {state, "two-" + good[2:], 0},
		"longer than any of ours": {state, good + strings.Repeat("0", 200), 0},
	} {
		t.Run(name, func(t *testing.T) {
			if n := Nested(c.state, c.ticket); n != c.want {
				t.Errorf("%q: %d, want %d", c.ticket, n, c.want)
			}
		})
	}
}

// The ticket for the hooks of this process counts one more than this process is nested in, and
// is by the key that is there, or by a new one.
func TestTheTicketOfThisProcess(t *testing.T) {
	r := &Runner{State: t.TempDir(), Nested: 3}
	first := r.ticket()
	key, err := readKey(keyFile(r.State))
	must.Do(t, err)
	if want := newTicket(key, 4, os.Getpid()); first != want || r.ticket() != want {
		t.Errorf("%q, then %q, want %q", first, r.ticket(), want)
	}
	if got := (&Runner{}).ticket(); got != "" {
		t.Errorf("without a state: %q", got)
	}
}

// A key that cannot be kept leaves nothing: on a full disk each event would leave a file.
func TestAKeyThatCannotBeKeptLeavesNothing(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	must.Do(t, os.MkdirAll(filepath.Join(keyFile(state), "in the way"), 0o700))
	if key, err := newKey(keyFile(state)); err == nil {
		t.Errorf("%x", key)
	}
	if left, _ := filepath.Glob(keyFile(state) + ".*"); len(left) > 0 {
		t.Errorf("%q", left)
	}
}
