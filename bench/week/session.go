package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// An agent is one of the four, with its captured payloads.
type agent struct {
	id, dir                        string
	begin, prompt, tool, stop, end string // its names for the events
}

func agents() []agent {
	return []agent{
		{"claude-code", "claude", "SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"},
		{"codex", "codex", "SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"},
		{"gemini-cli", "gemini", "SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd"},
		{"qwen-code", "qwen", "SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"},
	}
}

// module is the go.mod of this repository.
var module = sync.OnceValues(exec.Command("go", "env", "GOMOD").Output)

// payload is a captured one, with some of its members replaced.
func (a agent) payload(event string, set map[string]any) ([]byte, error) {
	mod, err := module()
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(filepath.Join(filepath.Dir(strings.TrimSpace(string(mod))), "protocol", a.dir, "testdata", "payloads", "captured", event+".json"))
	if err != nil {
		return nil, err
	}
	var o map[string]any
	if err := json.Unmarshal(b, &o); err != nil {
		return nil, err
	}
	maps.Copy(o, set)
	return json.Marshal(o)
}

// event passes an event to the dispatcher as the agent's entry does, and returns the
// answer; killed ends it while it runs.
func (p *person) event(a agent, name, session string, killed bool, set map[string]any) (string, error) {
	set["session_id"], set["cwd"], set["transcript_path"] = session, p.clone, filepath.Join(p.home, session+".jsonl")
	b, err := a.payload(name, set)
	if err != nil {
		return "", err
	}
	h := p.home
	argv := []string{p.lean, "run", "--agent=" + a.id, "--home=" + h, "--config=" + h + "/.config/agents", "--state=" + h + "/.local/state/agents-hooks",
		"--cache=" + h + "/.cache/agents-hooks", "--data=" + h + "/.local/share/agents-hooks", "--system=/etc/xdg/agents"}
	p.count(events, 1)
	if killed {
		return "", p.kill(b, argv...)
	}
	out, err := p.run(p.clone, b, argv...)
	if err != nil {
		p.count(blocked, 1)
	}
	return out, err
}

// kill starts a program and kills it a moment later.
func (p *person) kill(stdin []byte, argv ...string) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = p.clone, p.env, strings.NewReader(string(stdin))
	if err := cmd.Start(); err != nil {
		return err
	}
	p.count(kills, 1)
	time.Sleep(time.Duration(p.lot.IntN(12_000)) * time.Microsecond)
	_ = cmd.Process.Kill()
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return err
	}
	return nil
}

// session plays one session, up to the commit after it.
func (p *person) session(n int) error {
	a := p.agents[p.lot.IntN(len(p.agents))]
	id := fmt.Sprintf("%s-%03d", filepath.Base(p.home), n)
	if p.lot.IntN(4) == 0 {
		if err := p.goTo(branches[p.lot.IntN(len(branches))]); err != nil {
			return err
		}
		if err := p.share(); err != nil {
			return err
		}
	}
	told, err := p.event(a, a.begin, id, false, map[string]any{"source": "startup"})
	if err != nil {
		return err
	}
	if err := p.ask(a, id, told); err != nil {
		return err
	}
	file := filepath.Join(p.clone, fmt.Sprintf("src%d", p.lot.IntN(20)), id+".go")
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(id), 0o644)); err != nil {
		return err
	}
	command := map[string]any{"command": "echo " + id + " > " + file}
	if _, err := p.event(a, a.tool, id, p.lot.IntN(12) == 0, map[string]any{"tool_input": command, "tool_use_id": "t-" + id}); err != nil {
		return err
	}
	if err := p.remember(id); err != nil {
		return err
	}
	if _, err := p.event(a, a.stop, id, false, map[string]any{"stop_hook_active": false}); err != nil {
		return err
	}
	if p.lot.IntN(2) == 0 {
		if _, err := p.memory("summary", "--session", id, "--topic", "work on "+p.on, "--summary", "Changed "+filepath.Base(filepath.Dir(file))+" in "+id); err != nil {
			return err
		}
		p.count(summaries, 1)
	}
	if _, err := p.event(a, a.end, id, p.lot.IntN(10) == 0, map[string]any{}); err != nil {
		return err
	}
	return p.commit(id)
}

// Facts are about pairs of one of these and one of those.
var (
	services = strings.Fields("billing checkout catalogue search shipping invoices accounts notifications reports imports exports gateway scheduler archive pricing loyalty returns stock tax media")
	traits   = []string{"retry limit", "request timeout in seconds", "cache lifetime in minutes", "queue length", "worker count", "nightly start hour", "page size", "log retention in days", "upload limit in MB", "heartbeat in seconds", "重试次数", "超时秒数", "缓存分钟数", "每页条数"}
)

// statement is a fact about a thing, and a question about it.
func statement(what, value int) (text, question string) {
	service, trait := services[what%len(services)], traits[what/len(services)]
	if trait[0] > 127 {
		return fmt.Sprintf("%s 服务的%s是 %d", service, trait, value), service + " 服务的" + trait + "是多少？"
	}
	return fmt.Sprintf("The %s of %s is %d", trait, service, value), "what is the " + trait + " of " + service + "?"
}

// mine are this person's living facts on the current branch.
func (p *person) mine() (out []*fact) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.facts {
		if f.by == p && f.branch == p.on && !f.gone {
			out = append(out, f)
		}
	}
	return out
}

// remember does what an agent saves, corrects and deletes in a session.
func (p *person) remember(session string) error {
	list := p.mine()
	switch draw := p.lot.IntN(20); {
	case draw < 3 && len(list) > 0:
		old := list[p.lot.IntN(len(list))]
		return p.save(session, old.what, old)
	case draw == 3 && len(list) > 0:
		old := list[p.lot.IntN(len(list))]
		if _, err := p.run(p.clone, nil, p.bin, "memory", "delete", old.id); err != nil {
			return err
		}
		p.count(deletions, 1)
		p.mu.Lock()
		defer p.mu.Unlock()
		old.gone = true
		for _, f := range old.before {
			f.gone = false
		}
		return nil
	case draw == 4:
		text, _ := statement(p.fresh(), 1)
		return p.kill(nil, p.bin, "memory", "save", "--session", session, "--content", text+", killed "+session)
	case draw < 17:
		return p.save(session, p.fresh(), nil)
	}
	return nil
}

// fresh is a thing that nothing has been said about; each person has a fifth of them.
func (p *person) fresh() int {
	who := slices.Index(p.team, p)
	all := len(services) * len(traits)
	p.mu.Lock()
	defer p.mu.Unlock()
	used := map[int]bool{}
	for _, f := range p.facts {
		used[f.what] = true
	}
	for {
		if n := p.lot.IntN(all/len(p.team))*len(p.team) + who; !used[n] || len(used) >= all-len(p.team) {
			return n
		}
	}
}

// save saves a fact, which may replace another.
func (p *person) save(session string, what int, old *fact) error {
	text, question := statement(what, 2+p.lot.IntN(900))
	answer, err := p.memory("save", "--session", session, "--content", text)
	if err != nil {
		return err
	}
	f := &fact{id: fmt.Sprint(answer["id"]), text: text, question: question, what: what, by: p, branch: p.on}
	p.count(saves, 1)
	if old != nil {
		p.count(corrections, 1)
	}
	before, _ := answer["before"].([]any)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, b := range before {
		id := fmt.Sprint(b.(map[string]any)["id"])
		for _, other := range p.facts {
			if other.id != id {
				continue
			}
			other.gone = true
			f.before = append(f.before, other)
			if other.what == what {
				p.counts[replaced]++
			} else {
				p.counts[wrongly]++
			}
		}
	}
	p.facts = append(p.facts, f)
	return nil
}

// ask asks about a fact that applies here: by a prompt, and by a search.
func (p *person) ask(a agent, session, told string) error {
	list := p.mine()
	if len(list) == 0 {
		_, err := p.event(a, a.prompt, session, false, map[string]any{"prompt": "go on"})
		return err
	}
	f := list[p.lot.IntN(len(list))]
	out, err := p.event(a, a.prompt, session, false, map[string]any{"prompt": f.question})
	if err != nil {
		return err
	}
	p.count(recalls, 1)
	if strings.Contains(told+out, f.id) {
		p.count(recalled, 1)
	}
	at, err := p.search(f)
	if err != nil {
		return err
	}
	p.count(asked, 1)
	if at == 0 {
		p.count(first, 1)
	}
	if at >= 0 {
		p.count(five, 1)
	}
	return nil
}

// search is the position, among five, at which a search finds a fact, -1 if it does
// not.
func (p *person) search(f *fact) (int, error) {
	answer, err := p.memory("search", "--max-results", "5", "--", f.question)
	if err != nil {
		return -1, err
	}
	results, _ := answer["results"].([]any)
	return slices.IndexFunc(results, func(r any) bool { return r.(map[string]any)["id"] == f.id }), nil
}
