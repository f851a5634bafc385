package main

import (
	"io"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/dispatch"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

func TestAShortEventRunsOnOneCoreAndALongOneOnAll(t *testing.T) {
	if cores := runtime.GOMAXPROCS(0); cores != 1 {
		t.Errorf("it starts on %d cores", cores)
	}
	defer runtime.GOMAXPROCS(1) // as it starts, when this is played again
	runtime.SetDefaultGOMAXPROCS()
	all := runtime.GOMAXPROCS(1)
	stdin, agent, err := os.Pipe() // as an agent gives it: it is waited for in a system call
	must.Do(t, err)
	defer stdin.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		dispatch.Verb(host.New(nil, runtime.GOOS, t.TempDir(), "", time.Now), []string{"run"}, stdin, io.Discard, io.Discard)
	}()
	for runtime.GOMAXPROCS(0) != all { // the agent says nothing yet
		time.Sleep(time.Millisecond)
	}
	agent.Close()
	<-done
}
