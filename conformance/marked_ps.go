//go:build unix && !linux

package conformance

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// canSeeProcesses says whether marked can find anything on this system.
const canSeeProcesses = true

// newest is for systems on which a look at every process is dear.
func newest() int { return 0 }

// marked finds the processes whose environment holds mark, by ps: with e it
// prints the environment of one's own processes behind the command.
func marked(mark, _ string, _ int) []int {
	out, err := exec.Command("ps", "-axeww", "-o", "pid=,command=").Output()
	if err != nil {
		return nil
	}
	var pids []int
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 2 || !strings.Contains(lines.Text(), mark) {
			continue
		}
		if pid, err := strconv.Atoi(fields[0]); err == nil && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
}
