//go:build unix

package runner

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A sayer is a hook for these tests: what it prints of the command that it is
// given, and the exit code it leaves with.
type sayer func(command string) (said string, exit int)

// said is a hook that always prints the same.
func said(s string) sayer { return func(string) (string, int) { return s, 0 } }

// rewrites is a hook that makes one command of every other.
func rewrites(to string) sayer {
	return said(fmt.Sprintf(`{"modified_input": {"command": %q}}`, to))
}

// What hooks judge is what happens: those that had their turn before the input
// became what it is are asked once more.
func TestJudgedAgain(t *testing.T) {
	t.Parallel()
	type h struct {
		name    string
		say     sayer
		pattern string
		async   bool
		onError discovery.OnError
		permits bool // is a user's, whose allow counts
	}
	noForce := func(command string) (string, int) {
		if strings.Contains(command, "force") {
			return "", 2
		}
		return "", 0
	}
	ask := said(`{"decision": "ask", "reason": "sure?", "additional_context": "c", "user_message": "m"}`)
	slow := func(command string) (string, int) {
		if command == "late" {
			time.Sleep(3 * time.Second)
		}
		return "", 0
	}
	for _, c := range []struct {
		rule   string
		hooks  []h
		asked  string // who was asked of which command, in order
		async  string
		want   string // the outcome
		warned string // about whom
		limit  time.Duration
	}{
		{rule: "HM-ORD-13: a guard judges what a hook behind it made", hooks: []h{{name: "guard", say: noForce}, {name: "rewriter", say: rewrites("push --force")}},
			asked: "guard:make all rewriter:make all guard:push --force", want: `block [guard] blocked this and gave no reason`},
		{rule: "HM-ORD-13: also one that the first input did not concern", hooks: []h{{name: "guard", say: noForce, pattern: "force"}, {name: "rewriter", say: rewrites("push --force")}},
			asked: "rewriter:make all guard:push --force", want: `block [guard] blocked this and gave no reason`},
		{rule: "nobody whom the last input does not concern", hooks: []h{{name: "guard", say: noForce, pattern: "make"}, {name: "rewriter", say: rewrites("true")}},
			asked: "guard:make all rewriter:make all", want: `none {"modified_input": {"command": "true"}}`},
		{rule: "nobody who saw the last input", hooks: []h{{name: "rewriter", say: rewrites("true")}, {name: "guard", say: noForce}},
			asked: "rewriter:make all guard:true", want: `none {"modified_input": {"command": "true"}}`},
		{rule: "a change that changes nothing asks nobody", hooks: []h{{name: "guard", say: noForce}, {name: "same", say: rewrites("make all")}},
			asked: "guard:make all same:make all", want: `none {"modified_input": {"command": "make all"}}`},
		{rule: "HM-ORD-14: two that rewrite each other's end", hooks: []h{{name: "a", say: rewrites("x")}, {name: "b", say: rewrites("y")}},
			asked: "a:make all b:x a:y", want: `none {"modified_input": {"command": "y"}}`, warned: "a"},
		{rule: "HM-ORD-14: three, of which the last two agree", hooks: []h{{name: "a", say: rewrites("x")}, {name: "b", say: rewrites("y")}, {name: "c", say: rewrites("y")}},
			asked: "a:make all b:x c:y a:y", want: `none {"modified_input": {"command": "y"}}`, warned: "a"},
		{rule: "what is said twice is told once", hooks: []h{{name: "guard", say: ask}, {name: "rewriter", say: rewrites("true")}},
			asked: "guard:make all rewriter:make all guard:true",
			want:  `ask {"decision": "ask", "reason": "[guard] sure?", "modified_input": {"command": "true"}, "additional_context": "c", "user_message": "[guard] m"}`},
		{rule: "who is asked for the first time is heard", hooks: []h{{name: "guard", say: ask, pattern: "true"}, {name: "rewriter", say: rewrites("true")}},
			asked: "rewriter:make all guard:true",
			want:  `ask {"decision": "ask", "reason": "[guard] sure?", "modified_input": {"command": "true"}, "additional_context": "c", "user_message": "[guard] m"}`},
		{rule: "HM-ORD-14: what allowed another input than the one that runs allows nothing", hooks: []h{{name: "a", say: said(`{"decision": "allow", "modified_input": {"command": "x"}}`), pattern: "y", permits: true}, {name: "b", say: rewrites("y")}},
			asked: "b:make all a:y", want: `none {"modified_input": {"command": "y"}}`, warned: "a"},
		{rule: "HM-ORD-15: no async hook is asked again", hooks: []h{{name: "log", async: true}, {name: "rewriter", say: rewrites("true")}, {name: "late", async: true}},
			asked: "rewriter:make all", async: "log late", want: `none {"modified_input": {"command": "true"}}`},
		{rule: "HM-ASY-04: a block starts none that has its place behind", hooks: []h{{name: "log", async: true}, {name: "guard", say: noForce}, {name: "log-2", async: true}, {name: "rewriter", say: rewrites("push --force")}, {name: "late", async: true}},
			asked: "guard:make all rewriter:make all guard:push --force", async: "log", want: `block [guard] blocked this and gave no reason`},
		{rule: "the time of the event is over meanwhile", hooks: []h{{name: "slow", say: slow}, {name: "guard", say: noForce}, {name: "rewriter", say: rewrites("late")}},
			asked: "slow:make all guard:make all rewriter:make all slow:late", limit: time.Second,
			want: `none {"modified_input": {"command": "late"}}`, warned: "slow guard"},
		{rule: "and one of them fails closed", hooks: []h{{name: "slow", say: slow}, {name: "guard", say: noForce, onError: discovery.OnErrorBlock}, {name: "rewriter", say: rewrites("late")}},
			asked: "slow:make all guard:make all rewriter:make all slow:late", limit: time.Second,
			want: `block [guard] was skipped: the time of the whole event was over before its turn; its failure blocks (on_error = "block")`, warned: "slow guard"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			t.Parallel()
			r := newRunner(t)
			var mu sync.Mutex // one that does not come back is left behind
			var asked []string
			functions := map[string]Builtin{}
			r.Builtin = func(name string) Builtin { return functions[name] }
			var hooks []*discovery.Hook
			for _, h := range c.hooks {
				hook := builtin("silent")
				hook.Name, hook.Async, hook.OnError = h.name, h.async, h.onError
				if h.permits {
					hook.Layer, hook.MayAllow = discovery.UserLayer, true
				}
				if h.pattern != "" {
					hook = matching(hook, h.pattern)
				}
				functions[h.name] = func(_ context.Context, _ []string, stdin []byte, out, _ io.Writer) int {
					o, err := protocol.ParseObject(stdin)
					if err != nil {
						return 1
					}
					command := o.Sub("tool_input").Text("command")
					mu.Lock()
					asked = append(asked, h.name+":"+command)
					mu.Unlock()
					said, exit := h.say(command)
					io.WriteString(out, said)
					return exit
				}
				hooks = append(hooks, hook)
			}
			ctx := context.Background()
			if c.limit > 0 {
				within, cancel := context.WithTimeout(ctx, c.limit)
				defer cancel()
				ctx = within
			}
			rep := guarded(t, func() Report { return r.Run(ctx, event(protocol.PreToolCall), set(hooks...)) })
			mu.Lock()
			defer mu.Unlock()
			if got := strings.Join(asked, " "); got != c.asked {
				t.Errorf("asked %s\nwant  %s", got, c.asked)
			}
			if got := launched(rep); got != c.async {
				t.Errorf("async %q, want %q", got, c.async)
			}
			got := rep.Outcome.Decision.String() + " " + rep.Outcome.Reason
			if rep.Outcome.Decision != protocol.Block {
				got = rep.Outcome.Decision.String() + " " + strings.TrimSpace(string(rep.Outcome.JSON()))
			}
			if got != c.want {
				t.Errorf("outcome %s\nwant    %s", got, c.want)
			}
			var warned []string
			for _, w := range rep.Warnings {
				warned = append(warned, w.Hook)
			}
			if got := strings.Join(warned, " "); got != c.warned {
				t.Errorf("warned of %q, want %q: %v", got, c.warned, rep.Warnings)
			}
		})
	}
}

// Where an agent takes no other input, one that the call has already is no change, and
// one that it lacks stays what a hook wanted.
func TestAnInputThatIsThereAlready(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		can    protocol.Can
		wanted string
		stays  bool
	}{
		"as it is":                            {0, "make all", false},
		"another one":                         {0, "make none", true},
		"as it is, where it could be changed": {protocol.CanModify, "make all", true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRunner(t)
			r.Builtin = func(string) Builtin {
				return func(_ context.Context, _ []string, _ []byte, out, _ io.Writer) int {
					said, exit := rewrites(c.wanted)("")
					io.WriteString(out, said)
					return exit
				}
			}
			ev := event(protocol.PreToolCall)
			ev.SetCan(ev.Can&^protocol.CanModify | c.can)
			rep := guarded(t, func() Report { return r.Run(t.Context(), ev, set(builtin("silent"))) })
			if in := rep.Outcome.ModifiedInput; (in != nil) != c.stays {
				t.Errorf("modified_input %s", in.Raw())
			}
		})
	}
}
