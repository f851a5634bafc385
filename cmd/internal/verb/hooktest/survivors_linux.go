package hooktest

import (
	"bytes"
	"os"
	"path/filepath"
)

// processesWith are the processes whose initial environment has a variable. known is false if
// that cannot be determined.
func processesWith(variable string) (list []string, known bool) {
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(dirs) == 0 {
		return nil, false
	}
	for _, dir := range dirs {
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil {
			continue // gone, or somebody else's
		}
		for kv := range bytes.SplitSeq(env, []byte{0}) {
			if string(kv) == variable {
				cmd, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
				list = append(list, filepath.Base(dir)+" "+string(bytes.TrimSpace(bytes.ReplaceAll(cmd, []byte{0}, []byte{' '}))))
				break
			}
		}
	}
	return list, true
}
