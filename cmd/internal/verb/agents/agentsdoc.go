package agents

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	skills "github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/translate"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// agentsMarkdown is what stands in docs/agents.md: the agents side by side.
func agentsMarkdown(list []*protocol.Dialect) string {
	var b strings.Builder
	b.WriteString("| agent | `--agent` | proven on | entry of the user | entry of a project |\n|---|---|---|---|---|\n")
	for _, d := range list {
		fmt.Fprintf(&b, "| [%s](agents/%s.md) | `%s` | %s | %s | %s |\n", d.Name, d.ID, d.ID, setup.OrElse(d.Observed, "–"),
			code(d.Config.File(DocSite(protocol.UserScope))), code(d.Config.File(DocSite(protocol.ProjectScope))))
	}
	b.WriteString("\n| agent |")
	for _, e := range protocol.EventTypes() {
		fmt.Fprintf(&b, " %s |", e)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(protocol.EventTypes())) + "\n")
	for _, d := range list {
		fmt.Fprintf(&b, "| [%s](agents/%s.md) |", d.Name, d.ID)
		events := agentEvents(d)
		for _, e := range protocol.EventTypes() {
			fmt.Fprintf(&b, " %s |", cell(events, e))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// DocSite is where the pages have entries stand.
func DocSite(scope protocol.Scope) protocol.Site {
	return protocol.Site{
		Scope: scope, GOOS: "linux", Home: "~", Project: "PROJECT",
		Env:  func(string) string { return "" },
		Read: func(string) ([]byte, error) { return nil, fs.ErrNotExist },
		List: func(string) []string { return nil },
	}
}

func code(s string) string {
	if s == "" {
		return "none"
	}
	return "`" + s + "`"
}

// agentPage is what stands in an agent's page below docs/agents.
func agentPage(d *protocol.Dialect) string {
	var b strings.Builder
	fmt.Fprintf(&b, "`%s`", d.ID)
	for i, a := range d.Aliases {
		b.WriteString([]string{", also", " or"}[min(i, 1)] + " `" + a + "`")
	}
	if d.Observed == "" {
		b.WriteString(". Not observed: no running program was there to prove it on.")
	} else {
		fmt.Fprintf(&b, ". Proven on %s.", d.Observed)
	}
	fmt.Fprintf(&b, " Facts: <%s>\n\n", d.Doc)
	pageInstall(&b, d)
	pageCan(&b, d)
	pageCannot(&b, d)
	pageSkills(&b, d)
	pageQuirks(&b, d)
	pageDebug(&b, d)
	return b.String()
}

// pageInstall says how to install, and shows the entry of one event.
func pageInstall(b *strings.Builder, d *protocol.Dialect) {
	fmt.Fprintf(b, "## Install\n\n    agents-hooks install %s\n", d.ID)
	user, project := DocSite(protocol.UserScope), DocSite(protocol.ProjectScope)
	file := d.Config.File(project)
	if file != "" {
		fmt.Fprintf(b, "    agents-hooks install %s --project\n", d.ID)
	}
	words := "\nThe first writes " + code(d.Config.File(user))
	switch {
	case file == "":
		words = "\nIt writes " + code(d.Config.File(user)) + "; there is no configuration of a project."
	case d.Config.Shared:
		words += ", the second " + code(file) + ", which is shared through the repository: do not commit the entry, it names a program of your machine."
	default:
		words += ", the second " + code(file) + "."
	}
	b.WriteString(shell.Wrap(words+" `agents-hooks uninstall "+d.ID+"` takes it out again.", 80, "") + "\n\n")
	if shown := exampleEntry(d, user); shown != "" {
		fmt.Fprintf(b, "%s:\n\n```%s\n%s```\n\n", shapeWords(d.Config.Shape), shapeLanguage(d.Config.Shape), shown)
	}
	notes := append(slices.Clone(d.Notes), guideNote(d, user, project))
	for _, o := range agents.All() {
		if o != d && d.Reads(o.ID, "") {
			notes = append(notes, fmt.Sprintf("%s runs %s as well: where that stands, none is written here.", d.Name, entriesOf(d, o)))
		}
		if o != d && o.Reads(d.ID, "") {
			notes = append(notes, fmt.Sprintf("[%s](%s.md) runs %s as well: where it stands, none is written there.", o.Name, o.ID, thisEntry(o, d)))
		}
	}
	for _, n := range notes {
		fmt.Fprintf(b, "- %s\n", n)
	}
	if len(notes) > 0 {
		b.WriteString("\n")
	}
}

// guideNote says where install --guides writes.
func guideNote(d *protocol.Dialect, user, project protocol.Site) string {
	switch {
	case d.Skills.Dir(user) == "":
		return "it reads no skills, so `--guides` writes none"
	case d.Config.File(project) == "":
		return "`--guides` writes below " + code(d.Skills.Dir(user)+"/")
	}
	return "`--guides` writes below " + code(d.Skills.Dir(user)+"/") + ", with `--project` below " + code(d.Skills.Dir(project)+"/")
}

// entriesOf says whose entry an agent runs as well.
func entriesOf(d, o *protocol.Dialect) string {
	link := fmt.Sprintf("[%s](%s.md)", o.Name, o.ID)
	switch {
	case !d.Reads(o.ID, protocol.UserScope):
		return "the entry of " + link + " in a project"
	case !d.Reads(o.ID, protocol.ProjectScope):
		return "the user's entry of " + link
	}
	return "the entry of " + link
}

// thisEntry is entriesOf from the other side.
func thisEntry(o, d *protocol.Dialect) string {
	switch {
	case !o.Reads(d.ID, protocol.UserScope):
		return "this entry in a project"
	case !o.Reads(d.ID, protocol.ProjectScope):
		return "this entry of the user"
	}
	return "this entry"
}

func shapeWords(s protocol.Shape) string {
	switch s {
	case protocol.Plugin:
		return "It is a plugin, which knows"
	case protocol.Wrappers:
		return "It is a folder with an executable file for each event. That of one"
	}
	return "The entry of one event"
}

func shapeLanguage(s protocol.Shape) string {
	switch s {
	case protocol.BlockTOML:
		return "toml"
	case protocol.Plugin:
		return "js"
	case protocol.Wrappers:
		return "sh"
	}
	return "json"
}

// exampleEntry is what install writes for the event before a tool call, or for
// the first event.
func exampleEntry(d *protocol.Dialect, s protocol.Site) string {
	s.Home, s.Project = "/home/you", "/home/you/project"
	n, _, ok := translate.Native(d, protocol.PreToolCall)
	if !ok {
		n = d.Natives[0]
	}
	edits, err := install.Add(d, s, protocol.Entry{
		Argv: []string{"/usr/local/bin/agents-hooks", "run", "--agent=" + d.ID}, Events: []string{n.Name},
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

// pageCan says what works: the agent's events, and what can be said to each.
func pageCan(b *strings.Builder, d *protocol.Dialect) {
	b.WriteString("## What works\n\n| native event | event | can | known | limit |\n|---|---|---|---|---|\n")
	for _, e := range agentEvents(d) {
		fmt.Fprintf(b, "| %s | `%s` | %s | %s | %s |\n", e.Native, e.Event, setup.OrElse(strings.Join(e.Can, ", "), "look on"), e.Source, seconds(e.LimitMS))
	}
	if len(d.Tools) > 0 {
		b.WriteString("\n| tool | its names here; a matcher takes either |\n|---|---|\n")
	}
	named := map[string][]string{}
	for _, t := range d.Tools {
		named[t.Name] = append(named[t.Name], "`"+t.Native+"`")
	}
	for _, t := range d.Tools {
		if names := named[t.Name]; names != nil {
			fmt.Fprintf(b, "| %s | %s |\n", t.Name, strings.Join(names, ", "))
		}
		delete(named, t.Name)
	}
	if d.StopMax > 0 {
		fmt.Fprintf(b, "\nA hook can make it go on %d times in a row at most; fewer if `stop_limit` says so.\n", d.StopMax)
	}
	if d.FieldMax > 0 {
		fmt.Fprintf(b, "\nA text of an answer holds %d characters; what is longer is cut at a line, and says so.\n", d.FieldMax)
	}
	b.WriteString("\n")
}

// pageCannot says what does not work: events that it does not have, and what
// cannot be said at those that matter most.
func pageCannot(b *strings.Builder, d *protocol.Dialect) {
	b.WriteString("## What does not\n\n")
	events := agentEvents(d)
	var never []string
	for _, e := range protocol.EventTypes() {
		if cell(events, e) == "-" {
			never = append(never, "`"+string(e)+"`")
		}
	}
	if len(never) > 0 {
		fmt.Fprintf(b, "- It has no %s: hooks there do not run.\n", strings.Join(never, ", "))
	}
	for _, want := range []struct {
		event protocol.EventType
		can   protocol.Can
	}{
		{protocol.PreSession, protocol.CanContext},
		{protocol.PreAgentTurn, protocol.CanBlock | protocol.CanContext},
		{protocol.PreToolCall, protocol.CanBlock | protocol.CanAsk | protocol.CanModify | protocol.CanContext},
		{protocol.PostToolCall, protocol.CanContext},
		{protocol.PreAgentTurnStop, protocol.CanContinue},
		{protocol.PreContextCompact, protocol.CanBlock | protocol.CanContext},
	} {
		n, first, ok := translate.Native(d, want.event)
		if !ok {
			continue
		}
		can := n.Can
		if !first {
			can = 0
		}
		if missing := (want.can &^ can).Words(); len(missing) > 0 {
			fmt.Fprintf(b, "- At `%s` an answer cannot %s.%s\n", want.event, anyOf(missing), instead(want.event, missing))
		}
	}
	b.WriteString("- Anything else that it cannot be told is dropped, said to the person once a session, and counted by\n  `agents-hooks doctor`; `[hooks] on_unsupported = \"block\"` makes it a block instead.\n\n")
}

// pageSkills says how near it comes to what the prompts of skills ask for.
func pageSkills(b *strings.Builder, d *protocol.Dialect) {
	b.WriteString("## Prompts of skills\n\n| timing | fidelity | how |\n|---|---|---|\n")
	for _, f := range skills.FidelityOf(d) {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", f.Timing, f.Fidelity, f.Detail)
	}
	b.WriteString("\nNothing can be taken out again: a prompt says itself how long it counts. See [skills](../skills.md).\n\n")
}

// anyOf says in words what an answer cannot do.
func anyOf(missing []string) string {
	words := make([]string, len(missing))
	for i, w := range missing {
		switch w {
		case "modify":
			w = "modify the input"
		case "context":
			w = "give context"
		case "continue":
			w = "make it go on"
		}
		words[i] = w
	}
	if n := len(words); n > 1 {
		words = append(words[:n-2], words[n-2]+" or "+words[n-1])
	}
	return strings.Join(words, ", ")
}

func pageQuirks(b *strings.Builder, d *protocol.Dialect) {
	if len(d.Quirks) == 0 {
		return
	}
	b.WriteString("## Quirks\n\n| number | seen in | what, and what is done about it |\n|---|---|---|\n")
	for _, q := range d.Quirks {
		fmt.Fprintf(b, "| %s | %s | %s |\n", q.ID, q.Seen, strings.ReplaceAll(q.Text, "|", `\|`))
	}
	b.WriteString("\n")
}

// pageDebug says where to look when a hook does not do what it should.
func pageDebug(b *strings.Builder, d *protocol.Dialect) {
	n, _, ok := translate.Native(d, protocol.PreToolCall)
	if !ok {
		n = d.Natives[0]
	}
	event := ""
	if n.Unnamed {
		event = " --event=" + n.Name
	}
	fmt.Fprintf(b, "## When a hook does not run\n\n"+
		"    agents-hooks doctor %[1]s --probe        # is the entry there, approved, alive?\n"+
		"    agents-hooks log -f --agent %[1]s        # each event as it comes, and what came of it\n"+
		"    agents-hooks validate --agent %[1]s      # does a hook ask for more than it can do?\n"+
		"    agents-hooks explain --agent %[1]s%[2]s --input PAYLOAD.json\n", d.ID, event)
}

func seconds(ms int64) string {
	if ms == 0 {
		return "not registered"
	}
	return fmt.Sprintf("%g s", float64(ms)/1000)
}

// instead is what happens to what cannot be said.
func instead(e protocol.EventType, missing []string) string {
	if e == protocol.PreToolCall && slices.Contains(missing, "ask") && !slices.Contains(missing, "block") {
		return " An `ask` becomes a block with its reason."
	}
	return ""
}
