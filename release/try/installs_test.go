package try

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What a release has is installed, by any way to write its version, into folders with odd
// names, and over an older one whose program runs at the moment.
func TestAReleaseIsInstalledAndUpgraded(t *testing.T) {
	t.Parallel()
	odd := `o'clock $HOME [1] & "two"`
	if runtime.GOOS == "windows" {
		odd = `o'clock $HOME [1] & %PATH%`
	}
	for _, s := range scripts(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			home := filepath.Join(t.TempDir(), odd)
			temp := filepath.Join(home, "a temporary folder")
			check(t, os.MkdirAll(temp, 0o700))
			env := []string{"TMPDIR=" + temp, "TMP=" + temp, "TEMP=" + temp}
			prefix := filepath.Join(home, "prefix")
			address := releases(t, s.system, func(files map[string][]byte) {
				sums := "/download/v" + older + "/checksums.txt" // as an editor of Windows, or a hasty mirror, leaves them
				files[sums] = []byte(strings.TrimSuffix(strings.ReplaceAll(string(files[sums]), "\n", "\r\n"), "\r\n"))
			})
			for _, version := range []string{older, "v" + older} {
				said, ok := s.run(t, prefix, version, address+"/", env...)
				if !ok {
					t.Fatal(said)
				}
				if got := installed(t, s, prefix); got != older {
					t.Errorf("%s: %s is installed", version, got)
				}
				if !says(said, "bin is not on your PATH") {
					t.Errorf("the PATH: %s", said)
				}
			}
			if s.system == runtime.GOOS {
				defer running(t, filepath.Join(prefix, "bin"))()
			}
			check(t, os.WriteFile(filepath.Join(prefix, "share", "agents-hooks", "examples", "of an older one"), nil, 0o600))
			for range 3 { // a program that was moved aside is in the way of nothing
				said, ok := s.run(t, prefix, "", address, append(env, "PATH="+filepath.Join(prefix, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))...)
				if !ok || says(said, "not on your PATH") {
					t.Fatal(said)
				}
			}
			if got := installed(t, s, prefix); got != newer {
				t.Errorf("%s is installed", got)
			}
			if _, err := os.Stat(filepath.Join(prefix, "share", "agents-hooks", "examples", "of an older one")); err == nil {
				t.Error("examples of an older one are left")
			}
			if left := tree(t, temp); left != "" {
				t.Errorf("left behind: %s", left)
			}
		})
	}
}

// running puts a program that runs where the installed one is, and gives what ends it.
func running(t *testing.T, bin string) func() {
	t.Helper()
	self, err := os.Executable()
	check(t, err)
	data, err := os.ReadFile(self)
	check(t, err)
	program := filepath.Join(bin, "agents-hooks")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	check(t, os.WriteFile(program, data, 0o755))
	cmd := exec.Command(program)
	in, err := cmd.StdinPipe()
	check(t, err)
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || strings.TrimSpace(line) != "waiting" {
		t.Fatal(line, err)
	}
	return func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the program that ran: %v", err)
		}
	}
}

// The line of README fetches the script and runs it as it comes, for the usual folder.
func TestOneLineInstalls(t *testing.T) {
	t.Parallel()
	for _, s := range scripts(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			address := releases(t, s.system, func(files map[string][]byte) {
				for _, name := range []string{"install.sh", "install.ps1"} {
					data, err := os.ReadFile("../" + name)
					check(t, err)
					files["/"+name] = data
				}
			})
			argv, env := s.command("", "", address)
			prefix := filepath.Join(home, "Programs", "agents-hooks")
			line := []string{argv[0], "-NoProfile", "-NonInteractive", "-Command", "irm " + address + "/install.ps1 | iex"}
			if s.system != "windows" {
				prefix = filepath.Join(home, ".local")
				line = []string{"/bin/sh", "-c", `curl -fsSL "$1/install.sh" | ` + s.name + ` -s -- --from "$1"`, "sh", address}
			}
			cmd := exec.Command(line[0], line[1:]...)
			cmd.Env = append(append(os.Environ(), env...), "HOME="+home, "LOCALAPPDATA="+home)
			if said, err := cmd.CombinedOutput(); err != nil || installed(t, s, prefix) != newer {
				t.Error(string(said))
			}
		})
	}
}

// What comes by a redirect is judged by the sums as well, whichever host it is of.
func TestARedirectIsFollowed(t *testing.T) {
	t.Parallel()
	for _, s := range scripts(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			elsewhere := releases(t, s.system, nil)
			archive, _ := stand(t, s.system, newer, programs)
			address := releases(t, s.system, func(files map[string][]byte) {
				for _, file := range []string{archive, "checksums.txt"} {
					files["-> /latest/download/"+file] = []byte(strings.Replace(elsewhere, "127.0.0.1", "localhost", 1) + "/latest/download/" + file)
				}
			})
			prefix := filepath.Join(t.TempDir(), "new")
			if said, ok := s.run(t, prefix, "", address); !ok || installed(t, s, prefix) != newer {
				t.Error(said)
			}
		})
	}
}
