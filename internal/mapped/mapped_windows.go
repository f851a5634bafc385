package mapped

import (
	"os"
	"syscall"
	"unsafe"
)

func lay(f *os.File, size int) ([]byte, func(), error) {
	n := uint64(size)
	m, err := syscall.CreateFileMapping(syscall.Handle(f.Fd()), nil, syscall.PAGE_READONLY, uint32(n>>32), uint32(n), nil)
	if err != nil {
		return nil, nil, err
	}
	defer syscall.CloseHandle(m) // the view keeps what it needs
	at, err := syscall.MapViewOfFile(m, syscall.FILE_MAP_READ, 0, 0, uintptr(size))
	if err != nil {
		return nil, nil, err
	}
	// The address is of the system, not of the collector: read through where it lies.
	b := unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), size)
	return b, func() { _ = syscall.UnmapViewOfFile(at) }, nil
}
