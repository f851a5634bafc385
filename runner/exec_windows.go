package runner

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A process is a started one, in a job object that holds what it starts.
type process struct {
	p   *os.Process
	job windows.Handle // 0 if it could not be had: then only the process itself can be stopped
	own bool           // a script in our own sh
}

// A grouping is what a process leads.
type grouping uint8

const (
	ownGroup   grouping = iota // a hook: its job can be stopped as one
	ownSession                 // the supervisor: no console, out of the agent's job where that allows it
)

// start is the one function that starts processes.
func start(argv []string, dir string, env []string, stdio [3]*os.File, g grouping) (*process, error) {
	flags := uint32(windows.CREATE_NEW_PROCESS_GROUP)
	if g == ownSession {
		flags |= windows.DETACHED_PROCESS | windows.CREATE_BREAKAWAY_FROM_JOB
	} else {
		flags |= windows.CREATE_SUSPENDED // until it is in its job, which holds what it starts
	}
	attr := &os.ProcAttr{
		Dir:   startable(dir),
		Env:   env,
		Files: stdio[:],
		Sys:   &syscall.SysProcAttr{CreationFlags: flags, HideWindow: true},
	}
	argv, line, err := scripted(argv)
	if err != nil {
		return nil, err
	}
	attr.Sys.CmdLine = line
	p, err := os.StartProcess(argv[0], argv, attr)
	if err != nil && g == ownSession {
		// A job may forbid breaking away; then the supervisor lives as long as it.
		attr.Sys.CreationFlags &^= windows.CREATE_BREAKAWAY_FROM_JOB
		p, err = os.StartProcess(argv[0], argv, attr)
	}
	if err != nil && tooLong(argv[0]) {
		return nil, launchErrorf("%q cannot be started, and its path has more than %d characters: %v", argv[0], windows.MAX_PATH-2, cause(err))
	}
	if err != nil {
		return nil, err
	}
	started := &process{p: p, own: len(argv) > 1 && argv[1] == ShellVerb}
	if g == ownGroup {
		if started.job, err = begin(p.Pid); err != nil {
			started.kill()
			started.release()
			return nil, err
		}
	}
	return started, nil
}

// tooLong reports whether a path has more characters than what starts processes takes.
func tooLong(path string) bool { return len(utf16.Encode([]rune(path))) > windows.MAX_PATH-2 }

// startable is the nearest folder of a path that a process can be started in: a guard runs
// somewhat above rather than not at all.
func startable(dir string) string {
	for tooLong(dir) {
		dir = filepath.Dir(dir)
	}
	return dir
}

// begin puts a suspended process into a job object of its own, as far as that can be
// had, and lets it go on.
func begin(pid int) (job windows.Handle, err error) {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE|windows.PROCESS_SUSPEND_RESUME, false, uint32(pid))
	if err != nil {
		return 0, os.NewSyscallError("OpenProcess", err)
	}
	defer windows.CloseHandle(h)
	if job, err = windows.CreateJobObject(nil, nil); err == nil && windows.AssignProcessToJobObject(job, h) != nil {
		windows.CloseHandle(job)
		job = 0
	}
	// The thread's own handle is not to be had: package os closes it.
	resume := windows.NewLazySystemDLL("ntdll.dll").NewProc("NtResumeProcess")
	if status, _, _ := resume.Call(uintptr(h)); status != 0 {
		return job, fmt.Errorf("resuming the process: %w", windows.NTStatus(status))
	}
	return job, nil
}

// wait waits for the process itself, not for those that hold its pipes.
func (p *process) wait() status {
	s, err := p.p.Wait()
	if err != nil {
		return status{exit: -1}
	}
	if code := uint32(s.ExitCode()); code >= 0xC0000000 {
		return status{exit: -1, signal: fmt.Sprintf("exception %#08x", code)}
	}
	if p.own {
		return status{exit: OfOwnShell(s.ExitCode())}
	}
	return status{exit: s.ExitCode()}
}

// over is how the process has ended, if it has by now; ended is where the wait for it
// tells that, perhaps later.
func (p *process) over(ended <-chan status) (status, bool) {
	var event uint32
	err := p.p.WithHandle(func(h uintptr) { event, _ = windows.WaitForSingleObject(windows.Handle(h), 0) })
	if err == nil && event != windows.WAIT_OBJECT_0 {
		return status{}, false
	}
	return <-ended, true // without a handle the wait has ended
}

// terminate asks the group to end, where it shares our console.
func (p *process) terminate() {
	_ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(p.p.Pid))
}

// kill ends the process and its job.
func (p *process) kill() {
	if p.job != 0 {
		_ = windows.TerminateJobObject(p.job, 1)
	}
	_ = p.p.Kill()
}

// groupAlive reports whether anything is left in the job.
func (p *process) groupAlive() bool {
	if p.job == 0 {
		return false
	}
	var info struct {
		TotalUserTime, TotalKernelTime           int64
		ThisPeriodUserTime, ThisPeriodKernelTime int64
		TotalPageFaultCount, TotalProcesses      uint32
		ActiveProcesses, TotalTerminated         uint32
	}
	const basicAccounting = 1
	err := windows.QueryInformationJobObject(p.job, basicAccounting, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil)
	return err == nil && info.ActiveProcesses > 0
}

// release gives the job up; what still runs in it is left alone.
func (p *process) release() {
	if p.job != 0 {
		windows.CloseHandle(p.job)
		p.job = 0
	}
}

// inPipe makes a pipe that a process reads b from. Nothing is in it yet: it may take
// less than asked for, and waits.
func inPipe(b []byte) (r, w *os.File, rest []byte, err error) {
	r, w, err = os.Pipe()
	return r, w, b, err
}

// outPipe makes a pipe that a process writes to.
func outPipe() (r, w *os.File, err error) { return os.Pipe() }

// readable is what a program wrote, as UTF-8: cmd.exe, PowerShell and Python write in the
// code page of the console or the machine. cut says that the end is missing, perhaps in
// the middle of a letter.
func readable(b []byte, cut bool) []byte {
	if utf8.Valid(b) || cut && slices.ContainsFunc([]int{1, 2, 3}, func(n int) bool { return len(b) > n && utf8.Valid(b[:len(b)-n]) }) {
		return b
	}
	page, err := windows.GetConsoleOutputCP()
	if err != nil || page == 0 || page == utf8Page {
		page = windows.GetACP()
	}
	return fromPage(page, b)
}

const utf8Page = 65001

// fromPage is a text of a code page as UTF-8, and the text itself where that is not known.
func fromPage(page uint32, b []byte) []byte {
	n, err := windows.MultiByteToWideChar(page, 0, &b[0], int32(len(b)), nil, 0)
	if err != nil || n <= 0 || page == utf8Page {
		return b
	}
	wide := make([]uint16, n)
	if n, err = windows.MultiByteToWideChar(page, 0, &b[0], int32(len(b)), &wide[0], n); err != nil || n <= 0 {
		return b
	}
	return []byte(string(utf16.Decode(wide[:n])))
}

const atOnce = 0

const separators = `/\:`

var standardPath = []string{`C:\Windows\System32`, `C:\Windows`, `C:\Program Files\Git\bin`}

// executableExts are the extensions that a program's file may have. The system starts
// no file without one.
func executableExts(name string, env []string) []string {
	exts := strings.Split(variable(env, "PATHEXT"), ";")
	if exts[0] == "" {
		exts = []string{".com", ".exe", ".bat", ".cmd"}
	}
	if filepath.Ext(name) != "" {
		exts = append([]string{""}, exts...)
	}
	return exts
}

// executable: what the Store installs, Python for one, is on the PATH as files that are
// not regular. The bash that starts a Linux is on most PATHs too, and a hook's paths
// mean nothing in there.
func executable(path string, info fs.FileInfo) bool {
	dir := filepath.Base(filepath.Dir(path))
	linux := strings.EqualFold(filepath.Base(path), "bash.exe") && (strings.EqualFold(dir, "System32") || strings.EqualFold(dir, "WindowsApps"))
	return !info.IsDir() && !linux
}

func mayExecute(string) bool { return true }

// readNow reads nothing: a pipe has no deadline here, so it is not tried.
func readNow(*os.File, []byte) int { return 0 }
