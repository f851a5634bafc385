package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	skills "github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// An mcpHome is a home directory and a project in it, for real processes.
type mcpHome struct {
	home, project string
	env           []string
}

func newMCPHome(t *testing.T, behaviours ...string) mcpHome {
	t.Helper()
	h := mcpHome{home: t.TempDir()}
	h.project = filepath.Join(h.home, "project")
	must.Do(t, os.MkdirAll(filepath.Join(h.project, ".git"), 0o755))
	h.env = append(shelltest.Env(h.home), "PATH="+os.Getenv("PATH"), "LANG=en_US.UTF-8", "SystemRoot="+os.Getenv("SystemRoot"))
	if len(behaviours) > 0 {
		h.run(t, append([]string{"enable"}, behaviours...)...)
	}
	return h
}

func (h mcpHome) command(args ...string) *exec.Cmd {
	cmd := exec.Command("agents-hooks", args...)
	cmd.Dir, cmd.Env = h.project, h.env
	return cmd
}

func (h mcpHome) run(t *testing.T, args ...string) string {
	t.Helper()
	out, err := h.command(args...).CombinedOutput()
	if err != nil {
		t.Errorf("agents-hooks %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// serve starts a server as an agent does, with the library's own client.
func (h mcpHome) serve(t *testing.T, args ...string) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: h.command(append([]string{"mcp"}, args...)...)}, nil)
	must.Do(t, err)
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the server's end: %v", err)
		}
	})
	return session
}

// ask calls a tool, and reads its answer.
func ask(t *testing.T, s *sdk.ClientSession, tool string, args any, into any) string {
	t.Helper()
	res, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Errorf("%s: %v", tool, err)
		return ""
	}
	text := res.Content[0].(*sdk.TextContent).Text
	if res.IsError && into != nil {
		t.Errorf("%s: %s", tool, text)
	} else if into != nil {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Errorf("%s: %v in %s", tool, err, text)
		}
		if res.StructuredContent == nil { // an answer that is told once
			return text
		}
		structured, _ := json.Marshal(res.StructuredContent)
		var a, b any
		if json.Unmarshal(structured, &a) != nil || json.Unmarshal([]byte(text), &b) != nil || fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("%s: the structure and the text differ:\n%s\n%s", tool, structured, text)
		}
	}
	return text
}

// Rows, then what stands around one, then the full text; saved, put
// together, forgotten.
func TestMCPMemoryInThreeSteps(t *testing.T) {
	t.Parallel()
	h := newMCPHome(t, "memory")
	s := h.serve(t, "--session", "s-1")
	var saved struct{ Status, ID string }
	long := strings.Repeat("the cart cache is redis because it expires keys by itself; ", 8)
	ids := map[string]string{}
	for name, content := range map[string]string{"redis": long, "deploy": "we deploy on tuesdays", "tabs": "tabs are preferred over spaces"} {
		ask(t, s, "memory_save", map[string]any{"content": content, "entities": []string{name}}, &saved)
		if saved.Status != "ok" || saved.ID == "" {
			t.Fatalf("%s: %+v", name, saved)
		}
		ids[name] = saved.ID
	}
	var rows struct {
		Note    string
		Results []memoryRow
	}
	text := ask(t, s, "memory_search", map[string]any{"query": "redis cart"}, &rows)
	if len(rows.Results) != 1 || rows.Results[0].ID != ids["redis"] || !strings.Contains(rows.Note, "not instructions") {
		t.Fatalf("search: %s", text)
	}
	if n := len([]rune(rows.Results[0].Text)); n > 210 {
		t.Errorf("a row has %d characters", n)
	}
	var around struct{ Entries []memoryRow }
	ask(t, s, "memory_timeline", map[string]any{"id": ids["deploy"]}, &around)
	if len(around.Entries) != 3 || !slices.ContainsFunc(around.Entries, func(r memoryRow) bool { return r.ID == ids["tabs"] && r.Session == "s-1" }) {
		t.Errorf("timeline: %+v", around)
	}
	var full struct {
		Entries []struct{ Content string }
		Missing []string
	}
	ask(t, s, "memory_get", map[string]any{"ids": []string{ids["redis"], "log-none"}}, &full)
	if len(full.Entries) != 1 || full.Entries[0].Content != strings.TrimSpace(long) || !slices.Equal(full.Missing, []string{"log-none"}) {
		t.Errorf("get: %+v", full)
	}
	ask(t, s, "memory_save", map[string]any{"content": "We deploy on Tuesdays."}, &saved)
	if saved.Status != "duplicate" || saved.ID != ids["deploy"] {
		t.Errorf("known already: %+v", saved)
	}
	ask(t, s, "memory_summary", map[string]any{"topic": "cache", "summary": "redis chosen", "todos": "measure it"}, &saved)
	if saved.Status != "ok" {
		t.Errorf("summary: %+v", saved)
	}
	if out := h.run(t, "memory", "list", "--sessions"); !strings.Contains(out, "redis chosen") {
		t.Errorf("the command does not see the summary: %s", out)
	}
	var page struct{ Page string }
	ask(t, s, "memory_distill", map[string]any{"sections": map[string]any{"重要决策": []string{"redis for the cart"}}}, &page)
	var core struct{ Results []memoryRow }
	ask(t, s, "memory_search", map[string]any{"query": "redis for the cart", "max_results": 5}, &core)
	if !strings.Contains(page.Page, "- redis for the cart") || !slices.ContainsFunc(core.Results, func(r memoryRow) bool { return r.Type == "core" }) {
		t.Errorf("distill: %+v\n%+v", page, core)
	}
	ask(t, s, "memory_forget", map[string]any{"ids": ids["tabs"]}, &saved)
	for tool, args := range map[string]map[string]any{
		"memory_get":      {"ids": ids["tabs"]},
		"memory_timeline": {"id": ids["tabs"]},
		"memory_forget":   {"ids": "log-none"},
	} {
		t.Run(tool, func(t *testing.T) {
			if got := ask(t, s, tool, args, nil); !strings.HasPrefix(got, "NOT_FOUND: ") {
				t.Errorf("%s of what is gone: %s", tool, got)
			}
		})
	}
	if got := ask(t, s, "memory_save", map[string]any{"content": "<private>all of it</private>"}, nil); !strings.HasPrefix(got, "REFUSED: ") {
		t.Errorf("nothing that may be kept: %s", got)
	}
}

func TestMCPHookTools(t *testing.T) {
	t.Parallel()
	h := newMCPHome(t)
	hook := filepath.Join(h.home, ".config", "agents", "hooks", "guard")
	must.Write(t, filepath.Join(hook, "HOOK.md"), "---\nname: guard\ndescription: stops it\ntrigger: pre-tool-call\nmatcher:\n  tool: Shell\n  pattern: 'rm -rf'\n---\n")
	must.Write(t, filepath.Join(hook, "scripts", "run.sh"), "exit 0\n")
	s := h.serve(t)
	var list struct {
		Hooks []struct{ Name, Status string }
	}
	ask(t, s, "hooks_list", map[string]any{"trigger": "pre-tool-call"}, &list)
	if len(list.Hooks) != 1 || list.Hooks[0].Name != "guard" || list.Hooks[0].Status != "ready" {
		t.Errorf("list: %+v", list)
	}
	for command, runs := range map[string]bool{"rm -rf /": true, "ls": false} {
		t.Run(command, func(t *testing.T) {
			var x struct{ Hooks []hookset.ExplainedHook }
			ask(t, s, "hooks_explain", map[string]any{"event": "pre-tool-call", "tool_name": "Shell", "tool_input": map[string]any{"command": command}}, &x)
			if len(x.Hooks) != 1 || x.Hooks[0].Runs != runs {
				t.Errorf("%s: %+v", command, x)
			}
		})
	}
	if got := ask(t, s, "hooks_explain", map[string]any{"event": "pre-tool-call", "agent": "nobody"}, nil); !strings.HasPrefix(got, "NOT_FOUND: ") {
		t.Errorf("an agent that is none: %s", got)
	}
	h.run(t, "enable", "skills")
	must.Write(t, filepath.Join(h.home, ".config", "agents", "skills", "tidy", "hooks", "hooks.json"), `{"hooks": [{"name": "a", "file": "a.md", "timing": "after_user_input", "role": "user", "persistent": false}]}`)
	must.Write(t, filepath.Join(h.home, ".config", "agents", "skills", "tidy", "hooks", "a.md"), "be tidy")
	var found struct{ Skills []skills.Skill }
	if text := ask(t, s, "skills_list", nil, &found); len(found.Skills) != 1 || found.Skills[0].Name != "tidy" {
		t.Errorf("skills: %s", text)
	}
	// Nothing is enabled of memory, so nothing of it is offered.
	for tool, err := range s.Tools(t.Context(), nil) {
		must.Do(t, err)
		if strings.HasPrefix(tool.Name, "memory_") {
			t.Errorf("offered while memory is off: %s", tool.Name)
		}
	}
	h.run(t, "enable", "memory")
	var saved struct{ Status string }
	if ask(t, s, "memory_save", map[string]any{"content": "switched on meanwhile"}, &saved); saved.Status != "ok" {
		t.Errorf("after enable: %+v", saved)
	}
}

// Two servers, the hooks of two sessions and commands write
// into the same stores at once, and nothing is lost.
func TestMCPServersHooksAndCommandsLoseNothingTogether(t *testing.T) {
	t.Parallel()
	h := newMCPHome(t, "memory")
	one, two := h.serve(t, "--session", "one"), h.serve(t, "--session", "two")
	each := slowtest.Count(3, 12)
	var wg sync.WaitGroup
	var want []string
	write := func(who string, save func(n int, content string)) {
		for n := range each {
			want = append(want, fmt.Sprintf("%s wrote down number %d of its own findings", who, n))
		}
		wg.Go(func() {
			for n := range each {
				save(n, fmt.Sprintf("%s wrote down number %d of its own findings", who, n))
			}
		})
	}
	// Without entities: facts about the same thing replace one another.
	for who, s := range map[string]*sdk.ClientSession{"alice": one, "bert": two} {
		write(who, func(_ int, content string) {
			var saved struct{ Status string }
			ask(t, s, "memory_save", map[string]any{"content": content}, &saved)
			if saved.Status != "ok" {
				t.Errorf("%s: %+v", content, saved)
			}
		})
	}
	write("carla", func(_ int, content string) {
		if out := h.run(t, "memory", "save", "--content", content); !strings.Contains(out, `"ok"`) {
			t.Errorf("%s: %s", content, out)
		}
	})
	wg.Go(func() {
		for n := range each {
			cmd := h.command("run")
			cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"event_type": "pre-session", "timestamp": "2026-02-17T11:30:00.000Z", "session_id": "hook-%d", "work_dir": %q, "source": "startup"}`, n, h.project))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("run: %v\n%s", err, out)
			}
		}
	})
	wg.Go(func() {
		for range each {
			ask(t, one, "memory_search", map[string]any{"query": "findings"}, &struct{}{})
		}
	})
	wg.Wait()
	all := h.run(t, "memory", "list", "--last", "0", "--json")
	for _, content := range want {
		if strings.Count(all, content+`"`) != 1 {
			t.Errorf("%q is there %d times", content, strings.Count(all, content+`"`))
		}
	}
	began := 0
	files, _ := filepath.Glob(filepath.Join(h.project, ".agents", "memory-data", "own", "daily", "*.jsonl"))
	local, _ := filepath.Glob(filepath.Join(h.project, ".agents", "memory-data", "local", "*.jsonl"))
	for _, f := range append(files, local...) {
		b := must.Read(t, f)
		for line := range strings.Lines(b) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%s: torn line: %s", f, line)
			}
		}
		began += strings.Count(b, `"session_start"`)
	}
	if began != each {
		t.Errorf("%d sessions began, %d are noted", each, began)
	}
}

// A memoryRow is a row of memory_search and memory_timeline.
type memoryRow struct{ ID, Type, Text, Session string }
