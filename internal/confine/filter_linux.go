//go:build linux && (amd64 || arm64)

package confine

import (
	"slices"

	"golang.org/x/sys/unix"
)

// What a call that is filtered comes to.
const (
	allowed = unix.SECCOMP_RET_ALLOW
	killed  = unix.SECCOMP_RET_KILL_PROCESS
	denied  = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	noTTY   = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOTTY)
	unknown = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
)

// last is the highest system call that is known here. What a later kernel adds
// does not exist for a confined process: libraries ask again in the old way.
const last = unix.SYS_RSEQ_SLICE_YIELD

// calls are those that no confined process may make, on every architecture;
// legacy has those that only an older one has.
func calls() []uint32 {
	return append(legacy(),
		// Attributes of files, of which Landlock knows nothing.
		unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT,
		unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETXATTRAT,
		unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_REMOVEXATTRAT, unix.SYS_FILE_SETATTR,
		// Files by another name than a path, and what happens to those of others.
		unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT,
		unix.SYS_FANOTIFY_INIT, unix.SYS_FANOTIFY_MARK, unix.SYS_INOTIFY_ADD_WATCH,
		// What other calls do, past this filter.
		unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
		// Other processes.
		unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP,
		unix.SYS_PROCESS_MADVISE, unix.SYS_PROCESS_MRELEASE, unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES,
		unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
		unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL,
		unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
		// The kernel, and what the system is made of.
		unix.SYS_BPF, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
		unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_OPEN_TREE_ATTR, unix.SYS_MOUNT_SETATTR,
		unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_STATMOUNT, unix.SYS_LISTMOUNT, unix.SYS_LISTNS,
		unix.SYS_CHROOT, unix.SYS_PIVOT_ROOT, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_LSM_SET_SELF_ATTR,
		unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
		unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_REBOOT, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_SYSLOG,
		unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_ADJTIMEX, unix.SYS_CLOCK_ADJTIME,
		unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_VHANGUP, unix.SYS_NFSSERVCTL,
	)
}

// network are the calls that only a process with a network may make.
func network() []uint32 {
	return []uint32{unix.SYS_SOCKET, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4}
}

// New namespaces, in the flags of clone.
const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// A rule is what becomes of one call.
type rule struct {
	nr uint32
	p  program
}

// judged are the calls whose arguments decide.
func (r Rules) judged() []rule {
	var p program
	own := p.arg(1).unless(denied, 0).allow() // a process id: its own is 0
	self := p.arg(0).unless(denied, 0).allow()
	rules := []rule{
		{unix.SYS_CLONE, p.arg(0).anyOf(namespaces, denied).allow()},
		// A pair that is connected and stays so: datagrams could be sent elsewhere.
		{unix.SYS_SOCKETPAIR, p.arg(0).unless(denied, unix.AF_UNIX).arg(1).and(0xf).unless(denied, unix.SOCK_STREAM, unix.SOCK_SEQPACKET).allow()},
		{unix.SYS_IOCTL, p.arg(1).unless(noTTY, ioctls()...).allow()},
		// A lease makes others wait, who open the file.
		{unix.SYS_FCNTL, p.arg(1).when(denied, unix.F_SETLEASE, unix.F_NOTIFY).allow()},
		// By a descriptor alone, which is what touch does.
		{unix.SYS_UTIMENSAT, p.arg(1).unless(denied, 0).high(1).unless(denied, 0).allow()},
		// Limits and priorities of others.
		{unix.SYS_PRLIMIT64, self}, {unix.SYS_SCHED_SETAFFINITY, self}, {unix.SYS_SCHED_SETSCHEDULER, self}, {unix.SYS_SCHED_SETPARAM, self}, {unix.SYS_SCHED_SETATTR, self},
		{unix.SYS_SETPRIORITY, p.arg(0).unless(denied, unix.PRIO_PROCESS).then(own)},
		{unix.SYS_IOPRIO_SET, p.arg(0).unless(denied, ioprioProcess).then(own)},
	}
	if r.Network {
		return append(rules, rule{unix.SYS_SOCKET, p.arg(0).unless(denied, unix.AF_INET, unix.AF_INET6).
			arg(1).and(0xf).unless(denied, unix.SOCK_STREAM, unix.SOCK_DGRAM).allow()})
	}
	return rules
}

const ioprioProcess = 1

// ioctls are those of files, pipes and terminals that change nothing but the
// descriptor, or what may be written anyway.
func ioctls() []uint32 {
	return []uint32{
		unix.TCGETS, unix.TCGETS2, unix.TCSETS, unix.TCSETSW, unix.TCSETSF, unix.TIOCGWINSZ, unix.TIOCGPGRP, unix.TIOCSPGRP, unix.TIOCGSID, unix.TIOCOUTQ,
		unix.TIOCINQ, fioNBIO, fioAsync, fioClex, fioNClex, unix.FS_IOC_GETFLAGS, unix.FICLONE, unix.FICLONERANGE, fiemap,
	}
}

const (
	fioNBIO  = 0x5421
	fioNClex = 0x5450
	fioClex  = 0x5451
	fioAsync = 0x5452
	fiemap   = 0xc020660b
)

// filter is the program that the kernel asks at each system call. Its size is what
// it costs: the kernel compiles it, and tries it out for each call there is, to ask
// it no more about those that are always allowed.
func (r Rules) filter(landlock int) program {
	judged, no := r.judged(), calls()
	if !r.Network {
		no = append(no, network()...)
	}
	if landlock < 3 {
		no = append(no, unix.SYS_TRUNCATE) // which Landlock keeps back from then on
	}
	slices.Sort(no)
	p := make(program, 0, 512).load(4).unless(killed, arch).load(0)
	for _, j := range judged {
		p = p.skip(j.nr, len(j.p)).then(j.p)
	}
	// Its arguments lie in memory, where they cannot be judged; libraries ask again
	// by clone.
	p = p.when(unknown, unix.SYS_CLONE3)
	p = p.add(unix.BPF_JMP|unix.BPF_JGT|unix.BPF_K, last, 0, 1).ret(unknown)
	return p.tree(no)
}

// tree denies some numbers and allows all others. Among a few it compares one after
// the other.
func (p program) tree(no []uint32) program {
	if half := len(no) / 2; half > 6 {
		at := len(p)
		p = p.add(unix.BPF_JMP|unix.BPF_JGE|unix.BPF_K, no[half], 0, 0).tree(no[:half])
		p[at].Jt = jump(len(p) - at - 1)
		return p.tree(no[half:])
	}
	for i, nr := range no {
		// Past those that follow, and past what allows the rest.
		p = p.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, nr, jump(len(no)-i), 0)
	}
	return p.allow().ret(denied)
}
