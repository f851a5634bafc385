package dispatch

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
)

// The supervisor of async hooks looks where the dispatcher looked, and trusts what
// it trusted, whatever the environment says: what it is told comes back as it was.
func TestBriefComesBack(t *testing.T) {
	at, list := "", ":"
	if runtime.GOOS == "windows" {
		at, list = "C:", ";"
	}
	for _, args := range [][]string{
		{"--agent=codex", "--config=" + at + "/c/agents", "--trust=always"},
		{"--config=" + at + "/c/agents", "--no-project"},
		{"--home=" + at + "/h", "--system=" + at + "/etc/a" + list + at + "/etc/b", "--cache=" + at + "/c", "--data=" + at + "/d", "--state=" + at + "/s"},
		{"--system="},
		{},
	} {
		t.Run(fmt.Sprintf("%q", args), func(t *testing.T) {
			h := host.New([]string{"HOME=" + at + "/h", "USERPROFILE=" + at + "/h", "XDG_DATA_HOME=" + at + "/x"}, runtime.GOOS, at+"/w", at+"/bin/agents-hooks-run", time.Now)
			c := newCall(h, parseArgs(args))
			for _, specForm := range []bool{c.opt.agent == "", false} {
				o := parseArgs(c.brief(specForm))
				hostile := host.New([]string{"HOME=" + at + "/evil", "USERPROFILE=" + at + "/evil", "XDG_CONFIG_DIRS=" + at + "/evil", "XDG_DATA_HOME=" + at + "/evil"}, runtime.GOOS, at+"/w", at+"/bin/agents-hooks-run", time.Now)
				if back := newCall(hostile, o); !reflect.DeepEqual(back.host.Entry(), c.host.Entry()) || o.noProject != c.opt.noProject || (o.agent == "") != specForm || len(o.odd) > 0 {
					t.Errorf("%q, spec form %t: %+v, want %+v", args, specForm, back.host.Entry(), c.host.Entry())
				}
			}
		})
	}
}
