//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/e2e/existing"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// docs/existing-hooks.md is what came of each hook of the corpus in each agent's
// payloads: the script itself, called by the agent; in a hook folder that knows
// nothing of dialects; and in one that names its own. Playing all takes a minute, so
// what came of it lies in testdata/existing.json:
//
//	AGENTS_HOOKS_UPDATE=1 go test ./cmd/agents-hooks -run ExistingHooks -slow
//
// With -slow each hook is played in each agent and in each way, and a sixth of all three
// together, which take minutes: -every, or the update, plays those. Without it one hook is
// played in some agents. The page is held against the file.

var everyWay = flag.Bool("every", false, "each hook of the corpus in each agent in each way; minutes")

// The three ways in which a hook is played, and the situation in which it has
// nothing to say, in the third.
const (
	asItIs, asPlain, asDialect, asFine = "script", "plain", "dialect", "fine"
)

// came is what came of a hook in an agent, by way.
type came map[string]existing.Effect

// An existingWorld is a machine with a project and one hook.
type existingWorld struct{ home, project string }

// An existingPlay is one hook in one agent in one way.
type existingPlay struct {
	agent *protocol.Dialect
	hook  existing.Hook
	way   string
	about existing.Situation
	send  sending
	world *existingWorld
	input []byte
	came  existing.Effect
}

func TestExistingHooksKeepTheirEffect(t *testing.T) {
	t.Parallel()
	hooks, recorded := existingCorpus(t)
	file := filepath.Join("testdata", "existing.json")
	stored := map[string]map[string]came{}
	if b, err := os.ReadFile(file); err != nil {
		t.Fatal(err)
	} else if err := json.Unmarshal(b, &stored); err != nil {
		t.Fatal(err)
	}
	update := os.Getenv("AGENTS_HOOKS_UPDATE") != "" && slowtest.On()
	var plays []*existingPlay
	for k, h := range hooks {
		only, _, show := strings.Cut(os.Getenv("AGENTS_HOOKS_SHOW"), " ")
		if show && h.Name != only || !show && !slowtest.On() && h.Name != "protect-files" {
			continue
		}
		if missing := slices.IndexFunc(h.Needs(), func(p string) bool { _, err := exec.LookPath(p); return err != nil }); missing >= 0 {
			t.Logf("%s is not played: there is no %s", h.Name, h.Needs()[missing])
			continue
		}
		for i, id := range existingAgents {
			if !slowtest.Part(i, 6) {
				continue
			}
			turn := k + i
			if *everyWay || update {
				turn = all
			}
			plays = append(plays, existingPlays(t, h, id, turn)...)
		}
	}
	playAll(t, plays)
	for _, p := range plays {
		if stored[p.hook.Name] == nil {
			stored[p.hook.Name] = map[string]came{}
		}
		if stored[p.hook.Name][p.agent.ID] == nil {
			stored[p.hook.Name][p.agent.ID] = came{}
		}
		of := stored[p.hook.Name][p.agent.ID]
		if was, ok := of[p.way]; !update && (!ok || !slices.Equal(was, p.came)) {
			t.Errorf("%s in %s, as %s: %v, and testdata/existing.json says %v", p.hook.Name, p.agent.ID, p.way, p.came, was)
		}
		of[p.way] = p.came
	}
	if update {
		b, err := json.MarshalIndent(stored, "", " ")
		must.Do(t, err)
		must.Write(t, file, append(b, '\n'))
	}
	existingPage(t, hooks, recorded, stored)
}

// existingCorpus is the corpus, and what was seen of each hook in the real program.
func existingCorpus(t *testing.T) ([]existing.Hook, map[string]existing.Effects) {
	t.Helper()
	hooks, err := existing.All()
	must.Do(t, err)
	recorded, err := existing.Recorded()
	must.Do(t, err)
	for _, h := range hooks {
		if _, ok := recorded[h.Name]; !ok {
			t.Fatalf("nothing is recorded of %s", h.Name)
		}
	}
	return hooks, recorded
}

// all is the turn in which nothing is left to another one.
const all = -1

// existingPlays are a hook's plays in one agent, laid out, a sixth of them with -slow, by
// turns; none where the agent does not tell of such a thing.
func existingPlays(t *testing.T, h existing.Hook, id string, turn int) (plays []*existingPlay) {
	t.Helper()
	d, ok := agents.Lookup(id)
	if !ok {
		t.Fatalf("no agent %s", id)
	}
	send, ok := sendings[id][kindOf(h, h.Hit)]
	if !ok {
		return nil
	}
	ways := []string{asPlain, asDialect}
	if d.Config.Shape != protocol.Plugin {
		ways = append(ways, asItIs)
	}
	if h.Fine != nil {
		ways = append(ways, asFine)
	}
	if !slowtest.On() {
		ways, turn = []string{asDialect}, all
	}
	for w, way := range ways {
		if turn != all && (turn+w)%6 > 0 {
			continue
		}
		p := &existingPlay{agent: d, hook: h, way: way, about: h.Hit, send: send}
		if way == asFine {
			p.about = *h.Fine
		}
		p.layOut(t)
		plays = append(plays, p)
	}
	return plays
}

// layOut makes the machine of a play. All are made before the first runs: a program
// that is written while another process starts may not be startable for a moment.
func (p *existingPlay) layOut(t *testing.T) {
	t.Helper()
	root := t.TempDir()
	w := &existingWorld{home: filepath.Join(root, "home"), project: filepath.Join(root, "home", "project")}
	p.world = w
	for _, dir := range []string{".git/objects", ".git/refs", "../.claude"} {
		must.Do(t, os.MkdirAll(filepath.Join(w.project, dir), 0o755))
	}
	files := map[string]string{
		filepath.Join(w.project, ".git", "HEAD"): "ref: refs/heads/main\n",
	}
	if p.hook.Event == "PostToolUse" && p.about.Kind == "write" {
		files[filepath.Join(w.project, p.about.Path)] = p.about.Content
	}
	for name, text := range files {
		must.Write(t, name, text)
	}
	must.Do(t, p.hook.WriteFiles(w.project))
	lay, dir := p.hook.Write, filepath.Join(w.home, ".config", "agents", "hooks", p.hook.Name)
	switch p.way {
	case asItIs:
		dir = filepath.Join(w.project, ".claude", "hooks", p.hook.Name)
	case asPlain:
		lay = p.hook.WritePlain
	}
	must.Do(t, lay(dir))
	p.input = p.send.payload(t, p.agent, w, p.hook, p.about)
	must.Do(t, os.MkdirAll(filepath.Dir(p.envFile()), 0o755))
	p.transcript(t)
}

// envFile is where the agent that has such a file would have its hooks write
// variables.
func (p *existingPlay) envFile() string {
	o, _ := protocol.ParseObject(p.input)
	return filepath.Join(p.world.home, ".claude", "session-env", o.Text("session_id"), "hook-0.sh")
}

// transcript writes what the payload names as the session's transcript, as far as
// the hooks of the corpus look into one: a prompt, in the form of the agent that
// they were written for if it is that, else in none that they know.
func (p *existingPlay) transcript(t *testing.T) {
	t.Helper()
	o, err := protocol.ParseObject(p.input)
	must.Do(t, err)
	path := o.Text("transcript_path")
	if !strings.HasPrefix(path, p.world.home) {
		return
	}
	line := `{"role": "person"}`
	switch p.agent.ID {
	case existingAgents[0]:
		line = `{"type": "user", "message": {"role": "user", "content": "go on"}}`
	case "copilot-cli": // whose stop does not say itself what the model said last
		line = `{"type": "assistant.message", "data": {"content": ` + string(protocol.Quote(p.about.Text)) + `}}`
	}
	must.Write(t, path, line+"\n")
}

// playAll plays them, as many at a time as there are cores.
func playAll(t *testing.T, plays []*existingPlay) {
	t.Helper()
	program, err := exec.LookPath("agents-hooks")
	must.Do(t, err)
	next := make(chan *existingPlay)
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for p := range next {
				p.play(program)
			}
		})
	}
	for _, p := range plays {
		next <- p
	}
	close(next)
	group.Wait()
}

// agentVars are what an agent sets for its hooks that those of others look for.
var agentVars = map[string][]string{
	"claude-code": {"CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "CLAUDE_ENV_FILE"},
	"codex":       {"CLAUDE_PLUGIN_ROOT"},
	"gemini-cli":  {"CLAUDE_PROJECT_DIR"},
	"cursor":      {"CLAUDE_PROJECT_DIR"},
	"copilot-cli": {"CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT"},
	"qwen-code":   {"CLAUDE_PROJECT_DIR"},
}

// play runs the hook, or the dispatcher with it, and judges the answer.
func (p *existingPlay) play(program string) {
	w, dir := p.world, filepath.Join(p.world.project, ".claude", "hooks", p.hook.Name)
	h := host.New([]string{"HOME=" + w.home, "XDG_CONFIG_DIRS=" + filepath.Join(w.home, "etc")}, runtime.GOOS, w.home, program, time.Now)
	cmd := exec.Command(program, append([]string{"run", "--agent=" + p.agent.ID, "--event=" + p.send.native}, h.Entry().Args()...)...)
	if p.way == asItIs {
		line := strings.ReplaceAll(p.hook.Command, `"$CLAUDE_PROJECT_DIR"/`, w.project+"/")
		cmd = exec.Command("/bin/sh", "-c", strings.ReplaceAll(line, `$CLAUDE_PROJECT_DIR/`, w.project+"/"))
	}
	envFile := p.envFile()
	value := map[string]string{"CLAUDE_PROJECT_DIR": w.project, "CLAUDE_ENV_FILE": envFile, "CLAUDE_PLUGIN_ROOT": dir}
	cmd.Env = []string{"HOME=" + w.home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + w.home, "LANG=C.UTF-8"}
	for _, name := range agentVars[p.agent.ID] {
		if name == "CLAUDE_PLUGIN_ROOT" && !p.hook.Plugin || name == "CLAUDE_ENV_FILE" && p.send.native != "SessionStart" {
			continue
		}
		cmd.Env = append(cmd.Env, name+"="+value[name])
	}
	cmd.Dir = w.project
	cmd.Stdin = bytes.NewReader(p.input)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // its exit code is the answer
	env, _ := exec.Command("/bin/sh", "-c", `[ ! -e "$0" ] || { . "$0"; env; }`, envFile).Output()
	a := answered{native: p.send.native, exit: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String(), h: p.hook, envFile: string(env)}
	if p.hook.Async && p.way == asItIs { // nobody waits for its answer
		a.exit, a.stdout, a.stderr = 0, "", ""
	}
	is := seen{}
	judges[p.agent.ID](a, is)
	is["allowed"] = is["allowed"] && (p.hook.Asks || p.about.Kind == "permission")
	acted := func() bool { return p.hook.Acted(w.project, w.home) }
	is["acted"] = acted()
	for begun := time.Now(); p.hook.Async && !is["acted"] && time.Since(begun) < 5*time.Second; time.Sleep(20 * time.Millisecond) {
		is["acted"] = acted()
	}
	p.came = existing.EffectOf(is)
	if os.Getenv("AGENTS_HOOKS_SHOW") == p.hook.Name+" "+p.agent.ID {
		fmt.Fprintf(os.Stderr, "%s: %s\n  exit %d stdout %s\n  stderr %s\n  came %v\n", p.way, p.input, a.exit, a.stdout, a.stderr, p.came)
	}
}

// In the agent that they were written for, our judge says of the script itself what
// was seen in the program: else it could not be believed of the others.
func TestJudgeOfExistingHooks(t *testing.T) {
	t.Parallel()
	hooks, recorded := existingCorpus(t)
	b, err := os.ReadFile(filepath.Join("testdata", "existing.json"))
	must.Do(t, err)
	stored := map[string]map[string]came{}
	must.Do(t, json.Unmarshal(b, &stored))
	for _, h := range hooks {
		if got := stored[h.Name][existingAgents[0]][asItIs]; !slices.Equal(got, recorded[h.Name].Hit) {
			t.Errorf("%s: our judge says %v, and the program did %v", h.Name, got, recorded[h.Name].Hit)
		}
	}
	if missing := len(hooks) - len(slices.Collect(maps.Keys(stored))); missing != 0 {
		t.Errorf("%d hooks of the corpus are not in testdata/existing.json, or too many", missing)
	}
}
