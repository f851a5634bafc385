package hooks

import (
	"errors"
	"fmt"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon/words"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A memory of one, two or three facts recalls as one of four does, and nothing for a prompt
// about something else.
// BM-RCL-11.
func TestASmallMemoryRecalls(t *testing.T) {
	t.Parallel()
	facts := []string{
		"The Heron daemon speaks Thrift on port 7461", "金库的密钥由王敏保管，每月轮换一次", "The lathe in hall two must be oiled every Friday", "Invoices are numbered per calendar year",
	}
	for n := 1; n <= len(facts); n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := newScene(t)
			must.Do(t, errors.Join(lexicon.Lay(s.world.Cache, words.Unpack), s.place().Make()))
			for i, f := range facts[:n] {
				must.Do(t, s.place().KeepFact(memory.Fact{ID: fmt.Sprint("f", i), Kind: "W", Content: f, Confidence: 0.9, Time: s.now}, ""))
			}
			wants(t, s.prompt("which port does Heron use?").AdditionalContext, "Heron daemon speaks Thrift")
			if n > 1 {
				wants(t, s.prompt("金库的密钥由谁保管？").AdditionalContext, "王敏")
			}
			for _, other := range []string{"write a function that sorts a list of names", "which colour should the button have?", "解释一下这段代码的作用", "run the tests on this machine"} {
				if a := s.prompt(other); !a.Empty() {
					t.Errorf("%q is told %s", other, a.AdditionalContext)
				}
			}
		})
	}
}
