package evolution

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// become starts the other program, waits, and exits as it did. Windows sends the events that
// end a console program (Ctrl-C, Ctrl-Break, closing it) to both: this one ignores them.
func become(sh *shell.Shell, program string, args []string) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	cmd := exec.Command(program, args...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = sh.Host.Env, sh.In, sh.Out, sh.Err
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("evolution serve: starting %q: %w", program, err)
	}
	endTogether(cmd.Process.Pid)
	err := cmd.Wait()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		return shell.ExitCode(ended.ExitCode())
	}
	return err
}

// endTogether has Windows end a process when this one ends, even if it is killed: whoever kills
// the command means the server. If that fails, the server runs anyway. The end of this process
// closes the job.
func endTogether(pid int) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE}}
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		return
	}
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return
	}
	defer windows.CloseHandle(h)
	_ = windows.AssignProcessToJobObject(job, h)
}
