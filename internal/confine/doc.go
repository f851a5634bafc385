// Package confine starts a process with fewer rights than its parent: it can read and
// write only what a list allows, reaches no network and no other process, and gains no
// privileges. The same applies to all processes that it starts.
//
//	rules := confine.Rules{Read: []string{project}, Write: []string{state}}
//	err := rules.Do(func() { pid, err = syscall.ForkExec(…) })
//
// # How
//
// On Linux it uses Landlock for files, TCP and signals, and seccomp for everything that
// Landlock does not cover. Both apply to a thread and its children. So [Rules.Do]
// confines one thread of this process, starts the other process from it, and lets the
// thread end. This process stays unconfined, and no intermediate program is needed: a
// Go program that confines itself and then executes another one would cost each start
// 1.5 ms, this costs a quarter of a millisecond.
//
// # What a confined process cannot do
//
//   - open, create, remove, rename, link or execute a file that is not in the lists, which
//     includes other processes' files in /proc
//   - change mode, owner, flags or extended attributes of any file, or the times of one that
//     it has not opened, since neither mechanism can tell its own files from others there
//   - create a socket, except a connected pair; with Network, except an IPv4 or IPv6 socket
//     that is not raw
//   - signal, trace, read, slow down or limit a process outside, or share System V memory,
//     semaphores or queues with one
//   - gain privileges through a set-user-id program, enter or create a namespace, mount, load
//     code into the kernel, set a clock, watch files, type into a terminal
//   - use open files of this process other than stdin, stdout and stderr
//   - make system calls of another architecture, or ones that were unknown when this was
//     written
//
// A process of root keeps the capability to bypass file modes, inside the lists, and no
// other.
//
// What neither mechanism prevents: checking whether a file exists, its size and age,
// and where a link leads; reading its own environment; using processor time and memory.
//
// # Where it is not available
//
// [Supported] says what this system enforces. Landlock before its sixth version (Linux
// 6.12) does not block signals. Systems other than Linux, and processors other than
// amd64 and arm64, enforce nothing.
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
