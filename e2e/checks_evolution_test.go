//go:build e2e && unix

package e2e

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

// failingBuild is a build that fails in the same way until the file "fixed" is
// there.
const failingBuild = `#!/bin/sh
[ -e fixed ] && { echo "build finished successfully"; exit 0; }
echo "main.c:14:9: error: expected ';' before 'return'" >&2
echo "make: *** [Makefile:4: main.o] Error 1" >&2
exit 2
`

// The texts that evolution gives to the model, as they begin and as they name a
// gene.
var (
	offered  = regexp.MustCompile(`\[Evolution\] error:build_failure has come up twice`)
	judged   = regexp.MustCompile(`"[^"]+" \(([^)\s]+)\) auto-detected: success`)
	recordIt = regexp.MustCompile(`(?m)^  (\S+ evolution record .*--session \S+)`)
)

// proveEvolution: the same build fails twice, and the request after the second
// failure, before the third attempt, carries a strategy with its steps. The success that follows is noted as
// its outcome; a subagent starts with what failed and what helps; as the agent
// stops it is asked once to look back, by the name of the gene and its outcome,
// and the command that it is told records what it says. In the next turn the
// cool-down holds.
func proveEvolution(l *Lab) {
	l.WriteHome(".config/agents/hooks.toml", "[builtin.evolution]\nenabled = true\nlanguage = \"en\"\n")
	l.write(filepath.Join(l.Project, "build.sh"), failingBuild, 0o755)
	l.install()
	build := func(*model.Request) model.Turn { return calls(l.Agent.Shell("./build.sh")) }
	steps := []model.Script{build, build,
		func(*model.Request) model.Turn { return calls(l.Agent.Shell(": > fixed")) }, build}
	steps = append(steps, l.delegate()...)
	gene := ""
	steps = append(steps,
		func(*model.Request) model.Turn { return says("the build is well") },
		func(q *model.Request) model.Turn {
			all := strings.Join(q.Texts(), "\n")
			if m := judged.FindStringSubmatch(all); m != nil {
				gene = m[1]
			}
			if m := recordIt.FindStringSubmatch(all); m != nil {
				return calls(l.Agent.Shell(m[1] + " --followed && : > '" + l.mark("recorded") + "'"))
			}
			return says("nothing was asked")
		},
		func(*model.Request) model.Turn { return says("all is well") })
	r := l.run(model.Split(promptMark, model.Steps(steps...), l.subjob())).well()
	l.checkOffer(r)
	r.wantMarks("recorded", "ran-below")
	if gene == "" {
		r.fatalf("the review named no gene")
	}
	if text := l.journal(); !strings.Contains(text, "gene_id="+gene+" outcome=success") || strings.Count(text, "signal:error:build_failure") != 2 {
		r.errorf("the journal says:\n%s", text)
	}
	if out, err := l.ours("evolution", "show", gene, "--json"); err != nil || !strings.Contains(strings.ReplaceAll(out, " ", ""), `"explicit":true`) {
		r.errorf("the outcome is not recorded: %v %s", err, out)
	}

	// The next turn: something fails, and nobody asks again.
	before := reviews(r)
	again := l.resume(promptMark+": once more", model.Play(calls(l.Agent.Shell("rm fixed; ./build.sh")), says("it fails"), says("asked again"))).well()
	if n := reviews(again); n > before {
		again.errorf("asked to look back within the cool-down: %d times, before %d", n, before)
	}
	if last := again.Turns[len(again.Turns)-1]; last.Says("asked again") {
		again.errorf("the model was made to go on")
	}
}

// checkOffer looks at who was told what: a strategy with its steps in the request
// after the second failure and in none before; the subagent from its first one.
func (l *Lab) checkOffer(r *Run) {
	l.t.Helper()
	first, below := -1, 0
	n := -1
	for _, q := range r.Turns {
		all := strings.Join(q.Texts(), "\n")
		if !q.Says(promptMark) {
			if below++; below == 1 && !(strings.Contains(all, "[Evolution]") && strings.Contains(all, "error:build_failure ×2")) {
				r.errorf("the subagent's first request does not say what failed")
			}
			if below == 1 && !strings.Contains(all, "strategies that helped before") {
				r.errorf("the subagent's first request has no strategies")
			}
			continue
		}
		n++
		if first < 0 && offered.MatchString(all) {
			first = n
			for _, part := range []string{"nobody has tried it yet", "\n1. ", "\n2. ", "evolution record"} {
				if !strings.Contains(all, part) {
					r.errorf("the suggestion lacks %q", part)
				}
			}
		}
	}
	if first != 2 {
		r.errorf("the strategy came with request %d, want 2", first)
	}
	if below == 0 {
		r.errorf("no subagent asked the model")
	}
	if reviews(r) != 1 {
		r.errorf("asked to look back %d times, want once", reviews(r))
	}
}

// reviews is how often the last request of a run says the request to look back.
func reviews(r *Run) (n int) {
	for i := len(r.Turns) - 1; i >= 0; i-- {
		if q := r.Turns[i]; q.Says(promptMark) {
			for _, text := range q.Texts() {
				n += strings.Count(text, "At most 3 calls, then stop")
			}
			return n
		}
	}
	return 0
}

// journal is what the journals of all sessions say.
func (l *Lab) journal() string {
	return l.textsBelow(filepath.Join(l.Home, ".local/share/agents-hooks/evolution/journal"))
}
