package runner

import (
	"os"
	"runtime"
	"testing"
)

// The nearest ancestor is the parent, and the list ends before the first process of all.
func TestAncestorsBeginWithTheParent(t *testing.T) {
	t.Parallel()
	pids := Ancestors()
	if parent := os.Getppid(); parent > 1 && (len(pids) == 0 || pids[0] != parent) || len(pids) > 8 {
		t.Errorf("%v, the parent is %d", pids, parent)
	}
	if runtime.GOOS == "linux" && len(pids) > 1 && pids[1] != parentOf(pids[0]) {
		t.Errorf("%v: of %d it is %d", pids, pids[0], parentOf(pids[0]))
	}
}
