package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const tick = time.Second / 100 // Linux' unit, on every machine that Go runs on

// spent is the CPU time of a process, and of a database with all that it started. 0 if
// the system does not report it in files.
func spent(pid, postmaster int) (d time.Duration) {
	own := stat(pid)
	d = own.time
	if postmaster == 0 {
		return d
	}
	p := stat(postmaster)
	d += p.time + p.ended
	list, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range list {
		if id, err := strconv.Atoi(filepath.Base(dir)); err == nil {
			if c := stat(id); c.parent == postmaster {
				d += c.time
			}
		}
	}
	return d
}

// others is the CPU time since boot of everything except the service, its database and
// this program.
func others(pid, postmaster int) time.Duration {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(text), "\n")
	var busy time.Duration
	for i, f := range strings.Fields(line) {
		// user, nice, system and interrupts; idle and waiting do not count.
		if n, err := strconv.ParseInt(f, 10, 64); err == nil && i != 4 && i != 5 {
			busy += time.Duration(n) * tick
		}
	}
	return busy - spent(pid, postmaster) - stat(os.Getpid()).time
}

type process struct {
	parent      int
	time, ended time.Duration // its own, and its finished children's
}

func stat(pid int) (p process) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return p
	}
	// The name may contain anything, and ends with the last bracket.
	f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(f) < 15 {
		return p
	}
	n := func(i int) time.Duration {
		v, _ := strconv.ParseInt(f[i], 10, 64)
		return time.Duration(v)
	}
	return process{parent: int(n(1)), time: (n(11) + n(12)) * tick, ended: (n(13) + n(14)) * tick}
}

func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "–"
	}
	one, _, _ := strings.Cut(string(text), " ")
	return one
}
