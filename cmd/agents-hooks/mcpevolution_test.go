package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/ops"
	memory "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/cmd/internal/tools"
)

// The names and arguments of the original's tools.
func TestMCPEvolution(t *testing.T) {
	t.Parallel()
	h := newMCPHome(t, "evolution")
	s := h.serve(t, "--session", "s-1", "--tools", "evolution:full")
	var made struct {
		Status string
		ID     string `json:"gene_id"`
	}
	ask(t, s, "evolve_create_gene", map[string]any{
		"category": "repair", "signals_match": []string{"error:timeout"}, "title": "wait for the port",
		"strategy": []string{"look whether the port answers, before the test connects", "retry with a growing pause, at most five times"},
	}, &made)
	if made.Status != "created" || !strings.HasPrefix(made.ID, "gene_repair_") {
		t.Fatalf("create: %+v", made)
	}
	var found struct {
		Action string
		Rank   []struct {
			ID string `json:"gene_id"`
		}
	}
	ask(t, s, "evolve_analyze", map[string]any{"signals": []string{"error:timeout"}}, &found)
	if !slices.ContainsFunc(found.Rank, func(r struct {
		ID string `json:"gene_id"`
	}) bool {
		return r.ID == made.ID
	}) {
		t.Errorf("analyze does not know the gene: %+v", found)
	}
	ask(t, s, "evolve_record", map[string]any{"gene_id": made.ID, "signals": "error:timeout", "outcome": "success", "summary": "the port was late", "followed": true}, &struct{}{})
	if out := h.run(t, "evolution", "show", made.ID, "--json"); !strings.Contains(out, "the port was late") {
		t.Errorf("the command does not see the outcome: %s", out)
	}
	for tool, c := range map[string]struct {
		args map[string]any
		want string
	}{
		"evolve_show":        {map[string]any{"gene_id": "gene_none"}, "NO_GENE: "},
		"evolve_record":      {map[string]any{"gene_id": made.ID, "signals": []string{"a"}, "outcome": "perhaps", "summary": "x"}, "BAD_ARGUMENT: "},
		"evolve_create_gene": {map[string]any{"category": "repair", "strategy": []string{"x"}}, "BAD_ARGUMENT: "},
		"memory_read":        {map[string]any{"path": "nothing/here"}, "NOT_FOUND: "},
		"recall":             {map[string]any{"query": "x", "limit": 50}, "BAD_ARGUMENT: "},
		"session_checklist":  {map[string]any{"action": "update", "content": "none"}, "NOT_FOUND: "},
	} {
		t.Run(tool, func(t *testing.T) {
			if got := ask(t, s, tool, c.args, nil); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s: %s", tool, got)
			}
		})
	}

	// Without a key nothing is asked of any server, and that is no error.
	var shared struct{ Scope string }
	if text := ask(t, s, "evolve_sync", map[string]any{"scope": "shop"}, &shared); shared.Scope != "shop" {
		t.Errorf("sync: %s", text)
	}

	// Memory_write is memory save of type W with the path as topic key.
	var saved struct{ Status, ID string }
	ask(t, s, "memory_write", map[string]any{"path": "build/cache.md", "content": "the build cache lies in tmp"}, &saved)
	ask(t, s, "memory_write", map[string]any{"path": "build/cache.md", "content": "the compiler keeps its objects in the home directory"}, &saved)
	var page struct{ Content string }
	if ask(t, s, "memory_read", map[string]any{"path": "build/cache.md"}, &page); page.Content != "the compiler keeps its objects in the home directory" {
		t.Errorf("read: %+v", page)
	}
	if list := h.run(t, "memory", "list", "--type", "W"); strings.Contains(list, "lies in tmp") || !strings.Contains(list, "home directory") {
		t.Errorf("the later write does not stand for the earlier: %s", list)
	}
	// The fact says where it comes from.
	if out := h.run(t, "memory", "export"); !strings.Contains(out, `"origin":"evolution"`) {
		t.Errorf("the origin is not recorded: %s", out)
	}
	var hits struct{ Results []memory.Hit }
	if ask(t, s, "recall", map[string]any{"query": "compiler objects"}, &hits); len(hits.Results) != 1 {
		t.Errorf("recall: %+v", hits)
	}
	var list struct {
		Items []struct{ Status, CompletedAt string }
	}
	ask(t, s, "session_checklist", map[string]any{"action": "add", "content": "measure"}, &list)
	ask(t, s, "session_checklist", map[string]any{"action": "add", "content": "write"}, &list)
	ask(t, s, "session_checklist", map[string]any{"action": "update", "index": 1}, &list)
	if len(list.Items) != 2 || list.Items[0].Status != "completed" || list.Items[0].CompletedAt == "" || list.Items[1].Status != "pending" {
		t.Errorf("checklist: %+v", list)
	}
	if ask(t, s, "session_checklist", map[string]any{"action": "clear"}, &list); len(list.Items) != 0 {
		t.Errorf("cleared: %+v", list)
	}
}

// The server and the command line are made of one table: an operation that says
// nothing in one of the languages, or that is only for a person, would show here.
func TestMCPToolsAreThoseOfTheTables(t *testing.T) {
	seen := map[string]op.Op{}
	for _, set := range tools.Sets(shelltest.New(t), "any") {
		for _, o := range set.Ops {
			if _, twice := seen[o.Name]; twice {
				t.Errorf("%s is in two sets", o.Name)
			}
			seen[o.Name] = o
			if o.Model.English == "" || o.Model.Chinese == "" || o.Do == nil || o.ReadOnly && o.Destructive || o.Needs == 0 {
				t.Errorf("%s: %+v", o.Name, o)
			}
			if o.Command != "" && (o.People.English == "" || o.People.Chinese == "") {
				t.Errorf("%s is a command and says nothing to people", o.Name)
			}
			if len(o.Name) > 40 {
				t.Errorf("%s is too long for a name behind that of its server", o.Name)
			}
			for _, chinese := range []bool{false, true} {
				if schema := o.Schema(chinese).Raw(); !json.Valid(schema) {
					t.Errorf("%s: its schema is no JSON: %s", o.Name, schema)
				}
			}
		}
	}
	for _, o := range ops.Ops(nil) {
		if _, there := seen[o.Name]; there == o.Person {
			t.Errorf("%s: offered is %v, for a person only is %v", o.Name, there, o.Person)
		}
	}
	for _, name := range strings.Fields("memory_search memory_timeline memory_get memory_save memory_summary memory_forget memory_distill hooks_list hooks_explain " +
		"evolve_analyze evolve_record evolve_create_gene evolve_report evolve_browse evolve_publish evolve_import evolve_delete evolve_distill evolve_export_skill evolve_achievements evolve_sync memory_read memory_write recall session_checklist") {
		if _, ok := seen[name]; !ok {
			t.Errorf("%s is not there", name)
		}
	}
}
