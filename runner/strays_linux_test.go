package runner

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// inherits is a dispatcher that what a hook leaves behind becomes a child of, and
// that asks nobody how it ended.
func inherits() int {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return 1
	}
	h := &discovery.Hook{Name: "h", Entry: discovery.Entry{Argv: []string{os.Getenv("HOOK")}}, Trigger: protocol.PreToolCall, Status: discovery.Ready, Timeout: time.Second}
	began := time.Now()
	rep := (&Runner{Grace: 20 * time.Second}).Run(context.Background(), event(protocol.PreToolCall), set(h))
	fmt.Print(rep.Results[0].Verdict, " ", time.Since(began) < 10*time.Second, " ", rep.Results[0].Warning)
	return 0
}

// What has ended at the time limit is not waited for until the grace is over, though
// nobody has asked yet how it ended; and what the hook wrote by then is told.
func TestTheDeadAreNotWaitedFor(t *testing.T) {
	t.Parallel()
	got := inRole(t, "inherits", "HOOK="+hook("tree-said").Entry.Path, "OUT="+t.TempDir()+"/out")
	if !strings.HasPrefix(got, "timeout true was stopped after 1s, its time limit: almost there") {
		t.Errorf("got %q", got)
	}
}
