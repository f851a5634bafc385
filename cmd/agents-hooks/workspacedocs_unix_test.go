//go:build unix

package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// Every command of docs/workspace.md and its Chinese page is typed, every row of its
// tables of commands and states is tried, its plan is planted as it stands there, and
// each refusal that it names is met.
func TestTheWorkspacePagesAreTrue(t *testing.T) {
	for _, name := range pagesToType("workspace.md", "workspace.zh.md") {
		b := must.Read(t, "../../docs/"+name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &workspacePage{typedPage{t, newExampleStage(t, "workspace"), b}}
			p.blocks()
			if !slowtest.On() {
				return // what the rest of the page says is tried with -slow
			}
			p.table()
			p.plan()
			p.states()
			p.refusals()
			p.evidence()
			p.files()
			p.settings()
		})
	}
}

type workspacePage struct{ typedPage }

// refused types a line that must end with a code.
func (p *workspacePage) refused(code, line string) {
	p.Helper()
	out, err := p.stage.sh(p.T, line+" --json")
	if err == nil || !strings.Contains(out, `"`+code+`"`) {
		p.Errorf("%s: want %s, have %v\n%.600s", line, code, err, out)
	}
}

// fresh makes another project with a workspace, in which all that follows happens.
func (p *workspacePage) fresh(name string) {
	p.Helper()
	p.stage.project = filepath.Join(p.stage.home, name)
	must.Write(p.T, filepath.Join(p.stage.project, "README.md"), "# "+name+"\n")
	p.run("git init -q . && agents-hooks workspace init " + name + " --goal 'to be tried' && agents-hooks workspace node start root")
}

// id is the id that an answer has under a name.
func (p *workspacePage) id(line, name string) string {
	p.Helper()
	m := regexp.MustCompile(`"` + name + `": "([^"]+)"`).FindStringSubmatch(p.run(line + " --json"))
	if m == nil {
		p.Fatalf("%s: no %s", line, name)
	}
	return m[1]
}

func (p *workspacePage) blocks() {
	p.run("mkdir -p .taskmaster/tasks && printf '{\"master\": {\"tasks\": [{\"id\": 1, \"title\": \"Sketch\", \"status\": \"pending\"}]}}' > .taskmaster/tasks/tasks.json")
	for _, m := range p.find(7, `(?m)^    (agents-hooks .*?)(?:  .*)?$`) {
		line := m[1]
		switch {
		case strings.HasSuffix(line, "--from -"):
			line = "echo '- [ ] From stdin' | " + line + " --workspace Sketches"
		case strings.HasSuffix(line, "--from plan.md"):
			must.Write(p.T, filepath.Join(p.stage.project, "plan.md"), "# Sketches\n\n- [ ] Draw\n")
		case strings.HasSuffix(line, " share"): // there are two by now
			line += " --workspace Sketches"
		case strings.HasSuffix(line, "--open"):
			line = strings.TrimSuffix(line, "--open") + "--out page.html --workspace Sketches"
		}
		p.run(line)
	}
	p.run("agents-hooks enable workspace")
}

// table: each command of the first column has a help of its own, and is an operation by
// the name of the second.
func (p *workspacePage) table() {
	for _, row := range p.find(20, "(?m)^\\| (`[a-z][^|]*(?:\\\\\\|[^|]*)*) \\| ([^|]*) \\|") {
		group := ""
		for i, one := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			command := one[1]
			words := []string{}
			for _, w := range strings.Fields(command) {
				if strings.ToUpper(w) == w || strings.HasPrefix(w, "-") || strings.HasPrefix(w, "[") {
					break
				}
				words = append(words, w)
			}
			if len(words) == 0 || strings.Contains(command, "implementing") {
				continue
			}
			if strings.Contains("start pending planning failed completed implementing validating problem log_timeout children_completed plan_completed no_log_start no_problem failed_node no_docs", words[0]) && len(words) == 1 {
				continue // rows of the other tables
			}
			if i == 0 && len(words) > 1 {
				group = words[0] + " "
			} else if i > 0 && len(words) == 1 && group != "" {
				words = append(strings.Fields(group), words...)
			}
			last := words[len(words)-1]
			for _, choice := range strings.Split(strings.ReplaceAll(last, `\|`, "|"), "|") {
				words[len(words)-1] = choice
				line := "agents-hooks workspace " + strings.Join(words, " ") + " --help"
				if strings.HasPrefix(line, "agents-hooks workspace rules ") {
					line = "agents-hooks workspace rules --help | grep -q -- " + choice
				}
				p.run(line)
			}
		}
		tools := regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(row[2], -1)
		for _, tool := range tools {
			name := tool[1]
			if strings.HasPrefix(name, "_") {
				name = tools[0][1][:strings.Index(tools[0][1], "_")] + name
				if strings.HasSuffix(tools[0][1], "import_list") {
					name = "workspace_import" + tool[1]
				}
				if strings.HasPrefix(tools[0][1], "tanmi") {
					name = "config" + tool[1]
				}
			}
			p.run("agents-hooks workspace " + name + " --help")
		}
	}
}

// plan: the one of the page becomes the nodes that the page says it becomes.
func (p *workspacePage) plan() {
	m := regexp.MustCompile(`(?s)Markdown[:：]\n\n(.*?)\n\n[^ ]`).FindStringSubmatch(p.text)
	if m == nil {
		p.Fatal("no plan in the page")
	}
	p.fresh("planned")
	must.Write(p.T, filepath.Join(p.stage.project, "plan.md"), regexp.MustCompile(`(?m)^    `).ReplaceAllString(m[1], "")+"\n")
	p.run("agents-hooks workspace archive && agents-hooks workspace init --from plan.md")
	tree := p.run("agents-hooks workspace tree")
	if strings.Count(tree, "✓") != 1 || strings.Count(tree, "○") < 3 {
		p.Errorf("the tree of the plan:\n%s", tree)
	}
	next := p.run("agents-hooks workspace ready --json")
	if strings.Count(next, `"nodeId"`) != 1 || !strings.Contains(next, `"waitingInAll": 1`) {
		p.Errorf("one waits for the other: %s", next)
	}
	if rules := p.run("agents-hooks workspace get --json"); !strings.Contains(rules, `"rulesCount": 1`) {
		p.Errorf("the rule of the plan: %.300s", rules)
	}
	for _, m := range p.find(3, "`--([a-z-]+) (\"[^\"]+\"|[^` ]+=\"[^\"]+\")") {
		if !strings.Contains(p.run("agents-hooks workspace node create --help; agents-hooks workspace init --help; agents-hooks workspace done --help"), "--"+m[1]) {
			p.Errorf("no flag --%s", m[1])
		}
	}
}

// states: each row of the table is gone, and what is not in it is refused.
func (p *workspacePage) states() {
	p.fresh("states")
	kind, count := "", 0
	for _, row := range p.find(8, `(?m)^\|([^|\n]*)\| ([a-z, ]+) \| ([a-z, ]+) \| ([a-z, ]+) \|$`) {
		if row[2] == "from" {
			continue
		}
		if k := strings.TrimSpace(row[1]); k != "" {
			kind = map[bool]string{true: "execution", false: "planning"}[k == "execution" || k == "执行"]
		}
		to := strings.Split(row[4], ", ")
		for _, from := range strings.Split(row[2], ", ") {
			for i, action := range strings.Split(row[3], ", ") {
				want := to[min(i, len(to)-1)]
				count++
				n := p.id("agents-hooks workspace node create n"+strings.Repeat("i", count)+" --parent root --type "+kind+" --requirement x", "nodeId")
				p.reach(kind, n, from)
				out := p.run("agents-hooks workspace node " + action + " " + n + p.conclusion(action) + " --json")
				if !strings.Contains(out, `"currentStatus": "`+want+`"`) {
					p.Errorf("%s: %s, %s → %s: %.300s", kind, from, action, want, out)
				}
				if strings.Contains("implementing validating", want) { // one is at work at a time
					p.run("agents-hooks workspace node fail " + n + " --conclusion x")
				}
			}
		}
	}
	if count < 14 {
		p.Errorf("%d transitions in the table", count)
	}
}

func (p *workspacePage) conclusion(action string) string {
	if strings.Contains("complete fail cancel", action) {
		return " --conclusion 'that is that'"
	}
	return ""
}

// reach brings a new node into a state.
func (p *workspacePage) reach(kind, n, state string) {
	p.Helper()
	ways := map[string][]string{
		"execution implementing": {"start"}, "execution validating": {"start", "submit"}, "execution failed": {"start", "fail"}, "execution completed": {"start", "complete"},
		"planning planning": {"start"}, "planning completed": {"start", "complete"}, "planning cancelled": {"start", "cancel"},
	}
	for _, action := range ways[kind+" "+state] {
		p.run("agents-hooks workspace node " + action + " " + n + p.conclusion(action))
	}
	if state == "monitoring" {
		k := p.id("agents-hooks workspace node create k --parent "+n+" --type execution --requirement x", "nodeId")
		p.run("agents-hooks workspace node start " + n + "; agents-hooks workspace node start " + k + " && agents-hooks workspace node complete " + k + " --conclusion x")
	}
}

// refusals: each code of the page is met where the page says it is.
func (p *workspacePage) refusals() {
	p.fresh("refusals")
	plan := p.id("agents-hooks workspace node create Plan --parent root --type planning --requirement x", "nodeId")
	p.run("agents-hooks workspace node start " + plan)
	one := p.id("agents-hooks workspace node create One --parent "+plan+" --type execution --requirement x", "nodeId")
	p.run("agents-hooks workspace node create Two --parent " + plan + " --type execution --requirement x --after One")
	p.run("agents-hooks workspace node create Three --parent " + plan + " --type execution --requirement x")
	met := map[string]string{
		"CONCLUSION_REQUIRED":            "agents-hooks workspace node complete " + one,
		"INCOMPLETE_CHILDREN":            "agents-hooks workspace node complete " + plan + " --conclusion x",
		"EXECUTION_CANNOT_HAVE_CHILDREN": "agents-hooks workspace node create y --parent " + one + " --type execution --requirement x",
		"CONCURRENT_EXECUTION":           "agents-hooks workspace node start Three",
		"NODE_BLOCKED":                   "agents-hooks workspace node start Two",
		"NODE_CLAIMED":                   "agents-hooks workspace begin One --session-id other",
		"RULES_HASH_MISMATCH":            "agents-hooks workspace rules add 'no tabs' && agents-hooks workspace node create z --parent root --type execution --requirement x --rules-hash 00000000",
	}
	p.run("agents-hooks workspace begin One --session-id window")
	p.run("agents-hooks workspace node start One --session-id window; true")
	for _, m := range p.find(7, "（?\\(?`([A-Z]+_[A-Z_]+)`") {
		line, ok := met[m[1]]
		if !ok {
			p.Errorf("nobody met %s", m[1])
			continue
		}
		switch m[1] {
		case "CONCLUSION_REQUIRED", "CONCURRENT_EXECUTION":
			line += " --session-id window"
		}
		p.refused(m[1], line)
	}
}

// evidence: the criterion of the page is run, and what has no evidence is told.
func (p *workspacePage) evidence() {
	m := p.find(1, `(?m)^    (- (?:accept|验收): cmd: .*)$`)
	if !strings.Contains(m[0][1], "=>") {
		p.Fatal(m)
	}
	p.fresh("evidence")
	must.Write(p.T, filepath.Join(p.stage.project, "plan.md"), "- [ ] Tokens\n  "+strings.Replace(m[0][1], "go test ./token/...", "test -f token", 1)+"\n  - accept: expired => 401\n")
	p.run("agents-hooks workspace create --from plan.md")
	p.refused("CHECK_FAILED", "agents-hooks workspace done Tokens -m x")
	out := p.run("touch token; agents-hooks workspace done Tokens -m x --json")
	if !strings.Contains(out, `"unproven"`) || !strings.Contains(out, "2: expired") || strings.Contains(out, "1: cmd") {
		p.Errorf("done: %s", out)
	}
	p.run("agents-hooks workspace node reopen Tokens")
	if out := p.run("agents-hooks workspace done Tokens -m x " + p.find(1, "`(--evidence \"2: [^`]+)`")[0][1] + " --json"); strings.Contains(out, "unproven") {
		p.Errorf("done: %s", out)
	}
}

// files: a workspace has those of the page, and doctor --fix mends one that is damaged.
func (p *workspacePage) files() {
	p.fresh("files")
	p.run("agents-hooks workspace memo create Draft --summary s --content c")
	names := 0
	for _, m := range p.find(3, `(?m)^    ((?:workspace\.json|nodes/|memos/).*)$`) {
		dir := ""
		for _, name := range strings.Fields(m[1]) {
			if strings.Contains(name, "/") {
				dir = regexp.MustCompile(`TITLE_ID`).ReplaceAllString(filepath.Dir(name), "*") + "/"
				name = filepath.Base(name)
			}
			names++
			p.run("ls .agents/workspace/*/" + dir + name + " > /dev/null")
		}
	}
	if names < 8 {
		p.Errorf("%d files are named", names)
	}
	p.run("truncate -s 300 .agents/workspace/files_*/graph.json")
	if out := p.run("agents-hooks doctor --json; true"); !strings.Contains(out, "graph.json") {
		p.Errorf("doctor says nothing of it: %.400s", out)
	}
	p.run("agents-hooks doctor --fix > /dev/null; ls .agents/workspace/files_*/graph.json.corrupt-* && agents-hooks workspace accept --yes && agents-hooks workspace tree")
	p.run("git check-ignore -q .agents/workspace && test ! -f .gitignore")
}

// settings: what the page calls one is one.
func (p *workspacePage) settings() {
	all := p.run("agents-hooks spec settings")
	for _, m := range p.find(8, "`([a-z]+_[a-z_]+)(?: = [^`]*)?`") {
		name := m[1]
		switch {
		case strings.Contains(all, "builtin.workspace."+name+"`") || strings.Contains(all, "builtin.workspace."+name+" "):
		case strings.Contains(strings.Join(strings.Fields(all), " "), name):
		default:
			if out, err := p.stage.sh(p.T, "agents-hooks workspace "+name+" --help"); err != nil && name != "info_collection" {
				p.Errorf("%s is no setting, no reminder and no tool: %.200s", name, out)
			}
		}
	}
}

// The guide is played as it stands there, step by step, in both languages: what it tells
// an agent to type works, in that order.
func TestTheGuideIsPlayed(t *testing.T) {
	for _, name := range []string{"en.md", "zh.md"} {
		if !slowtest.Among(name, "en.md") {
			continue // the same commands
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := must.Read(t, "../../builtin-hooks/workspace/guide/"+name)
			p := &workspacePage{typedPage{t, newExampleStage(t, "workspace"), b}}
			p.fresh("guided")
			space := p.id("agents-hooks workspace list", "id")
			text := strings.ReplaceAll(b, "go test ./token/...", "true")
			fill := strings.NewReplacer("SESSION_ID", "window-1", "WORKSPACE_ID", space)
			commands := regexp.MustCompile("(?ms)^    (agents-hooks [^\n]*<<'PLAN'\n.*?^    PLAN)$|^    (agents-hooks [^\n]*)$|`(agents-hooks workspace [^`]*)`").FindAllStringSubmatch(text, -1)
			if len(commands) < 10 {
				t.Fatalf("%d commands in the guide", len(commands))
			}
			played := 0
			for _, c := range commands {
				line := fill.Replace(strings.TrimSpace(c[1] + c[2] + c[3]))
				line = regexp.MustCompile(`(?m)^    `).ReplaceAllString(line, "")
				switch {
				case line == "agents-hooks workspace" || strings.HasSuffix(line, " init"):
					continue // named, and not to be typed like this
				case strings.Contains(line, "unbind"), strings.HasSuffix(line, " archive"):
					continue // at the end
				}
				played++
				if out := p.run(line + map[bool]string{true: "\n", false: ""}[strings.Contains(line, "<<")]); strings.Contains(line, " next") && !strings.Contains(out, "next") {
					t.Errorf("%s: %s", line, out)
				}
			}
			if played < 8 {
				t.Errorf("%d commands were played", played)
			}
			p.run("agents-hooks workspace done --session-id window-1 -m 'so it is' --begin; agents-hooks workspace done --session-id window-1 -m 'the rest'; agents-hooks workspace done --session-id window-1 -m 'summed up'; true")
			p.run("agents-hooks workspace archive --workspace guided && agents-hooks workspace session unbind --session-id window-1")
		})
	}
}
