package internal_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/keyring"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A key stays with the server that it was first sent to, until its person names
// another one; the environment makes no server the first one.
func TestAKeyStaysWithItsServer(t *testing.T) {
	t.Parallel()
	r := keyring.Ring{State: t.TempDir()}
	key := "sk-" + strings.Repeat("k", 20)
	may := func(server string, first, want bool) {
		t.Helper()
		err := r.May(key, server, first)
		var elsewhere *keyring.Elsewhere
		if (err == nil) != want || err != nil && !errors.As(err, &elsewhere) {
			t.Errorf("%s: %v, want it sent %t", server, err, want)
		}
	}
	may("https://evil.example", false, false)
	may("https://One.example/v1", true, true)
	may("https://one.example:443/v2/", false, true)
	for _, other := range []string{"http://one.example", "https://one.example:8443", "https://one.example.evil", "https://evil@evil.example", "http://127.0.0.1:1", "https://[::1]"} {
		may(other, true, false)
	}
	must.Do(t, r.Give(key, "https://two.example"))
	may("https://two.example", false, true)
	may("https://one.example", true, false)
	if err := r.May("another", "https://one.example", true); err != nil {
		t.Errorf("another key: %v", err)
	}
	may("https://two.example", false, true)
	for _, bad := range []string{"", "one.example", "ftp://one.example", "https://", "file:///etc/passwd", "https://user:secret@\x7f"} {
		t.Run(fmt.Sprintf("%q", bad), func(t *testing.T) {
			if err := r.May(key, bad, true); err == nil || strings.Contains(err.Error(), "secret") {
				t.Errorf("%q: %v", bad, err)
			}
		})
	}
	if err := r.Give(key, "one.example"); err == nil || !strings.Contains(err.Error(), `"one.example" is not a server's address`) {
		t.Errorf("given to what is no server: %v", err)
	}
	may("https://two.example", false, true)
	b, err := os.ReadFile(filepath.Join(r.State, "keys"))
	if err != nil || strings.Contains(string(b), key) || strings.Count(string(b), "\n") != 2 {
		t.Errorf("%v: %s", err, b)
	}
}

// Why a key is not sent says what it was given for, or whose it is.
func TestWhyAKeyIsNotSent(t *testing.T) {
	t.Parallel()
	r := keyring.Ring{State: t.TempDir()}
	why := func(server, want string) {
		t.Helper()
		if err := r.May("k", server, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	why("https://evil.example", `is that of a file, but the environment names the server "https://evil.example"`)
	must.Do(t, r.Give("k", "https://one.example"))
	why("https://evil.example", "was given for https://one.example and is not sent to https://evil.example")
}

// Where nothing can be kept, a key goes where its file says; where what was kept
// cannot be read, nowhere.
func TestARingThatCannotBeKept(t *testing.T) {
	t.Parallel()
	if err := (keyring.Ring{}).May("k", "https://one.example", true); err != nil {
		t.Error(err)
	}
	dir := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(dir, "keys"), 0o700))
	if err := (keyring.Ring{State: dir}).May("k", "https://one.example", true); err == nil {
		t.Error("a folder in the place of the file: sent")
	}
}
