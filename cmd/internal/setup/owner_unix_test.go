//go:build unix

package setup

import (
	"os"
	"syscall"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

func ownerOf(t *testing.T, path string) (uid, gid int) {
	t.Helper()
	info, err := os.Stat(path)
	must.Do(t, err)
	st := info.Sys().(*syscall.Stat_t)
	return int(st.Uid), int(st.Gid)
}
