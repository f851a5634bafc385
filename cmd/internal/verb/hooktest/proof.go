package hooktest

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/habits"
	"github.com/agents-hooks/agents-hooks/cmd/internal/requirements"
	"github.com/agents-hooks/agents-hooks/conformance"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// A proof is what a hook's own tests show about it.
type proof struct {
	Tests    []ownTest `json:"tests"`
	Events   int       `json:"events"`    // events that the tests send
	Reached  int       `json:"reached"`   // events that the hook ran on
	Blocked  int       `json:"blocked"`   // events that it blocked, or asked about
	Keys     []keyHits `json:"matcher"`   // how many events each key of the matcher matched
	MayBlock string    `json:"may_block"` // why its exit code could block, "" if it cannot
	Unproven string    `json:"unproven"`  // why the tests prove nothing, "" if they do
}

// An ownTest is a test in the hook's folder.
type ownTest struct {
	Test   string   `json:"test"`
	Title  string   `json:"title"`
	Result string   `json:"result"` // pass, fail, skip, broken
	Detail []string `json:"detail"`
}

// keyHits says how many events a key of the matcher matched.
type keyHits struct {
	Key    string `json:"key"`
	Hits   int    `json:"hits"`
	Events int    `json:"events"`
}

// failed reports whether a test failed, or the tests prove nothing.
func (p *proof) failed() bool {
	return p != nil && (p.Unproven != "" || slices.ContainsFunc(p.Tests, ownTest.wrong))
}

// stops reports whether the hook was seen to stop something.
func (p *proof) stops() bool { return p == nil || p.Blocked > 0 }

func (t ownTest) wrong() bool {
	return t.Result != conformance.Passed && t.Result != conformance.Skipped
}

// A scene is an event of a hook's own tests, in a tree of its own, and what the hook answers
// there.
type scene struct {
	name    string // the test's
	ev      *protocol.Event
	reached bool
	base    runner.Result
}

// maxScenes bounds how many events of the tests are used further.
const maxScenes = 12

// prove runs the hook's own tests with the runner, and counts.
func (b *bench) prove(ctx context.Context, cases []conformance.Case) (*proof, error) {
	played, err := conformance.PlayHookTests(ctx, b.host.Self, b.hook.Name, cases)
	if err != nil {
		return nil, fmt.Errorf("test: running the hook's own tests: %w", err)
	}
	p := &proof{Tests: []ownTest{}, Keys: []keyHits{}, MayBlock: requirements.MayBlock(b.hook)}
	var events []*protocol.Event
	failed, unkept := "", ""
	for _, t := range played {
		p.Tests = append(p.Tests, ownTest{t.ID, t.Title, t.Result, append([]string{}, t.Detail...)})
		for _, e := range t.Events {
			ev := b.decode(e.Event)
			if ev != nil {
				events = append(events, ev)
			}
			if b.hook.Async && ev != nil && b.reaches(ev).OK {
				p.Reached++ // the answer was not waited for
				continue
			}
			if !e.Ran {
				continue
			}
			p.Reached++
			switch v := runner.Verdict(e.Result); {
			case v == runner.Blocked, e.Decision == "block", e.Decision == "ask":
				p.Blocked++
			case v != runner.OK:
				failed = fmt.Sprintf("in the test %s it ended without a verdict (%s, exit %d)", t.ID, e.Result, e.Exit)
				if said := cmp.Or(habits.Promises(t.ID), habits.Promises(t.Title)); said != "" {
					unkept = fmt.Sprintf("the test %s says %q, and there it ended without a verdict (%s, exit %d)", t.ID, said, e.Result, e.Exit)
				}
			}
		}
	}
	p.Events, p.Keys = len(events), b.hits(events)
	p.judge(b.hook, failed, unkept)
	return p, nil
}

// onlyTwo says what is wrong with every other way to refuse.
const onlyTwo = "; exit 2 refuses, and nothing else does: write exit 2"

// judge says why the tests prove nothing. failed describes a run without a verdict, unkept one
// in a test that claims a refusal.
func (p *proof) judge(h *discovery.Hook, failed, unkept string) {
	switch {
	case len(p.Tests) == 0:
		p.Unproven = "it has no tests (tests/*.txtar)"
	case p.Events == 0:
		p.Unproven = "its tests send no event"
	case p.Reached == 0:
		p.Unproven = "none of the events of its tests reaches it: " + hitsText(p.Keys)
	case unkept != "" && requirements.Decides(h):
		p.Unproven = unkept + onlyTwo
	case p.Blocked == 0 && failed != "" && requirements.Decides(h):
		p.Unproven = "none of the events of its tests was blocked: " + failed + onlyTwo
	case p.MayBlock != "" && p.Blocked == 0:
		p.Unproven = "none of the events of its tests was blocked, and its exit code could block: " + p.MayBlock
	}
}

// hits counts the events that each key of the matcher matches. An event of another type matches
// none.
func (b *bench) hits(events []*protocol.Event) []keyHits {
	list := []keyHits{}
	m := b.hook.Matcher
	for _, k := range []struct {
		name string
		only discovery.Matcher
	}{
		{"tool", discovery.Matcher{Tool: m.Tool}}, {"pattern", discovery.Matcher{Pattern: m.Pattern}},
		{"command", discovery.Matcher{Command: m.Command}}, {"path", discovery.Matcher{Path: m.Path}}, {"content", discovery.Matcher{Content: m.Content}},
	} {
		if k.only == (discovery.Matcher{}) {
			continue
		}
		hits := keyHits{Key: k.name, Events: len(events)}
		for _, ev := range events {
			h := discovery.Hook{Name: b.hook.Name, Trigger: b.hook.Trigger, Status: discovery.Ready, Matcher: k.only}
			if ev.Type == b.hook.Trigger && h.Match(ev, &discovery.Budget{}, false).OK {
				hits.Hits++
			}
		}
		list = append(list, hits)
	}
	return list
}

// hitsText is a summary on one line.
func hitsText(keys []keyHits) string {
	if len(keys) == 0 {
		return "no matcher"
	}
	var parts []string
	for _, k := range keys {
		parts = append(parts, fmt.Sprintf("matcher.%s %d of %d", k.Key, k.Hits, k.Events))
	}
	return strings.Join(parts, ", ")
}

func (b *bench) decode(event []byte) *protocol.Event {
	o, err := protocol.ParseObject(event)
	if err != nil {
		return nil // a test of something that is not an event
	}
	ev, err := eventarg.Decode(b.host, o)
	if err != nil {
		return nil
	}
	return ev
}

// scenes are the events of the hook's own tests, each in its test's tree: those that the hook
// stops first, then those that reach it.
func (b *bench) scenes(ctx context.Context, cases []conformance.Case) (list []scene, err error) {
	for i := range cases {
		root := filepath.Join(b.temp, "scene"+strconv.Itoa(i), "case")
		if err := os.MkdirAll(root, 0o755); err != nil {
			return nil, err
		}
		events, err := cases[i].Plant(root)
		if err != nil {
			return nil, fmt.Errorf("test: %s: %w", cases[i].ID, err)
		}
		for _, e := range events {
			if ev := b.decode(e); ev != nil && len(list) < maxScenes {
				s := scene{name: cases[i].ID, ev: ev, reached: b.reaches(ev).OK}
				if s.reached {
					s.base = b.plain(ctx, ev)
				}
				list = append(list, s)
			}
		}
	}
	order.By(list, func(a, c scene) int { return a.rank() - c.rank() })
	return list, nil
}

func (s scene) rank() int {
	switch {
	case s.reached && stops(s.base):
		return 0
	case s.reached:
		return 1
	}
	return 2
}
