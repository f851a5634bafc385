//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// What the pages on memory say can be done is done, as it stands there: each command of
// a block, of the table and within the text; the pairs of facts and what is made of them;
// what a search is said to find; and each file is where, and in commits what, its row says.
func TestTheMemoryPagesAreTrue(t *testing.T) {
	for _, name := range pagesToType("memory.md", "memory.zh.md") {
		b := must.Read(t, "../../docs/"+name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &memoryPage{typedPage{t, newExampleStage(t, "memory"), b}}
			p.blocks()
			if !slowtest.On() {
				return // what the rest of the page says is tried with -slow
			}
			p.table()
			p.inline()
			p.facts()
			p.pairs()
			p.searches()
			p.files()
		})
	}
}

type memoryPage struct{ typedPage }

// filled is a line with what it has in capitals.
func (p *memoryPage) filled(line string) string {
	line = strings.Replace(line, "ID ID", "ID "+p.saved("The door of the mill is painted red"), 1)
	return strings.NewReplacer("ID", p.saved("The pump of the harbour is painted blue"), "TEXT", "'The crane is inspected in May'", "WORDS", "pump", "AGENT", "claude-code").Replace(line)
}

// saved is the id of a fact.
func (p *memoryPage) saved(fact string) string {
	p.Helper()
	answer := p.run("agents-hooks memory save '" + fact + "'")
	id := regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(answer)
	if id == nil {
		p.Fatalf("nothing was saved: %s", answer)
	}
	return id[1]
}

// blocks are commands that stand by themselves, with what they do beside them. What
// lets something in is told yes here, and has something that waits.
func (p *memoryPage) blocks() {
	for i, m := range p.find(8, `(?m)^    (agents-hooks .*?)(?:  .*)?$`) {
		line := m[1]
		if strings.HasSuffix(line, " trust") || strings.HasSuffix(line, " accept") {
			p.foreign(i)
			line += " --yes"
		}
		if strings.Contains(line, " share on") {
			p.run(first["agents-hooks memory share on"])
			line += " --yes"
		}
		p.run(line)
	}
	p.run("agents-hooks enable memory --git commit")
}

// foreign puts a fact of somebody else into the project.
func (p *memoryPage) foreign(i int) {
	p.Helper()
	dir := filepath.Join(p.stage.project, ".agents", "memory-data", "daily")
	line := fmt.Sprintf(`{"id": "log-foreign-%d", "type": "fact", "memory_type": "W", "content": "The gate %d is locked at night", "timestamp": "2026-11-20T09:00:00Z"}`+"\n", i, i)
	must.Write(p, filepath.Join(dir, fmt.Sprintf("2026-11-%02d.jsonl", i+1)), line)
}

// table is the list of commands: what its first column says runs, and what the second
// names as options is known.
func (p *memoryPage) table() {
	_, rest, _ := strings.Cut(p.text, "| `agents-hooks memory …` |")
	rows, _, _ := strings.Cut(rest, "\n\n")
	seen := 0
	for _, row := range strings.Split(rows, "\n") {
		cells := strings.Split(row, "|")
		if len(cells) < 3 || !strings.Contains(cells[1], "`") {
			continue
		}
		help := ""
		for _, span := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[1], -1) {
			seen++
			line := p.filled("agents-hooks memory " + strings.Replace(span[1], " --open", "", 1))
			switch verb := strings.Fields(span[1])[0]; verb {
			case "share": // its page runs it, above
				line += " --help"
			case "summary":
				line += " --topic harbour --summary 'all of it'"
			case "distill":
				line = "echo '{\"Decisions\": [\"use Go\"]}' > FILE && " + line
			case "import":
				line = "agents-hooks memory export > FILE && " + line
			case "separate": // nothing is left twice here
				line += " --help"
			case "restore":
				line = strings.Replace(line, " restore ", " delete ", 1) + " && " + line
			}
			p.run(line)
			help += p.run("agents-hooks memory " + strings.Fields(span[1])[0] + " --help")
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

// inline are commands within the text. That somebody is asked, or that something waits,
// is an answer; that a command is none, or that an option is, is not.
func (p *memoryPage) inline() {
	var lines []string
	for _, m := range p.find(12, "`((?:agents-hooks|memory|trust|echo) [^`…]+)`") {
		line := strings.ReplaceAll(m[1], `\|`, "|")
		if !strings.HasPrefix(line, "agents-hooks") && !strings.HasPrefix(line, "echo") {
			line = "agents-hooks " + line
		}
		if line == "agents-hooks ui" { // which goes on until it is told to end
			line += " --help"
		}
		if !strings.Contains(line, "--open") && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	for _, line := range lines {
		if strings.Fields(line)[0] == "agents-hooks" && len(strings.Fields(line)) == 3 && strings.Contains(" save edit delete restore search ", " "+strings.Fields(line)[2]+" ") {
			line += " --help" // the command is named, and not how it is called
		}
		out, err := p.stage.sh(p.T, p.filled(line))
		if err != nil && strings.Contains(err.Error(), "exit status 64") {
			p.Errorf("%s: %v\n%s", line, err, out)
		}
	}
}

// facts: the line that the page shows for a fact is one, wherever it comes from.
func (p *memoryPage) facts() {
	line := p.find(1, `(?s)    (\{"id": "log-.*?\}\})`)[0][1]
	line = strings.Join(strings.Fields(strings.ReplaceAll(line, "…", "")), " ")
	must.Write(p, filepath.Join(p.stage.project, ".agents", "memory-data", "daily", "2026-11-21.jsonl"), line)
	p.run("agents-hooks memory accept --yes")
	if out := p.run("agents-hooks memory list --last 50 --json"); !strings.Contains(out, `"id": "log-20261121090000000-a1b2c3"`) {
		p.Errorf("the fact of the page is not listed:\n%s", out)
	}
}

// pairs: one that updates another takes its place, and one that is about another thing
// stands beside it.
func (p *memoryPage) pairs() {
	const quoted = `["“]([^"“”]+)["”]`
	updates := regexp.MustCompile(`先有`+quoted+`，后有`+quoted).FindAllStringSubmatch(p.text, -1)
	for _, m := range regexp.MustCompile(quoted+`\s+after\s+`+quoted).FindAllStringSubmatch(p.text, -1) {
		updates = append(updates, []string{m[0], m[2], m[1]})
	}
	if len(updates) < 2 {
		p.Errorf("%d updates in the page", len(updates))
	}
	for _, m := range updates {
		p.run("agents-hooks memory save '" + m[1] + "'")
		if out := p.run("agents-hooks memory save '" + m[2] + "'"); !strings.Contains(out, `"before":[{`) || !strings.Contains(out, m[1]) {
			p.Errorf("%q after %q takes the place of nothing: %s", m[2], m[1], out)
		}
	}
	beside := p.find(1, quoted+`(?: does not replace |与)`+quoted)[0]
	p.run("agents-hooks memory save '" + beside[2] + "'")
	if out := p.run("agents-hooks memory save '" + beside[1] + "'"); !strings.Contains(out, `"status":"ok"`) || strings.Contains(out, `"before"`) {
		p.Errorf("%q takes the place of %q: %s", beside[1], beside[2], out)
	}
}

// searches: what the page says that a question finds is among the first three.
func (p *memoryPage) searches() {
	meant := p.find(1, `["“]([^"“”]+)["”](?: finds |能找到 )"([^"]+)"\.?`)
	for _, m := range append(meant, []string{"", "备份", "The backup runs at night"}, []string{"", p.find(1, "`(kuber[a-z]+)`")[0][1], "We run Kubernetes 1.31"}) {
		question, fact := m[1], m[2]
		if !strings.Contains(p.text, question) {
			p.Errorf("%q is no more in the page", question)
		}
		if !strings.Contains(fact, " ") {
			continue // a word; its fact is below
		}
		p.run("agents-hooks memory save '" + fact + "'")
		out := p.run("agents-hooks memory search --max-results 3 '" + question + "'")
		if !strings.Contains(out, strings.Fields(fact)[1]) {
			p.Errorf("%q does not find %q: %.500s", question, fact, out)
		}
	}
}

// files: after all that, each file of the table is where it says, or is made when it is
// wanted, and git takes what its last column says.
func (p *memoryPage) files() {
	later := []string{"NOTES.md", "facts.jsonl", "BRANCH", "agents-index", ".vectors", "session_state", "current_session", "logs", "backups"}
	rows := p.find(9, "(?m)^\\| (`[^|]+`) \\|[^|]*\\| ?([^|]*?) ?\\|$")
	dir := filepath.Join(p.stage.project, ".agents", "memory-data")
	seen := 0
	for _, row := range rows {
		for _, span := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			name := strings.ReplaceAll(span[1], "BRANCH", "feature")
			taken, known := map[string]bool{"if you like": true, "随你": true, "never": false, "从不": false, "ignored": false, "忽略": false}[row[2]]
			if !known || strings.HasPrefix(name, "agents-hooks") {
				continue
			}
			seen++
			path := filepath.Join(dir, filepath.FromSlash(name))
			if _, err := os.Stat(path); err != nil && !slices.ContainsFunc(later, func(l string) bool { return strings.Contains(span[1], l) }) {
				p.Errorf("there is no %s: %v", name, err)
			}
			if strings.HasSuffix(name, "/") {
				path = filepath.Join(path, "x")
			}
			_, err := p.stage.sh(p.T, "git check-ignore -q '"+path+"'")
			if ignored := err == nil; ignored == taken {
				p.Errorf("%s: git passes it over: %v; the page says %q", name, ignored, row[2])
			}
		}
	}
	if seen < 9 {
		p.Errorf("%d files in the table", seen)
	}
}
