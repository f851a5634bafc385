// Command table writes the results of the suite of real agents into the pages that show
// it: README.md and README.zh.md in short, docs/real-agents.md in full.
//
//	AGENTS_HOOKS_E2E_REPORT=$PWD/e2e/table/results.json go test -tags e2e ./e2e
//	AGENTS_HOOKS_UPDATE=1 go test -tags e2e ./e2e -run TestScreens
//	go run ./e2e/table
//
// A test compares the pages with results.json and the golden screens.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

const results = "e2e/table/results.json"

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func write() error {
	pages, err := render(".")
	if err != nil {
		return err
	}
	for path, text := range pages {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// A row is the suite's report about one capability of one agent.
type row struct {
	Agent      string `json:"agent"`
	Version    string `json:"version"`
	Capability string `json:"capability"`
	Result     string `json:"result"`
	Note       string `json:"note"`
}

// render returns the pages below a folder with their new contents.
func render(root string) (map[string][]byte, error) {
	b, err := os.ReadFile(root + "/" + results)
	if err != nil {
		return nil, err
	}
	var report struct {
		Rows []row `json:"rows"`
	}
	if err := json.Unmarshal(b, &report); err != nil {
		return nil, fmt.Errorf("%s: %w", results, err)
	}
	t := gather(report.Rows)
	seen, err := readScreens(root, t.agents)
	if err != nil {
		return nil, err
	}
	page := bytes.NewBuffer(t.page())
	writeScreens(page, seen)
	pages := map[string][]byte{root + "/docs/real-agents.md": page.Bytes()}
	for _, in := range languages {
		path := root + "/" + in.file
		text, err := os.ReadFile(path)
		if err == nil {
			text, err = between(text, t.short(in))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.file, err)
		}
		pages[path] = text
	}
	return pages, nil
}

const (
	begin = "<!-- agents:begin -->\n"
	end   = "<!-- agents:end -->"
)

// between replaces the text between the two marks.
func between(page, text []byte) ([]byte, error) {
	head, rest, ok := bytes.Cut(page, []byte(begin))
	_, tail, ok2 := bytes.Cut(rest, []byte(end))
	if !ok || !ok2 {
		return nil, fmt.Errorf("want the marks %q and %q", strings.TrimSpace(begin), end)
	}
	return bytes.Join([][]byte{head, []byte(begin), text, []byte(end), tail}, nil), nil
}

// A table is a report by agent and by capability, both in their original order.
type table struct {
	agents       []string
	capabilities []string
	versions     map[string]string
	cells        map[[2]string]row
}

func gather(rows []row) *table {
	t := &table{versions: map[string]string{}, cells: map[[2]string]row{}}
	known := map[string]bool{}
	for _, r := range rows {
		if t.versions[r.Agent] == "" {
			t.agents = append(t.agents, r.Agent)
			t.versions[r.Agent] = r.Version
		}
		if !known[r.Capability] {
			known[r.Capability] = true
			t.capabilities = append(t.capabilities, r.Capability)
		}
		t.cells[[2]string{r.Agent, r.Capability}] = r
	}
	return t
}

// A language describes a README: its headings, and the capability below each.
type language struct {
	file   string
	heads  []string
	agent  string
	passed string
	count  string
	others string
	more   string
}

// shown are the capabilities in the short table, one for each heading.
var shown = []string{
	"guard stops a command",
	"ask does not run a command unasked",
	"modified_input changes what runs",
	"guard stops a prompt",
	"context at session start",
	"context at prompt",
	"context at post-tool",
	"quality gate makes the agent go on",
}

var languages = []language{
	{
		file:   "README.md",
		agent:  "agent",
		heads:  []string{"block", "ask, or block", "change input", "block a prompt", "context: start", "prompt", "after a tool", "go on at stop"},
		passed: "checks",
		count:  "%d of %d",
		others: "Built from documentation, not yet seen in the real program: %s.\n",
		more: "Each ● was seen in the real program, which talked to a scripted model: [all checks](docs/real-agents.md), " +
			"[what each agent can say](docs/agents.md).\n",
	},
	{
		file:   "README.zh.md",
		agent:  "智能体",
		heads:  []string{"阻断", "询问（或阻断）", "改写输入", "阻断提示", "上下文：开始", "提示时", "工具之后", "停止时继续"},
		passed: "检查项",
		count:  "%d / %d",
		others: "只依据文档实现，尚未在真实程序上验证：%s。\n",
		more:   "每个 ● 都在真实程序加脚本化模型上验证过：[全部检查](docs/real-agents.md)、[每个智能体能表达什么](docs/agents.md)。\n",
	},
}

// short is the table in a README: a line for each agent.
func (t *table) short(in language) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "| %s | %s | %s |\n|---|%s---|\n", in.agent, strings.Join(in.heads, " | "), in.passed, strings.Repeat(":-:|", len(in.heads)))
	seen := map[string]bool{}
	for _, a := range t.agents {
		id, mode, _ := strings.Cut(a, " ")
		name := id
		if d, ok := agents.Lookup(id); ok {
			name = d.Name
		}
		if mode != "" {
			name += ", " + mode
		}
		seen[id] = true
		fmt.Fprintf(&b, "| %s %s |", name, t.versions[a])
		for _, c := range shown {
			fmt.Fprintf(&b, " %s |", sign(t.cells[[2]string{a, c}].Result))
		}
		passed, all := t.passed(a)
		fmt.Fprintf(&b, " "+in.count+" |\n", passed, all)
	}
	fmt.Fprintf(&b, "\n%s", in.more)
	var others []string
	for _, d := range agents.All() {
		if d.Config != nil && !seen[d.ID] {
			others = append(others, d.Name)
		}
	}
	if len(others) > 0 {
		fmt.Fprintf(&b, "\n"+in.others, strings.Join(others, ", "))
	}
	return b.Bytes()
}

// sign is a result as one letter.
func sign(result string) string {
	switch result {
	case "yes":
		return "●"
	case "cannot":
		return "–"
	case "", "skipped":
		return ""
	}
	return "✗"
}

// passed counts an agent's checks: those that hold, and all that apply to it.
func (t *table) passed(agent string) (passed, all int) {
	for _, c := range t.capabilities {
		switch r := t.cells[[2]string{agent, c}]; r.Result {
		case "yes":
			passed, all = passed+1, all+1
		case "", "cannot", "skipped":
		default:
			all++
		}
	}
	return passed, all
}

// page is the whole table: a line for each capability, with the reasons below.
func (t *table) page() []byte {
	var b bytes.Buffer
	b.WriteString("# What was seen in real agents\n\nThe suite in [e2e](../e2e/README.md) runs each program from its registry, or built from its Go module, without a\n" +
		"network, against a scripted model, and proves what hooks do from the model's own log. Generated by `go run ./e2e/table`.\n\n" +
		"● it does · – the agent cannot, see below · ✗ it should and does not · nothing: not asked\n\n| |")
	for _, a := range t.agents {
		fmt.Fprintf(&b, " %s %s |", a, t.versions[a])
	}
	fmt.Fprintf(&b, "\n|---|%s\n", strings.Repeat(":-:|", len(t.agents)))
	for _, c := range t.capabilities {
		fmt.Fprintf(&b, "| %s |", c)
		for _, a := range t.agents {
			fmt.Fprintf(&b, " %s |", sign(t.cells[[2]string{a, c}].Result))
		}
		b.WriteString("\n")
	}
	for _, part := range []struct{ result, head string }{
		{"cannot", "What an agent cannot do, and why"},
		{"yes", "What an agent does in a way of its own"},
	} {
		if list := t.notes(part.result); len(list) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n%s", part.head, strings.Join(list, ""))
		}
	}
	b.WriteString("\n## Which agents have no column, and why\n\n")
	for _, u := range e2e.Unruns() {
		fmt.Fprintf(&b, "- %s: %s\n", u.Agent, u.Why)
	}
	b.WriteString("- Continue: its program runs [none of the hooks that it reads](agents.md#agents-without-a-dialect), so that it has no dialect\n")
	return b.Bytes()
}

// notes are the reasons for a result, one line for each agent and reason.
func (t *table) notes(result string) []string {
	var list []string
	for _, a := range t.agents {
		of := map[string][]string{} // capabilities by reason
		var reasons []string
		for _, c := range t.capabilities {
			r := t.cells[[2]string{a, c}]
			if r.Result != result || r.Note == "" {
				continue
			}
			if of[r.Note] == nil {
				reasons = append(reasons, r.Note)
			}
			of[r.Note] = append(of[r.Note], c)
		}
		for _, reason := range reasons {
			list = append(list, fmt.Sprintf("- %s: %s: %s\n", a, strings.Join(of[reason], "; "), reason))
		}
	}
	return list
}
