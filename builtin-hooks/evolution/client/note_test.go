package client

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// session writes the journal of a session: makes that failed twice, and what came then.
func (s *Sync) session(t *testing.T, id, then string) {
	t.Helper()
	file := journal.Of(s.Dir, id).Path()
	text := "# Session Journal\n\n"
	for n := range 2 {
		text += fmt.Sprintf("- bash: `make` (10:0%d) [FAILED]\n  - signal:error:build_failure (count: %d, at: 10:0%d)\n  - failure: aaaa kind=k1 exit=2 count=3 text=no rule to make target\n", n, n+1, n)
	}
	must.Write(t, file, text+then)
}

func (s *Sync) offered(t *testing.T, gene, session string, held bool) {
	t.Helper()
	must.Do(t, s.Store.Suggested(t.Context(), store.Suggestion{Gene: gene, Session: session, Failure: "aaaa", Held: held, Action: selector.Apply, At: time.Now()}))
}

func noter(t *testing.T) (*Sync, gene.Gene) {
	t.Helper()
	st, err := store.Open(t.Context(), t.TempDir())
	must.Do(t, err)
	c, err := New("http://127.0.0.1:1", "sk-prismer-x", "test", http.DefaultTransport)
	must.Do(t, err)
	s := &Sync{Client: c, Store: st, Dir: filepath.Dir(st.Path()), Scope: "my/app"}
	return s, s.learn(t)
}

// EV-JRN-22, EV-JRN-23: an outcome holds what changed and which command proved it, and is
// known also where hours lie between; one where nothing was tried again is none.
func TestOutcomesRestOnTheCommandThatFailed(t *testing.T) {
	t.Parallel()
	s, g := noter(t)
	fixed := "- edit: `Makefile` (10:03)\n- bash: `CC=clang make` (17:59)\n"
	for _, c := range []struct {
		session, then string
		outcomes      int
		success       bool
		want          store.Evidence
	}{
		{"late", fixed, 1, true, store.Evidence{Failure: "aaaa", Proof: "make", Files: []string{"Makefile"}, Environment: []string{"CC"}, Steps: 2}},
		{"nothing", "- edit: `Makefile` (10:03)\n- bash: `curl example.com` (10:05)\n", 0, false, store.Evidence{}},
		{"worse", "- edit: `Makefile` (10:03)\n- bash: `make` (10:05) [FAILED]\n  - signal:error:build_failure (count: 3, at: 10:05)\n  - failure: bbbb kind=k2 exit=2 count=8 text=all is wrong\n", 1, false, store.Evidence{Failure: "aaaa", Steps: 2, Worse: true}},
	} {
		t.Run(c.session, func(t *testing.T) {
			s.session(t, c.session, c.then)
			s.offered(t, g.ID, c.session, false)
			for again := range 2 {
				n, err := Note(t.Context(), s.Store, s.Dir, c.session, "x", "", time.Now())
				if err != nil || n != c.outcomes*(1-again) {
					t.Errorf("%d outcomes, %v", n, err)
				}
			}
			list, err := s.Store.Observations(t.Context(), store.Search{Session: c.session})
			if err != nil || len(list) != c.outcomes {
				t.Fatalf("%+v %v", list, err)
			}
			if c.outcomes == 1 && (list[0].Success != c.success || !reflect.DeepEqual(*list[0].Evidence, c.want)) {
				t.Errorf("%v %+v", list[0].Success, list[0].Evidence)
			}
		})
	}
	if r, err := s.Store.Get(t.Context(), g.ID); err != nil || r.Worse != 1 {
		t.Errorf("made it worse %d times: %v", r.Worse, err)
	}
}

// EV-JRN-24: a gene that made things worse twice, and helped less often, is not offered.
func TestWhatMakesItWorseIsNotOffered(t *testing.T) {
	t.Parallel()
	s, g := noter(t)
	may := func() bool {
		list, err := s.Store.Candidates(t.Context(), g.SignalsMatch, s.Scope, "", time.Now())
		must.Do(t, err)
		for _, c := range list {
			if c.Gene.ID == g.ID {
				return true
			}
		}
		return false
	}
	for i, want := range []bool{true, false} {
		s.observe(t, store.Observation{Gene: g.ID, Session: fmt.Sprint("w", i), Evidence: &store.Evidence{Worse: true}})
		if may() != want {
			t.Errorf("after %d times: %v", i+1, !want)
		}
	}
	for i := range 2 {
		s.observe(t, store.Observation{Gene: g.ID, Session: fmt.Sprint("h", i), Success: true})
	}
	if !may() {
		t.Error("it has helped as often, and is not offered")
	}
}

// EV-JRN-25, EV-JRN-26: failures that got a suggestion are compared with those that were
// held out, and with no others where there are any.
func TestRecoveriesAreCompared(t *testing.T) {
	t.Parallel()
	s, g := noter(t)
	steps := func(session string, n int) {
		then := ""
		for i := range n - 1 {
			then += fmt.Sprintf("- edit: `f%d` (10:03)\n", i)
		}
		s.session(t, session, then+"- bash: `make` (10:09)\n")
	}
	note := func(session string) {
		for range 2 {
			must.Do(t, must.Err(Note(t.Context(), s.Store, s.Dir, session, "x", "", time.Now())))
		}
	}
	for i := range 6 {
		for kind, n := range map[string]int{"with": 2, "held": 9, "none": 40} {
			session := fmt.Sprint(kind, i)
			steps(session, n)
			if kind != "none" {
				s.offered(t, g.ID, session, kind == "held")
			}
			if note(session); kind == "none" && i == 0 {
				s.session(t, "open", "")
				note("open")
			}
		}
	}
	c, err := s.Store.Compare(t.Context())
	if err != nil || c.With.Over != 6 || c.Without.Over != 6 || c.HeldOut != 6 || *c.With.Median != 2 || *c.Without.Median != 9 || *c.Difference != -7 || *c.High != -7 {
		t.Errorf("%+v %v", c, err)
	}
	offers, err := s.Store.Suggestions(t.Context(), "", time.Time{})
	if err != nil || len(offers) != 6 {
		t.Errorf("%d suggestions: what was held out is none: %v", len(offers), err)
	}
	if list, _ := s.Store.Observations(t.Context(), store.Search{}); len(list) != 6 {
		t.Errorf("%d outcomes: what was held out says nothing of the gene", len(list))
	}
}

// A session with signals alone sends a report, once, which
// says which signals and nothing of the commands.
func TestReportOfASessionWithoutGenes(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	s := machine(t, v.url, v.key(t, "ada"))
	var body string
	v.before = func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/report") {
			b, _ := io.ReadAll(r.Body)
			body = string(b)
			r.Body = io.NopCloser(strings.NewReader(body))
		}
		return false
	}
	text := "# Session Journal\n\nStarted: 2026-01-01T00:00:00Z\n- bash: `make secret-thing` (10:00) [FAILED]\n  - signal:error:timeout (count: 1, at: 10:00)\n- bash: `make secret-thing` (10:01) [FAILED]\n  - signal:error:timeout (count: 2, at: 10:01)\n"
	file := journal.Of(s.Dir, s.Session).Path()
	os.MkdirAll(filepath.Dir(file), 0o700)
	must.Write(t, file, text)
	s.end(t)
	s.end(t)
	if v.calls("/report") != 1 || !strings.Contains(body, `error:timeout x2\n`) || !strings.Contains(body, `"outcome":"failed"`) || strings.Contains(body, "secret-thing") {
		t.Errorf("%d reports: %s", v.calls("/report"), body)
	}
}

// Of a session that had its review, what was only guessed stays here,
// unless push_after_review is on; what somebody judged goes.
func TestOutcomesAfterAReview(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	s := machine(t, v.url, v.key(t, "ada"))
	a, b := s.learn(t), s.learn(t)
	s.observe(t, store.Observation{Gene: a.ID, Success: true})
	s.observe(t, store.Observation{Gene: b.ID, Success: true, Explicit: true})
	must.Do(t, Reviewed(s.Dir, "s1"))
	if r := s.end(t); r.Pushed != 1 || s.unpushed(t) != 1 {
		t.Errorf("%+v", r)
	}
	s.PushAfterReview = true
	if r := s.end(t); r.Pushed != 1 || s.unpushed(t) != 0 {
		t.Errorf("%+v", r)
	}
}

// What the journal says became of suggestions is kept once, as a
// guess; an entry without a gene's id is not.
func TestNoteKeepsTheJournalsFeedback(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	s := machine(t, v.url, v.key(t, "ada"))
	g := s.learn(t)
	file := journal.Of(s.Dir, "s9").Path()
	os.MkdirAll(filepath.Dir(file), 0o700)
	text := "# Session Journal\n\n- bash: `make` (10:00) [FAILED]\n  - signal:error:oom (count: 1, at: 10:00)\n- bash: `make` (10:01)\n  - gene_feedback: \"T\" gene_id=" + g.ID + " outcome=success\n  - gene_feedback: \"Nobody\" outcome=success\n"
	must.Write(t, file, text)
	for want := range []int{1, 0} {
		n, err := Note(t.Context(), s.Store, s.Dir, "s9", "x", "", time.Now())
		if err != nil || n != 1-want {
			t.Errorf("%d, %v", n, err)
		}
	}
	list, err := s.Store.Observations(t.Context(), store.Search{Session: "s9"})
	if err != nil || len(list) != 1 || !list[0].Success || list[0].Explicit || list[0].Signals[0].Type != "error:oom" {
		t.Errorf("%+v, %v", list, err)
	}
}
