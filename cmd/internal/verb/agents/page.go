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

// A page has the facts of an agent's page below docs/agents.
type page struct {
	agent   *protocol.Dialect
	files   config     // files that install writes
	guides  config     // folders that install --guides writes to
	example string     // the entry that install writes for one event, "" if it cannot be shown
	shares  []relation // agents that share entries with it
	events  []event
	tools   []tool
	never   []protocol.EventType // events that it lacks
	lacks   []lack
	skills  []skills.Fidelity
	native  string // an event that must be named since its payload does not name it; "" if it does
}

// A relation of two agents, one of which also runs the other's entries.
type relation struct {
	to    *protocol.Dialect
	runs  bool           // the page's agent runs the other's entries; false: the other way round
	scope protocol.Scope // the entries of one scope, "" for both
}

// A tool of an agent: other names that matchers may use, and what of commands and changes its
// calls give a hook.
type tool struct {
	native string
	names  []string
	gives  []string
	source string // how the row is known
}

// A lack is something that an answer to an event cannot do.
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

// docSite is the site that the pages assume.
func docSite(scope protocol.Scope) protocol.Site {
	return protocol.Site{
		Scope: scope, GOOS: "linux", Home: "~", Project: "PROJECT",
		Env:  func(string) string { return "" },
		Read: func(string) ([]byte, error) { return nil, fs.ErrNotExist },
		List: func(string) []string { return nil },
	}
}

// sharedScope is the scope in which an agent reads another's entries, "" for both.
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

// exampleEntry is the entry that install writes for one event.
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

// toolsOf are an agent's tools, from its table.
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

// lacksOf says what answers cannot do at the most important events that an agent has.
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
