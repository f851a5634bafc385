package dispatch

import (
	"reflect"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
)

// The supervisor of async hooks looks where the dispatcher looked, and trusts what
// it trusted, whatever the environment says: what it is told comes back as it was.
func TestBriefComesBack(t *testing.T) {
	for _, args := range [][]string{
		{"--agent=codex", "--config=/c/agents", "--trust=always"},
		{"--config=/c/agents", "--no-project"},
		{"--home=/h", "--system=/etc/a:/etc/b", "--cache=/c", "--data=/d", "--state=/s"},
		{"--system="},
		{},
	} {
		h := host.New([]string{"HOME=/h", "XDG_DATA_HOME=/x"}, "linux", "/w", "/bin/agents-hooks-run", time.Now)
		c := newCall(h, parseArgs(args))
		for _, specForm := range []bool{c.opt.agent == "", false} {
			o := parseArgs(c.brief(specForm))
			hostile := host.New([]string{"HOME=/evil", "XDG_CONFIG_DIRS=/evil", "XDG_DATA_HOME=/evil"}, "linux", "/w", "/bin/agents-hooks-run", time.Now)
			if back := newCall(hostile, o); !reflect.DeepEqual(back.host.Entry(), c.host.Entry()) || o.noProject != c.opt.noProject || (o.agent == "") != specForm || len(o.odd) > 0 {
				t.Errorf("%q, spec form %t: %+v, want %+v", args, specForm, back.host.Entry(), c.host.Entry())
			}
		}
	}
}
