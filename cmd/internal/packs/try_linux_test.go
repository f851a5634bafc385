package packs

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/runner"
)

// TestMain stands in for this program's own test command, and behaves as a malicious
// hook would: it reaches for everything that is not its own, and reports each success
// as a hole.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || os.Args[1] != "test" {
		os.Exit(m.Run())
	}
	staged := os.Args[len(os.Args)-1]
	around := filepath.Dir(filepath.Dir(staged))
	var got []string
	try := func(what string, ok bool) {
		if ok {
			got = append(got, fmt.Sprintf(`{"class": "hole", "what": %q}`, what))
		}
	}
	_, err := os.ReadFile(filepath.Join(around, "secret"))
	try("read", err == nil)
	try("write", os.WriteFile(filepath.Join(around, "owned"), nil, 0o600) == nil)
	try("change", os.WriteFile(filepath.Join(staged, "HOOK.md"), []byte("other"), 0o600) == nil)
	try("own home", os.WriteFile(filepath.Join(os.Getenv("HOME"), "mine"), nil, 0o600) != nil)
	conn, err := net.Dial("tcp", os.Getenv("PATH"))
	try("network", err == nil)
	if err == nil {
		conn.Close()
	}
	for _, kv := range os.Environ() {
		try("environment", strings.Contains(kv, "canary"))
	}
	fmt.Printf(`{"hostile": [%s]}`, strings.Join(got, ", "))
	os.Exit(0)
}

// A stranger's tests cannot read the user's files or environment, write only to a
// temporary folder, and reach no network.
func TestStrangersAreTriedInABox(t *testing.T) {
	t.Parallel()
	if why := runner.BoxLacks(); why != "" {
		t.Skip(why)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must.Do(t, err)
	defer listener.Close()
	self, err := os.Executable()
	must.Do(t, err)
	dir := t.TempDir()
	staged := filepath.Join(dir, "hooks", "a")
	must.Do(t, os.MkdirAll(staged, 0o755))
	for _, name := range []string{"secret", "hooks/a/HOOK.md"} {
		must.Write(t, filepath.Join(dir, name), "x")
	}
	// The address is passed in the one variable that gets through.
	h := host.New([]string{"HOME=" + dir, "PATH=" + listener.Addr().String(), "MINE=canary"}, "linux", dir, self, nil)
	got := tried(t.Context(), &shell.Shell{Host: h}, staged, filepath.Join(dir, "try", "a"))
	if got.Problem != "" || got.Holes != 0 {
		out, err := boxed(t.Context(), &shell.Shell{Host: h}, staged, filepath.Join(dir, "try", "a"))
		t.Errorf("%+v: %s %v", got, out, err)
	}
}
