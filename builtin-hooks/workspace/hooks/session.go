package hooks

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// subagent is workspace-subagent (BW-TEL-15).
func subagent(c *behaviour.Call) error {
	if c.Session() == "" || !c.Can("context") {
		return nil
	}
	s, ok, err := bound(c, placeOf(c))
	if err != nil || !ok {
		return err
	}
	t, w := textsOf(c), described(c, placeOf(c), s)
	c.Say(t.Subagent(w), more(t, w))
	return nil
}

// compact is workspace-compact: a row in the log, and the context is news again
// (BW-TEL-15).
func compact(c *behaviour.Call) error {
	if c.Session() == "" {
		return nil
	}
	p := placeOf(c)
	s, ok, err := bound(c, p)
	if err != nil || !ok {
		return err
	}
	node := ""
	if s.Focus != nil {
		node = s.Focus.ID
	}
	in := locale.Of(c.Settings.Of("language").Text, c.Getenv)
	err = note(c, forget)
	// The row is written before what it reports is forgotten: if the process is killed
	// in between, it is reported twice.
	told := false
	err = join(err, c.State.Drain(spoolName, func(records []protocol.Object) error {
		told = true
		_, err := p.Log(s.Workspace, node, workspace.AI, story(in, c.Event, records), c.Now)
		return err
	}))
	if told {
		return err
	}
	_, lerr := p.Log(s.Workspace, node, workspace.AI, story(in, c.Event, nil), c.Now)
	return join(err, lerr)
}

// story is what the session did since the last row, as far as events showed. All of it
// was redacted when it was noted.
func story(in locale.Language, ev protocol.Object, records []protocol.Object) string {
	var b strings.Builder
	b.WriteString(in.Pick("context compacted", "上下文压缩"))
	var about []string
	if trigger := ev.Text("trigger"); trigger != "" {
		about = append(about, text.Clip(text.OneLine(trigger), 20))
	}
	if percent, err := strconv.ParseFloat(string(ev.Get("usage_percent")), 64); err == nil {
		about = append(about, strconv.FormatFloat(percent, 'f', 0, 64)+"%")
	}
	if len(about) > 0 {
		b.WriteString(in.Pick(" (", "（") + strings.Join(about, ", ") + in.Pick(")", "）"))
	}
	var files, commands []string
	for _, o := range records {
		for _, n := range []struct {
			key  string
			list *[]string
		}{{"file", &files}, {"failed", &commands}} {
			if text := o.Text(n.key); text != "" && !slices.Contains(*n.list, text) {
				*n.list = append(*n.list, text)
			}
		}
	}
	list := func(label string, list []string, most int) {
		if n := len(list); n > 0 {
			b.WriteString(label + strings.Join(list[max(0, n-most):], ", "))
			if n > most {
				b.WriteString(in.Pick(" and ", " 等 ") + strconv.Itoa(n) + in.Pick(" in all", " 个"))
			}
		}
	}
	list(in.Pick("; changed: ", "；改动："), files, 12)
	list(in.Pick("; failed: ", "；失败："), commands, 5)
	return text.Clip(text.OneLine(b.String()), 800)
}

// end is workspace-end. Nothing is unbound: the session may be resumed. What it had
// claimed is free for others.
func end(c *behaviour.Call) error {
	if c.Session() == "" {
		return nil
	}
	p := placeOf(c)
	if _, ok := p.Binding(c.Session(), c.Now); !ok {
		return nil
	}
	err := p.Release(c.Now, func(_, _ string, held workspace.Claim) bool { return held.Session == c.Session() })
	return join(err, p.Ended(c.Session(), c.Now))
}
