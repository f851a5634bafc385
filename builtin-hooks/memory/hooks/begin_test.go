package hooks

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// on makes the project a repository with a branch and changed files.
func (s *scene) on(branch string, files ...string) {
	s.t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		s.t.Skip("no git")
	}
	must.Do(s.t, os.RemoveAll(filepath.Join(s.project, ".git")))
	cmd := exec.Command(git, "init", "-q", "-b", branch)
	cmd.Dir = s.project
	must.Do(s.t, cmd.Run())
	for _, file := range files {
		must.Write(s.t, filepath.Join(s.project, file), "x\n")
	}
	s.world.Git = func(ctx context.Context, dir string, _ []string, args ...string) ([]byte, error) {
		cmd := exec.CommandContext(context.WithoutCancel(ctx), git, args...)
		cmd.Dir = dir
		return cmd.Output()
	}
}

// An old fact is told on any branch that has its rare word, and where a changed file has it,
// whatever other words there are.
// BM-LOD-10, BM-LOD-20.
func TestOneRareWordOfABranchOrAFileIsEnough(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		branch string
		files  []string
		told   bool
	}{
		{"zeppelin", nil, true}, {"feature/zeppelin", nil, true}, {"fix/zeppelin-crash", nil, true}, {"PROJ-42-zeppelin", nil, true}, {"feature/zeppelin-retries", nil, true},
		{"main", []string{"src/zeppelin.py"}, true}, {"feature/refund-export", []string{"src/zeppelin.py"}, true}, {"feature/zeppelin", []string{"src/a.py", "src/b.py"}, true},
		{"feature/room-depot", nil, false}, {"main", nil, false},
	} {
		t.Run(c.branch+strings.Join(c.files, " "), func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.on(c.branch, c.files...)
			s.fact("Zeppelin retries are capped at three", 10*24*time.Hour)
			for i := range 20 {
				s.fact(fmt.Sprintf("Room %d of the depot has lamp type %d", i, i*31), time.Duration(20+i)*24*time.Hour)
			}
			got := s.event("memory-load", "context", "source", `"startup"`).AdditionalContext
			if strings.Contains(got, "Zeppelin retries") != c.told || strings.Contains(got, "Room ") {
				t.Errorf("told:\n%s", got)
			}
		})
	}
}

// A memory that is too large for an index as a session begins gets one in the background, once it
// is needed, and the next session is told what lies beyond what was read.
// BM-LOD-10, BM-LOD-23.
func TestALargeMemoryGetsItsIndexInTheBackground(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.on("feature/zeppelin")
	must.Do(t, s.place().Make())
	fact := func(content string, at time.Time, i int) string {
		return `{"id":"log-` + at.Format("20060102150405000") + "-" + strconv.Itoa(i) + `","type":"fact","memory_type":"W","content":` + strconv.Quote(content) + `,"entities":[],"confidence":0.8,"timestamp":"` + memory.Stamp(at) + `"}` + "\n"
	}
	for month := range 6 {
		var text strings.Builder
		at := s.now.AddDate(0, -month-1, 0)
		for i := range 2500 {
			text.WriteString(fact(fmt.Sprintf("The crane of dock %d needs part number %d, see %s", month, i, strings.Repeat("the list ", 5)), at, i))
		}
		must.Write(t, s.place().Daily(at), text.String())
	}
	at := s.now.AddDate(-1, 0, 0)
	must.Write(t, s.place().Daily(at), fact("Zeppelin retries are capped at three", at, 0))
	s.mine()
	begin := func() string { return s.event("memory-load", "context", "source", `"startup"`).AdditionalContext }
	if got := begin(); strings.Contains(got, "Zeppelin retries") {
		t.Fatalf("it is not beyond what is read:\n%s", got)
	}
	want := []string{"builtin", "worker", "memory", "--index", "--dir", s.project}
	if len(s.detached) != 1 || !slices.Equal(s.detached[0], want) {
		t.Errorf("%q", s.detached)
	}
	_, err := search.Folders("project", s.place(), s.world.Cache)[0].Keep(s.now, 0)
	must.Do(t, err)
	wants(t, begin(), "Zeppelin retries are capped")
	if len(s.detached) != 1 {
		t.Errorf("%q", s.detached)
	}
}
