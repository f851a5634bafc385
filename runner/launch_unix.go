//go:build unix

package runner

import (
	"io/fs"
	"syscall"
)

const separators = "/"

// standardPath is appended to a PATH that lacks it, as that of an agent started
// from a desktop often does.
var standardPath = []string{"/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin", "/opt/homebrew/bin"}

func executableExts([]string) []string { return []string{""} }

func executable(info fs.FileInfo) bool { return info.Mode()&0o111 != 0 }

const executeBit = 1 // X_OK

// mayExecute reports whether this user may execute a file, or enter a directory.
func mayExecute(path string) bool { return syscall.Access(path, executeBit) == nil }
