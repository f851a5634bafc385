package agents

import (
	"cmp"
	"io/fs"
	"slices"
	"strings"

	skills "github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/translate"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// A page is what an agent's page below docs/agents says, without the words.
type page struct {
	agent   *protocol.Dialect
	files   config     // that install writes
	guides  config     // folders that install --guides writes to
	example string     // what install writes for one event, "" if it cannot be shown
	shares  []relation // agents that it shares entries with
	events  []event
	tools   []tool
	never   []protocol.EventType // events that it does not have
	lacks   []lack
	skills  []skills.Fidelity
	native  string // an event that has to be named, as its payload does not; "" if it does
}

// A relation is to an agent of which one runs the entries of the other as well.
type relation struct {
	to    *protocol.Dialect
	runs  bool           // the page's agent runs those of the other, else the other way
	scope protocol.Scope // the entries of one scope, "" for both
}

// A tool is one of an agent's own: what a matcher may call it beside that, and
// what of commands and changes its calls give a hook.
type tool struct {
	native string
	names  []string
	gives  []string
	source string // how the row is known
}

// A lack is what an answer to an event cannot do.
type lack struct {
	event   protocol.EventType
	missing []string // words of [protocol.Can]
}

func pageOf(d *protocol.Dialect) page {
	user, project := docSite(protocol.UserScope), docSite(protocol.ProjectScope)
	p := page{
		agent:   d,
		files:   config{d.Config.File(user), d.Config.File(project)},
		guides:  config{d.Skills.Dir(user), d.Skills.Dir(project)},
		example: exampleEntry(d, user),
		events:  eventsOf(d),
		tools:   toolsOf(d),
		lacks:   lacksOf(d),
		skills:  skills.FidelityOf(d),
	}
	for _, o := range agents.All() {
		if o != d && d.Reads(o.ID, "") {
			p.shares = append(p.shares, relation{o, true, sharedScope(d, o)})
		}
		if o != d && o.Reads(d.ID, "") {
			p.shares = append(p.shares, relation{o, false, sharedScope(o, d)})
		}
	}
	for _, e := range protocol.EventTypes() {
		if !slices.ContainsFunc(p.events, func(have event) bool { return have.Event == string(e) }) {
			p.never = append(p.never, e)
		}
	}
	if n := beforeTool(d); n.Unnamed {
		p.native = n.Name
	}
	return p
}

// docSite is where the pages assume entries to be.
func docSite(scope protocol.Scope) protocol.Site {
	return protocol.Site{
		Scope: scope, GOOS: "linux", Home: "~", Project: "PROJECT",
		Env:  func(string) string { return "" },
		Read: func(string) ([]byte, error) { return nil, fs.ErrNotExist },
		List: func(string) []string { return nil },
	}
}

// sharedScope is in which scope an agent reads the entries of another, "" for
// both.
func sharedScope(reader, of *protocol.Dialect) protocol.Scope {
	switch {
	case !reader.Reads(of.ID, protocol.UserScope):
		return protocol.ProjectScope
	case !reader.Reads(of.ID, protocol.ProjectScope):
		return protocol.UserScope
	}
	return ""
}

// beforeTool is the native event before a tool call, or the first event.
func beforeTool(d *protocol.Dialect) protocol.Native {
	if n, _, ok := translate.Native(d, protocol.PreToolCall); ok {
		return n
	}
	return d.NativeEvents[0]
}

// exampleEntry is what install writes for one event.
func exampleEntry(d *protocol.Dialect, s protocol.Site) string {
	s.Home, s.Project = "/home/you", "/home/you/project"
	edits, err := install.Add(d, s, protocol.Entry{
		Argv: []string{"/usr/local/bin/agents-hooks", "run", "--agent=" + d.ID}, Events: []string{beforeTool(d).Name},
	})
	if err != nil || len(edits) == 0 {
		return ""
	}
	text := string(edits[0].After)
	if d.Config.Shape == protocol.Plugin {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, protocol.PluginEntry) {
				return line
			}
		}
	}
	return text
}

// toolsOf are the tools of an agent, as its table has them.
func toolsOf(d *protocol.Dialect) (tools []tool) {
	for _, t := range d.Tools {
		does := t.Does
		if does == 0 {
			does = protocol.DoesOf(t.Name)
		}
		row := tool{native: t.Native, names: append([]string{t.Name}, t.Also...), source: cmp.Or(t.Source, d.ToolSource)}
		if does.Has(protocol.Runs | protocol.RawShell) {
			row.gives = append(row.gives, "commands")
		}
		if does.Has(protocol.Changes | protocol.Deletes | protocol.Moves) {
			row.gives = append(row.gives, "changes")
		}
		tools = append(tools, row)
	}
	return tools
}

// lacksOf are what an agent cannot be told at the events that matter most, of
// those that it has.
func lacksOf(d *protocol.Dialect) (lacks []lack) {
	for _, want := range []struct {
		event protocol.EventType
		can   protocol.Can
	}{
		{protocol.PreSession, protocol.CanBlock | protocol.CanContext},
		{protocol.PreAgentTurn, protocol.CanBlock | protocol.CanContext},
		{protocol.PreToolCall, protocol.CanBlock | protocol.CanAsk | protocol.CanModify | protocol.CanContext},
		{protocol.PostToolCall, protocol.CanContext | protocol.CanOutput},
		{protocol.PermissionRequest, protocol.CanBlock | protocol.CanAllow},
		{protocol.PreAgentTurnStop, protocol.CanContinue},
		{protocol.PreSubagent, protocol.CanBlock},
		{protocol.PreContextCompact, protocol.CanBlock | protocol.CanContext},
	} {
		n, _, ok := translate.Native(d, want.event)
		if !ok {
			continue
		}
		if missing := (want.can &^ n.CanOf(want.event)).Words(); len(missing) > 0 {
			lacks = append(lacks, lack{want.event, missing})
		}
	}
	return lacks
}
