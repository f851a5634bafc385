// Package confine starts a process that may do less than the one that starts it:
// it reads and writes what a list says, reaches no network and no other process,
// and gains no privileges. What it starts in turn is held to the same.
//
//	rules := confine.Rules{Read: []string{project}, Write: []string{state}}
//	err := rules.Do(func() { pid, err = syscall.ForkExec(…) })
//
// # How
//
// On Linux by Landlock, for files, TCP and signals, and by seccomp, for all that
// Landlock leaves open. Both hold for a thread and for what it starts. So
// [Rules.Do] confines one thread of this process, starts the other process from
// it, and lets the thread end: this process itself stays as it was, and no second
// program stands between it and the one that is started. That is worth having: a
// Go program that confines itself and then executes another one costs each start
// 1.5 ms, this a quarter of a millisecond.
//
// # What a confined process cannot do
//
//   - open, create, remove, rename or link a file that the lists do not name, nor
//     run one; the processes of others in /proc are such files
//   - change mode, owner, flags or extended attributes of any file, or the times of
//     one that it has not opened: nothing tells its own files from others there
//   - make a socket, but for a pair that is connected already; with Network, one
//     of IPv4 or IPv6 that is no raw one
//   - signal, trace, read, slow down or limit a process outside, or share memory,
//     semaphores or queues of System V with one
//   - gain privileges by a set-user-id program, enter or make a namespace, mount,
//     load code into the kernel, set a clock, watch files, type into a terminal
//   - use what this process had open but for stdin, stdout and stderr
//   - call the kernel by the numbers of another architecture, or by numbers that
//     were not known when this was written
//
// A process whose user is root keeps root's way past the modes of files, inside
// the lists, and no other capability.
//
// What it can still do, because neither mechanism sees it: ask whether a file is
// there, how large and how old it is, and follow where a link leads; read the
// environment that it is given; use up processor and memory.
//
// # Where it cannot be had
//
// [Supported] says what this system enforces. Landlock before its sixth version
// (Linux 6.12) does not keep signals back. Another system than Linux, and another
// processor than amd64 and arm64, enforces nothing.
package confine

// Rules say what a confined process may do. A path that does not exist is no
// error. What may be read may be executed, and what may be written may be read.
type Rules struct {
	Read    []string // files, and folders with all below them
	Write   []string
	Network bool // TCP and UDP over IPv4 and IPv6

	// ReadBelow and WriteBelow are relative to Root, and not followed out of it:
	// whoever wrote what lies there may have put a link in the way.
	Root                  string
	ReadBelow, WriteBelow []string
}

// Support is what a system can enforce.
type Support struct {
	Landlock int  // the version of its interface, 0 if there is none
	Seccomp  bool // system calls can be filtered
	System   bool // there is something to confine with on such a system at all
}

// Missing is what is not enforced, in words; empty if all of it is.
func (s Support) Missing() []string {
	var out []string
	if s.Landlock == 0 {
		out = append(out, "files")
	}
	if !s.Seccomp {
		out = append(out, "network", "processes")
	}
	if s.Landlock < scopes {
		out = append(out, "signals")
	}
	return out
}

// Nothing reports whether nothing at all can be enforced.
func (s Support) Nothing() bool { return s.Landlock == 0 && !s.Seccomp }

// Version of Landlock from which on it keeps signals back.
const scopes = 6
