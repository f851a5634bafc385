//go:build unix

package ledger

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// The test program runs itself as its own writers.
func TestMain(m *testing.M) {
	role, args, ok := strings.Cut(os.Getenv("LEDGER_TEST"), "\n")
	if !ok {
		os.Exit(m.Run())
	}
	part := strings.Split(args, "\n")
	switch role {
	case "writer": // notes until it is killed, and says what it noted
		for i := 0; ; i++ {
			l := At(part[0], part[1])
			if err := l.Note(LineKey(fmt.Appendf(nil, "%s %d", part[2], i))); err != nil {
				fmt.Println("error", err)
				os.Exit(1)
			}
			if i%40 == 39 {
				if err := l.Let(Memory, []Key{LineKey(fmt.Appendf(nil, "let %s %d", part[2], i))}); err != nil {
					fmt.Println("error", err)
					os.Exit(1)
				}
			}
			fmt.Println(i)
		}
	case "full": // may write no file above 4 KiB, which is what a full disk looks like
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4096, Max: 4096}); err != nil {
			fmt.Println("error", err)
		}
		var told error
		l := At(part[0], part[1])
		l.Failed = func(err error) { told = err }
		for i := range 400 {
			if l.NoteLine(nil, fmt.Appendf(nil, "full %d", i)); told != nil {
				fmt.Println(i, told)
				break
			}
		}
		fmt.Println("let", l.Let(Memory, []Key{{1}}))
	}
	os.Exit(0)
}

func child(role string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "LEDGER_TEST="+role+"\n"+strings.Join(args, "\n"))
	return cmd
}

// What a process said that it noted is known after it was killed, whatever it was
// doing, and whatever the others were.
func TestKilledWritersLoseNothing(t *testing.T) {
	t.Parallel()
	state, root := at(t)
	var mu sync.Mutex
	noted := map[string]bool{}
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for round := range 5 {
				name := fmt.Sprintf("w%d-%d", w, round)
				cmd := child("writer", state, root, name)
				out, err := cmd.StdoutPipe()
				if err != nil {
					t.Error(err)
					return
				}
				if err := cmd.Start(); err != nil {
					t.Error(err)
					return
				}
				lines := bufio.NewScanner(out)
				for n := 0; lines.Scan(); n++ {
					if strings.HasPrefix(lines.Text(), "error") {
						t.Error(lines.Text())
						break
					}
					mu.Lock()
					noted[name+" "+lines.Text()] = true
					mu.Unlock()
					if n == 30+17*round {
						break
					}
				}
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			}
		})
	}
	wg.Wait()
	l := At(state, root)
	if len(noted) < 500 || l.Err() != nil {
		t.Fatalf("%d noted, %v", len(noted), l.Err())
	}
	for line := range noted {
		if l.Of(LineKey([]byte(line))) != Own {
			t.Errorf("%q was noted, and is not known", line)
		}
	}
}

// A full disk takes nothing away that was known, and is said.
func TestFullDiskIsSaid(t *testing.T) {
	t.Parallel()
	state, root := at(t)
	must.Do(t, At(state, root).Note(LineKey([]byte("before"))))
	out, err := child("full", state, root).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var last int
	if _, err := fmt.Sscan(string(out), &last); err != nil || strings.Count(string(out), "file too large") != 2 {
		t.Fatalf("%v: %s", err, out)
	}
	l := At(state, root)
	for i := range last {
		if l.Of(LineKey(fmt.Appendf(nil, "full %d", i))) != Own {
			t.Errorf("%d was noted, and is lost", i)
		}
	}
	if l.Err() != nil || l.Of(LineKey([]byte("before"))) != Own || l.Of(LineKey(fmt.Appendf(nil, "full %d", last))) != Nobody {
		t.Errorf("%v", l.Err())
	}
}
