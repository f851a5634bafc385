package skills

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A plain is a message in the naive model: what a list would be if somebody kept
// it by hand, with a note beside each message.
type plain struct {
	content string
	timing  Timing // "" is the caller's
	keep    bool
	prompt  int // number of a prompt, from 1
}

// Random calls, with a caller that changes the
// list in between, do to the list what they do to the naive model.
func TestRandomLoopsAgainstNaiveModel(t *testing.T) {
	t.Parallel()
	for seed := range uint64(400) {
		rnd := rand.New(rand.NewPCG(seed, 8))
		var hooks []Hook
		for i := range rnd.IntN(7) {
			h := hook(fmt.Sprint("h", i), Timings()[rnd.IntN(5)], rnd.IntN(3) == 0)
			h.MaxCopies = max(0, rnd.IntN(6)-3)
			if rnd.IntN(2) == 0 {
				h.Tools = [][]string{{"A"}, {"B", "/^C/"}}[rnd.IntN(2)]
			}
			hooks = append(hooks, h)
		}
		var list []*msg
		var naive []plain
		var refs []*msg
		m := manager(&list, hooks...)
		var trace []string
		for step := range 60 {
			timing := Timings()[rnd.IntN(5)]
			switch op := rnd.IntN(12); {
			case op < 5:
				tool := []string{"A", "B", "CD", "D"}[rnd.IntN(4)]
				trace = append(trace, fmt.Sprint("inject ", timing, " ", tool))
				stored := m.Inject(timing, tool)
				var want []Stored
				for _, h := range hooks {
					if h.Timing != timing || timing == AfterToolCall && h.Tools != nil && !(h.Tools[0] == tool || len(h.Tools) == 2 && tool[0] == 'C') {
						continue
					}
					n := 0
					for _, p := range naive {
						if p.timing != "" && p.content == h.Name {
							n++
						}
					}
					if h.MaxCopies > 0 && n >= h.MaxCopies {
						continue
					}
					naive = append(naive, plain{content: h.Name, timing: timing, keep: h.Persistent})
					if h.Persistent {
						want = append(want, Stored{"s", h.Name, System, h.Name, Mark{"s", h.Name, h.Timing, true, false}})
					}
				}
				if !slices.Equal(stored, want) {
					t.Fatalf("seed %d step %d: stored %v, want %v", seed, step, stored, want)
				}
			case op < 8:
				trace = append(trace, "remove "+string(timing))
				m.Remove(timing)
				naive = slices.DeleteFunc(naive, func(p plain) bool { return p.timing == timing && !p.keep })
			case op == 8:
				trace = append(trace, "prompt")
				refs = append(refs, m.InjectPrompt("prompt", ""))
				naive = append(naive, plain{content: "prompt", prompt: len(refs)})
			case op == 9 && len(refs) > 0:
				n := rnd.IntN(len(refs))
				trace = append(trace, fmt.Sprint("remove prompt ", n))
				m.RemovePrompt(refs[n])
				naive = slices.DeleteFunc(naive, func(p plain) bool { return p.prompt == n+1 })
			case op == 10:
				if rnd.IntN(4) == 0 {
					trace = append(trace, "close")
					m.Close()
					naive = slices.DeleteFunc(naive, func(p plain) bool { return (p.timing != "" || p.prompt > 0) && !p.keep })
					break
				}
				// An own message, equal to one of a hook.
				trace = append(trace, "own")
				at := rnd.IntN(len(list) + 1)
				own := "h0"
				list = slices.Insert(slices.Clone(list), at, &msg{role: "system", content: own})
				naive = slices.Insert(naive, at, plain{content: own})
			default:
				if len(list) == 0 {
					break
				}
				at := rnd.IntN(len(list))
				if rnd.IntN(2) == 0 {
					trace = append(trace, fmt.Sprint("delete ", at))
					list = slices.Delete(slices.Clone(list), at, at+1)
					naive = slices.Delete(naive, at, at+1)
				} else {
					trace = append(trace, fmt.Sprint("swap 0 ", at))
					list = slices.Clone(list)
					list[0], list[at] = list[at], list[0]
					naive[0], naive[at] = naive[at], naive[0]
				}
			}
			var want []string
			for _, p := range naive {
				want = append(want, p.content)
			}
			if got := contents(list); got != strings.Join(want, " ") {
				t.Fatalf("seed %d step %d: %q, want %q\n%s", seed, step, got, strings.Join(want, " "), strings.Join(trace, "\n"))
			}
		}
	}
}
