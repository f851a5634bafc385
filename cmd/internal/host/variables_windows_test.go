package host

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Hooks do not get what a repository says about where Windows, programs and their
// packages are, whatever the case of the names.
func TestHookEnvOfWindows(t *testing.T) {
	var given []string
	for _, name := range []string{"SystemRoot", "windir", "SYSTEMDRIVE", "ComSpec", "PathExt", "AppData", "LOCALAPPDATA", "ProgramData", "AllUsersProfile",
		"Node_Options", "bash_env", "PythonHome", "Cor_Profiler_Path", "COMPlus_Version", "PSModulePath", "UserProfile"} {
		given = append(given, name+`=C:\repo\evil`)
	}
	given = append(given, `Path=C:\Windows`, "MY_TOKEN=x", "NUMBER_OF_PROCESSORS=4", `TEMP=C:\t`)
	h := New(given, "windows", `C:\work`, `C:\x.exe`, time.Now)
	if got := h.HookEnv(); !slices.Equal(got, given) {
		t.Errorf("spec form: %q", got)
	}
	closed := h.Closed(Entry{Home: `C:\Users\me`, Config: `C:\Users\me\AppData\Roaming\agents`, State: `C:\Users\me\AppData\Local\agents-hooks`})
	got := closed.HookEnv()
	for _, kv := range append(slices.Clone(got), closed.Env...) {
		if strings.Contains(kv, "evil") {
			t.Errorf("given %s", kv)
		}
	}
	value := func(name string) string {
		for _, kv := range got {
			if n, v, _ := strings.Cut(kv, "="); strings.EqualFold(n, name) {
				return v
			}
		}
		return ""
	}
	for _, name := range []string{"SystemRoot", "SystemDrive", "ComSpec", "AppData"} {
		t.Run(name, func(t *testing.T) {
			if want := os.Getenv(name); want != "" && !strings.EqualFold(filepath.Clean(value(name)), filepath.Clean(want)) {
				t.Errorf("%s is %q, want %q", name, value(name), want)
			}
		})
	}
	if !strings.HasPrefix(value("PATHEXT"), ".COM;.EXE;") || value("MY_TOKEN") != "x" || value("TEMP") != `C:\t` || value("USERPROFILE") != `C:\Users\me` {
		t.Errorf("%q", got)
	}
}
