//go:build unix

package host

import (
	"os"
	"strconv"
	"strings"
)

// AccountHome is the home directory that the account database knows, for a
// process that was started without HOME. It reads the file itself: os/user
// would make a cgo build a dynamic one, which costs each event more than all
// the rest of this package.
func (Host) AccountHome() string {
	b, err := os.ReadFile("/etc/passwd")
	if err != nil {
		return ""
	}
	uid := strconv.Itoa(os.Getuid())
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimSpace(line), ":")
		if len(f) >= 6 && f[2] == uid {
			return f[5]
		}
	}
	return ""
}

// systemDir is where Windows keeps what is of all its users.
func systemDir() string { return "" }

// machineEnv is nothing: no variable says where a Unix is.
func machineEnv() map[string]string { return nil }
