package runner

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// SuperviseVerb is the hidden verb of the dispatcher's executable that runs
// async hooks. Its main calls [Supervise] for it.
const SuperviseVerb = "__supervise"

// ShellVerb is the hidden verb for [Runner.Shell], if there is one.
const ShellVerb = "__sh"

// ShellBlocks is the exit code of a process of [Runner.Shell] on Windows whose script
// exits with 2. A Go program that crashes also exits with 2, and that must not be a
// verdict.
const ShellBlocks = 1<<29 | 2

// OfOwnShell converts the exit code of that process to the script's.
func OfOwnShell(code int) int {
	switch code {
	case ShellBlocks:
		return 2
	case 2:
		return 1
	}
	return code
}

// maxAsync is how many async hooks of a user may be alive at once; more are
// skipped, and logged.
const maxAsync = 32

// maxLogged is how much of what an async hook wrote its log line holds, in
// bytes of each stream.
const maxLogged = 4 << 10

// Start starts the async hooks of a report under a detached supervisor and returns at
// once. It is called after the answer was written. The supervisor has its own session
// and none of our pipes: the agent does not wait for it, and killing the agent's
// process group does not reach it. A failure to start is only in the run log, since the
// answer has already been written.
func (r *Runner) Start(launches []Launch, set *discovery.Set) []Warning {
	if len(launches) == 0 {
		return nil
	}
	j := newJob(r, launches, set)
	err := r.detach(j.append(nil))
	if err == nil {
		return nil
	}
	var ws []Warning
	for _, l := range launches {
		r := Result{Hook: l.Hook, Exit: -1, Async: true, Verdict: NotStarted, Warning: "is async and could not be started: " + err.Error()}
		j.log(l, r, exitState{}, time.Now())
		ws = append(ws, Warning{l.Hook.Name, "async", r.Warning})
	}
	return ws
}

// detach starts the supervisor and hands it its job.
func (r *Runner) detach(job []byte) error {
	if r.Self == "" {
		return fmt.Errorf("the dispatcher cannot find its own executable")
	}
	stdin, discard, err := r.jobFile(job)
	if err != nil {
		return fmt.Errorf("handing the job over: %w", err)
	}
	defer discard()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	// Its working directory is the root, so that it keeps nobody from removing
	// or unmounting a directory. Each hook gets its own.
	argv := append([]string{r.Self, SuperviseVerb}, r.SupervisorArgs...)
	p, err := start(argv, firstDir(), r.Env, [3]*os.File{stdin, null, null}, ownSession)
	if err != nil {
		return explain(argv, err)
	}
	go p.wait() // a process that lives on, such as a test, leaves no zombie
	return nil
}

// Supervise runs the async hooks of the job on stdin, all at once, each with its own
// time limit, and writes a line to the run log for each. It returns the exit code.
// builtin returns the function of a built-in hook by name, for the state directory of
// the dispatcher; nil if there are none.
func Supervise(stdin io.Reader, env []string, builtin func(name, state string) Builtin) (exit int) {
	b, err := io.ReadAll(stdin)
	if err != nil {
		return 1
	}
	j, err := parseJob(b)
	if err != nil {
		return 1
	}
	j.runner.Env = env
	j.find(builtin)
	var all sync.WaitGroup
	if j.runner.Alone = len(j.launches) == 1; !j.runner.Alone {
		// Nobody can tell which hook a stray belongs to: they are ended with the last
		// of the hooks.
		defer endStrays(time.Now(), 0)
	}
	for _, l := range j.launches {
		all.Go(func() {
			j.run(l)
		})
	}
	all.Wait()
	return 0
}

// find sets how the functions of built-in hooks are found.
func (j *job) find(builtin func(name, state string) Builtin) {
	if builtin != nil {
		j.runner.Builtin = func(name string) Builtin { return builtin(name, j.runner.State) }
	}
}

// run runs one async hook and logs it. Its exit code changes nothing.
func (j *job) run(l Launch) {
	start := time.Now()
	r := Result{Hook: l.Hook, Exit: -1, Async: true}
	var e exitState
	if slot, ok := takeSlot(j.runner.State, l.Hook.Name); !ok {
		r.Verdict = Skipped
		r.Warning = fmt.Sprintf("was skipped: %d async hooks are running already", maxAsync)
	} else {
		r, e = j.turn(l, start)
		slot.Close()
	}
	j.log(l, r, e, start)
}

// log leaves the line of one async hook in the run log.
func (j *job) log(l Launch, r Result, e exitState, start time.Time) {
	r.Duration = time.Since(start)
	rep := Report{ID: newID(), Event: l.Event, Results: []Result{r}}
	if r.Warning != "" {
		rep.Warnings = []Warning{{l.Hook.Name, r.kind(), r.Warning}}
	}
	if e.note != "" {
		rep.Warnings = append(rep.Warnings, Warning{"", "sandbox", e.note})
	}
	line := NewLogLine(rep, &discovery.Set{Project: j.project}, start, j.debug)
	line.Ref = l.Ref
	line.Input = nil // it stands in the line of the event
	h := &line.Hooks[0]
	h.Stdout, h.Stderr = logged(e.stdout), logged(e.stderr)
	_ = AppendLog(j.runner.State, line) // there is nobody left to tell
}

func (j *job) turn(l Launch, now time.Time) (r Result, e exitState) {
	defer func() {
		if p := recover(); p != nil {
			r = Result{Hook: l.Hook, Verdict: Failed, Exit: -1, Async: true, Warning: "could not be run: " + panicText(p)}
		}
	}()
	s := j.runner.newHookEnv(l.Event, j.project, j.root)
	t := deadlines{limit: now.Add(timeLimit(l.Hook)), grace: j.runner.grace()}
	if l.told != nil {
		return j.turns(l, s)
	}
	e, _ = j.runner.turn(context.Background(), l.Hook, s, told{stdin: l.Event.JSON()}, t)
	r = interpret(l.Hook, l.Event, e, &discovery.Settings{})
	switch {
	case r.Verdict == Blocked:
		r.Warning = "is async: its exit code 2 blocks nothing"
	case changes(&r.Outcome):
		r.Warning = strings.TrimPrefix(r.Warning+"; ", "; ") + "is async: of its answer only log is used"
	}
	r.Outcome = protocol.Outcome{Log: r.Outcome.Log}
	return r, e
}

func changes(o *protocol.Outcome) bool {
	rest := *o
	rest.Log, rest.Extra = nil, nil
	return !rest.Empty()
}

// logged is the beginning of what an async hook wrote, for the log.
func logged(c capture) string {
	said := protocol.Plain(text.HeadBytes(strings.ToValidUTF8(string(c.data), "\uFFFD"), maxLogged))
	if c.over || len(c.data) > maxLogged {
		said += "\n[cut here by agents-hooks]"
	}
	return said
}

// A job is what the dispatcher hands to the supervisor.
type job struct {
	runner        Runner
	project, root string
	debug         bool
	launches      []Launch
}

func newJob(r *Runner, launches []Launch, set *discovery.Set) *job {
	return &job{runner: *r.under(&set.Settings), project: set.Project, root: set.Root, debug: set.Settings.Debug, launches: launches}
}

// append writes a job as JSON. Launches mostly share one event, which stands
// there once.
func (j *job) append(dst []byte) []byte {
	var o protocol.Object
	o.SetText("state", j.runner.State)
	o.SetText("self", j.runner.Self)
	o.Set("shell", protocol.TextList(j.runner.Shell))
	o.SetText("home", j.runner.Home)
	o.Set("nested", integer(int64(j.runner.Nested)))
	o.Set("grace", integer(int64(j.runner.Grace)))
	o.Set("drain", integer(int64(j.runner.Drain)))
	o.SetText("project", j.project)
	o.SetText("root", j.root)
	o.Set("debug", protocol.Raw(strconv.FormatBool(j.debug)))
	var events []*protocol.Event
	launches := protocol.ListOf(j.launches, func(l Launch) protocol.Raw {
		at := slices.Index(events, l.Event)
		if at < 0 {
			at, events = len(events), append(events, l.Event)
		}
		return l.raw(at)
	})
	o.Set("events", protocol.ListOf(events, eventOf))
	o.Set("launches", launches)
	return o.Append(dst)
}

// raw is a launch whose event is the one at a place in the job.
func (l Launch) raw(at int) protocol.Raw {
	h := l.Hook
	var m protocol.Object
	m.Set("event", integer(int64(at)))
	m.SetText("ref", l.Ref)
	m.SetText("name", h.Name)
	m.SetText("layer", string(h.Layer))
	m.SetText("dir", h.Dir)
	m.SetText("copy", h.Copy)
	m.SetText("project", h.Project)
	m.SetText("path", h.Entry.Path)
	m.Set("argv", protocol.TextList(h.Entry.Argv))
	m.Set("filled", protocol.Raw(strconv.FormatBool(h.Entry.Filled)))
	m.Set("builtin", protocol.Raw(strconv.FormatBool(h.Entry.Builtin)))
	m.Set("timeout", integer(int64(h.Timeout)))
	if h.Sandbox != nil {
		m.Set("sandbox", appendSandbox(h.Sandbox))
	}
	if l.told != nil {
		m.Set("told", protocol.ListOf(l.told, told.raw))
	}
	return m.Raw()
}

func eventOf(ev *protocol.Event) protocol.Raw {
	var o protocol.Object
	o.SetText("agent", ev.Agent)
	o.SetText("native_event", ev.NativeEvent)
	o.Set("event", ev.JSON())
	return o.Raw()
}

func integer(n int64) protocol.Raw { return strconv.AppendInt(nil, n, 10) }

func parseJob(b []byte) (*job, error) {
	o, err := protocol.ParseObject(b)
	if err != nil {
		return nil, err
	}
	j := &job{
		runner: Runner{
			State: o.Text("state"), Self: o.Text("self"), Shell: protocol.TextsOf(o.Get("shell")), Home: o.Text("home"), Nested: number(o.Get("nested")),
			Grace: time.Duration(number(o.Get("grace"))), Drain: time.Duration(number(o.Get("drain"))),
		},
		project: o.Text("project"), root: o.Text("root"), debug: o.Bool("debug"),
	}
	var events []*protocol.Event
	for _, raw := range protocol.ElementsOf(o.Get("events")) {
		events = append(events, parseEvent(protocol.ObjectOf(raw)))
	}
	for _, raw := range protocol.ElementsOf(o.Get("launches")) {
		m := protocol.ObjectOf(raw)
		h := &discovery.Hook{
			Name: m.Text("name"), Layer: discovery.LayerName(m.Text("layer")), Dir: m.Text("dir"), Copy: m.Text("copy"), Project: m.Text("project"),
			Entry:   discovery.Entry{Path: m.Text("path"), Filled: m.Bool("filled"), Builtin: m.Bool("builtin")},
			Timeout: time.Duration(number(m.Get("timeout"))), Async: true,
		}
		h.Entry.Argv = protocol.TextsOf(m.Get("argv"))
		if m.Has("sandbox") {
			h.Sandbox = parseSandbox(m.Sub("sandbox"))
		}
		at := number(m.Get("event"))
		if at < 0 || at >= len(events) {
			return nil, fmt.Errorf("launch of %q names event %d of %d", h.Name, at, len(events))
		}
		j.launches = append(j.launches, Launch{Hook: h, Event: events[at], Ref: m.Text("ref"), told: parseTold(m.Get("told"))})
	}
	return j, nil
}

func parseEvent(o protocol.Object) *protocol.Event {
	e := o.Sub("event")
	ev := &protocol.Event{
		Type: protocol.EventType(e.Text("event_type")), Timestamp: e.Text("timestamp"),
		SessionID: e.Text("session_id"), WorkDir: e.Text("work_dir"), Context: e.Sub("context"),
		Agent: o.Text("agent"), NativeEvent: o.Text("native_event"),
	}
	for _, m := range e {
		switch m.Name {
		case "event_type", "timestamp", "session_id", "work_dir", "context":
		default:
			ev.Fields = append(ev.Fields, m)
		}
	}
	return ev
}

// takeSlot takes one of the places for async hooks that are alive. A place is a
// locked file: the lock goes with the process, so none is ever left taken. If
// places cannot be kept at all, hooks run without them.
func takeSlot(state, hook string) (*os.File, bool) {
	dir := filepath.Join(state, "async")
	if state == "" || os.MkdirAll(dir, 0o700) != nil {
		return nil, true
	}
	defer holdSlots(dir)()
	kept := false
	for i := range maxAsync {
		f, err := os.OpenFile(slotPath(dir, i), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			continue
		}
		kept = true
		if got, err := statefile.TryLock(f); !got || err != nil {
			f.Close()
			continue
		}
		// The first byte is the locked one, which Windows lets nobody read.
		f.Truncate(0)
		var o protocol.Object
		o.SetText("hook", hook)
		o.Set("pid", integer(int64(os.Getpid())))
		o.SetText("started", protocol.Timestamp(time.Now()))
		f.WriteAt(o.Append([]byte{' '}), 0)
		return f, true
	}
	return nil, !kept
}

// slotWait is how long a process waits for another one that takes a place or lists them,
// both of which take no time: longer than that it is stopped, and not waited for.
const slotWait = 5 * time.Second

// holdSlots keeps others from taking places and from listing them. Between the lock of a
// place and the text in it, its text is nobody's or its last hook's; and who looks whether
// a place is free takes it for that moment.
func holdSlots(dir string) (release func()) {
	release, err := statefile.Hold(filepath.Join(dir, "slots"), slotWait)
	if err != nil {
		return func() {}
	}
	return release
}

func slotPath(dir string, i int) string { return filepath.Join(dir, "slot-"+strconv.Itoa(i)) }

// An AsyncRun is a running async hook.
type AsyncRun struct {
	Hook    string
	Pid     int // of its supervisor
	Started time.Time
}

// LiveAsync lists the running async hooks.
func LiveAsync(stateDir string) []AsyncRun {
	dir := filepath.Join(stateDir, "async")
	if _, err := os.Stat(dir); err != nil {
		return nil // no async hook has run yet
	}
	defer holdSlots(dir)()
	var runs []AsyncRun
	for i := range maxAsync {
		f, err := os.OpenFile(slotPath(dir, i), os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if free, err := statefile.TryLock(f); !free && err == nil {
			buf := make([]byte, 1024)
			n, _ := f.ReadAt(buf, 1)
			o, _ := protocol.ParseObject(buf[:n])
			started, _ := time.Parse(time.RFC3339Nano, o.Text("started"))
			runs = append(runs, AsyncRun{o.Text("hook"), number(o.Get("pid")), started})
		}
		f.Close()
	}
	return runs
}
