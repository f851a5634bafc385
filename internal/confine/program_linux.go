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
		p = p.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, v, uint8(len(values)-i), 0)
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

// deny0 denies any value but 0.
func (p program) deny0() program { return p.unless(denied, 0) }

// then goes on with another program.
func (p program) then(q program) program { return append(p, q...) }

// from goes on with one of two programs, which both end: the second from a value
// on. What a jump cannot reach takes a longer one.
func (p program) from(value uint32, below, above program) program {
	const jge = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
	if len(below) <= math.MaxUint8 {
		p = p.add(jge, value, uint8(len(below)), 0)
	} else {
		p = p.add(jge, value, 0, 1).add(unix.BPF_JMP|unix.BPF_JA, uint32(len(below)), 0, 0)
	}
	return append(append(p, below...), above...)
}
