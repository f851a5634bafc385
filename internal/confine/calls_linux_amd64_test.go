package confine

import (
	"encoding/binary"
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"
)

// otherCalls call the kernel in ways that a filter of numbers does not see if it
// looks at numbers alone.
func otherCalls() map[string]func(w world) error {
	return map[string]func(w world) error{
		// socketcall(SYS_SOCKET, {AF_UNIX, SOCK_STREAM, 0}) of i386.
		"i386": func(world) error {
			low, err := unix.MmapPtr(-1, 0, nil, 4096, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_32BIT)
			if err != nil {
				return err
			}
			page := unsafe.Slice((*byte)(low), 4096)
			copy(page[1024:], []byte{1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0})
			// push rbx; mov eax, 102; mov ebx, 1; mov ecx, page+1024; int 0x80; pop rbx; ret
			code := []byte{0x53, 0xb8, 102, 0, 0, 0, 0xbb, 1, 0, 0, 0, 0xb9, 0, 0, 0, 0, 0xcd, 0x80, 0x5b, 0xc3}
			binary.LittleEndian.PutUint32(code[12:], uint32(uintptr(low))+1024)
			copy(page, code)
			entry := uintptr(low)
			f := unsafe.Pointer(&entry)
			if got := int32((*(*func() uintptr)(unsafe.Pointer(&f)))()); got < 0 {
				return unix.Errno(-got)
			}
			return nil
		},
		"x32": func(world) error {
			_, _, errno := unix.RawSyscall(0x40000000|unix.SYS_GETPID, 0, 0, 0)
			if errno == unix.ENOSYS {
				return errors.New("no such call")
			}
			return nil
		},
	}
}
