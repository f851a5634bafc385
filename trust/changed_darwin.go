package trust

import (
	"io/fs"
	"syscall"
)

// changed is when a file, or what is known of it, was last changed.
func changed(info fs.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ctimespec.Nano()
	}
	return info.ModTime().UnixNano()
}
