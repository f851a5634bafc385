// Package try holds what tries the ways to install a release: a server on loopback with
// stand-ins of archives, from which install.sh and install.ps1 install by every shell that
// the machine has. (.ci/release does it once with the real archives.)
package try

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// This binary stands in for a program that runs: until its stdin ends.
func TestMain(m *testing.M) {
	if strings.HasPrefix(filepath.Base(os.Args[0]), "agents-hooks") {
		fmt.Println("waiting")
		io.Copy(io.Discard, os.Stdin) //nolint:errcheck // its end is all that counts
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A script installs by one shell. system is whose archives it takes.
type script struct {
	name, system string
	// command is the call of the script with what a person may say of it.
	command func(prefix, version, from string) (argv, env []string)
}

// scripts are those for which there is a shell.
func scripts(t *testing.T) (list []script) {
	t.Helper()
	sh, ps1 := absolute(t, "../install.sh"), absolute(t, "../install.ps1")
	var seen []string // sh is one of the others by another name
	for _, words := range []string{"sh", "dash", "bash --posix", "busybox sh", "ksh", "mksh", "yash"} {
		argv := strings.Fields(words)
		path, err := exec.LookPath(argv[0])
		if err != nil || runtime.GOOS == "windows" {
			continue
		}
		if path, err = filepath.EvalSymlinks(path); err != nil || slices.Contains(seen, path) {
			continue
		}
		seen = append(seen, path)
		list = append(list, script{words, runtime.GOOS, func(prefix, version, from string) ([]string, []string) {
			args := append(slices.Clone(argv), sh, "--from", from)
			if prefix != "" {
				args = append(args, "--prefix", prefix)
			}
			if version != "" {
				args = append(args, "--version="+version)
			}
			return args, nil
		}})
	}
	for _, shell := range []string{"powershell", "pwsh"} { // 5.1 and 7
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		list = append(list, script{shell, "windows", func(prefix, version, from string) ([]string, []string) {
			return []string{shell, "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-File", ps1},
				[]string{"AGENTS_HOOKS_PREFIX=" + prefix, "AGENTS_HOOKS_VERSION=" + version, "AGENTS_HOOKS_FROM=" + from, "PROCESSOR_ARCHITECTURE=" + strings.ToUpper(runtime.GOARCH)}
		}})
	}
	if len(list) == 0 {
		t.Skip("no shell is here that one of the scripts is for")
	}
	return list
}

// run calls a script, and gives what it says and whether it is content.
func (s script) run(t *testing.T, prefix, version, from string, env ...string) (string, bool) {
	t.Helper()
	argv, more := s.command(prefix, version, from)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(append(os.Environ(), more...), env...)
	said, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(said), err == nil
}

const older, newer = "1.2.3", "1.10.0"

// releases serves the archives of two versions as GitHub does. A test may change the files.
func releases(t *testing.T, system string, change func(files map[string][]byte)) string {
	t.Helper()
	files := map[string][]byte{}
	for _, version := range []string{older, newer} {
		name, data := stand(t, system, version, programs)
		folders := []string{"/download/v" + version + "/"}
		if version == newer {
			folders = append(folders, "/latest/download/")
		}
		for _, folder := range folders {
			files[folder+name] = data
			files[folder+"checksums.txt"] = fmt.Appendf(nil, "%x  agents-hooks-server_%s_%s_%s.tar.gz\n%[1]x  %[5]s.cdx.json\n%[1]x  %[5]s\n",
				sha256.Sum256(data), version, system, runtime.GOARCH, name)
		}
	}
	if change != nil {
		change(files)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, ok := files[r.URL.Path]
		if to, moved := files["-> "+r.URL.Path]; moved {
			http.Redirect(w, r, string(to), http.StatusFound)
		} else if ok {
			w.Header().Set("Content-Type", "application/octet-stream") // whatever it is
			w.Write(data)                                              //nolint:errcheck // the script says what it got
		} else {
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

var programs = []string{"agents-hooks", "agents-hooks-run"}

// stand is an archive that stands in for a release's, and its name.
func stand(t *testing.T, system, version string, programs []string) (string, []byte) {
	t.Helper()
	files := map[string][]byte{
		"LICENSE": []byte("MIT"), "man/man1/agents-hooks.1": []byte(version), "examples/one/HOOK.md": []byte(version),
		"completions/agents-hooks": []byte(version), "completions/_agents-hooks": []byte(version),
		"completions/agents-hooks.fish": []byte(version), "completions/agents-hooks.ps1": []byte(version),
	}
	end := map[string]string{"windows": ".exe"}[system]
	for _, p := range programs {
		files[p+end] = []byte("#!/bin/sh\n# " + version)
	}
	folder := "agents-hooks_" + version + "_" + system + "_" + runtime.GOARCH
	var b bytes.Buffer
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	if system == "windows" {
		z := zip.NewWriter(&b)
		for _, name := range names {
			w, err := z.CreateHeader(&zip.FileHeader{Name: folder + "/" + name, Method: zip.Store, Modified: time.Unix(1e9, 0)})
			check(t, err)
			_, err = w.Write(files[name])
			check(t, err)
		}
		check(t, z.Close())
		return folder + ".zip", b.Bytes()
	}
	g := gzip.NewWriter(&b)
	w := tar.NewWriter(g)
	for _, name := range names {
		mode := int64(0o644)
		if slices.Contains(programs, name) {
			mode = 0o755
		}
		check(t, w.WriteHeader(&tar.Header{Name: folder + "/" + name, Mode: mode, Size: int64(len(files[name])), ModTime: time.Unix(1e9, 0)}))
		_, err := w.Write(files[name])
		check(t, err)
	}
	check(t, w.Close())
	check(t, g.Close())
	return folder + ".tar.gz", b.Bytes()
}

// tree is all that lies in a folder, in a line each.
func tree(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	check(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %x\n", path, sha256.Sum256(data))
		return err
	}))
	return b.String()
}

// installed is the version that lies in a prefix, of all parts the same.
func installed(t *testing.T, s script, prefix string) string {
	t.Helper()
	end, version := "", ""
	if s.system == "windows" {
		end = ".exe"
	}
	example, err := os.ReadFile(filepath.Join(prefix, "share", "agents-hooks", "examples", "one", "HOOK.md"))
	check(t, err)
	version = string(example)
	for _, p := range programs {
		data, err := os.ReadFile(filepath.Join(prefix, "bin", p+end))
		check(t, err)
		if !bytes.HasSuffix(data, example) {
			t.Errorf("%s is not of %s", p, version)
		}
	}
	by, err := os.ReadFile(filepath.Join(prefix, "share", "agents-hooks", "installed-by"))
	check(t, err)
	if strings.TrimSpace(string(by)) != "script" {
		t.Errorf("installed by %q", by)
	}
	return version
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	check(t, err)
	return path
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
