package agents

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// overview is the text of docs/agents.md: the agents side by side.
func overview(list []*protocol.Dialect) string {
	var b strings.Builder
	b.WriteString("| agent | `--agent` | proven on | entry of the user | entry of a project |\n|---|---|---|---|---|\n")
	for _, d := range list {
		fmt.Fprintf(&b, "| [%s](agents/%s.md) | `%s` | %s | %s | %s |\n", d.Name, d.ID, d.ID, cmp.Or(d.Observed, "–"),
			code(d.Config.File(docSite(protocol.UserScope))), code(d.Config.File(docSite(protocol.ProjectScope))))
	}
	b.WriteString("\n| agent |")
	for _, e := range protocol.EventTypes() {
		fmt.Fprintf(&b, " %s |", e)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(protocol.EventTypes())) + "\n")
	for _, d := range list {
		fmt.Fprintf(&b, "| [%s](agents/%s.md) |", d.Name, d.ID)
		for _, c := range cells(d) {
			fmt.Fprintf(&b, " %s |", c)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// code formats a word as code.
func code(s string) string {
	if s == "" {
		return "none"
	}
	return "`" + s + "`"
}

// markdown is the page as text, to be appended to what its author wrote.
func (p page) markdown() string {
	var b strings.Builder
	p.writeTitle(&b)
	p.writeInstall(&b)
	p.writeWorks(&b)
	p.writeDoesNot(&b)
	p.writeSkills(&b)
	p.writeQuirks(&b)
	p.writeDebug(&b)
	return b.String()
}

func (p page) writeTitle(b *strings.Builder) {
	fmt.Fprintf(b, "`%s`", p.agent.ID)
	for i, a := range p.agent.Aliases {
		b.WriteString([]string{", also", " or"}[min(i, 1)] + " `" + a + "`")
	}
	if p.agent.Observed == "" {
		b.WriteString(". Not observed on a running program.")
	} else {
		fmt.Fprintf(b, ". Proven on %s.", p.agent.Observed)
	}
	fmt.Fprintf(b, " Facts: <%s>\n\n", p.agent.Doc)
}

// writeInstall says how to install, and shows the entry of one event.
func (p page) writeInstall(b *strings.Builder) {
	fmt.Fprintf(b, "## Install\n\n    agents-hooks install %s\n", p.agent.ID)
	if p.files.Project != "" {
		fmt.Fprintf(b, "    agents-hooks install %s --project\n", p.agent.ID)
	}
	words := "\nThe first writes " + code(p.files.User)
	switch {
	case p.files.Project == "":
		words = "\nIt writes " + code(p.files.User) + "; there is no project configuration."
	case docSite(protocol.ProjectScope).Shares(p.files.Project):
		words += ", the second " + code(p.files.Project) + ". That file is shared through the repository: do not commit the entry, which names a program on your machine."
	default:
		words += ", the second " + code(p.files.Project) + "."
	}
	b.WriteString(text.Wrap(words+" `agents-hooks uninstall "+p.agent.ID+"` removes it.", 80, "") + "\n\n")
	if p.example != "" {
		fmt.Fprintf(b, "%s:\n\n```%s\n%s```\n\n", shapeWords(p.agent.Config.Shape), shapeLanguage(p.agent.Config.Shape), p.example)
	}
	for _, n := range p.notes() {
		fmt.Fprintf(b, "- %s\n", n)
	}
	b.WriteString("\n")
}

// notes are worth knowing about an install. There is at least the one on guides.
func (p page) notes() []string {
	notes := append(slices.Clone(p.agent.Notes), p.goneNote(), p.guideNote())
	for _, r := range p.shares {
		if r.runs {
			notes = append(notes, fmt.Sprintf("%s also runs %s: if that is there, none is written here.", p.agent.Name, entriesOf(r)))
		} else {
			notes = append(notes, fmt.Sprintf("%s also runs %s: if it is there, none is written for it.", link(r.to), thisEntry(r.scope)))
		}
	}
	return notes
}

// goneNote says what the user sees when the program that the entries name is gone.
func (p page) goneNote() string {
	gone := "if even the copy of our program is gone, nothing is guarded, and "
	switch tells := install.Tells(p.agent); {
	case p.agent.Config.Shape == protocol.Plugin:
		return gone + "the plugin says so when a session begins"
	case p.agent.Config.Direct:
		return gone + p.agent.Name + " reports a missing program in its own way: no shell, which could check, runs its entries"
	case len(tells) == 0:
		return gone + p.agent.Name + " goes on silently, since it shows nobody what an entry prints: `agents-hooks doctor` reports it"
	default:
		n, _ := p.agent.Native(tells[0])
		return gone + "the entry says so " + map[protocol.EventType]string{
			protocol.PreSession: "when a session begins", protocol.PreAgentTurn: "with each prompt", protocol.PreAgentTurnStop: "at each stop",
		}[n.MapsTo[0]]
	}
}

// guideNote says where install --guides writes.
func (p page) guideNote() string {
	switch {
	case p.guides.User == "":
		return "it reads no skills, so `--guides` writes nothing"
	case p.files.Project == "":
		return "`--guides` writes below " + code(p.guides.User+"/")
	}
	return "`--guides` writes below " + code(p.guides.User+"/") + ", with `--project` below " + code(p.guides.Project+"/")
}

func link(d *protocol.Dialect) string { return fmt.Sprintf("[%s](%s.md)", d.Name, d.ID) }

// entriesOf says which other entries an agent also runs.
func entriesOf(r relation) string {
	switch r.scope {
	case protocol.ProjectScope:
		return "the entry of " + link(r.to) + " in a project"
	case protocol.UserScope:
		return "the user's entry of " + link(r.to)
	}
	return "the entry of " + link(r.to)
}

// thisEntry says which entry of the page's agent another agent also runs.
func thisEntry(scope protocol.Scope) string {
	switch scope {
	case protocol.ProjectScope:
		return "this entry in a project"
	case protocol.UserScope:
		return "this entry of the user"
	}
	return "this entry"
}

func shapeWords(s protocol.Shape) string {
	switch s {
	case protocol.Plugin:
		return "It is a plugin, which lists"
	case protocol.Wrappers:
		return "It is a folder with an executable file for each event. The file of one event"
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

// writeWorks lists the agent's events, and what an answer to each can do.
func (p page) writeWorks(b *strings.Builder) {
	b.WriteString("## What works\n\n| native event | event | can | known | limit |\n|---|---|---|---|---|\n")
	for _, e := range p.events {
		fmt.Fprintf(b, "| %s | `%s` | %s | %s | %s |\n", e.Native, e.Event, cmp.Or(strings.Join(e.Can, ", "), "observe"), e.Source, seconds(e.LimitMS))
	}
	if len(p.tools) > 0 {
		b.WriteString("\n| tool here | a matcher may call it too | [gives](../matchers.md#what-a-call-does) | known |\n|---|---|---|---|\n")
	}
	for _, t := range p.tools {
		names := slices.DeleteFunc(slices.Clone(t.names), func(name string) bool { return name == t.native })
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", t.native, strings.Join(names, ", "), strings.Join(t.gives, ", "), t.source)
	}
	if len(p.tools) > 0 {
		b.WriteString("\nA tool that is not in the table is classified by its input.\n")
	}
	if p.agent.StopMax > 0 {
		fmt.Fprintf(b, "\nA hook can make it go on at most %s in a row, or fewer if `stop_limit` says so.\n", text.Count(p.agent.StopMax, "time"))
	}
	if p.agent.FieldMax > 0 {
		fmt.Fprintf(b, "\nA text in an answer holds %d characters; a longer one is cut at a line, with a note that says so.\n", p.agent.FieldMax)
	}
	b.WriteString("\n")
}

func seconds(ms int64) string {
	if ms == 0 {
		return "not registered"
	}
	return fmt.Sprintf("%g s", float64(ms)/1000)
}

// writeDoesNot lists the events that the agent lacks, and what answers to the most important
// ones cannot do.
func (p page) writeDoesNot(b *strings.Builder) {
	b.WriteString("## What does not\n\n")
	if len(p.never) > 0 {
		var words []string
		for _, e := range p.never {
			words = append(words, code(string(e)))
		}
		fmt.Fprintf(b, "- It has no %s: hooks for these do not run.\n", strings.Join(words, ", "))
	}
	for _, l := range p.lacks {
		fmt.Fprintf(b, "- At `%s` an answer cannot %s.%s\n", l.event, anyOf(l.missing), instead(l))
	}
	switch {
	case p.agent.Overheard:
		b.WriteString("- A warning for the user waits for the next prompt, where the model reads it too.\n")
	case p.agent.Keeps():
		b.WriteString("- A message or a warning for the user waits for the next prompt or stop if an event cannot carry it.\n")
	}
	b.WriteString("- Anything else that an answer cannot carry is dropped, reported to the user once a session, and counted by\n  `agents-hooks doctor`. With `[hooks] on_unsupported = \"block\"`, or `metadata: {on_unsupported: block}`\n  in a hook, a changed input that cannot be passed on becomes a block.\n\n")
}

// anyOf puts into words what an answer cannot do.
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
		case "allow":
			w = "give the permission"
		case "output":
			w = "replace the result"
		}
		words[i] = w
	}
	if n := len(words); n > 1 {
		words = append(words[:n-2], words[n-2]+" or "+words[n-1])
	}
	return strings.Join(words, ", ")
}

// instead says what happens to what an answer cannot carry.
func instead(l lack) string {
	if l.event == protocol.PreToolCall && slices.Contains(l.missing, "ask") && !slices.Contains(l.missing, "block") {
		return " An `ask` becomes a block with its reason."
	}
	if slices.Contains(l.missing, "block") && l.event.Prevents() {
		return " A block: " + l.event.BlocksInstead() + "."
	}
	return ""
}

// writeSkills says how closely the agent can follow the timing of a skill's prompts.
func (p page) writeSkills(b *strings.Builder) {
	b.WriteString("## Prompts of skills\n\n| timing | fidelity | how |\n|---|---|---|\n")
	for _, f := range p.skills {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", f.Timing, f.Fidelity, f.Detail)
	}
	b.WriteString("\nNothing can be removed again: each prompt says how long it applies. See [skills](../skills.md).\n\n")
}

func (p page) writeQuirks(b *strings.Builder) {
	if len(p.agent.Quirks) == 0 {
		return
	}
	b.WriteString("## Quirks\n\n| number | seen in | what it is; what we do |\n|---|---|---|\n")
	for _, q := range p.agent.Quirks {
		fmt.Fprintf(b, "| %s | %s | %s |\n", q.ID, q.Seen, strings.ReplaceAll(q.Text, "|", `\|`))
	}
	b.WriteString("\n")
}

// writeDebug says where to look if a hook does not do what it should.
func (p page) writeDebug(b *strings.Builder) {
	event := ""
	if p.native != "" {
		event = " --event=" + p.native
	}
	fmt.Fprintf(b, "## When a hook does not run\n\n"+
		"    agents-hooks doctor %[1]s --probe        # is the entry there, approved, working?\n"+
		"    agents-hooks log -f --agent %[1]s        # each event as it comes, with its result\n"+
		"    agents-hooks validate --agent %[1]s      # does a hook use what it cannot do?\n"+
		"    agents-hooks explain --agent %[1]s%[2]s --input PAYLOAD.json\n", p.agent.ID, event)
}
