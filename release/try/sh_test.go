//go:build !windows

package try

import (
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// What the script needs of a machine, but for what fetches and what sums.
var tools = []string{"uname", "id", "mktemp", "rm", "mkdir", "cp", "mv", "chmod", "tr", "grep", "wc", "cut", "sed", "tar", "gzip"}

// Any program that fetches and any that sums is enough, and without one it says so.
func TestWhatAMachineLacksIsDoneWithoutOrSaid(t *testing.T) {
	t.Parallel()
	address := releases(t, runtime.GOOS, nil)
	for _, c := range []struct{ has, lacks, says string }{
		{"curl sha256sum", "", ""},
		{"wget sha256sum", "", ""},
		{"curl shasum perl", "", ""},
		{"curl openssl", "", ""},
		{"sha256sum", "", "neither curl nor wget is here"},
		{"curl", "", "so the sum cannot be checked"},
		{"curl sha256sum", "tar", "tar cannot unpack"},
	} {
		t.Run(c.has+" without "+c.lacks, func(t *testing.T) {
			t.Parallel()
			bin := filepath.Join(t.TempDir(), "bin")
			check(t, os.Mkdir(bin, 0o755))
			for _, tool := range append(strings.Fields(c.has), tools...) {
				path, err := exec.LookPath(tool)
				if err != nil {
					t.Skipf("%s is not here", tool)
				}
				if tool != c.lacks {
					check(t, os.Symlink(path, filepath.Join(bin, tool)))
				}
			}
			home := t.TempDir()
			said, ok := sh(t, []string{"HOME=" + home, "PATH=" + bin}, "--from", address)
			if ok != (c.says == "") || !strings.Contains(said, c.says) {
				t.Fatal(said)
			}
			if left := tree(t, home); (left == "") == ok {
				t.Errorf("installed: %s", left)
			}
		})
	}
}

// sh runs the script by the sh of the machine.
func sh(t *testing.T, env []string, args ...string) (string, bool) {
	t.Helper()
	cmd := exec.Command("/bin/sh", append([]string{absolute(t, "../install.sh")}, args...)...)
	cmd.Env, cmd.Dir = env, t.TempDir()
	if len(args) > 0 && strings.HasPrefix(args[0], "in ") {
		cmd.Dir = args[0][3:]
		cmd.Args = append(cmd.Args[:2], args[1:]...)
	}
	said, err := cmd.CombinedOutput()
	return string(said), err == nil
}

// Where to is clear, or nothing happens.
func TestAPlaceThatCannotBeIsRefused(t *testing.T) {
	t.Parallel()
	address := releases(t, runtime.GOOS, nil)
	path := "PATH=" + os.Getenv("PATH")
	home := t.TempDir()
	if said, ok := sh(t, []string{path, "HOME=" + home}, "in "+home, "--from="+address, "--prefix", "below"); !ok {
		t.Errorf("a relative folder: %s", said)
	}
	if _, err := os.Stat(filepath.Join(home, "below", "bin", "agents-hooks")); err != nil {
		t.Error(err)
	}
	if said, ok := sh(t, []string{path}, "--from", address, "--prefix", filepath.Join(home, "no home")+"/"); !ok {
		t.Errorf("without a HOME: %s", said)
	}
	taken := filepath.Join(home, "taken")
	check(t, os.MkdirAll(filepath.Join(taken, "bin", "agents-hooks"), 0o755))
	file := filepath.Join(home, "file")
	check(t, os.WriteFile(file, nil, 0o600))
	for _, c := range []struct {
		env, args []string
		says      string
	}{
		{nil, nil, "HOME is not set"},
		{nil, []string{"--prefix", ""}, "--prefix wants a value"},
		{nil, []string{"--prefix="}, "--prefix wants a value"},
		{nil, []string{"--prefix"}, "--prefix wants a value"},
		{nil, []string{"--perfix", "/x"}, "no such flag: --perfix"},
		{nil, []string{"--prefix", taken}, "is a folder: nothing was installed"},
		{nil, []string{"--prefix", file}, "cannot write to " + file},
		{[]string{"HOME=" + file}, nil, "cannot write to " + file},
		{nil, []string{"--prefix", "/proc/x"}, "cannot write to /proc/x"},
	} {
		t.Run(fmt.Sprintf("%q, %q", c.env, c.args), func(t *testing.T) {
			before := tree(t, home)
			said, ok := sh(t, append(c.env, path), append([]string{"--from", address}, c.args...)...)
			if ok || !strings.Contains(said, c.says) {
				t.Errorf("%q %q: %v, %s", c.env, c.args, ok, said)
			}
			if tree(t, home) != before {
				t.Errorf("%q %q: something was installed", c.env, c.args)
			}
		})
	}
}

// What root installs for everybody can be read by everybody, and nobody else than the
// person who installs it can write to it.
func TestModesFollowNoOddMask(t *testing.T) {
	t.Parallel()
	address := releases(t, runtime.GOOS, nil)
	for _, mask := range []string{"077", "000", "027"} {
		t.Run(fmt.Sprintf("mask %q", mask), func(t *testing.T) {
			prefix := filepath.Join(t.TempDir(), "prefix")
			cmd := exec.Command("/bin/sh", "-c", `umask $1; shift; exec sh "$@"`, "sh", mask, absolute(t, "../install.sh"), "--from", address, "--prefix", prefix)
			if said, err := cmd.CombinedOutput(); err != nil {
				t.Fatal(string(said))
			}
			check(t, filepath.WalkDir(prefix, func(path string, d os.DirEntry, err error) error {
				if err != nil {
					return err
				}
				info, err := d.Info()
				if err != nil {
					return err
				}
				mode := info.Mode().Perm()
				if os.Getuid() == 0 && mode&0o444 != 0o444 || mode&0o022 != 0 && !d.IsDir() {
					t.Errorf("umask %s: %s is %v", mask, path, mode)
				}
				return nil
			}))
		})
	}
}

// No link that somebody left in the way is written through.
func TestALinkInTheWayIsReplaced(t *testing.T) {
	t.Parallel()
	address := releases(t, runtime.GOOS, nil)
	home := t.TempDir()
	bin := filepath.Join(home, "prefix", "bin")
	check(t, os.MkdirAll(bin, 0o755))
	theirs := filepath.Join(home, "theirs")
	check(t, os.WriteFile(theirs, []byte("precious"), 0o600))
	for _, name := range []string{"agents-hooks", ".agents-hooks.new", ".agents-hooks-run.new"} {
		check(t, os.Symlink(theirs, filepath.Join(bin, name)))
	}
	if said, ok := sh(t, os.Environ(), "--from", address, "--prefix", filepath.Join(home, "prefix")); !ok {
		t.Fatal(said)
	}
	if b, err := os.ReadFile(theirs); err != nil || string(b) != "precious" {
		t.Error("a link was written through")
	}
	if info, err := os.Lstat(filepath.Join(bin, "agents-hooks")); err != nil || !info.Mode().IsRegular() {
		t.Error("the link is left")
	}
}

// A server of https cannot send the script on to one without it.
func TestNoRedirectLeadsOutOfTLS(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil || runtime.GOOS != "linux" {
		t.Skip("no curl that takes a certificate from a file")
	}
	plain := releases(t, runtime.GOOS, nil)
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, plain+r.URL.Path, http.StatusFound)
	}))
	t.Cleanup(secure.Close)
	certificate := filepath.Join(t.TempDir(), "ca.pem")
	check(t, os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw}), 0o600))
	home := t.TempDir()
	said, ok := sh(t, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "CURL_CA_BUNDLE=" + certificate}, "--from", secure.URL)
	if ok || !strings.Contains(said, "cannot fetch https://") || !strings.Contains(said, "rotocol") {
		t.Error(said)
	}
}

// Half of a script that a network broke off does nothing.
func TestHalfAScriptDoesNothing(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile("../install.sh")
	check(t, err)
	home := t.TempDir()
	for _, part := range []float64{0.3, 0.5, 0.7, 0.9, 0.99} {
		cmd := exec.Command("/bin/sh")
		cmd.Stdin = strings.NewReader(string(whole[:int(float64(len(whole))*part)]))
		cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		cmd.Run() //nolint:errcheck // whatever it says
		if left := tree(t, home); left != "" {
			t.Fatalf("%.0f %%: %s", part*100, left)
		}
	}
}
