package hooks

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/lang"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/session"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// load is memory-load: what is remembered, as a session begins (MEM-1).
func load(c *behaviour.Call) error {
	place, source := storeOf(c), c.Event.Text("source")
	compacted := source == "compact"
	l := memory.Loader{
		Place: place, Settings: c.Settings, Lang: lang.Of(c.Settings.Of("language").Text, c.Getenv), Now: c.Now,
		Room: min(c.World.Room, c.Settings.Of("budget").Int),
	}
	err := tellWaiting(c, place, l.Lang)
	if c.Can("context") {
		c.Say(l.Load().Text, "")
	} else if text := l.Load().Text; text != "" {
		// The next prompt or tool call carries it (COM-6).
		err = errors.Join(err, c.State.Defer(session.Item{Kind: loadKind, Text: text, Expires: c.Now.Add(loadLife)}))
	}
	if compacted && c.Can("context") && c.Settings.Of("flush").Bool {
		// The agent has lost what it was asked before, if it was: the short form.
		_ = c.State.Drop(flushKind)
		c.Say(requestOf(c).afterCompact(), "")
	} else {
		deliver(c)
	}
	// Reading goes on where nothing can be written (MEM-9).
	if source != "" && source != "startup" && place.Began(c.Session(), c.Now) {
		return err // MEM-8
	}
	return errors.Join(err, place.Begin(memory.NewID("log", c.Now, c.World.Random()), c.Session(), c.Now))
}

// tellWaiting says to the person, and to nobody else, that there are memories which
// this machine did not write: once, until there are others.
func tellWaiting(c *behaviour.Call, place memory.Place, in lang.Language) error {
	if c.World.NoProject || !c.Can("message") {
		return nil
	}
	files, err := place.News(c.Now)
	if digest := ledger.Digest(files); digest != "" && place.Ledger.Once(memory.TrustName, digest) {
		c.Answer.UserMessage = waiting(in, ledger.Count(files), place.Folder())
	}
	return err
}

// stage keeps what the session did since the last stage, mechanically (MEM-12 c).
func stage(c *behaviour.Call) error {
	records := c.State.Spooled(spoolName)
	text := ""
	err := c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		before := min(int(integer(o, "staged")), len(records))
		text = story(c, records[before:], o.Text("last_message"))
		o.Set("staged", strconv.AppendInt(nil, int64(len(records)), 10))
		return o
	})
	if err != nil || text == "" || c.Session() == "" {
		return err
	}
	return storeOf(c).KeepStage(memory.Fact{
		ID: memory.NewID("log", c.Now, c.World.Random()), Content: text, Confidence: 0.6, Time: c.Now, Session: c.Session(),
	})
}

// story is what a session did, as far as events told: the last prompts, the
// changed files, the commands that failed, the last answer. All of it was
// redacted when it was noted.
func story(c *behaviour.Call, records []protocol.Object, last string) string {
	var prompts, files, failed []string
	for _, o := range records {
		for _, n := range []struct {
			key  string
			list *[]string
		}{{"prompt", &prompts}, {"file", &files}, {"failed", &failed}} {
			if text := o.Text(n.key); text != "" && !slices.Contains(*n.list, text) {
				*n.list = append(*n.list, text)
			}
		}
	}
	in := lang.Of(c.Settings.Of("language").Text, c.Getenv)
	var parts []string
	add := func(label string, list []string, most int) {
		if n := len(list); n > 0 {
			parts = append(parts, label+strings.Join(list[max(0, n-most):], " | "))
		}
	}
	add(in.Pick("asked: ", "请求："), prompts, 3)
	add(in.Pick("changed: ", "改动："), files, 12)
	add(in.Pick("failed: ", "失败："), failed, 5)
	if last != "" && len(parts) > 0 {
		add(in.Pick("answer: ", "答复："), []string{short(last, 200)}, 1)
	}
	return short(redact.Memory.Text(strings.Join(parts, "; ")), 800)
}

// finish is memory-sync. An agent that exits kills its hooks after a moment, so
// all that takes time goes on in a process of its own (MEM-22).
func finish(c *behaviour.Call) error {
	args := []string{"builtin", "worker", "memory", "--dir", c.Project()}
	for _, f := range [][2]string{
		{"--session", c.Session()}, {"--reason", c.Event.Text("exit_reason")},
		{"--duration-ms", durationMS(c.Event)}, {"--error", short(redact.Memory.Text(errorText(c.Event)), 300)},
	} {
		if f[1] != "" {
			args = append(args, f[0]+"="+f[1])
		}
	}
	return c.World.Detach(c.Project(), c.Env, args...)
}

func durationMS(ev protocol.Object) string {
	if ms := string(ev.Get("duration_ms")); ms != "" && ms != "null" {
		return ms
	}
	if s, err := strconv.ParseFloat(string(ev.Get("duration_seconds")), 64); err == nil {
		return strconv.FormatInt(int64(s*1000), 10)
	}
	return ""
}

// errorText is the error of an event, which is a text or holds one.
func errorText(ev protocol.Object) string {
	if text := ev.Text("error"); text != "" {
		return text
	}
	return ev.Sub("error").Text("message")
}

// Work is what the worker does once a session is over (MEM-19, MEM-20). sync
// brings the index up to date; nil if there is none.
func Work(c *behaviour.Call, end memory.End, sync func(memory.Place) error) error {
	place := storeOf(c)
	if sync == nil {
		sync = func(memory.Place) error { return nil }
	}
	errs := []error{sync(place)}
	if saved, _ := place.Saved(end.Session); !saved {
		errs = append(errs, stageOnce(c, place))
	}
	made, err := place.Aggregate(end.Session, memory.NewID("sum", c.Now, c.World.Random()), c.Now)
	if errs = append(errs, err); made {
		errs = append(errs, sync(place))
	}
	errs = append(errs, place.Ended(memory.NewID("log", c.Now, c.World.Random()), end, c.Now))
	if reasons := c.Settings.Of("cleanup_reasons").List; slices.Contains(reasons, end.Reason) || slices.Contains(reasons, "*") {
		errs = append(errs, place.CleanLogs(c.Settings.Of("log_retain_days").Int, c.Now))
	}
	// What was noted of the session is used up: the summary has it. If the session
	// is resumed, it counts from the beginning.
	errs = append(errs, c.State.Drain(spoolName, func([]protocol.Object) error {
		return c.State.Update(stateName, func(o protocol.Object) protocol.Object {
			o.Delete("staged")
			o.Delete("turn_asked")
			return o
		})
	}))
	return errors.Join(errs...)
}

// stageOnce keeps what the session did if it changed something and saved
// nothing: else nobody would ever know of it.
func stageOnce(c *behaviour.Call, place memory.Place) error {
	if workOf(c).writes == 0 {
		return nil
	}
	return stage(c)
}
