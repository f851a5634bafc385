package hooks

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What was proven here with a command is named in one line before it has failed, once a
// session; of another scope or command nothing is. EV-TEL-08.
func TestProvenIsNamedBeforeTheFirstFailure(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if a := s.before("go test ./..."); a.AdditionalContext != "" {
		t.Errorf("without anything proven: %q", a.AdditionalContext)
	}
	const file = `{"other": [{"id": "x", "title": "X", "helped": 3, "runs": 3, "on": ["make"]}],
 "global": [{"id": "gene_db", "title": "Start the database first", "helped": 3, "runs": 4, "on": ["go test", "npm"]}]}`
	s.proven(file)
	for _, other := range []string{"make all", "go build ./...", "ls"} {
		if a := s.before(other); a.AdditionalContext != "" {
			t.Errorf("%s: %q", other, a.AdditionalContext)
		}
	}
	said := s.before("go test ./...").AdditionalContext
	wants(t, said, "[Evolution]", "go test", "Start the database first", "3 of 4 times", "evolution show --gene-id gene_db")
	if strings.Contains(said, "\n") {
		t.Errorf("more than a line: %q", said)
	}
	if a := s.before("go test ./store"); a.AdditionalContext != "" {
		t.Errorf("said twice: %q", a.AdditionalContext)
	}
	if len(s.asked)+len(s.detached) > 0 {
		t.Errorf("something was started: %q", s.asked)
	}
}

// proven is what the store tells the hooks of proven genes.
func (s *scene) proven(file string) {
	s.t.Helper()
	dir := evolution.Dir(s.world.Data)
	must.Write(s.t, filepath.Join(dir, evolution.ProvenFile), file)
}

// A prompt names a program of few letters where those are no word, and none whose name people use for other
// things. EV-TEL-16.
func TestPromptsNamePrograms(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]string{
		"please compile z.c with gcc": "gcc", "make it go faster": "", "run go test again": "go test", "ask Terraform": "terraform", "the python in the zoo": "",
	} {
		t.Run(prompt, func(t *testing.T) {
			got := ""
			for _, on := range []string{"gcc", "go", "make", "go test", "terraform", "python"} {
				if namesCommand(wordsOf(prompt), on) {
					got = on
				}
			}
			if got != want {
				t.Errorf("%q: %q, want %q", prompt, got, want)
			}
		})
	}
}

// What it is about is told as it came, with its numbers, and no kind of file as a name. EV-TEL-17.
func TestWhatItIsAbout(t *testing.T) {
	t.Parallel()
	f := failure.Of("gcc -c m.c", "m.c:1:10: fatal error: made_3.h: No such file or directory\n    1 | #include \"made_3.h\"\n", 1)
	if got := aboutOf(locale.English, journal.Count{Failure: f}); got != "Here: m.c:1:10: fatal error: made_3.h: No such file or directory" {
		t.Errorf("%q", got)
	}
}
