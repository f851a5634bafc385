package internal_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/takeover"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// terminalThatSays is a terminal with an answer typed into it.
func terminalThatSays(t *testing.T, answer string) *os.File {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	must.Do(t, err)
	t.Cleanup(func() { master.Close() })
	must.Do(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	must.Do(t, err)
	f, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	must.Do(t, err)
	t.Cleanup(func() { f.Close() })
	must.Do(t, must.Err(master.WriteString(answer)))
	return f
}

// At a terminal there is one question for all variables, and the answer counts.
func TestAPersonIsAskedOnce(t *testing.T) {
	t.Parallel()
	for answer, taken := range map[string]bool{"y\n": true, "n\n": false, "\n": false} {
		t.Run(fmt.Sprintf("%q", answer), func(t *testing.T) {
			home := t.TempDir()
			env := []string{"HOME=" + home, "PRISMER_API_KEY=sk-prismer-" + strings.Repeat("5", 20), "PRISMER_BASE_URL=https://one.example", "PRISMER_SCOPE=a\x1b]52;c;eA==\a\nb", "https_proxy=http://proxy:3128"}
			var said bytes.Buffer
			h := host.New(env, "linux", t.TempDir(), "/bin/agents-hooks", time.Now)
			sh := &shell.Shell{Name: "agents-hooks", Host: h, In: terminalThatSays(t, answer), Out: &said, Err: &said}
			file := filepath.Join(home, ".config", "agents", "hooks.toml")
			must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
			before := "# mine\n[builtin.evolution]\nenabled = true\n"
			must.Write(t, file, before)
			must.Do(t, takeover.Ask(sh, []string{"evolution"}, false))
			if n := strings.Count(said.String(), "[y/N]"); n != 1 || strings.ContainsAny(said.String(), "\x1b\a") || strings.Contains(said.String(), "5555555") {
				t.Errorf("asked %d times: %q", n, said.String())
			}
			b, err := os.ReadFile(file)
			info, err2 := os.Stat(file)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			for _, line := range []string{`api_key = "sk-prismer-`, `base_url = "https://one.example"`, `proxy = "http://proxy:3128"`, `scope = "a`} {
				if strings.Contains(string(b), line) != taken {
					t.Errorf("%q: %s", answer, b)
				}
			}
			if taken != (info.Mode().Perm() == 0o600) || !taken && string(b) != before {
				t.Errorf("%q: mode %v: %s", answer, info.Mode(), b)
			}
		})
	}
}
