//go:build unix

package bring

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// child is the variable that makes this test binary an import of a machine: the first
// of its words is the home directory, the second the project.
const child = "BRING_TEST_MACHINE"

func TestMain(m *testing.M) {
	if at := os.Getenv(child); at != "" {
		home, project, _ := strings.Cut(at, ":")
		h := hostOf(home, project)
		if _, err := Carry(h, Options{}, func(*Plan) error { return nil }); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// An import that is killed leaves whole folders and none besides; the next one makes
// the others and sweeps what is left.
func TestAKilledImportLeavesWholeFolders(t *testing.T) {
	const hooks = 100
	var entries []string
	for i := range hooks {
		entries = append(entries, fmt.Sprintf(`{"type": "command", "command": "tool%d"}`, i))
	}
	h := machine(t, map[string]string{"home/.claude/settings.json": `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [` + strings.Join(entries, ",") + `]}]}}`})
	dir := filepath.Join(h.Config, "hooks")
	whole := func() (n int) {
		list, _ := os.ReadDir(dir)
		for _, e := range list {
			if strings.HasPrefix(e.Name(), staging) {
				continue
			}
			n++
			b, err := os.ReadFile(filepath.Join(dir, e.Name(), "HOOK.md"))
			if err != nil || !untouched(string(b)) {
				t.Errorf("%s is not whole: %v", e.Name(), err)
			}
			if _, err := os.Stat(filepath.Join(dir, e.Name(), "tests", "passes-by.txtar")); err != nil {
				t.Errorf("%s: %v", e.Name(), err)
			}
		}
		return n
	}
	for _, least := range []int{1, 20} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), child+"="+h.Home+":"+h.WorkDir)
		must.Do(t, cmd.Start())
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
			if list, _ := os.ReadDir(dir); len(list) >= least {
				break
			}
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if n := whole(); n < least-1 {
			t.Errorf("killed after %d folders, of %d wanted", n, least)
		}
	}
	must.Do(t, must.Err(Carry(h, Options{}, func(*Plan) error { return nil })))
	if n := whole(); n != hooks {
		t.Errorf("%d folders of %d", n, hooks)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, staging+"*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// The program of notify is given what Codex gives it, as its last argument.
func TestNotifyIsGivenItsArgument(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	program := filepath.Join(t.TempDir(), "it's a notifier")
	must.Script(t, program, "#!/bin/sh\necho noise\nprintf '%s|%s' \"$1\" \"$2\" > "+out+"\n")
	row, text := one(t, ".codex/config.toml", `notify = ["`+program+`", "--turn"]`)
	if row.Result != Different || !strings.Contains(text, "trigger: post-agent-turn-stop\n") || !strings.Contains(text, "async: true\n") {
		t.Fatalf("%+v\n%s", row, text)
	}
	h := discovery.ReadFolder(discovery.Sources{Tongues: agents.Tongues}, row.Folder, discovery.UserLayer)
	cmd := exec.Command("sh", "-c", h.Command.Line)
	cmd.Stdin = strings.NewReader(`{"session_id":"s-1","cwd":"/a \"b\"","hook_event_name":"Stop","last_assistant_message":"done:\n\"session_id\": \"x\" \\"}` + "\n")
	if b, err := cmd.CombinedOutput(); err != nil || len(b) > 0 {
		t.Fatalf("%v %q", err, b)
	}
	b, err := os.ReadFile(out)
	want := `--turn|{"type": "agent-turn-complete", "thread-id": "s-1", "cwd": "/a \"b\"", "last-assistant-message": "done:\n\"session_id\": \"x\" \\"}`
	if string(b) != want {
		t.Errorf("%v\ngot  %s\nwant %s", err, b, want)
	}
}
