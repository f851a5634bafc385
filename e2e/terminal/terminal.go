//go:build e2e && unix

// Package terminal is a user's terminal without the user: it runs a program in a
// pseudo-terminal, keeps what is on its screen, answers what the program asks a
// terminal, and types.
//
//	t, err := terminal.Start(cmd, 100, 40)
//	ok := t.Until(time.Minute, func(screen string) bool { return strings.Contains(screen, "> ") })
//	t.Type("hello\r")
//	fmt.Println(t.Screen())
//
// Wait for what is on the screen, never for time: the limit of [Terminal.Until] only
// ends a wait that would have no end.
//
// The pseudo-terminal is creack/pty, the screen charmbracelet/x/vt: the interfaces of
// agents ask their terminal for its cursor, its colours and its kind before they draw,
// and stay blank if nobody answers.
package terminal

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// A Terminal runs one program.
type Terminal struct {
	cmd  *exec.Cmd
	tty  *os.File
	over chan struct{} // closed when the program writes no more

	mu      sync.Mutex
	emu     *vt.Emulator
	changed chan struct{} // closed and renewed with each change of the screen
}

// Start runs a program on a screen of that size.
func Start(cmd *exec.Cmd, columns, rows int) (*Terminal, error) {
	t := &Terminal{cmd: cmd, over: make(chan struct{}), emu: vt.NewEmulator(columns, rows), changed: make(chan struct{})}
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)})
	if err != nil {
		return nil, fmt.Errorf("start %s in a terminal: %w", cmd.Path, err)
	}
	t.tty = tty
	go func() { _, _ = io.Copy(tty, t.emu) }() // the terminal's answers
	go t.draw()
	return t, nil
}

// draw puts the program's output on the screen.
func (t *Terminal) draw() {
	defer close(t.over)
	buf := make([]byte, 64<<10)
	for {
		n, err := t.tty.Read(buf)
		if n > 0 {
			t.mu.Lock()
			_, _ = t.emu.Write(buf[:n])
			close(t.changed)
			t.changed = make(chan struct{})
			t.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// Screen is the text on the screen, a line for each row, without trailing blanks and
// empty rows at the bottom.
func (t *Terminal) Screen() string {
	screen, _ := t.look()
	return screen
}

// look returns the screen, and a channel that signals the next change.
func (t *Terminal) look() (string, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(t.emu.String(), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \u00a0\r")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n"), t.changed
}

// Until waits until the screen is good, and reports whether it was: not if the program
// ended first, or not within the limit.
func (t *Terminal) Until(limit time.Duration, good func(screen string) bool) bool {
	late := time.After(limit)
	for {
		screen, changed := t.look()
		if good(screen) {
			return true
		}
		select {
		case <-changed:
		case <-t.over:
			return good(t.Screen())
		case <-late:
			return false
		}
	}
}

// Type sends keys: text as it is, "\r" for Enter, "\x1b" for Escape.
func (t *Terminal) Type(keys string) { _, _ = t.tty.WriteString(keys) }

// Close ends the program and everything that it started in its session.
func (t *Terminal) Close() {
	_ = syscall.Kill(-t.cmd.Process.Pid, syscall.SIGKILL)
	_ = t.cmd.Wait()
	_ = t.tty.Close()
	<-t.over
	_ = t.emu.Close()
}
