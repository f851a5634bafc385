package dispatch

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

func TestDirectoriesOfWindows(t *testing.T) {
	t.Parallel()
	for dir, want := range map[string]string{
		`C:\p q`: `C:\p q`, `c:/p`: `c:/p`, `\\server\share\p`: `\\server\share\p`, `\\s\c`: `\\s\c`, `//server/share`: `//server/share`,
		`\\?\C:\p`: `C:\p`, `\\.\c:\p`: `C:\p`, `\\?\C:`: `C:\`, `\\?\UNC\server\share\p`: `\\server\share\p`, `\\?\Volume{1}\p`: `\\?\Volume{1}\p`, `\\.\c\p`: `\\.\c\p`,
		`/c/Users/x`: `C:\Users\x`, `/C:/Users/x`: `C:\Users\x`, `/mnt/d/p`: `D:\p`, `/cygdrive/e`: `E:\`, `/c`: `C:\`,
		`\src\p`: `Z:\src\p`, `/home/x`: `Z:\home\x`, `/`: `Z:\`, `p`: `p`, `/日/p`: `Z:\日\p`,
	} {
		t.Run(fmt.Sprintf("%q", dir), func(t *testing.T) {
			if got := windowsDir(dir, `Z:\w`); got != want {
				t.Errorf("%s: %s, want %s", dir, got, want)
			}
		})
	}
	if got := windowsDir(`\src`, `\\server\share`); got != `\src` {
		t.Errorf("without a drive: %s", got)
	}
}

// What was approved of a project counts by whichever spelling an agent has of it.
func TestAProjectByAnySpellingOfItsPath(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "windows" {
		t.Skip("drives and cases of Windows")
	}
	w := newWorld(t)
	w.hook(w.projectHooks(), "guard", "trigger: pre-tool-call\n", "echo no >&2; exit 2")
	w.approve()
	drive, below := w.project[:1], w.project[2:]
	for _, dir := range []string{
		w.project, strings.ToUpper(drive) + strings.ToUpper(w.project[1:]), strings.ToLower(drive) + strings.ToLower(w.project[1:]), filepath.ToSlash(w.project),
		`\\?\` + w.project, below, "/" + strings.ToLower(drive) + filepath.ToSlash(below), "/" + drive + ":" + filepath.ToSlash(below), w.project + `\`, w.project + `\.agents\..`,
	} {
		said, err := json.Marshal(dir)
		must.Do(t, err)
		got := w.run(`{"session_id":"s","transcript_path":"/t.jsonl","cwd":`+string(said)+`,"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`, "--agent=claude-code")
		if !strings.Contains(got.stdout, "no") || !strings.Contains(got.stdout, "deny") {
			t.Errorf("%s: %s%s", dir, got.stdout, got.stderr)
		}
	}
}
