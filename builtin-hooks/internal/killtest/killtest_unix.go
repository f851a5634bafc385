//go:build unix

// Package killtest kills processes, for tests of code that must lose nothing that it
// has acknowledged.
package killtest

import (
	"bufio"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Play starts n workers at once, each the running test program with the arguments
// of its number and env in its environment, and kills each with SIGKILL at a
// random moment after 1 to most lines of its stdout. It returns what all of them
// wrote there, which is what they were told is kept.
func Play(t *testing.T, n, most int, env string, args func(i int) []string) (acks []string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range n {
		cmd := exec.Command(self, args(i)...)
		cmd.Env = append(cmd.Environ(), env)
		cmd.Stderr = t.Output()
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		after := 1 + rand.IntN(most)
		all.Go(func() {
			lines := bufio.NewScanner(out)
			for n := 1; lines.Scan(); n++ {
				mu.Lock()
				acks = append(acks, lines.Text())
				mu.Unlock()
				if n == after {
					time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond) // any moment will do
					_ = cmd.Process.Signal(syscall.SIGKILL)
				}
			}
			_ = cmd.Wait()
		})
	}
	all.Wait()
	return acks
}
