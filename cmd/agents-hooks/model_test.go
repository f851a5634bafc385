package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What memories are compared by is a person's choice: a project that names a model or an
// endpoint, in its settings, in its memory or beside it, is not heard, whether or not it
// was approved, and an agent that types the command is refused. The same lines in the
// person's own settings are.
// BM-MDL-01, BM-MDL-02.
func TestAProjectChoosesNeitherModelNorEndpoint(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		_, _ = io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, `{"data": [{"index": 0, "embedding": [1, 0, 0]}]}`)
	}))
	t.Cleanup(h.Close)
	home := t.TempDir()
	project, config := filepath.Join(home, "app"), filepath.Join(home, ".config", "agents", "hooks.toml")
	say := func(stdin string, more []string, args ...string) (string, int) {
		cmd := exec.CommandContext(t.Context(), "agents-hooks", args...)
		cmd.Dir, cmd.Stdin = project, strings.NewReader(stdin)
		cmd.Env = append([]string{"HOME=" + home, "USERPROFILE=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, ".config"), "PATH=" + os.Getenv("PATH"), "THE_KEY=k"}, more...)
		out, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
	chooses := "embedding = \"http\"\nembedding_url = \"" + h.URL + "/v1\"\nembedding_model = \"m\"\nembedding_key_env = \"THE_KEY\"\n"
	file := `{"name": "", "url": "` + h.URL + `/v1", "model": "m"}`
	must.Write(t, config, "[builtin.memory]\nenabled = true\n\n[trust]\nproject = \"always\"\n")
	must.Write(t, filepath.Join(project, ".agents", "hooks.toml"), "[builtin.memory]\n"+chooses)
	for _, dir := range []string{"memory-data", "memory-models", "memory-data/memory-models", "."} {
		must.Write(t, filepath.Join(project, ".agents", filepath.FromSlash(dir), "chosen.json"), file)
	}
	use := func(well bool) {
		t.Helper()
		for _, args := range [][]string{
			{"memory", "save", "The weir is closed on Mondays"},
			{"memory", "rebuild-index"},
			{"memory", "search", "when is the weir closed"},
		} {
			if out, exit := say("", nil, args...); well && exit != 0 {
				t.Fatalf("%v: exit %d\n%s", args, exit, out)
			}
		}
		say(`{"event_type": "pre-agent-turn", "timestamp": "2026-11-22T00:00:00Z", "session_id": "s1", "prompt": "when is the weir closed on Mondays?"}`, nil, "run")
	}
	use(true)
	if n := asked.Load(); n != 0 {
		t.Errorf("the endpoint of a project was asked %d times", n)
	}
	if out, _ := say("", nil, "memory", "stats"); strings.Contains(out, "127.0.0.1") {
		t.Errorf("memory stats names it:\n%s", out)
	}
	for _, marker := range []string{"CLAUDECODE=1", "AGENTS_HOOKS_EVENT=pre-tool-call"} {
		for _, args := range [][]string{{"use", "built-in"}, {"use", h.URL + "/v1"}, {"use", "local"}, {"add", project}, {"remove", "m"}} {
			if out, exit := say("", []string{marker}, append([]string{"memory", "model"}, args...)...); exit == 0 || !strings.Contains(out, "refused") {
				t.Errorf("%s, model %v: exit %d\n%s", marker, args, exit, out)
			}
		}
	}
	if asked.Load() != 0 {
		t.Error("an agent had it asked")
	}
	must.Write(t, config, "[builtin.memory]\nenabled = true\n"+chooses)
	if use(false); asked.Load() == 0 {
		t.Error("nobody asks what the person chose: this test proves nothing")
	}
}
