package runner

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// endStrays ends what the process has left, and what began with it and after it.
func (p *process) endStrays(began time.Time) { endStrays(began, p.pid) }

// endStrays ends everything that descends from this process and began after since,
// except programs of ours: what a stopped hook has left in other groups and sessions,
// if main made this process their parent (PR_SET_CHILD_SUBREAPER). What earlier hooks
// left is older, and stays. /proc counts hundredths of a second, so of the processes
// that began in the same one as since only those that came after the process first are
// meant. New ones may be started meanwhile, so it looks until there are none.
func endStrays(since time.Time, first int) {
	own, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	for end := time.Now().Add(200 * time.Millisecond); time.Now().Before(end); time.Sleep(time.Millisecond) {
		found := false
		for _, pid := range descendants(os.Getpid(), own, ticksAt(since), first) {
			found = syscall.Kill(pid, syscall.SIGKILL) == nil || found
		}
		if !found {
			return
		}
	}
}

// descendants are the living processes below one, without those that run a program
// of ours, those that began before since, or with it and before first, and what is
// below these.
func descendants(top int, own string, since ticks, first int) (pids []int) {
	children := map[int][]int{}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if s, ok := statOf(pid); ok && s.parent > 0 && !s.dead && (s.began > since || s.began == since && pid > first) {
			children[s.parent] = append(children[s.parent], pid)
		}
	}
	for todo := children[top]; len(todo) > 0; todo = todo[1:] {
		pid := todo[0]
		exe, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe")
		if err == nil && isOurs(exe, own) {
			continue
		}
		pids = append(pids, pid)
		todo = append(todo, children[pid]...)
	}
	return pids
}

// isOurs reports whether a program is this one, or the one of all commands beside it.
func isOurs(exe, own string) bool {
	whole := func(path string) string { return strings.TrimSuffix(filepath.Base(path), "-run") }
	return exe == own || filepath.Dir(exe) == filepath.Dir(own) && whole(exe) == whole(own)
}

// allDead reports whether all that is left of a process group has ended.
func allDead(group int) bool {
	entries, err := os.ReadDir("/proc")
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			if s, ok := statOf(pid); ok && s.group == group && !s.dead {
				return false
			}
		}
	}
	return err == nil
}

// ticks is a time in the unit of /proc: hundredths of a second since the system began.
type ticks uint64

func ticksAt(at time.Time) ticks {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return 0
	}
	return ticks(max(now.Nano()-int64(time.Since(at)), 0) / 1e7)
}

// A stat is what /proc says of a process.
type stat struct {
	parent, group int
	began         ticks
	dead          bool // it has ended, and only waits to be asked how
}

func statOf(pid int) (s stat, ok bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return s, false
	}
	// The name, in parentheses, may hold anything.
	fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	if len(fields) < 20 {
		return s, false
	}
	s.parent, _ = strconv.Atoi(fields[1])
	s.group, _ = strconv.Atoi(fields[2])
	at, _ := strconv.ParseUint(fields[19], 10, 64)
	s.began, s.dead = ticks(at), fields[0] == "Z" || fields[0] == "X"
	return s, true
}

// Reap waits for processes that hooks left behind and that have ended: they become
// children of this process if its main made it a subreaper, and would stay zombies. No
// hook may run meanwhile.
func Reap() {
	for {
		if pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil); err != nil || pid <= 0 {
			return
		}
	}
}

// limitMemory bounds what a process may have of memory of its own.
func (p *process) limitMemory(bytes uint64) {
	_ = unix.Prlimit(p.pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: bytes, Max: bytes}, nil)
}
