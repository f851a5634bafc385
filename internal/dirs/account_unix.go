//go:build unix

package dirs

import (
	"os"
	"strconv"
	"strings"
)

// Account is the home directory that the account database knows, for a
// process that was started without HOME. It reads the file itself: os/user
// would make a cgo build a dynamic one, which costs each event more than all
// the rest of this package.
func Account() string {
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
