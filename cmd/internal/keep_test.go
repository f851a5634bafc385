package internal_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/keep"
	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// TestMain is also the process that is killed: it makes copies of two programs in
// turns until somebody ends it.
func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == "take-turns" {
		h := keepMachine(os.Args[2])
		fmt.Println("ready")
		for i := 0; ; i++ {
			if _, err := keep.Put(h, keep.Source{Whole: os.Args[3+i%2], Version: "devel"}); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
	}
	os.Exit(m.Run())
}

func keepMachine(root string) host.Host {
	home := filepath.Join(root, "home")
	return host.New([]string{"HOME=" + home, "USERPROFILE=" + home}, runtime.GOOS, home, "", time.Now)
}

// keepProgram writes one as a package would.
func keepProgram(t *testing.T, root, name, text string) string {
	t.Helper()
	path := filepath.Join(root, name)
	must.Script(t, path, text)
	return path
}

func TestACopyComesAndGoesWithoutATrace(t *testing.T) {
	t.Parallel()
	for name, lean := range map[string]string{"both programs": "the small one", "one program": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			h := keepMachine(root)
			src := keep.Source{Whole: keepProgram(t, root, "package/agents-hooks", "all commands"), Version: "v1.2.0"}
			want := "all commands"
			if lean != "" {
				src.Lean, want = keepProgram(t, root, "package/agents-hooks-run", lean), lean
			}
			must.Do(t, must.Err(keep.Put(h, src)))
			must.Do(t, os.RemoveAll(filepath.Join(root, "package")))
			if got := must.Read(t, keep.Program(h, keep.Lean)); got != want {
				t.Errorf("what answers events is %q, want %q", got, want)
			}
			if got := must.Read(t, keep.Program(h, keep.Whole)); got != "all commands" {
				t.Errorf("what has all commands is %q", got)
			}
			if s, ok := keep.Read(h); !ok || s.Version != "v1.2.0" || s.From != src.Whole {
				t.Errorf("the copy says %+v, %t", s, ok)
			}
			must.Do(t, must.Err(keep.Remove(h)))
			if _, err := os.Lstat(filepath.Join(root, "home")); err == nil {
				t.Error("folders that were made for the copy are left")
			}
		})
	}
}

// What happens to a copy when another program, or its own changed one, is called; a
// second call of the same finds nothing to do.
func TestWhoseCopyItIs(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name             string
		has, calls       string // versions
		same, gone, want bool   // the same path; the first program is gone; the copy is renewed
	}{
		{"upgraded in place", "v1.2.0", "v1.3.0", true, false, true},
		{"downgraded in place", "v1.3.0", "v1.2.0", true, false, true},
		{"rebuilt in place", "devel", "devel", true, false, true},
		{"a newer one elsewhere", "v1.2.0", "v1.3.0", false, false, true},
		{"an older one elsewhere", "v1.3.0", "v1.2.9", false, false, false},
		{"the same release elsewhere", "v1.3.0", "v1.3.0", false, false, false},
		{"a working copy elsewhere", "v1.3.0", "v1.3.1-0.20261123010203-abcdefabcdef+dirty", false, false, false},
		{"moved", "v1.3.0", "v1.3.0", false, true, true},
		{"the newer one was removed", "v1.3.0", "v1.2.0", false, true, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			h := keepMachine(root)
			first := keepProgram(t, root, "one/agents-hooks", "first")
			must.Do(t, must.Err(keep.Put(h, keep.Source{Whole: first, Version: tc.has})))
			second := filepath.Join(root, "two", "agents-hooks")
			if tc.same {
				second = first
				must.Do(t, os.Remove(first))
			}
			keepProgram(t, filepath.Dir(second), "agents-hooks", "second program")
			if tc.gone {
				must.Do(t, os.Remove(first))
			}
			src := keep.Source{Whole: second, Version: tc.calls}
			if got := keep.Stale(h, second, tc.calls); got != tc.want {
				t.Fatalf("stale: %t, want %t", got, tc.want)
			}
			must.Do(t, keep.Renew(h, src))
			want := map[bool]string{true: "second program", false: "first"}[tc.want]
			if got := must.Read(t, keep.Program(h, keep.Lean)); got != want {
				t.Errorf("the copy is of %q, want %q", got, want)
			}
			if keep.Stale(h, second, tc.calls) {
				t.Error("a second call would make the copy again")
			}
			if !tc.gone && !tc.same && keep.Stale(h, first, tc.has) {
				t.Error("the first program would take the copy back: they take turns")
			}
		})
	}
}

// A copy that a full disk or a careful scanner left damaged guards nothing: the next call of
// the program that it is of makes it anew, and so does install.
func TestADamagedCopyIsMadeAnew(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text string
		mode       os.FileMode
	}{
		{"emptied", "", 0o700}, {"cut off", "th", 0o700}, {"another file", "something else", 0o700}, {"not a program", "whole", 0o600},
	} {
		if tc.mode == 0o600 && runtime.GOOS == "windows" {
			continue // which has no such bit
		}
		for program, whole := range map[string]string{keep.Lean: "the small one", keep.Whole: "all commands"} {
			t.Run(tc.name+" "+program, func(t *testing.T) {
				t.Parallel()
				text := tc.text
				if text == "whole" {
					text = whole
				}
				root := t.TempDir()
				h := keepMachine(root)
				src := keep.Source{Whole: keepProgram(t, root, "one/agents-hooks", "all commands"), Lean: keepProgram(t, root, "one/agents-hooks-run", "the small one"), Version: "v1.2.0"}
				put := func() error { _, err := keep.Put(h, src); return err }
				must.Do(t, put())
				for i, mend := range []func() error{func() error { return keep.Renew(h, src) }, put} {
					if keep.Stale(h, src.Whole, src.Version) || !keep.Stands(h) {
						t.Fatal("a whole copy is stale")
					}
					must.Do(t, os.Remove(keep.Program(h, program))) // it may be a link to the program itself
					must.Put(t, keep.Program(h, program), text, tc.mode)
					if !keep.Stale(h, src.Whole, src.Version) || keep.Stands(h) {
						t.Errorf("%d: nobody sees it", i)
					}
					must.Do(t, mend())
					if lean, whole := must.Read(t, keep.Program(h, keep.Lean)), must.Read(t, keep.Program(h, keep.Whole)); lean != "the small one" || whole != "all commands" || !keep.Stands(h) {
						t.Errorf("%d: %q and %q", i, lean, whole)
					}
				}
			})
		}
	}
}

// npm gives every file of every version the same time, and two releases easily have
// the same size.
func TestAnUpgradeOfTheSameSizeAndTimeRenewsTheCopy(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	h := keepMachine(root)
	at := time.Date(1985, 10, 26, 8, 15, 0, 0, time.UTC)
	var path string
	for _, version := range []string{"v1.2.0", "v1.3.0"} {
		path = keepProgram(t, root, "package/agents-hooks", version)
		must.Do(t, os.Chtimes(path, at, at))
		if version == "v1.2.0" {
			must.Do(t, must.Err(keep.Put(h, keep.Source{Whole: path, Version: version})))
			if err := os.Remove(path); err != nil { // a new file replaces it
				t.Fatal(err)
			}
		}
	}
	if !keep.Stale(h, path, "v1.3.0") {
		t.Fatal("the copy does not count as stale")
	}
	must.Do(t, keep.Renew(h, keep.Source{Whole: path, Version: "v1.3.0"}))
	if got := must.Read(t, keep.Program(h, keep.Whole)); got != "v1.3.0" || keep.Stale(h, path, "v1.3.0") {
		t.Errorf("the copy is of %s", got)
	}
}

// install is a user's decision: it takes a copy over, unless that is of a newer
// release which still exists.
func TestInstallTakesTheCopyOver(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ has, installs, newer string }{
		{"v1.3.0", "v1.2.0", "v1.3.0"}, {"v1.2.0", "v1.3.0", ""}, {"v1.3.0", "devel", ""}, {"devel", "v1.2.0", ""},
	} {
		t.Run(fmt.Sprintf("%s, newer %q", tc.installs, tc.newer), func(t *testing.T) {
			root := t.TempDir()
			h := keepMachine(root)
			must.Do(t, must.Err(keep.Put(h, keep.Source{Whole: keepProgram(t, root, "one/agents-hooks", "first"), Version: tc.has})))
			newer, err := keep.Put(h, keep.Source{Whole: keepProgram(t, root, "two/agents-hooks", "second"), Version: tc.installs})
			if err != nil || newer != tc.newer {
				t.Errorf("%s over %s: newer is %q, %v; want %q", tc.installs, tc.has, newer, err, tc.newer)
			}
			if got := must.Read(t, keep.Program(h, keep.Lean)); (got == "first") != (tc.newer != "") {
				t.Errorf("%s over %s: the copy is of the %s", tc.installs, tc.has, got)
			}
		})
	}
}

// Nothing but a private file is put there, and a failed copy leaves nothing behind.
func TestNoCopyWhereOthersWrite(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no modes")
	}
	root := t.TempDir()
	src := keep.Source{Whole: keepProgram(t, root, "package/agents-hooks", "x"), Version: "devel"}
	for name, lay := range map[string]func(h host.Host) error{
		"others write there": func(h host.Host) error {
			if err := os.MkdirAll(keep.Dir(h), 0o700); err != nil {
				return err
			}
			return os.Chmod(keep.Dir(h), 0o777)
		},
		"it is a link to where others write": func(h host.Host) error {
			if err := os.MkdirAll(h.Data, 0o700); err != nil {
				return err
			}
			shared := filepath.Join(filepath.Dir(h.Home), "shared")
			if err := os.Mkdir(shared, 0o700); err != nil {
				return err
			}
			if err := os.Chmod(shared, 0o777); err != nil {
				return err
			}
			return os.Symlink(shared, keep.Dir(h))
		},
		"it is a file": func(h host.Host) error {
			if err := os.MkdirAll(h.Data, 0o700); err != nil {
				return err
			}
			return os.WriteFile(keep.Dir(h), nil, 0o600)
		},
		"it is a link to nowhere": func(h host.Host) error {
			if err := os.MkdirAll(h.Data, 0o700); err != nil {
				return err
			}
			return os.Symlink("/nowhere/at/all", keep.Dir(h))
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := keepMachine(t.TempDir())
			must.Do(t, lay(h))
			if _, err := keep.Put(h, src); err == nil {
				t.Error("a copy was made")
			}
			if keep.Stands(h) {
				t.Error("a copy stands")
			}
		})
	}
}

// A user may keep the data directory elsewhere, behind a link of their own.
func TestADataDirectoryBehindALink(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	h := keepMachine(root)
	elsewhere := filepath.Join(root, "elsewhere")
	for _, dir := range []string{elsewhere, filepath.Dir(h.Data)} {
		must.Do(t, os.MkdirAll(dir, 0o700))
	}
	linktest.Make(t, elsewhere, h.Data)
	must.Do(t, must.Err(keep.Put(h, keep.Source{Whole: keepProgram(t, root, "package/agents-hooks", "x"), Version: "devel"})))
	if !keep.Is(h, filepath.Join(elsewhere, "bin", filepath.Base(keep.Program(h, keep.Whole)))) {
		t.Error("the copy is not known behind the link")
	}
	must.Do(t, must.Err(keep.Remove(h)))
	if list, _ := os.ReadDir(elsewhere); len(list) > 0 {
		t.Errorf("%v is left", list)
	}
}

func TestManyAtOnceLeaveOneWholeCopy(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	h := keepMachine(root)
	var sources []keep.Source
	for i := range 4 {
		text := bytes.Repeat([]byte{byte('a' + i)}, 1<<20)
		sources = append(sources, keep.Source{Whole: keepProgram(t, root, fmt.Sprintf("%d/agents-hooks", i), string(text)), Lean: keepProgram(t, root, fmt.Sprintf("%d/agents-hooks-run", i), string(text[:1<<10])), Version: "devel"})
	}
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			if _, err := keep.Put(h, sources[i%len(sources)]); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	now, _ := keep.Read(h)
	for _, src := range sources {
		if now.From == src.Whole && (must.Read(t, keep.Program(h, keep.Whole)) != must.Read(t, src.Whole) || must.Read(t, keep.Program(h, keep.Lean)) != must.Read(t, src.Lean)) {
			t.Error("the copy is not what copy.json says")
		}
	}
	list, _ := os.ReadDir(keep.Dir(h))
	if len(list) != 4 { // two programs, copy.json and its lock
		t.Errorf("%v is there", list)
	}
}

// Killed at any moment, both programs are complete, and the next call makes them the
// same build again.
func TestKilledWhileItIsMade(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	h := keepMachine(root)
	var paths []string
	var sums [][32]byte
	for _, c := range "ab" {
		text := bytes.Repeat([]byte(string(c)), 4<<20)
		paths = append(paths, keepProgram(t, root, string(c)+"/agents-hooks", string(text)))
		sums = append(sums, sha256.Sum256(text))
	}
	for round := range 6 {
		cmd := exec.Command(os.Args[0], "take-turns", root, paths[0], paths[1])
		out, err := cmd.StdoutPipe()
		must.Do(t, err)
		must.Do(t, cmd.Start())
		if line, _ := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
			t.Fatalf("the process says %q", line)
		}
		for !keep.Stands(h) {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(round) * 3 * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		for _, name := range []string{keep.Lean, keep.Whole} {
			if sum := sha256.Sum256([]byte(must.Read(t, keep.Program(h, name)))); sum != sums[0] && sum != sums[1] {
				t.Errorf("%s is half a program", name)
			}
		}
	}
	must.Do(t, os.Chtimes(paths[0], time.Now(), time.Now().Add(time.Hour)))
	must.Do(t, must.Err(keep.Put(h, keep.Source{Whole: paths[0], Version: "devel"})))
	if must.Read(t, keep.Program(h, keep.Lean)) != must.Read(t, paths[0]) || must.Read(t, keep.Program(h, keep.Whole)) != must.Read(t, paths[0]) {
		t.Error("after that the copy is not of one build")
	}
	if list, _ := os.ReadDir(keep.Dir(h)); len(list) != 4 {
		t.Errorf("%v is there", list)
	}
}
