package conformance

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// canSeeProcesses says whether marked can find anything on this system.
const canSeeProcesses = true

// newest is the id that the kernel gave last to a process or thread, 0 where it
// does not say.
func newest() int {
	load, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	id, _ := strconv.Atoi(strings.TrimSpace(string(load[bytes.LastIndexByte(load, ' ')+1:])))
	return id
}

// marked finds the processes, begun after the one called since, whose environment
// holds mark, or that work below dir: all that a case has started, wherever in the tree
// of processes they went. A process that has ended and was not waited for has neither
// any more. Ids are given in order, so that a few are looked at and not the whole of
// /proc, which costs more than all else that the suite itself does.
func marked(mark, dir string, since int) (pids []int) {
	last := newest()
	if since <= 0 || last < since {
		return markedOf(mark, dir, everyProcess())
	}
	ids := make([]int, 0, last-since)
	for id := since + 1; id <= last; id++ {
		ids = append(ids, id)
	}
	return markedOf(mark, dir, ids)
}

func everyProcess() (ids []int) {
	names, _ := filepath.Glob("/proc/[0-9]*")
	for _, name := range names {
		if id, err := strconv.Atoi(filepath.Base(name)); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

func markedOf(mark, below string, ids []int) (pids []int) {
	for _, id := range ids {
		dir := "/proc/" + strconv.Itoa(id)
		if id == os.Getpid() {
			continue
		}
		env, _ := os.ReadFile(dir + "/environ")
		if !bytes.Contains(env, []byte(mark)) {
			if at, err := os.Readlink(dir + "/cwd"); err != nil || !strings.HasPrefix(at, below+"/") {
				continue
			}
		}
		// A thread has a folder here too, which is not listed.
		if status, err := os.ReadFile(dir + "/status"); err == nil && bytes.Contains(status, []byte("\nTgid:\t"+strconv.Itoa(id)+"\n")) {
			pids = append(pids, id)
		}
	}
	return pids
}
