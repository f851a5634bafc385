package conformance

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// markName is the variable that marks the processes of a case.
const markName = "AGENTS_HOOKS_CONFORMANCE"

// A play is one case while it is played.
type play struct {
	*driver
	c      *Case
	dir    string
	place  place
	mark   string
	since  int // the newest process as the case began
	ledger int // how much of it earlier steps have read
	logged int // how many lines of the run log they have
	result Result
}

// all plays the steps until one goes wrong.
func (p *play) all(ctx context.Context) Result {
	p.result, p.since = newResult(p.c), newest()
	start := time.Now()
	survivors := false
	for n, s := range p.c.Steps {
		survivors = survivors || s.Want.Survivors
		for range s.Do.Times {
			if ctx.Err() == nil && p.result.Result == "" {
				p.step(ctx, n, s)
			}
		}
	}
	if p.result.Result == "" && !survivors {
		p.survivors()
	}
	p.result.Result = cmp.Or(p.result.Result, Passed)
	p.result.Duration = time.Since(start)
	return p.result
}

// step calls the subject once and looks at what it did.
func (p *play) step(ctx context.Context, n int, s Step) {
	p.nap(s.Do.Pause)
	if err := p.change(n, s); err != nil {
		p.broken(n, "setting up: "+err.Error())
		return
	}
	before := p.place.seal(s.Want.Untouched)
	stop := p.place.meanwhile(s.Do)
	e := p.command(s).run(ctx)
	if err := stop(); err != nil {
		p.broken(n, "what goes on meanwhile: "+err.Error())
		return
	}
	if e.err != nil {
		p.broken(n, "the subject did not start: "+e.err.Error())
		return
	}
	if s.Do.Release != "" {
		if err := os.WriteFile(filepath.Join(p.place.out(), s.Do.Release), nil, 0o644); err != nil {
			p.broken(n, err.Error())
			return
		}
	}
	if len(s.Want.Later) > 0 {
		p.settle(s.Want.Later)
	}
	if p.options.logged {
		lines := logLines(p.place.home())
		p.result.played = append(p.result.played, played{p.stdin(s), lines[min(p.logged, len(lines)):]})
		p.logged = len(lines)
	}
	g := got{ending: e, ran: p.signed(), place: p.place, sealed: before}
	p.result.hung = e.overtime
	for _, problem := range s.Want.check(p.c, g) {
		problem.Step = n + 1
		p.result.Problems = append(p.result.Problems, problem)
		p.result.Result = Failed
	}
	if p.result.Result == Failed {
		p.result.Stdin = clip(string(p.stdin(s)), 2000)
		p.result.Stdout, p.result.Stderr = clip(string(e.stdout), 2000), clip(string(e.stderr), 2000)
	}
}

// change brings the tree to what the step begins with.
func (p *play) change(n int, s Step) error {
	for _, rel := range s.Do.Corrupt {
		if err := corrupt(p.place.at(rel)); err != nil {
			return err
		}
	}
	return p.place.advance(n, s)
}

// corrupt overwrites every file below dir with what is no file format at all.
func corrupt(dir string) error {
	return filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		return os.WriteFile(path, []byte("\x00{not this\n"), 0o600)
	})
}

// command is the call of a step.
func (p *play) command(s Step) call {
	limit := p.options.Limit
	if limit <= 0 {
		limit = 30 * time.Second
	}
	if s.Want.Within > 0 {
		limit = min(limit, 2*s.Want.Within)
	}
	dir := p.place.project()
	if s.Do.Dir != "" {
		dir = p.place.expand(s.Do.Dir, plainText)
	}
	c := call{
		argv: p.subject.argv(p.c, s.Do, p.place), dir: dir, env: p.environment(s),
		stdin: p.stdin(s), held: s.Do.Stdin == "held", asked: s.Do.Stdin == "answered", deaf: s.Do.Stdout == "closed",
		limit: limit, pipes: p.options.guard(pipeGuard), kill: s.Do.KillTree,
	}
	if s.Do.Kill != "" {
		c.killIf = func() bool { return strings.Contains(p.newLedger(), s.Do.Kill+"\n") }
	}
	return c
}

func (p *play) stdin(s Step) []byte {
	if !s.Do.takesEvents() || s.Do.Stdin == "closed" {
		return nil
	}
	return []byte(p.place.expand(string(s.Stdin), insideJSON))
}

// environment is all that the subject is given: nothing of whoever runs the
// suite but the way to programs.
func (p *play) environment(s Step) []string {
	home := p.place.home()
	vars := []variable{
		{name: "PATH", value: os.Getenv("PATH")},
		{name: "HOME", value: home},
		{name: "USERPROFILE", value: home},
		{name: "XDG_CONFIG_HOME", value: filepath.Join(home, ".config")},
		{name: "XDG_CONFIG_DIRS", value: p.place.at("etc")},
		{name: "XDG_STATE_HOME", value: filepath.Join(home, ".local", "state")},
		{name: "XDG_CACHE_HOME", value: filepath.Join(home, ".cache")},
		{name: "XDG_DATA_HOME", value: filepath.Join(home, ".local", "share")},
		{name: "TMPDIR", value: p.place.at("tmp")},
		{name: "LANG", value: "C.UTF-8"},
		{name: markName, value: p.mark},
	}
	if runtime.GOOS == "windows" {
		vars = append(vars, variable{name: "SystemRoot", value: os.Getenv("SystemRoot")}, variable{name: "PATHEXT", value: os.Getenv("PATHEXT")})
	}
	if p.c.Profile != Trust && p.c.Profile != Agent && p.c.Profile != Hostile {
		vars = append(vars, variable{name: "AGENTS_HOOKS_TRUST", value: "always"})
	}
	for _, name := range sortedKeys(p.subject.Env) {
		vars = append(vars, variable{name: name, value: p.subject.Env[name]})
	}
	for _, v := range append(append([]variable{}, p.c.Env...), s.Do.Env...) {
		v.value = p.place.expand(v.value, plainText)
		vars = append(vars, v)
	}
	return environ(vars)
}

// environ lays variables over each other, the last of a name wins.
func environ(vars []variable) []string {
	var out []string
	for i, v := range vars {
		last := !v.unset
		for _, later := range vars[i+1:] {
			last = last && later.name != v.name
		}
		if last {
			out = append(out, v.name+"="+v.value)
		}
	}
	return out
}

// newLedger is what was signed since the step began.
func (p *play) newLedger() string {
	data, _ := os.ReadFile(filepath.Join(p.place.out(), "ran"))
	return string(data[min(p.ledger, len(data)):])
}

// signed takes the lines that were signed since the last step.
func (p *play) signed() []string {
	text := p.newLedger()
	p.ledger += len(text)
	return strings.Fields(text)
}

// settle waits until the hooks that nobody waits for have signed, and until
// nothing that the case has started is alive any more: what is not signed then
// will never be, which is looked at for longer, since it is held against the subject.
func (p *play) settle(later []string) {
	last := time.Now().Add(p.options.guard(settleGuard))
	for quiet := 0; time.Now().Before(last); {
		signed := p.allSigned(later)
		if quiet++; len(p.alive()) > 0 || !signed && !canSeeProcesses {
			quiet = 0
		}
		// A process that is just being executed is not seen for a moment.
		if signed && quiet >= 3 || quiet >= 25 {
			return
		}
		p.nap(20 * time.Millisecond)
	}
}

// alive are the processes of the case.
func (p *play) alive() []int { return marked(p.mark, p.dir, p.since) }

func (p *play) allSigned(names []string) bool {
	signed := strings.Fields(p.newLedger())
	for _, name := range names {
		i := slices.Index(signed, name)
		if i < 0 {
			return false
		}
		signed = slices.Delete(signed, i, i+1)
	}
	return true
}

// survivors finds processes that were left behind.
func (p *play) survivors() {
	if !canSeeProcesses {
		return
	}
	last := time.Now().Add(p.options.guard(goneGuard))
	pids := p.alive()
	for len(pids) > 0 && time.Now().Before(last) {
		p.nap(20 * time.Millisecond)
		pids = p.alive()
	}
	if len(pids) > 0 {
		p.result.Result = Failed
		p.result.Problems = append(p.result.Problems, Problem{Step: len(p.c.Steps), What: "processes", Want: "none is left behind", Got: fmt.Sprintf("%d still alive", len(pids))})
	}
}

// clear ends what is left of a case and takes its tree away.
func (p *play) clear() {
	for _, pid := range p.alive() {
		killProcess(pid)
	}
	removeAll(p.dir)
}

func (p *play) broken(n int, why string) {
	p.result.Result = Broken
	p.result.Problems = append(p.result.Problems, Problem{Step: n + 1, What: "the case itself", Want: "to be played", Got: why})
}

// got is what a step ended with.
type got struct {
	ending
	ran   []string
	place place
	// sealed is what nothing was to be read or written of, as it was before.
	sealed map[string]sealed
}

func (g got) stream(name string) []byte {
	switch name {
	case "stdout":
		return g.stdout
	case "stderr":
		return g.stderr
	}
	data, _ := os.ReadFile(filepath.Join(g.place.out(), "saw."+flat(name)))
	return data
}

func (g got) holds(t text) bool {
	return bytes.Contains(g.stream(t.stream), []byte(g.place.expand(t.text, plainText)))
}
