package hooks

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/reminder"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// How often a session is reminded of what it does (BW-REM-08, BW-REM-09).
const (
	editedEvery = time.Minute
	failedEvery = 30 * time.Second
)

// activity is workspace-activity: every tool call pays for what it does.
func activity(c *behaviour.Call) error {
	err := join(deliver(c), linked(c))
	response := c.Event.Get("tool_response")
	switch tool := c.Event.Text("tool_name"); {
	case tool == "WriteFile" || tool == "EditFile":
		if !refused(response) {
			return join(err, changed(c))
		}
	case tool == "Shell":
		if exited(protocol.ObjectOf(response)) {
			return join(err, failed(c))
		}
	case ours(tool) != "" && refused(response):
		return join(err, hint(c, ours(tool)))
	}
	return err
}

// failure is workspace-failure.
func failure(c *behaviour.Call) error {
	err := join(deliver(c), linked(c))
	switch tool := c.Event.Text("tool_name"); {
	case tool == "Shell":
		return join(err, failed(c))
	case ours(tool) != "":
		return join(err, hint(c, ours(tool)))
	}
	return err
}

// hint tells how a tool of ours is called (BW-REM-10).
func hint(c *behaviour.Call, tool string) error {
	return say(c, reminderKind, textsOf(c).CallFailed(tool), "")
}

// changed notes the file that a bound session changed, and reminds of the log
// (BW-REM-08).
func changed(c *behaviour.Call) error {
	if !isBound(c) {
		return nil
	}
	file := c.Event.Sub("tool_input").Text("file_path")
	if rel, err := filepath.Rel(c.Project(), file); err == nil && filepath.IsLocal(rel) {
		file = filepath.ToSlash(rel)
	}
	var record protocol.Object
	record.SetText("file", redact.Memory.Text(file))
	err := c.State.Spool(spoolName, c.Digest(), record)
	return join(err, active(c, "edited", editedEvery, func(t reminder.Texts, w reminder.Workspace) string { return t.Edited(w) }))
}

// failed notes the command that failed in a bound session, and reminds of the
// problem (BW-REM-08).
func failed(c *behaviour.Call) error {
	if !isBound(c) {
		return nil
	}
	command := redact.Memory.Text(c.Event.Sub("tool_input").Text("command"))
	var record protocol.Object
	record.SetText("failed", text.Clip(text.OneLine(command), 120))
	err := c.State.Spool(spoolName, c.Digest(), record)
	return join(err, active(c, "shell", failedEvery, func(t reminder.Texts, w reminder.Workspace) string { return t.ShellFailed(command, w) }))
}

// active gives a reminder of what the session does, if those are wanted.
func active(c *behaviour.Call, name string, apart time.Duration, text func(reminder.Texts, reminder.Workspace) string) error {
	if !c.Settings.Of("activity_reminders").Bool {
		return nil
	}
	s, ok, err := bound(c, placeOf(c))
	if err != nil || !ok || s.Focus == nil {
		return err // BW-TEL-12
	}
	if due, err := rarely(c, name, apart); !due {
		return err
	}
	return say(c, reminderKind, text(textsOf(c), described(c, placeOf(c), s)), "")
}

// isBound reports whether the session is bound, and notes now and then that it is
// active: its claims are valid as long.
func isBound(c *behaviour.Call) bool {
	p := placeOf(c)
	b, ok := p.Binding(c.Session(), c.Now)
	if ok {
		_ = p.Seen(b, agentOf(c), c.Now)
	}
	return ok
}

// stop is workspace-stop: what was claimed and is unfinished, if a gate is wanted; and
// what is in the way and was not noted.
func stop(c *behaviour.Call) error {
	if !c.MayContinue() {
		return nil
	}
	if status := c.Event.Text("status"); status != "" && status != "completed" {
		return nil
	}
	if c.Settings.Of("stop_gate").Bool {
		if held, err := unfinished(c); err != nil || held != "" {
			c.Answer.FollowupMessage = held
			return err
		}
	}
	if !c.Settings.Of("activity_reminders").Bool {
		return nil
	}
	sentence, ok := reminder.Blocked(c.Event.Sub("final_message").Text("content"))
	if !ok {
		return nil
	}
	s, ok, err := bound(c, placeOf(c))
	if err != nil || !ok || s.Focus == nil || s.Focus.Problem != "" {
		return err
	}
	if due, err := rarely(c, "stop", failedEvery); !due {
		return err
	}
	c.Answer.FollowupMessage = textsOf(c).Stopped(redact.Memory.Text(sentence), described(c, placeOf(c), s))
	return nil
}

// ours is the name of a workspace tool by which an agent called it, "" if it is
// another one: mcp__SERVER__log_append, where the server is ours or the
// original's.
func ours(name string) string {
	rest, ok := strings.CutPrefix(name, "mcp__")
	if !ok {
		return ""
	}
	server, tool, ok := strings.Cut(rest, "__")
	server = strings.ReplaceAll(strings.ToLower(server), "_", "-")
	if !ok || !strings.Contains(server, "tanmi") && server != "agents-hooks" {
		return ""
	}
	for _, prefix := range [...]string{
		"workspace_", "node_", "log_append", "problem_", "context_", "memo_", "dispatch_", "tanmi_", "config_", "capability_",
		"session_bind", "session_unbind", "session_status", "get_pending_changes", "plugin_path",
	} {
		if strings.HasPrefix(tool, prefix) {
			return tool
		}
	}
	return ""
}

// refused reports whether the answer of a tool says that it failed: by its flag, or by
// an error object, also one inside its text. Words in a text say nothing: a good answer
// may contain any (BW-REM-10).
func refused(response protocol.Raw) bool {
	o := protocol.ObjectOf(response)
	if o.Bool("isError") || o.Bool("is_error") || len(o.Sub("error")) > 0 {
		return true
	}
	content := protocol.ElementsOf(response)
	if o != nil {
		content = protocol.ElementsOf(o.Get("content"))
	}
	return slices.ContainsFunc(content, func(part protocol.Raw) bool {
		return len(protocol.ObjectOf(protocol.Raw(protocol.ObjectOf(part).Text("text"))).Sub("error")) > 0
	})
}

// exited reports whether a shell's answer tells of an exit code that is not 0.
func exited(response protocol.Object) bool {
	for _, name := range [...]string{"exit_code", "exitCode", "returncode", "code"} {
		if v := string(response.Get(name)); v != "" && v != "null" {
			n, err := strconv.Atoi(v)
			return err == nil && n != 0
		}
	}
	return false
}
