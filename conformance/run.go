package conformance

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// Options say which cases are run, and how. The zero value runs all.
type Options struct {
	Run         []string      // patterns of case ids, path.Match; none: all
	Skip        []string      // patterns of case ids that are left out
	SkipMustErr bool          // a case of Skip that passes is a failure
	Parallel    int           // cases at once; 0: two a processor
	Limit       time.Duration // for one call of the subject; 0: 30 s
	Tries       int           // for a case that missed nothing but a time bound; 0: 5
	Root        string        // name of the throw-away directories; "": case
	Progress    func(Result)  // told of each result as it comes, one at a time

	logged        bool          // results keep what was sent, and the lines of the run log
	testOnlyGuard time.Duration // in place of the guards against hangs; 0: those
}

// guard is how long to wait for what must not hang: the ends of pipes, hooks
// that nobody waits for, processes that were killed. No case asks for anything
// near it.
func (o Options) guard(usual time.Duration) time.Duration {
	if o.testOnlyGuard > 0 {
		return o.testOnlyGuard
	}
	return usual
}

// Run tests a subject with the cases. An error means that the suite itself could not do
// its work and gives no verdict.
func Run(ctx context.Context, s Subject, cases []Case, o Options) (*Report, error) {
	if err := s.prepare(); err != nil {
		return nil, err
	}
	chosen, err := o.Choose(cases)
	if err != nil {
		return nil, err
	}
	if stale := s.stale(cases); len(stale) > 0 {
		return nil, fmt.Errorf("the claim leaves out %q, but no case is about that", stale)
	}
	base, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return nil, err
	}
	defer removeAll(base)
	if base, err = filepath.EvalSymlinks(base); err != nil {
		return nil, err
	}
	d := &driver{subject: s, options: o, base: base, cases: chosen, results: make([]Result, len(chosen))}
	if err := d.all(ctx); err != nil {
		return nil, err
	}
	return newReport(s, d.results), ctx.Err()
}

// Choose picks the cases that are asked for. None is an error: a suite that runs
// nothing proves nothing. So is a pattern that names no case.
func (o Options) Choose(cases []Case) ([]Case, error) {
	for _, pattern := range append(append([]string{}, o.Run...), o.Skip...) {
		hit := false
		for _, c := range cases {
			ok, err := matches(pattern, c.ID)
			if err != nil {
				return nil, fmt.Errorf("pattern %q: %w", pattern, err)
			}
			hit = hit || ok
		}
		if !hit {
			return nil, fmt.Errorf("pattern %q: no case has a name like that", pattern)
		}
	}
	var out []Case
	for _, c := range cases {
		if len(o.Run) == 0 || anyMatch(o.Run, c.ID) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("no cases")
	}
	return out, nil
}

// matches reports whether a pattern names a case: "io/exit-*", or "io" for the
// whole folder.
func matches(pattern, id string) (bool, error) {
	if ok, err := path.Match(pattern, id); ok || err != nil {
		return ok, err
	}
	for dir := path.Dir(id); dir != "."; dir = path.Dir(dir) {
		if ok, err := path.Match(pattern, dir); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

func anyMatch(patterns []string, id string) bool {
	for _, p := range patterns {
		if ok, _ := matches(p, id); ok {
			return true
		}
	}
	return false
}

// A driver plays cases.
type driver struct {
	subject Subject
	options Options
	base    string
	cases   []Case
	results []Result
	told    sync.Mutex
	slots   chan struct{} // one for each case that is at work
}

// nap lets another case work while this one waits, so that a suite takes as long as what
// it has its subject do, however much of it is waited for in vain.
func (d *driver) nap(t time.Duration) {
	if t <= 0 {
		return
	}
	<-d.slots
	time.Sleep(t)
	d.slots <- struct{}{}
}

// all plays every case once, and those that missed a time bound again, one at a
// time, when the machine is quiet: a bound holds for the best of several tries. One
// that had to be ended then too, at twice its bound, is not late but hangs.
func (d *driver) all(ctx context.Context) error {
	todo := make([]int, 0, len(d.cases))
	for i := range d.cases {
		if d.results[i] = d.skip(&d.cases[i]); d.results[i].Result == "" {
			todo = append(todo, i)
		} else {
			d.tell(d.results[i])
		}
	}
	parallel := d.options.Parallel
	if parallel <= 0 {
		parallel = 2 * runtime.GOMAXPROCS(0)
	}
	tries := d.options.Tries
	if tries <= 0 {
		tries = 5
	}
	for try := 1; len(todo) > 0 && try <= tries; try++ {
		if err := d.round(ctx, todo, try, parallel); err != nil {
			return err
		}
		var again []int
		for _, i := range todo {
			if try < tries && d.results[i].onlyLate() && !(try > 1 && d.results[i].hung) {
				again = append(again, i)
				continue
			}
			d.tell(d.results[i])
		}
		todo, parallel = again, 1
	}
	return nil
}

// skip is the result of a case that is not played; its Result is "" if it is.
func (d *driver) skip(c *Case) Result {
	r := newResult(c)
	why := d.subject.unclaimed(c)
	if why == "" {
		why = missing(c.Needs)
	}
	if why == "" && anyMatch(d.options.Skip, c.ID) && !d.options.SkipMustErr {
		why = "left out on the command line"
	}
	if why != "" {
		r.Result, r.Reason = Skipped, why
	}
	return r
}

// round plays some cases: all trees first, then the processes.
func (d *driver) round(ctx context.Context, todo []int, try, parallel int) error {
	plays := make([]*play, len(todo))
	for i, at := range todo {
		if ctx.Err() != nil {
			return ctx.Err() // setting all up takes seconds
		}
		p, err := d.plant(&d.cases[at], try, at)
		if err != nil {
			return fmt.Errorf("case %s: setting up: %w", d.cases[at].ID, err)
		}
		plays[i] = p
	}
	d.slots = make(chan struct{}, parallel)
	var wait sync.WaitGroup
	for i, at := range todo {
		d.slots <- struct{}{}
		wait.Add(1)
		go func() {
			defer func() { <-d.slots; wait.Done() }()
			d.results[at] = d.judged(plays[i].all(ctx))
			plays[i].clear()
		}()
	}
	wait.Wait()
	return ctx.Err()
}

// judged turns a pass of a case that was to be skipped into a failure, so that
// lists of skipped cases cannot rot.
func (d *driver) judged(r Result) Result {
	if !anyMatch(d.options.Skip, r.ID) {
		return r
	}
	if r.Result == Passed {
		r.Result = Failed
		r.Problems = []Problem{{What: "it is to be skipped", Want: "a failure", Got: "it passes: take it off the list"}}
		return r
	}
	r.Result, r.Reason, r.Problems = Skipped, "left out on the command line, and it fails", nil
	return r
}

func (d *driver) tell(r Result) {
	if d.options.Progress == nil {
		return
	}
	d.told.Lock()
	defer d.told.Unlock()
	d.options.Progress(r)
}

// plant makes the tree of one case.
func (d *driver) plant(c *Case, try, at int) (*play, error) {
	name := cmp.Or(c.Root, d.options.Root, "case")
	dir := filepath.Join(d.base, fmt.Sprintf("%d-%d", try, at))
	p := &play{driver: d, c: c, dir: dir, place: place{root: filepath.Join(dir, name), approve: d.subject.Approve}, mark: newMark()}
	return p, p.place.plant(c)
}

// newMark is a text that stands in the environment of everything that a case
// starts, and nowhere else.
func newMark() string {
	b := make([]byte, 12)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// removeAll takes a throw-away tree away, folders without permissions too.
func removeAll(dir string) {
	_ = filepath.WalkDir(dir, func(p string, e os.DirEntry, err error) error {
		if e != nil && e.IsDir() {
			_ = os.Chmod(p, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(dir)
}
