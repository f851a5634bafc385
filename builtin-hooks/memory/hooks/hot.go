package hooks

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/lang"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/session"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// What the session's directory holds of ours.
const (
	// stateName is what was asked and when: turn_asked, flushed, transcript_base.
	stateName = "memory"
	// spoolName has a line for each prompt ({"prompt": …, "recalled": ids}),
	// changed file ({"file": …}) and failed command ({"failed": …}).
	spoolName = "memory"

	flushKind = "memory-flush" // of a deferred item
	flushLife = 2 * time.Hour
	loadKind  = "memory-load"
	loadLife  = 12 * time.Hour // a session may lie idle before its first prompt
)

// nudge is memory-nudge: what it costs, every tool call pays (G18).
func nudge(c *behaviour.Call) error {
	err := errors.Join(note(c), wrote(c))
	deliver(c)
	early(c)
	return err
}

// note keeps which file a call changed, or which command failed.
func note(c *behaviour.Call) error {
	var record protocol.Object
	input := c.Event.Sub("tool_input")
	switch c.Event.Text("tool_name") {
	case "WriteFile", "EditFile":
		file := input.Text("file_path")
		if file == "" {
			return nil
		}
		if rel, err := filepath.Rel(c.Project(), file); err == nil && filepath.IsLocal(rel) {
			file = filepath.ToSlash(rel)
		}
		record.SetText("file", redact.Memory.Text(file))
	case "Shell":
		if !failed(c.Event.Sub("tool_response")) {
			return nil
		}
		record.SetText("failed", short(redact.Memory.Text(input.Text("command")), 200))
	default:
		return nil
	}
	return c.State.Spool(spoolName, c.Digest(), record)
}

// failed reports whether a shell's answer tells of an exit code that is not 0.
func failed(response protocol.Object) bool {
	for _, name := range [...]string{"exit_code", "exitCode", "returncode", "code"} {
		if v := string(response.Get(name)); v != "" && v != "null" {
			n, err := strconv.Atoi(v)
			return err == nil && n != 0
		}
	}
	return false
}

// recall is memory-recall.
func recall(c *behaviour.Call) error {
	record := turn(c)
	found, err := search(c)
	if len(found) > 0 {
		record.Set("recalled", ids(found))
	}
	err = errors.Join(err, c.State.Spool(spoolName, strconv.FormatInt(c.Now.UnixNano(), 36), record))
	deliver(c)
	early(c)
	sayFound(c, found)
	return err
}

// turn is the record of a prompt. What the agent itself sends, such as the end of
// a background task, is no turn of the person.
func turn(c *behaviour.Call) protocol.Object {
	var record protocol.Object
	if source := c.Event.Text("source"); source != "" && source != "user" {
		record.SetText("source", source)
		return record
	}
	record.SetText("prompt", short(redact.Memory.Text(c.Event.Text("prompt")), 300))
	return record
}

// deliver gives the agent what no event before could carry (COM-6).
func deliver(c *behaviour.Call) {
	if !c.Can("context") || !c.State.Waiting() {
		return
	}
	items, err := c.State.Take(c.Now)
	if err != nil || len(items) == 0 {
		return
	}
	for _, item := range items {
		c.Say(item.Text, "")
	}
	c.Unanswered = func() {
		for _, item := range items {
			_ = c.State.Defer(item)
		}
	}
}

// early asks once a compaction cycle for what is to be saved, when the context
// is nearly full (MEM-13): some agents compact without asking, and none tells
// before it is too late to run a command.
func early(c *behaviour.Call) {
	at := c.Settings.Of("flush_at").Int
	if !c.Settings.Of("flush").Bool || at == 0 || !c.Can("context") || c.Session() == "" {
		return
	}
	size := transcript(c)
	percent, known := usage(c, size)
	if !known || percent < at {
		return
	}
	due := false
	err := c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		if base := integer(o, "transcript_base"); base > 0 && !told(c) {
			// The transcript grows on after a compaction; what was compacted is
			// no part of the context any more.
			if percent, _ = usage(c, size-base); percent < at {
				return nil
			}
		}
		if due = !o.Bool("flushed"); !due {
			return nil
		}
		o.Set("flushed", protocol.Raw("true"))
		return o
	})
	if err != nil || !due {
		return
	}
	_ = c.State.Drop(flushKind)
	r := requestOf(c)
	r.usage = strconv.Itoa(percent)
	c.Say(r.flush(), "")
}

// told reports whether the agent says itself how full its context is.
func told(c *behaviour.Call) bool {
	return c.Event.Has("usage_percent") || c.Event.Has("context_tokens")
}

// usage is how full the context is, in percent: what the agent says, else an
// estimate from the length of its transcript, four bytes a token.
func usage(c *behaviour.Call, size int64) (percent int, known bool) {
	if p, err := strconv.ParseFloat(string(c.Event.Get("usage_percent")), 64); err == nil {
		return int(p), true
	}
	window := int64(c.Settings.Of("context_tokens").Int)
	if n := integer(c.Event, "context_tokens"); n > 0 {
		return int(n * 100 / window), true
	}
	if size <= 0 {
		return 0, false
	}
	return int(size / 4 * 100 / window), true
}

// transcript is the length of the agent's transcript in bytes, 0 if it has none.
func transcript(c *behaviour.Call) int64 {
	path := c.Event.Text("transcript_path")
	if !filepath.IsAbs(path) {
		return 0
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

// requestOf is what the texts need to know of a call.
func requestOf(c *behaviour.Call) request {
	id := c.Session()
	if id == "" {
		id = "unknown"
	}
	return request{
		lang: lang.Of(c.Settings.Of("language").Text, c.Getenv), names: c.Names(), session: id,
		folder: storeOf(c).Folder(), usage: orUnknown(c.Event.Get("usage_percent")), count: orUnknown(c.Event.Get("message_count")),
	}
}

// storeOf is the memory that a call is about.
func storeOf(c *behaviour.Call) memory.Place {
	return memory.Find(c.Project(), c.World.Data, c.Settings.Of("data_dir").Text, c.Below, c.Ledger)
}

// askAgain is how a deferred request is kept.
func askAgain(c *behaviour.Call, text string) error {
	return c.State.Defer(session.Item{Kind: flushKind, Text: text, Expires: c.Now.Add(flushLife)})
}

func integer(o protocol.Object, name string) int64 {
	n, err := strconv.ParseInt(string(o.Get(name)), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// short is the beginning of a text, on one line.
func short(s string, most int) string { return text.Clip(text.OneLine(s), most) }
