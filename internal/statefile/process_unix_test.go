//go:build unix

package statefile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// The test program runs itself as its own workers.
func TestMain(m *testing.M) {
	role, dir, ok := strings.Cut(os.Getenv("STATEFILE_TEST"), ":")
	if !ok {
		os.Exit(m.Run())
	}
	switch role {
	case "worker":
		worker(dir, os.Args[1])
	case "hundred":
		hundred(dir)
	case "nobody":
		nobody(dir)
	case "full":
		full(dir)
	}
	os.Exit(0)
}

func child(t *testing.T, role, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	must.Do(t, err)
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), "STATEFILE_TEST="+role+":"+dir)
	cmd.Stderr = os.Stderr
	return cmd
}

// Each entry carries a tail of its own number, long enough for several pages, so
// that a torn one is seen.
func entry(id string, n int) string {
	return fmt.Sprintf("%s %d %s", id, n, strings.Repeat(strconv.Itoa(n%10), 100+n%9000))
}

// worker appends to one file and updates another one until it is killed, and
// acknowledges each write on stdout after it returned.
func worker(dir, id string) {
	for n := 0; ; n++ {
		fail(Append(filepath.Join(dir, "log"), wait, []byte(entry(id, n))))
		fmt.Println("log", id, n)
		fail(Update(filepath.Join(dir, "state"), wait, func(old []byte) ([]byte, error) {
			var kept []string // of each worker the last entry
			for line := range strings.Lines(string(old)) {
				if !strings.HasPrefix(line, id+" ") {
					kept = append(kept, line)
				}
			}
			return []byte(strings.Join(kept, "") + entry(id, n) + "\n"), nil
		}))
		fmt.Println("state", id, n)
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Nothing that was acknowledged is lost, and nothing is torn, when writers
// are killed at random points; and no lock outlives its owner.
func TestKilledWritersLoseAndTearNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	acked := map[string]int{} // "log id n" → 1, "state id" → n
	var mu sync.Mutex
	var wg sync.WaitGroup
	for lane := range 4 {
		wg.Go(func() {
			for life := range slowtest.Count(15, 40) {
				id := fmt.Sprintf("w%d-%d", lane, life)
				for _, ack := range killedAfter(t, dir, id, 1+rand.IntN(12)) {
					var kind, who string
					var n int
					if _, err := fmt.Sscan(ack, &kind, &who, &n); err != nil {
						continue // the kill cut this acknowledgement
					}
					mu.Lock()
					if kind == "log" {
						acked[ack] = 1
					} else {
						acked["state "+who] = n
					}
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	// The last writer may have been killed inside an append.
	must.Do(t, Append(filepath.Join(dir, "log"), wait, []byte(entry("end", 0))))

	logged := entries(t, filepath.Join(dir, "log"))
	state := entries(t, filepath.Join(dir, "state"))
	last := map[string]int{}
	seen := map[string]bool{}
	for _, e := range logged {
		if seen[e] {
			t.Errorf("line %q stands twice", e)
		}
		seen[e] = true
	}
	for _, e := range state {
		who, n, _ := strings.Cut(e, " ")
		last[who], _ = strconv.Atoi(n)
	}
	for ack, n := range acked {
		kind, what, _ := strings.Cut(ack, " ")
		if kind == "log" && !seen[what] {
			t.Errorf("acknowledged line %q is lost", what)
		}
		if kind == "state" && last[what] < n {
			t.Errorf("%s acknowledged update %d, the file has %d", what, n, last[what])
		}
	}
	if len(acked) < 160 {
		t.Errorf("only %d writes were acknowledged; the test proves nothing", len(acked))
	}
}

// killedAfter starts a worker, kills it somewhere after its n-th
// acknowledgement, and returns all that it acknowledged.
func killedAfter(t *testing.T, dir, id string, n int) (acks []string) {
	cmd := child(t, "worker", dir, id)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Error(err)
		return nil
	}
	lines := bufio.NewScanner(out)
	spin := rand.IntN(200_000)
	for lines.Scan() {
		acks = append(acks, lines.Text())
		if len(acks) == n {
			for range spin { // a random moment between two acknowledgements
				n++
			}
			cmd.Process.Kill()
		}
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Errorf("worker %s ended with %v, not by our kill", id, err)
	}
	return acks
}

// entries returns "id n" of each line, after checking that the line is whole.
func entries(t *testing.T, path string) (out []string) {
	b, err := Read(path)
	must.Do(t, err)
	for line := range bytes.Lines(b) {
		var id string
		var n int
		if _, err := fmt.Sscan(string(line), &id, &n); err != nil || string(line) != entry(id, n)+"\n" {
			t.Errorf("%s: torn line %.60q…", path, line)
			continue
		}
		out = append(out, fmt.Sprint(id, " ", n))
	}
	return out
}

func hundred(dir string) {
	for range 100 {
		fail(Update(filepath.Join(dir, "count"), wait, func(old []byte) ([]byte, error) {
			n, _ := strconv.Atoi(string(old))
			return []byte(strconv.Itoa(n + 1)), nil
		}))
		fail(Append(filepath.Join(dir, "log"), wait, []byte("line")))
	}
}

// 32 dispatchers, 100 events each: counters exact, lines whole.
func TestManyProcessesCountExactly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var wg sync.WaitGroup
	writers := slowtest.Count(8, 32)
	for range writers {
		wg.Go(func() {
			if err := child(t, "hundred", dir).Run(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	want(t, filepath.Join(dir, "count"), strconv.Itoa(100*writers))
	want(t, filepath.Join(dir, "log"), strings.Repeat("line\n", 100*writers))
	if names := list(t, dir); names != "count count.lock log log.lock" {
		t.Errorf("directory holds %s", names)
	}
}

func nobody(dir string) {
	if os.Getuid() == 0 {
		fail(syscall.Setuid(65534))
	}
	for _, path := range []string{filepath.Join(dir, "state"), filepath.Join(dir, "sub", "state")} {
		fmt.Println(Update(path, wait, func([]byte) ([]byte, error) { return []byte("x"), nil }))
		fmt.Println(Append(path, wait, []byte("x")))
	}
}

// A state directory that cannot be written is a clear error at once.
func TestReadOnlyDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must.Do(t, os.Chmod(dir, 0o555))
	out, err := child(t, "nobody", dir).Output()
	must.Do(t, err)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != 4 {
		t.Fatalf("output %q", out)
	}
	for _, line := range lines {
		if !strings.Contains(line, dir) || !strings.Contains(line, "permission denied") {
			t.Errorf("error %q does not name the place and the cause", line)
		}
	}
	if names := list(t, dir); names != "" {
		t.Errorf("directory holds %s", names)
	}
}

// full is not allowed any file above 4 KiB: a short write, then EFBIG, which is
// what a full disk looks like to a writer.
func full(dir string) {
	signal.Ignore(syscall.SIGXFSZ)
	fail(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4096, Max: 4096}))
	big := bytes.Repeat([]byte("x"), 10_000)
	fmt.Println(Append(filepath.Join(dir, "log"), wait, big))
	fmt.Println(Update(filepath.Join(dir, "state"), wait, func([]byte) ([]byte, error) { return big, nil }))
	fmt.Println(UpdateDurable(filepath.Join(dir, "state"), wait, func([]byte) ([]byte, error) { return big, nil }))
}

// A full disk is a clear error, and leaves the old content behind.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"log", "state"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte("old\n"), 0o600))
	}
	out, err := child(t, "full", dir).Output()
	must.Do(t, err)
	if n := strings.Count(string(out), "file too large"); n != 3 {
		t.Errorf("want three clear errors, have:\n%s", out)
	}
	want(t, filepath.Join(dir, "log"), "old\n")
	want(t, filepath.Join(dir, "state"), "old\n")
	if names := list(t, dir); names != "log log.lock state state.lock" {
		t.Errorf("directory holds %s", names)
	}
}

func TestErrorsOfPaths(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	err := Append(filepath.Join(dir, "file", "log"), wait, []byte("x"))
	if !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("a file in place of the directory: %v", err)
	}
	must.Do(t, os.Mkdir(filepath.Join(dir, "state.lock"), 0o700))
	var pe *fs.PathError
	if err := Append(filepath.Join(dir, "state"), wait, []byte("x")); !errors.As(err, &pe) {
		t.Errorf("a directory in place of the lock: %v", err)
	}
}
