//go:build linux && (amd64 || arm64)

package confine

import (
	"math"

	"golang.org/x/sys/unix"
)

// A program is one of BPF over what seccomp tells of a call: its number at 0, its
// architecture at 4, its arguments from 16 on, of 8 bytes each.
type program []unix.SockFilter

func (p program) add(code uint16, k uint32, yes, no uint8) program {
	return append(p, unix.SockFilter{Code: code, Jt: yes, Jf: no, K: k})
}

// load loads 4 bytes.
func (p program) load(at uint32) program {
	return p.add(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, at, 0, 0)
}

// arg loads the lower half of an argument: all of one that is an int. Both
// architectures have that half first.
func (p program) arg(n uint32) program { return p.load(16 + 8*n) }

// high loads the upper half of an argument.
func (p program) high(n uint32) program { return p.load(20 + 8*n) }

func (p program) and(mask uint32) program {
	return p.add(unix.BPF_ALU|unix.BPF_AND|unix.BPF_K, mask, 0, 0)
}

func (p program) ret(what uint32) program {
	return p.add(unix.BPF_RET|unix.BPF_K, what, 0, 0)
}

func (p program) allow() program { return p.ret(allowed) }

// unless ends with what, unless the value is one of a few.
func (p program) unless(what uint32, values ...uint32) program {
	for i, v := range values {
		p = p.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, v, jump(len(values)-i), 0)
	}
	return p.ret(what)
}

// when ends with what if the value is one of a few.
func (p program) when(what uint32, values ...uint32) program {
	for _, v := range values {
		p = p.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, v, 0, 1).ret(what)
	}
	return p
}

// anyOf ends with what if the value has any of some bits.
func (p program) anyOf(bits, what uint32) program {
	return p.add(unix.BPF_JMP|unix.BPF_JSET|unix.BPF_K, bits, 0, 1).ret(what)
}

// skip passes over n instructions, unless the value is this one.
func (p program) skip(value uint32, n int) program {
	return p.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, value, 0, jump(n))
}

// then goes on with another program.
func (p program) then(q program) program { return append(p, q...) }

// jump is how far a jump goes, which a program must keep in reach.
func jump(n int) uint8 {
	if n > math.MaxUint8 {
		panic("a jump of BPF that is too far")
	}
	return uint8(n)
}
