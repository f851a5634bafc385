//go:build unix

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// What the page on evolution says can be done is done, as it stands there: each command of
// a block and of the table, with the options that are named; the hooks have the limits that
// their table says, the signals have genes, the settings exist, and the files are there and
// are what their rows say. EV-JRN-13, EV-JRN-15, EV-JRN-16.
func TestTheEvolutionPageIsTrue(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "a process for each example of the page")
	p := &evolutionPage{typedPage{t, newExampleStage(t, "evolution"), must.Read(t, "../../docs/evolution.md")}}
	p.blocks()
	p.hooks()
	p.settings()
	if slowtest.On() {
		p.signals()
		p.table()
	}
	p.files() // last, since it leaves a store that nobody reads
}

type evolutionPage struct{ typedPage }

// id is a gene of one's own that was just made.
func (p *evolutionPage) id(title string) string {
	p.Helper()
	out := p.run(`agents-hooks evolution create --force --signals-match error:timeout --title '` + title + `' --strategy 'Turn the pelican around.' --strategy 'Wait for the ` + title + `.' --json`)
	m := regexp.MustCompile(`"gene_id": "([^"]+)"`).FindStringSubmatch(out)
	if m == nil {
		p.Fatalf("no gene: %s", out)
	}
	return m[1]
}

func (p *evolutionPage) blocks() {
	text := strings.ReplaceAll(p.text, "\\\n", "")
	list := regexp.MustCompile(`(?m)^    (agents-hooks .*?)(?:  +[a-z].*)?$`).FindAllStringSubmatch(text, -1)
	if len(list) < 5 {
		p.Fatalf("%d blocks", len(list))
	}
	for _, m := range list {
		line := m[1]
		p.run(strings.Replace(line, " --open", "", 1))
	}
	p.run("agents-hooks enable evolution")
}

// hooks have the names and limits of the table.
func (p *evolutionPage) hooks() {
	limit := regexp.MustCompile(`(?m)^timeout: *(\d+)`)
	for _, m := range p.find(8, "(?m)^\\| ((?:`evolution-[a-z-]+`(?:, )?)+) \\|[^|]*\\| (\\d+) s") {
		for _, name := range regexp.MustCompile("evolution-[a-z-]+").FindAllString(m[1], -1) {
			b, err := os.ReadFile("../../builtin-hooks/evolution/hooks/" + name + "/HOOK.md")
			if err != nil {
				p.Error(err)
				continue
			}
			if has := limit.FindSubmatch(b); has == nil || string(has[1]) != m[2]+"000" {
				p.Errorf("%s has the limit %q, the page says %s s", name, has, m[2])
			}
		}
	}
}

func (p *evolutionPage) signals() {
	for _, m := range p.find(10, "(?m)^\\| `((?:error|infra|perf)[a-z_:]+)` \\|") {
		if out := p.run("agents-hooks evolution list --signal " + m[1]); strings.Contains(out, "no genes") {
			p.Errorf("no gene is about %s", m[1])
		}
	}
}

func (p *evolutionPage) settings() {
	_, known, _ := strings.Cut(must.Read(p, "../../spec/SETTINGS.md"), "evolution")
	for _, m := range p.find(3, "`([a-z_]+) = [^`]+`") {
		if !strings.Contains(known, m[1]) {
			p.Errorf("there is no setting %s", m[1])
		}
	}
}

// table is the list of commands: each runs with what its cell says, and knows the options
// that its row names.
func (p *evolutionPage) table() {
	_, rest, _ := strings.Cut(p.text, "| `agents-hooks evolution …`")
	rows, _, _ := strings.Cut(rest, "\n\n")
	seen := 0
	for _, row := range strings.Split(rows, "\n") {
		cells := strings.Split(row, "|")
		if len(cells) < 4 || !strings.Contains(cells[1], "`") {
			continue
		}
		help := ""
		for _, span := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[1], -1) {
			seen++
			verb := strings.Fields(span[1])[0]
			help += p.run("agents-hooks evolution " + verb + " --help")
			if line := p.line(verb, span[1]); line != "" {
				p.run("agents-hooks evolution " + line)
			}
		}
		for _, option := range regexp.MustCompile("`(?:[a-z]+ )?(--[a-z-]+)").FindAllStringSubmatch(cells[2], -1) {
			if !strings.Contains(help, option[1]) {
				p.Errorf("%s has no %s:\n%s", cells[1], option[1], help)
			}
		}
	}
	if seen < 18 {
		p.Errorf("%d commands in the table", seen)
	}
}

// line is a command of the table with what it wants filled in, "" where it needs more than a
// person could type here: ten successes, a server.
func (p *evolutionPage) line(verb, span string) string {
	id := p.id("the " + verb + " of the harbour")
	filled := strings.NewReplacer("GENE", id, "SIGNAL", "error:timeout", "TEXT", "'dial tcp: i/o timeout'").Replace(span)
	switch verb {
	case "record":
		return filled + " --signals error:timeout --outcome failed --worse --summary 'it was slower than before' --followed"
	case "create", "approve", "reject", "export-skill", "distill":
		return ""
	case "report":
		return filled + " --outcome success"
	case "import":
		p.run("agents-hooks evolution export " + id + " > theirs.json")
		return "import theirs.json"
	}
	return filled
}

// files are there, and are what their rows say.
func (p *evolutionPage) files() {
	dir := filepath.Join(p.stage.home, ".local", "share", "agents-hooks", "evolution")
	p.run(`printf '{"event_type": "post-tool-call", "session_id": "s1", "tool_name": "Shell", "tool_input": {"command": "npm start"}, "tool_use_id": "c1", "tool_response": "Error: listen EADDRINUSE: address already in use :::3000\\n"}' | agents-hooks run`)
	for _, name := range []string{"genes.jsonl", "genes.jsonl.index", "journal"} {
		if !strings.Contains(p.text, "`"+name) {
			p.Errorf("the page does not name %s", name)
		}
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			p.Errorf("%s: %v, or others can read it", name, err)
		}
	}
	file := filepath.Join(dir, "genes.jsonl")
	id := p.id("stork")
	read := func() string {
		return must.Read(p, file)
	}
	if !strings.Contains(read(), "Wait for the stork.") {
		p.Error("a gene is not in the file")
	}
	p.run("agents-hooks evolution delete " + id)
	if strings.Contains(read(), "Wait for the stork.") || !strings.Contains(read(), id) {
		p.Error("delete leaves the text, or not the id")
	}
	must.Do(p, os.Remove(file+".index"))
	before := p.run("agents-hooks evolution list")
	if again := p.run("agents-hooks evolution list"); again != before {
		p.Error("without its index the store answers otherwise")
	}
	must.Write(p, file, read()+"{\"outcomes\": [\n")
	p.run("agents-hooks evolution list")
	if out, _ := p.stage.sh(p.T, "agents-hooks evolution doctor"); !strings.Contains(out, "genes.jsonl.corrupt-") {
		p.Errorf("doctor does not name the lines that were kept aside:\n%s", out)
	}
	whole := read()
	must.Write(p, file, whole+`{"needs": 9}`+"\n")
	if out, err := p.stage.sh(p.T, "agents-hooks evolution list"); err == nil || !strings.Contains(out, "newer version") || read() != whole+`{"needs": 9}`+"\n" {
		p.Errorf("a newer file: %v\n%s", err, out)
	}
}
