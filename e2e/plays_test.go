//go:build e2e && unix

package e2e

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/existing"
	"github.com/agents-hooks/agents-hooks/e2e/model"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A play is one situation, and what was seen of it.
type play struct {
	l     *Lab
	h     existing.Hook
	s     existing.Situation
	is    map[string]bool
	extra []string
}

// run gives the agent a prompt, and sees what it shows its person.
func (p *play) run(script model.Script, prompt string) *Run {
	l := p.l
	l.t.Helper()
	args := append(l.Agent.Args(l, promptMark+": "+cmp.Or(prompt, "do what the script says.")), l.Agent.Watch...)
	if p.h.Asks {
		args = append(l.Agent.Asking(l, promptMark), l.Agent.Watch...)
	}
	r := l.start(script, append(args, p.extra...))
	if r.TimedOut {
		r.fatalf("%s: the agent did not end", p.h.Name)
	}
	p.is["shown"] = p.h.Words != "" && l.Agent.Seen != nil && l.Agent.Seen(r, p.h.Words)
	return r
}

// told sees whether the model reads what the hook says, from a request on.
func (p *play) told(r *Run, from int) {
	for i, q := range r.Turns {
		if i >= from && p.h.Words != "" && q.Says(p.h.Words) {
			p.is["told"] = true
		}
	}
}

// call has the model call a tool.
func (p *play) call() {
	l, s := p.l, p.s
	mark := l.mark("called")
	var call model.Call
	happened := func() bool { return l.marked("called") }
	switch s.Kind {
	case "shell", "failure":
		if !strings.Contains(s.Command, "{mark}") {
			happened = func() bool { return true }
		}
		if p.h.Asks {
			happened = func() bool { return l.marked("project/" + strings.TrimPrefix(s.Command, "touch ")) }
		}
		call = l.Agent.Shell(strings.ReplaceAll(s.Command, "{mark}", mark))
	case "write":
		call = l.Agent.Write(l.at(s.Path), strings.TrimSuffix(s.Content, "\n"))
		happened = func() bool { return l.marked("project/"+s.Path) && p.h.Files[s.Path] == "" }
	case "edit":
		call = l.Agent.Edit(l.at(s.Path), s.Old, s.New)
		happened = func() bool { b, _ := os.ReadFile(l.at(s.Path)); return strings.Contains(string(b), s.New) }
	case "mcp":
		call = model.Call{Name: "mcp__" + s.Server + "__" + s.Tool, Args: s.Input}
		happened = func() bool { return l.marked("issued") }
	}
	turns := []model.Turn{calls(call), says("all is well")}
	if s.Kind == "edit" { // which wants that the file was read
		turns = append([]model.Turn{calls(model.Call{Name: "Read", Args: map[string]any{"file_path": l.at(s.Path)}})}, turns...)
	}
	if p.h.Async { // and ended with the agent, if that ends first
		wait := "i=0; while [ ! -s '" + l.at(p.h.Acts.Path) + "' ] && [ $i -lt 100 ]; do sleep 0.1; i=$((i+1)); done"
		turns = append(turns[:len(turns)-1], calls(l.Agent.Shell(wait)), turns[len(turns)-1])
	}
	r := p.run(model.Play(turns...), "")
	done := happened()
	p.is["blocked"] = !done && !p.h.Asks
	p.is["allowed"] = done && p.h.Asks
	p.is["ended"] = len(r.Turns) < len(turns) && !l.Agent.BlockEnds
	if b, err := os.ReadFile(mark); err == nil && p.h.Changed != "" {
		p.is["changed"] = strings.TrimSpace(string(b)) == strings.TrimPrefix(p.h.Changed, "echo ")
	}
	p.told(r, len(turns)-1)
	if p.h.Replaced != "" && len(r.Turns) == len(turns) {
		p.is["replaced"] = !r.Turns[len(turns)-1].Says(p.h.Replaced) && s.Command == p.h.Hit.Command
	}
	if p.is["asked"] = l.marked("asked"); p.is["asked"] {
		p.is["blocked"] = false
	}
}

// permission has the model call what the agent asks for.
func (p *play) permission() {
	l := p.l
	name := strings.TrimPrefix(p.s.Command, "touch ")
	command := strings.ReplaceAll(p.s.Command, "{mark}", l.mark("called"))
	call := l.Agent.Shell(command)
	if l.Agent.AskingShell != nil {
		call = l.Agent.AskingShell(command)
	}
	r := l.start(model.Play(calls(call), says("all is well")), l.Agent.Asking(l, promptMark))
	p.is["allowed"] = l.marked("project/" + name)
	p.told(r, 1)
	p.is["blocked"] = p.is["told"]
}

func (p *play) start() {
	l := p.l
	name, value, _ := strings.Cut(p.h.Env, "=")
	r := p.run(model.Play(calls(l.Agent.Shell(`printf %s "$`+name+`" > `+l.mark("variable"))), says("all is well")), "")
	p.told(r, 0)
	b, _ := os.ReadFile(l.mark("variable"))
	p.is["env"] = name != "" && string(b) == value
}

// stop has the model stop; where the situation is that a hook made it go on before,
// one of the suite's own does that.
func (p *play) stop() {
	if p.s.Active {
		p.goesOnOnce("Stop")
	}
	script := model.Play(says(p.s.Text), says(p.s.Text), says("ALL TASKS COMPLETE"))
	var r *Run
	if p.l.Agent.Serve != nil {
		r = p.l.runOn(script)
	} else {
		r = p.run(script, "")
	}
	p.told(r, 0)
	p.is["goes-on"] = p.is["told"] && len(r.Turns) > 1
}

// goesOnOnce registers a hook of the suite beside the one that is played: it makes
// the agent go on at the first stop, before which the other is silent.
func (p *play) goesOnOnce(event string) {
	l := p.l
	file := filepath.Join(l.Project, ".claude", "settings.json")
	var settings map[string]map[string][]any
	b, err := os.ReadFile(file)
	must.Do(l.t, err)
	must.Do(l.t, json.Unmarshal(b, &settings))
	gate := l.mark("gate")
	first := map[string]any{"hooks": []any{map[string]any{"type": "command", "command": "[ -e '" + gate + "' ] || { : > '" + gate + "'; echo GATE >&2; exit 2; }"}}}
	handler := settings["hooks"][event][0].(map[string]any)["hooks"].([]any)[0].(map[string]any)
	handler["command"] = "if grep -q '\"stop_hook_active\":true' '" + l.mark("seen") + "'; then (" + handler["command"].(string) + ") < '" + l.mark("seen") + "'; fi"
	handler["command"] = "cat > '" + l.mark("seen") + "'; " + handler["command"].(string)
	settings["hooks"][event] = append(settings["hooks"][event], first)
	b, err = json.Marshal(settings)
	must.Do(l.t, err)
	l.write(file, string(b), 0o644)
}

func (p *play) subagent() {
	l := p.l
	if p.s.Active {
		p.goesOnOnce("SubagentStop")
	}
	steps := append(l.delegate(), func(*model.Request) model.Turn { return says("all is well") })
	r := p.run(model.Split(promptMark, model.Steps(steps...), model.Play(says(p.s.Text), says(p.s.Text), says("Files: none"))), "")
	for _, q := range r.Turns {
		if !q.Says(promptMark) && p.h.Words != "" && q.Says(p.h.Words) {
			p.is["told"], p.is["goes-on"] = true, true
		}
	}
}

func (p *play) compaction() {
	r := p.l.compact()
	p.is["blocked"] = len(r.Turns) == 0
	p.told(r, 0)
}

// issues has an MCP server with four tools: one makes issues, one lists them, one
// asks the person, which agents give notice of, and one is the person, who says no
// to what the agent asks.
func (l *Lab) issues() []string {
	server, config := l.mark("issues.js"), l.mark("issues.json")
	l.write(server, issuesServer, 0o644)
	b, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"github": map[string]any{
		"command": l.bench.Node, "args": []string{server}, "env": map[string]string{"MARK": l.mark("issued"), "ASKED": l.mark("asked")},
	}}})
	must.Do(l.t, err)
	l.write(config, string(b), 0o644)
	return []string{"--mcp-config", config, "--allowedTools", "mcp__github"}
}

const issuesServer = `
const lines = require('readline').createInterface({ input: process.stdin });
const say = (o) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...o }) + '\n');
const tool = (name) => ({ name, description: name, inputSchema: { type: 'object', properties: { title: { type: 'string' } } } });
let waiting;
lines.on('line', (line) => {
  const m = JSON.parse(line);
  const done = (id) => say({ id, result: { content: [{ type: 'text', text: 'done' }] } });
  if (m.method === 'initialize') say({ id: m.id, result: { protocolVersion: m.params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'github', version: '1' } } });
  else if (m.method === 'tools/list') say({ id: m.id, result: { tools: ['create_issue', 'list_issues', 'ask', 'approve'].map(tool) } });
  else if (m.method === 'tools/call' && m.params.name === 'ask') { waiting = m.id; say({ id: 'q1', method: 'elicitation/create', params: { message: 'which one?', requestedSchema: { type: 'object', properties: { one: { type: 'string' } } } } }); }
  else if (m.method === 'tools/call' && m.params.name === 'approve') { require('fs').writeFileSync(process.env.ASKED, ''); say({ id: m.id, result: { content: [{ type: 'text', text: '{"behavior": "deny", "message": "the person says no"}' }] } }); }
  else if (m.method === 'tools/call') { require('fs').writeFileSync(process.env.MARK, m.params.name); done(m.id); }
  else if (m.id === 'q1') done(waiting);
  else if (m.id !== undefined) say({ id: m.id, result: {} });
});
`
