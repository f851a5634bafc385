package confine

import "golang.org/x/sys/unix"

// The numbers of this architecture. Those of its 32-bit kinds are others: i386 has
// another architecture, x32 numbers above all that are known.
const arch = unix.AUDIT_ARCH_X86_64

// legacy are calls that newer architectures do not have, or have no use for.
func legacy() []uint32 {
	return []uint32{
		unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT,
		unix.SYS_IOPERM, unix.SYS_IOPL, unix.SYS_MODIFY_LDT, unix.SYS_USELIB, unix.SYS_CREATE_MODULE, unix.SYS__SYSCTL,
	}
}
