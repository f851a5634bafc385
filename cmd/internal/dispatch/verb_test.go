package dispatch

import "testing"

// The supervisor of async hooks looks where the dispatcher looked, and trusts what
// it trusted: what it is told comes back as it was.
func TestBriefComesBack(t *testing.T) {
	for _, args := range [][]string{
		{"--agent=codex", "--config=/c/agents", "--trust=always"},
		{"--config=/c/agents", "--no-project"},
		{},
	} {
		o := parseArgs(args, "")
		for _, specForm := range []bool{o.agent == "", false} {
			back := parseArgs(o.brief(specForm), "")
			if back.config != o.config || back.trust != o.trust || back.noProject != o.noProject || (back.agent == "") != specForm || len(back.odd) > 0 {
				t.Errorf("%q, spec form %t: %+v", args, specForm, back)
			}
		}
	}
}
