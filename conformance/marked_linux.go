package conformance

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// canSeeProcesses says whether marked can find anything on this system.
const canSeeProcesses = true

// marked finds the processes whose environment holds mark: all that a case has
// started, wherever in the tree of processes they went. A process that has
// ended and was not waited for has no environment any more.
func marked(mark string) []int {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	var pids []int
	for _, f := range files {
		env, err := os.ReadFile(f)
		if err != nil || !bytes.Contains(env, []byte(mark)) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
}
