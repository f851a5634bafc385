package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// A terminal is told from what only looks like one: /dev/null and /dev/zero are
// character devices too, whatever name they were opened by.
func TestTerminalIsToldFromOtherDevices(t *testing.T) {
	t.Parallel()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	open := func(name string) *os.File {
		f, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOCTTY, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	screen := open(fmt.Sprintf("/dev/pts/%d", n))
	if err := unix.IoctlSetWinsize(int(screen.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 10, Col: 43}); err != nil {
		t.Fatal(err)
	}
	if !shell.IsTerminal(screen) || shell.TerminalWidth(screen) != 43 {
		t.Errorf("a terminal of 43 places: %v, %d places", shell.IsTerminal(screen), shell.TerminalWidth(screen))
	}
	fd, err := unix.Dup(int(open(os.DevNull).Fd()))
	if err != nil {
		t.Fatal(err)
	}
	null := os.NewFile(uintptr(fd), "/dev/stdin") // as a process is given it
	defer null.Close()
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for name, stream := range map[string]any{"/dev/null": open(os.DevNull), "/dev/null as stdin": null, "/dev/zero": open("/dev/zero"), "a file": file, "text": strings.NewReader("x"), "nothing": nil} {
		if shell.IsTerminal(stream) || shell.TerminalWidth(stream) != 0 {
			t.Errorf("%s is taken for a terminal", name)
		}
	}
}
