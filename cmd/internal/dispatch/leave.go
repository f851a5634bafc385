package dispatch

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/strange"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// leave writes the answer, and reports failures of that.
func leave(r protocol.Reply, stdout, stderr io.Writer) (exit int, troubles []runner.Warning) {
	for _, f := range r.Files {
		if err := appendFile(f.Path, f.Text); err != nil {
			troubles = append(troubles, note("answer", "writing what the agent reads from a file: %v", err))
		}
	}
	if len(r.Stdout) > 0 {
		if _, err := stdout.Write(r.Stdout); err != nil {
			troubles = append(troubles, note("answer", "writing the answer: %v", err))
		}
	}
	if len(r.Stderr) > 0 {
		_, _ = stderr.Write(r.Stderr)
	}
	return r.Exit, troubles
}

// appendFile appends to a file that an agent reads: variables for its session. It must be a
// regular file without another name, whoever created it.
func appendFile(path string, text []byte) error {
	f, err := beneath.At(filepath.Dir(path)).OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// keepEnvFile drops the file that an agent names for its session's variables unless it belongs
// to that session: a repository can set the variable that names it, for example to a start-up
// file of the user's shell. So the path must contain the session's id, which no repository
// knows in advance, and must be outside the project after following links.
func (c call) keepEnvFile(l loaded) []runner.Warning {
	file, ev := l.event.EnvFile, l.event
	if file == "" || !filepath.IsAbs(file) {
		return nil
	}
	named := func(element string) bool {
		return element == ev.SessionID || len(ev.SessionID) >= 16 && strings.Contains(element, ev.SessionID)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(file))
	path := filepath.Join(dir, filepath.Base(file))
	if err == nil && ev.SessionID != "" && slices.ContainsFunc(strings.Split(path, string(filepath.Separator)), named) && !safefile.Inside(path, l.set.Root) {
		return nil
	}
	ev.EnvFile = ""
	if l.set.Found == 0 {
		return nil
	}
	return []runner.Warning{note("environment", "the environment names %s for the variables of this session, which is no file of the session: nothing is written to it. Unset the variable where it is set", file)}
}

// logRun writes an event's log line before the answer leaves, so that a failure can be reported
// in it. Nothing is written if no hook exists at all.
func (c call) logRun(f fitted, notices []runner.Warning) []runner.Warning {
	if f.set.Found == 0 && len(notices) == 0 {
		return nil
	}
	line := runner.NewLogLine(f.report, f.set, c.start, f.set.Settings.Debug)
	line.Decision = f.outcome.Decision.String()
	if f.permits() {
		line.Allowed = f.report.Allowed
	}
	line.Warnings = notices
	return c.append(line)
}

// log writes a line for an event that never reached the hooks.
func (c call) log(from speaker, line runner.LogLine, notes []runner.Warning) []runner.Warning {
	line.Time = c.start
	line.Duration = c.host.Now().Sub(c.start)
	line.Agent, line.NativeEvent = from.agent, from.native
	line.Decision = cmp.Or(line.Decision, protocol.NoOpinion.String())
	line.Warnings = notes
	return c.append(&line)
}

func (c call) append(line *runner.LogLine) []runner.Warning {
	if err := runner.AppendLog(c.host.State, line); err != nil {
		return []runner.Warning{note("state", "this event is not in the run log: %v", err)}
	}
	return nil
}

// record saves the event that decided if the user turned recording on for this project. The
// answer is out already. A dispatcher inside a hook is not an agent's session, and is not
// recorded.
func (c call) record(a answer, troubles []runner.Warning) {
	store := record.Store{State: c.host.State}
	if a.decided == nil || !store.On(a.decided.set.Root) || c.nested > 0 {
		return
	}
	ev, root := a.decided.event, a.decided.set.Root
	err := store.Add(root, record.Entry{
		Time: c.start, Agent: a.from.dialect.ID, NativeEvent: a.from.native, Event: string(ev.Type),
		Session: ev.SessionID, Project: root, WorkDir: c.host.WorkDir, Flag: c.opt.event, EnvFile: ev.EnvFile != "",
		Payload: a.payload.Raw(),
		Answer:  a.told(),
	})
	if err != nil {
		c.log(a.from, runner.LogLine{Event: string(ev.Type), Session: ev.SessionID, Decision: a.decided.outcome.Decision.String()},
			append(troubles, note("record", "this event is not in the recording: %v", err)))
	}
}

// told is what the agent was told, and by which hooks.
func (a answer) told() record.Answer {
	told := record.NewAnswer(a.reply, a.decided.outcome)
	for _, res := range a.decided.report.Results {
		told.Hooks = append(told.Hooks, record.Hook{Name: res.Hook.Name, Result: string(res.Verdict)})
	}
	return told
}

// noteStrange counts an oddity after the answer is out. If that fails, the log says so.
func (c *call) noteStrange(a answer) {
	o := a.strange
	if !o.is {
		return
	}
	if err := strange.Note(c.host.State, a.from.dialect, o.Strange, o.version, o.payload, c.start); err != nil {
		c.log(a.from, runner.LogLine{}, []runner.Warning{note("strange", "what was strange in this event is not counted: %v", err)})
	}
}
