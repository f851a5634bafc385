package confine

import "golang.org/x/sys/unix"

// The numbers of this architecture; those of 32-bit ARM are of another one.
const arch = unix.AUDIT_ARCH_AARCH64

// legacy are calls that newer architectures do not have: none here.
func legacy() []uint32 { return nil }
