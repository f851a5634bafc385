package dispatch

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A line is a dispatcher that is spoken to line by line.
type talk struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func (w *world) talk(t *testing.T, args ...string) *talk {
	t.Helper()
	l := &talk{t: t, cmd: w.command(append([]string{"--stream"}, args...), nil)}
	in, err := l.cmd.StdinPipe()
	must.Do(t, err)
	out, err := l.cmd.StdoutPipe()
	must.Do(t, err)
	l.cmd.Stderr = os.Stderr
	must.Do(t, l.cmd.Start())
	l.in, l.out = in, bufio.NewReader(out)
	t.Cleanup(func() { _ = l.cmd.Process.Kill(); _ = l.cmd.Wait() })
	return l
}

func (l *talk) send(line string) {
	l.t.Helper()
	must.Do(l.t, must.Err(io.WriteString(l.in, line+"\n")))
}

func (l *talk) next() protocol.Object {
	l.t.Helper()
	line, err := l.out.ReadBytes('\n')
	if err != nil {
		l.t.Fatalf("%v, after %q", err, line)
	}
	o, err := protocol.ParseObject(line)
	if err != nil {
		l.t.Fatalf("%v: %s", err, line)
	}
	return o
}

func (l *talk) ask(line string) string {
	l.t.Helper()
	l.send(line)
	return string(l.next().Raw())
}

// end closes the input, and is the exit code.
func (l *talk) end() int {
	l.t.Helper()
	l.in.Close()
	rest, err := io.ReadAll(l.out)
	if err != nil || len(rest) > 0 {
		l.t.Errorf("after the last answer: %q, %v", rest, err)
	}
	_ = l.cmd.Wait()
	return l.cmd.ProcessState.ExitCode()
}

func (w *world) call(command, id string) string {
	ev := w.specEvent("pre-tool-call", `,"tool_name":"Shell","tool_input":{"command":"`+command+`"}`)
	return `{"id":` + id + "," + ev[1:]
}

// Whatever stands on a line, it has one answer, and the next line has one too.
func TestStreamAnswersEachLine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call\nmatcher:\n  pattern: rm", `cat >"$HOME/saw"; echo no >&2; exit 2`)
	long := `{"event_type":"pre-session","id":"long","x":"` + strings.Repeat("a", maxInput) + `"}`
	lines := []struct{ name, line, want string }{
		{"nothing against it", w.call("ls", "7"), `"id": 7, "outcome": {}, "blocked_by": null, "warnings": []}`},
		{"a block, with an id of any form", w.call("rm x", `{"a":[1.0]}`), `"id": {"a": [1.0]}, "outcome": {"decision": "block", "reason": "[guard] no"}, "blocked_by": "guard", "warnings": []}`},
		{"an empty line", "", `"kind": "unreadable", "text": "byte 0: empty, want a JSON object", "byte": 0`},
		{"blanks", " \t\r", `"kind": "unreadable"`},
		{"a control character", "\x00", `"kind": "unreadable"`},
		{"one in a text", `{"event_type":"pre-tool-call","x":"` + "\x00" + `"}`, `"kind": "unreadable"`},
		{"no UTF-8", `{"event_type":"pre-tool-call","id":"u","x":"` + "\xff" + `"}`, `"id": "u", "error": {"kind": "unreadable", "text": "byte 44: not UTF-8", "byte": 44`},
		{"two events in one line", w.call("ls", "1") + w.call("ls", "2"), `"text": "byte `},
		{"a list", `[` + w.call("ls", "1") + `]`, `"kind": "unreadable"`},
		{"an event that is not known", `{"event_type":"pre-model-call","id":3}`, `"id": 3, "error": {"kind": "event"`},
		{"an event_type that is no text", `{"event_type":5,"id":4}`, `"id": 4, "error": {"kind": "unreadable", "text": "event_type: want a string, have 5"`},
		{"no event_type", `{"id":5}`, `"id": 5, "error": {"kind": "unreadable", "text": "the event has no event_type"`},
		{"too long", long, `"id": "long", "error": {"kind": "unreadable", "text": "reading stdin: a line of more than 64 MiB"`},
		{"too deep", strings.Repeat("[", 100_000), `"kind": "unreadable"`},
		{"hello", `{"request":"hello","id":"h"}`, `"id": "h", "hello": {"stream": 1, "events": ["pre-session", `},
		{"cancel", `{"request":"cancel"}`, `"cancelled": false}`},
		{"a request that is no text", `{"request":["x"]}`, `"error": {"kind": "request", "text": "request [\"x\"] is not known"`},
		{"a line end of Windows", w.call("rm y", "8") + "\r", `"id": 8, "outcome": {"decision": "block"`},
		{"another agent's form", w.claude("PreToolUse", bash), `"text": "the event has no event_type"`},
		{"the last", w.call("rm z", `"last"`), `"id": "last", "outcome": {"decision": "block"`},
	}
	if !slowtest.On() { // 64 MiB are read and judged by TestStdinIsReadToItsEndAndWaitedForNoLongerThanALimit too
		lines = slices.DeleteFunc(lines, func(c struct{ name, line, want string }) bool { return c.name == "too long" })
	}
	l := w.talk(t)
	for i, c := range lines {
		t.Run(c.name, func(t *testing.T) {
			if got := l.ask(c.line); !strings.HasPrefix(got, fmt.Sprintf(`{"schema": 1, "line": %d, `, i+1)) || !strings.Contains(got, c.want) {
				t.Errorf("line %d: %.300s\nwant %s", i+1, got, c.want)
			}
		})
	}
	hasNot(t, "what a hook saw", must.Read(t, filepath.Join(w.home, "saw")), `"id"`)
	// Half a line at the end is a line.
	must.Do(t, must.Err(io.WriteString(l.in, `{"event_type":"pre-tool-call",`)))
	l.in.Close()
	has(t, "the last answer", string(l.next().Raw()), `"kind": "unreadable"`)
	if exit := l.end(); exit != 0 {
		t.Errorf("exit %d", exit)
	}
}

// What changes between two lines counts at the second: a new hook, an edited one, an
// approval, one taken back, a setting, and what a session remembers.
func TestStreamSeesWhatChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.projectHooks(), "theirs", "trigger: pre-tool-call", "echo theirs >&2; exit 2")
	w.hook(w.userHooks(), "gate", "trigger: pre-agent-turn-stop", "echo go on >&2; exit 2")
	l := w.talk(t)
	has(t, "untrusted", l.ask(w.call("ls", "1")), `"outcome": {}`, `"kind": "untrusted"`)
	hasNot(t, "untrusted", l.ask(w.call("ls", "1")), `"kind": "untrusted"`)
	w.approve()
	has(t, "approved", l.ask(w.call("ls", "2")), `"blocked_by": "theirs"`)
	w.hook(w.projectHooks(), "theirs", "trigger: pre-tool-call", "echo others >&2; exit 2")
	has(t, "edited after that", l.ask(w.call("ls", "3")), `"outcome": {}`)
	w.hook(w.userHooks(), "mine", "trigger: pre-tool-call", "echo mine >&2; exit 2")
	has(t, "new", l.ask(w.call("ls", "4")), `"reason": "[mine] mine"`)
	w.hook(w.userHooks(), "mine", "trigger: pre-tool-call", "echo next >&2; exit 2")
	has(t, "edited", l.ask(w.call("ls", "5")), `"reason": "[mine] next"`)
	w.file(w.settings(), "[[hooks.disable]]\nname = \"mine\"\n", 0o644)
	has(t, "switched off", l.ask(w.call("ls", "6")), `"outcome": {}`)
	stop := w.specEvent("pre-agent-turn-stop", "")
	for range 3 {
		has(t, "a stop", l.ask(stop), `"blocked_by": "gate"`)
	}
	for range 2 { // another process counts as well
		w.run(stop)
	}
	has(t, "the sixth", l.ask(stop), `"blocked_by": null`, `"kind": "loop"`)
	if exit := l.end(); exit != 0 {
		t.Errorf("exit %d", exit)
	}
}

// A hook that hangs ends when the event is cancelled, when the stream is told to end,
// and soon after its input ended; none is left behind.
func TestStreamEndsWhatHangs(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no pipes with names, no signals")
	}
	hang := `[ ! -p "$HOME/fifo" ] || exec 9>"$HOME/fifo"; echo >&9; exec sleep 300`
	for name, c := range map[string]struct {
		end  func(l *talk)
		want string
		exit int
	}{
		"cancel":       {func(l *talk) { l.send(`{"request":"cancel","of":"h"}`) }, `"kind": "cancelled"`, 0},
		"cancel any":   {func(l *talk) { l.send(`{"request":"cancel"}`) }, `"kind": "cancelled"`, 0},
		"signal":       {func(l *talk) { _ = l.cmd.Process.Signal(os.Interrupt) }, `"kind": "cancelled"`, 130},
		"end of input": {func(l *talk) { l.in.Close() }, `"kind": "cancelled"`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.hook(w.userHooks(), "hangs", "trigger: pre-tool-call", hang)
			gone := w.fifo()
			l := w.talk(t)
			l.send(w.call("ls", `"h"`))
			written(t, gone)
			start := time.Now()
			c.end(l)
			has(t, name, string(l.next().Raw()), c.want, `"id": "h"`)
			if strings.HasPrefix(name, "cancel") {
				has(t, name, string(l.next().Raw()), `"cancelled": true`)
				has(t, "what is not there any more", l.ask(`{"request":"cancel","of":"h"}`), `"cancelled": false`)
			}
			if exit := l.end(); exit != c.exit {
				t.Errorf("exit %d, want %d", exit, c.exit)
			}
			if took := time.Since(start); took > 4*afterEnd {
				t.Errorf("took %s", took)
			}
			if n, err := io.Copy(io.Discard, gone); err != nil {
				t.Errorf("the hook is there still: %d, %v", n, err)
			}
		})
	}
	// A guard that was locked blocks what was cancelled, by the rule for its failure.
	w := newWorld(t)
	w.hook(w.userHooks(), "hangs", "trigger: pre-tool-call", hang)
	w.file(w.settings(), "[[hooks.lock]]\nname = \"hangs\"\n", 0o644)
	gone := w.fifo()
	l := w.talk(t)
	l.send(w.call("ls", `"h"`))
	written(t, gone)
	l.send(`{"request":"cancel"}`)
	has(t, "a lock", string(l.next().Raw()), `"blocked_by": "hangs"`)
}

// Nobody reads the answers: the stream waits, reads no further, and can be ended.
func TestStreamWaitsForItsReader(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	w := newWorld(t)
	cmd := w.command([]string{"--stream"}, nil)
	in, err := cmd.StdinPipe()
	must.Do(t, err)
	out, err := cmd.StdoutPipe()
	must.Do(t, err)
	defer out.Close()
	must.Do(t, cmd.Start())
	sent := make(chan int, 1)
	go func() {
		n := 0
		for line := []byte(w.call("ls", `"`+strings.Repeat("x", 1000)+`"`) + "\n"); ; {
			k, err := in.Write(line)
			if n += k; err != nil {
				sent <- n
				return
			}
		}
	}()
	time.Sleep(time.Second)
	must.Do(t, cmd.Process.Signal(os.Interrupt))
	state, err := cmd.Process.Wait()
	if err != nil || state.ExitCode() != 130 {
		t.Errorf("%v, %v", state, err)
	}
	if n := <-sent; n > 2<<20 {
		t.Errorf("%d bytes were taken that nobody asked for", n)
	}
}

// A long session costs what a short one does: memory, open files, dead processes.
func TestStreamStaysSmall(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells")
	}
	w := newWorld(t)
	w.hook(w.userHooks(), "leaks", "trigger: post-tool-call", `sleep 1 & (sleep 0.01 &); exit 0`)
	w.hook(w.userHooks(), "dies", "trigger: post-tool-call", `kill -9 $$`)
	w.hook(w.userHooks(), "floods", "trigger: pre-agent-turn\ntimeout: 5000", `head -c 3000000 /dev/zero`)
	l := w.talk(t)
	play := func(n int) {
		go func() {
			for range n {
				_, _ = io.WriteString(l.in, w.call("ls", "1")+"\n")
			}
		}()
		for range n {
			has(t, "answer", string(l.next().Raw()), `"outcome": {}`)
		}
	}
	play(slowtest.Count(300, 2000))
	before := memoryOf(t, l.cmd.Process.Pid)
	play(slowtest.Count(700, 8000))
	for range slowtest.Count(6, 12) {
		has(t, "answer", l.ask(w.specEvent("post-tool-call", shell)), `"outcome": {}`, "SIGKILL")
		has(t, "answer", l.ask(w.specEvent("pre-agent-turn", `,"prompt":"x"`)), "over 1024 KiB")
	}
	if after := memoryOf(t, l.cmd.Process.Pid); after > before+16<<10 {
		t.Errorf("%d kB, %d after the first events", after, before)
	}
	// What was left behind ends by itself, and each event takes leave of it.
	var fds []os.DirEntry
	var children []byte
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		l.ask(w.call("ls", "1"))
		pid := strconv.Itoa(l.cmd.Process.Pid)
		fds, _ = os.ReadDir("/proc/" + pid + "/fd")
		children, _ = exec.Command("ps", "--ppid", pid, "-o", "stat=,args=").Output()
		if len(fds) <= 12 && len(bytes.TrimSpace(children)) == 0 {
			break
		}
	}
	if len(fds) > 12 || len(bytes.TrimSpace(children)) > 0 {
		t.Errorf("%d open files, children:\n%s", len(fds), children)
	}
	if exit := l.end(); exit != 0 {
		t.Errorf("exit %d", exit)
	}
}

// What one hook left behind in time is not ended with another one that hangs.
func TestStreamLeavesTheStraysOfOthers(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("setsid"); err != nil || runtime.GOOS != "linux" {
		t.Skip("only Linux tells whose they are")
	}
	w := newWorld(t)
	w.hook(w.userHooks(), "server", "trigger: pre-session", `setsid sh -c 'exec 9>"$HOME/fifo"; echo >&9; while ! [ -e "$HOME/go" ]; do sleep 0.05; done; echo there >"$HOME/left"' >/dev/null 2>&1 </dev/null &`)
	w.hook(w.userHooks(), "hangs", "trigger: pre-tool-call\ntimeout: 300", "sleep 300")
	up := w.fifo()
	l := w.talk(t)
	l.ask(w.specEvent("pre-session", ""))
	written(t, up)
	has(t, "a hook that hangs", l.ask(w.call("ls", "1")), `"kind": "timeout"`)
	w.file(filepath.Join(w.home, "go"), "", 0o600)
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(w.home, "left")); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("it was ended with another hook")
		}
	}
}

func memoryOf(t *testing.T, pid int) (kB int) {
	t.Helper()
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	must.Do(t, err)
	_, rest, _ := strings.Cut(string(b), "VmRSS:")
	kB, err = strconv.Atoi(strings.Fields(rest)[0])
	must.Do(t, err)
	return kB
}
