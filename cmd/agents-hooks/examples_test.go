//go:build unix

package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/examples"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// Every command has an example, and no example is of a command that is gone.
func TestEveryCommandHasAnExample(t *testing.T) {
	t.Parallel()
	var have []string
	leaves(shelltest.New(t).Commands(commandGroups(), ""), nil, func(path []string, c *cli.Command) {
		name := "agents-hooks " + strings.Join(path, " ")
		if have = append(have, name); c.Hidden {
			return
		}
		lines := examples.Of(name)
		if len(lines) == 0 {
			t.Errorf("%s has no example in examples.txt", name)
		}
		for _, l := range lines {
			if !strings.Contains(l, name) {
				t.Errorf("an example of %s does not show it: %s", name, l)
			}
		}
	})
	for _, c := range examples.Commands() {
		if !slices.Contains(have, c) && c != "agents-hooks" && !strings.HasPrefix(c, "agents-hooks-server") {
			t.Errorf("examples.txt has examples of %s, which is no command", c)
		}
	}
}

// Every example of every help text is run as it stands there, in a home that has
// what it needs. Those of a group are played one after another, in the order of
// examples.txt, so that what one of them makes the next one has.
func TestExamplesOfTheHelp(t *testing.T) {
	byGroup, order := map[string][]string{}, []string{}
	for _, c := range examples.Commands() {
		words := strings.Fields(c)
		if len(words) < 2 || words[0] != "agents-hooks" {
			continue
		}
		if byGroup[words[1]] == nil {
			order = append(order, words[1])
		}
		byGroup[words[1]] = append(byGroup[words[1]], c)
	}
	for i, group := range order {
		if !slowtest.Part(i, 12) {
			continue
		}
		t.Run(group, func(t *testing.T) {
			t.Parallel()
			s := newExampleStage(t, group)
			for i, command := range byGroup[group] {
				if !slowtest.On() && (i > 0 || command == "agents-hooks conformance runner") {
					continue // what comes first in some groups; -slow plays all
				}
				if needs := first[command]; needs != "" {
					if out, err := s.sh(t, s.filled(t, needs)); err != nil {
						t.Fatalf("before %s: %v\n%s", command, err, out)
					}
				}
				for _, line := range examples.Of(command) {
					s.play(t, command, line)
				}
			}
		})
	}
}

// An exampleStage is a home, and a project in it that is worked in.
type exampleStage struct {
	home, project string
	env           []string
}

// first is what some examples need of others, in the shell before them.
var first = map[string]string{
	"agents-hooks memory share on": `agents-hooks-server key create --person me > key 2> log && agents-hooks-server room create shop && agents-hooks-server room add shop --person me &&
		{ timeout 60 agents-hooks-server --listen 127.0.0.1:0 > log 2>&1 < /dev/null & } && until grep -q listening log; do sleep 0.05; done &&
		printf '[builtin.memory]\nenabled = true\nteam_url = "http://%s"\nteam_key = "%s"\n' $(grep -o '127.0.0.1:[0-9]*' log | head -1) $(cat key) > ~/.config/agents/hooks.toml`,
	"agents-hooks memory model add":           `mkdir potion && printf '\100\0\0\0\0\0\0\0{"embeddings":{"dtype":"I8","shape":[2,2],"data_offsets":[0,4]}}\1\2\3\4' > potion/model.safetensors && printf '{"model": {"type": "WordLevel", "vocab": {"the": 0, "shop": 1}}}' > potion/tokenizer.json && echo '{}' > potion/config.json`,
	"agents-hooks workspace dispatch node":    "agents-hooks workspace node complete NODE_ID --conclusion done && agents-hooks workspace node create Docs --parent root --type execution --requirement 'say it'",
	"agents-hooks workspace dispatch disable": "agents-hooks workspace dispatch enable",
	"agents-hooks evolution approve":          "sed s/gene_repair_/gene_repair_a/ genes.json > theirs.json && agents-hooks evolution import theirs.json",
	"agents-hooks evolution reject":           "sed s/gene_repair_/gene_repair_b/ genes.json > theirs.json && agents-hooks evolution import theirs.json",
}

// before is what a group's examples need that the stage does not have yet.
var before = map[string]string{
	"trust":     "mkdir -p .agents && cp -r ~/.config/agents/hooks .agents/hooks",
	"untrust":   "mkdir -p .agents && cp -r ~/.config/agents/hooks .agents/hooks && agents-hooks trust --yes",
	"update":    "mkdir -p ../packs && cp -r ~/.config/agents/hooks ../packs/ours && agents-hooks add ../packs/ours --as ours --yes --no-test",
	"remove":    "mkdir -p ../packs && cp -r ~/.config/agents/hooks ../packs/ours && agents-hooks add ../packs/ours --as ours --yes --no-test",
	"verify":    "mkdir -p ../packs && cp -r ~/.config/agents/hooks ../packs/ours && agents-hooks add ../packs/ours --as ours --yes --no-test",
	"add":       "mkdir -p ../packs && cp -r ~/.config/agents/hooks ../packs/ours",
	"import":    `printf '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "true"}]}]}}' > ~/.claude/settings.json`,
	"setup":     `mkdir -p .agents && printf 'agents = ["claude-code"]\n' > .agents/agents-hooks.toml`,
	"uninstall": "agents-hooks install claude-code codex && agents-hooks install gemini-cli --project",
	"doctor":    "agents-hooks install claude-code",
	"log":       "agents-hooks run --agent claude-code --home ~ < event.json; true",
	"stats":     "agents-hooks run --agent claude-code --home ~ < event.json; true",
	"ui":        "agents-hooks run --agent claude-code --home ~ < event.json; true",
	"explain":   "agents-hooks run --agent claude-code --home ~ < event.json; true",
	"replay":    "agents-hooks record on && agents-hooks run --agent claude-code --home ~ < event.json; cp ~/.local/state/agents-hooks/record/*/*.jsonl session.jsonl",
	"record":    "agents-hooks run --agent claude-code --home ~ < event.json; true",
	"memory":    "agents-hooks enable memory",
	"workspace": "agents-hooks enable workspace && mkdir -p openspec/changes/add-login && printf '# Tasks\\n## 1. Login\\n- [ ] 1.1 form\\n' > openspec/changes/add-login/tasks.md && printf '# Why\\nLogin.\\n' > openspec/changes/add-login/proposal.md && printf -- '- [ ] Sketch\\n- [ ] Draw\\n' > plan.md",
	"evolution": "agents-hooks enable evolution",
	"skills":    `mkdir -p .agents/skills/tidy/hooks && printf -- '---\nname: tidy\ndescription: Keeps things tidy.\n---\nTidy up.\n' > .agents/skills/tidy/SKILL.md && printf '{"hooks": [{"name": "sweep", "file": "sweep.md", "timing": "after_user_input", "role": "user", "persistent": false}]}' > .agents/skills/tidy/hooks/hooks.json && echo 'Sweep first.' > .agents/skills/tidy/hooks/sweep.md && agents-hooks trust --yes`,
}

func newExampleStage(t *testing.T, group string) *exampleStage {
	t.Helper()
	home := t.TempDir()
	s := &exampleStage{home: home, project: filepath.Join(home, "shop")}
	s.env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com"}
	guard := filepath.Join(home, ".config", "agents", "hooks", "no-force-push")
	must.Write(t, filepath.Join(guard, "HOOK.md"), "---\nname: no-force-push\ndescription: Refuses git push --force.\ntrigger: pre-tool-call\nmatcher: {command: '^git push\\b.*--force'}\n---\n")
	must.Script(t, filepath.Join(guard, "scripts", "run"), "#!/bin/sh\ncat >/dev/null; echo 'Do not force-push.' >&2; exit 2\n")
	must.Write(t, filepath.Join(s.project, "event.json"), `{"session_id": "s1", "transcript_path": "/t", "cwd": "`+s.project+`", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push --force"}, "tool_use_id": "t1"}`+"\n")
	must.Write(t, filepath.Join(s.project, "call.json"), `{"event_type": "pre-tool-call", "tool_name": "Shell", "tool_input": {"command": "git push --force"}}`)
	must.Write(t, filepath.Join(s.project, "page.json"), `{"url": "https://example.com/a", "saved": "2026-11-01", "text": "`+strings.Repeat("A page that is worth keeping. ", 9)+`"}`)
	for _, dir := range []string{".claude", ".codex"} {
		must.Do(t, os.MkdirAll(filepath.Join(home, dir), 0o700))
	}
	if out, err := s.sh(t, "git init -q . && git add . && git commit -qm start && "+cmp.Or(before[group], "true")); err != nil {
		t.Fatalf("the stage: %v\n%s", err, out)
	}
	return s
}

// sh runs a line in the project, as a person would.
func (s *exampleStage) sh(t *testing.T, line string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", line)
	cmd.Dir, cmd.Env = s.project, s.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// ids are what an example has in capitals, and where that is to be had.
var ids = map[string]string{
	"FACT_ID":    `agents-hooks memory list --json | grep -o '"id": "[^"]*"' | head -1 | cut -d'"' -f4`,
	"OTHER_FACT": `agents-hooks memory save 'Tea is in the kitchen.' --json | grep -o 'log-[0-9a-z-]*'`,
	"FACT_TWICE": `agents-hooks memory save 'Two of us changed this.' --json >/dev/null; f=$(grep -rl 'Two of us' ~ --include='*.jsonl' | head -1); grep 'Two of us' "$f" | sed 's/changed/wrote/' >> "$f"; agents-hooks memory accept --yes >/dev/null; grep 'Two of us' "$f" | grep -o 'log-[0-9a-z-]*' | head -1`,
	"NODE_ID":    `agents-hooks workspace node list --json | grep -o '"id": "[^"]*"' | cut -d'"' -f4 | grep -v root | tail -1`,
	"PLAN_ID":    `agents-hooks workspace node list --json | grep -o '"id": "[^"]*"' | cut -d'"' -f4 | grep -v root | head -1`,
	"MEMO_ID":    `agents-hooks workspace memo list --json | grep -o '"id": "[^"]*"' | head -1 | cut -d'"' -f4`,
	"GENE_ID":    `agents-hooks evolution list --json | grep -o '"[a-z_]*id": "[^"]*"' | head -1 | cut -d'"' -f4`,
	"WORKSPACE":  `agents-hooks workspace list --json | grep -o '"id": "[^"]*"' | head -1 | cut -d'"' -f4`,
	"ARCHIVED":   `agents-hooks workspace list --status archived --json | grep -o '"id": "[^"]*"' | head -1 | cut -d'"' -f4`,
	"FOREIGN_ID": `agents-hooks evolution list --visibility held --json | grep -o '"[a-z_]*id": "[^"]*"' | head -1 | cut -d'"' -f4`,
}

// filled is a line with the ids that it has in capitals, found in the order of their
// names: to find one may make what another would find.
func (s *exampleStage) filled(t *testing.T, line string) string {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(ids)) {
		if strings.Contains(line, name) {
			id, _ := s.sh(t, ids[name])
			line = strings.ReplaceAll(line, name, strings.TrimSpace(id))
		}
	}
	return line
}

// play runs one example: it has to end well, and to say nothing about itself that a
// hint follows.
func (s *exampleStage) play(t *testing.T, command, line string) {
	t.Helper()
	typed, _, _ := strings.Cut(line, "  # ")
	typed = s.filled(t, typed)
	if command == "agents-hooks ui" { // which goes on until it is told to end
		typed = "rm -f said; " + typed + " > said & p=$!; until [ -s said ]; do sleep 0.05; done; kill $p && wait $p"
	}
	want := 0
	if strings.Contains(line, "exit 2") {
		want = 2
	}
	out, err := s.sh(t, typed)
	exit := 0
	if err != nil {
		exit = -1
		if e, ok := err.(*exec.ExitError); ok {
			exit = e.ExitCode()
		}
	}
	if exit != want {
		t.Errorf("%s: %s\nexit %d, want %d\n%s", command, typed, exit, want, fmt.Sprintf("%.1500s", out))
	}
}
