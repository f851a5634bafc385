package server

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
)

// Every call of the contract, with its answer. EV-SRV-01.
func TestContract(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		c := team(t, opened(t, place), DefaultLimits(), io.Discard, "ada")[0]
		g := c.want(201, "POST", "/api/im/evolution/genes?scope=ws_app", geneBody)
		id, _ := at(g, "id").(string)
		if !strings.HasPrefix(id, "gene_repair_") || at(g, "type") != "Gene" || at(g, "signals_match", 0, "type") != "error:timeout" || at(g, "visibility") != "private" || at(g, "strategy", 1) != "Clear the module cache" {
			t.Fatalf("%v", g)
		}
		r := c.want(200, "POST", "/api/im/evolution/record", `{"gene_id": "`+id+`", "signals": ["error:timeout"], "outcome": "failure", "summary": "no", "score": 0.1}`)
		if at(r, "edge_updated") != true || at(r, "failure_count") != 1.0 {
			t.Errorf("%v", r)
		}
		a := c.want(200, "POST", "/api/im/evolution/analyze?scope=ws_app", `{"signals": ["error:timeout"]}`)
		if act := at(a, "action"); act != "apply_gene" && act != "explore" {
			t.Errorf("%v", a)
		}
		for _, member := range []string{"gene_id", "gene", "strategy", "confidence", "coverageScore", "alternatives", "rank", "reason", "suggestion", "relatedMemories"} {
			if _, ok := a.(map[string]any)[member]; !ok {
				t.Errorf("analyze has no %s", member)
			}
		}
		a = c.want(200, "POST", "/api/im/evolution/analyze", `{"signals": [{"type": "perf:slow_query"}]}`)
		if at(a, "action") != "create_suggested" || at(a, "suggestion", "category") != "repair" {
			t.Errorf("%v", a)
		}
		sync := c.want(200, "POST", "/api/im/evolution/sync?scope=ws_app", `{"push": {"outcomes": [{"gene_id": "`+id+`", "signals": [{"type": "error:timeout"}], "outcome": "success", "summary": "it built"}, {"gene_id": "nope", "signals": ["x:y"], "outcome": "success", "summary": ""}, {"gene_id": "`+id+`", "signals": [], "outcome": "success", "summary": ""}]}, "pull": {"since": 0}}`)
		if at(sync, "pushed", "accepted") != 1.0 || !strings.HasPrefix(fmt.Sprint(at(sync, "pushed", "rejected", 0)), "outcome[1]: unknown gene") || !strings.HasPrefix(fmt.Sprint(at(sync, "pushed", "rejected", 1)), "outcome[2]: signals") {
			t.Errorf("%v", at(sync, "pushed"))
		}
		var row any
		for _, x := range at(sync, "pulled", "genes").([]any) {
			if at(x, "id") == id {
				row = x
			}
		}
		if at(row, "strategySteps") != `["Look at the first error only","Clear the module cache"]` || at(row, "successCount") != 1.0 || at(row, "failureCount") != 1.0 || at(row, "mine") != true || at(row, "scope") != "ws_app" {
			t.Errorf("%v", row)
		}
		if at(sync, "pulled", "edges", 0, "signalKey") != "error:timeout" || at(sync, "pulled", "globalPrior", "error:timeout", "alpha") != 1.25 || at(sync, "pulled", "cursor").(float64) < 1e12 {
			t.Errorf("%v %v", at(sync, "pulled", "edges"), at(sync, "pulled", "globalPrior"))
		}
		cursor := int64(at(sync, "pulled", "cursor").(float64))
		again := c.want(200, "POST", "/api/im/evolution/sync", fmt.Sprintf(`{"pull": {"since": %d, "scope": "ws_app"}}`, cursor))
		if n := len(at(again, "pulled", "genes").([]any)); n != 0 || at(again, "pulled", "cursor") != float64(cursor) {
			t.Errorf("%d genes after the cursor", n)
		}
		snap := c.want(200, "GET", "/api/im/evolution/sync/snapshot?since=0&scope=ws_app", "")
		seeds, err := gene.Seeds()
		seeds = slices.DeleteFunc(seeds, func(g gene.Gene) bool { return g.When.Literal })
		if err != nil || len(at(snap, "genes").([]any)) != len(seeds)+1 {
			t.Errorf("a snapshot of %d genes, want one and %d seeds (%v)", len(at(snap, "genes").([]any)), len(seeds), err)
		}
		if r := c.want(200, "POST", "/api/im/evolution/report", `{"raw_context": "build failed", "outcome": "failed"}`); !strings.HasPrefix(fmt.Sprint(at(r, "trace_id")), "trace_") {
			t.Errorf("%v", r)
		}
		if hot := c.want(200, "GET", "/api/im/evolution/public/hot?limit=3", ""); len(hot.([]any)) != min(3, len(seeds)) || at(hot, 0, "title") == nil || at(hot, 0, "success_count") == nil {
			t.Errorf("%v", hot)
		}
		restOfContract(t, c)
	})
}

func restOfContract(t *testing.T, c peer) {
	m := c.want(200, "GET", "/api/im/memory/load?scope=my-app", "")
	if at(m, "content") != "" || at(m, "template") == nil || at(m, "path") != "MEMORY.md" || at(m, "scope") != "ws_my-app" {
		t.Errorf("%v", m)
	}
	for v := 1.0; v <= 2; v++ {
		if f := c.want(201, "POST", "/api/im/memory/files", `{"path": "MEMORY.md", "scope": "my-app", "content": "one\ntwo\ntoken ghp_abcdefghijklmnopqrstuvwxyz0123456789", "memoryType": "project"}`); at(f, "version") != v {
			t.Errorf("%v", f)
		}
	}
	m = c.want(200, "GET", "/api/im/memory/load?scope=my-app", "")
	if at(m, "totalLines") != 3.0 || at(m, "version") != 2.0 || strings.Contains(fmt.Sprint(at(m, "content")), "ghp_") {
		t.Errorf("%v", m)
	}
	if f := c.want(200, "GET", "/api/im/memory/files?scope=my-app", ""); at(f, 0, "path") != "MEMORY.md" || at(f, 0, "memoryType") != "project" || len(f.([]any)) != 1 {
		t.Errorf("%v", f)
	}
	if w := c.want(200, "GET", "/api/im/workspace?scope=ws_app&slots=strategies", ""); at(w, "strategies", 0, "strategy") == nil {
		t.Errorf("%v", w)
	}
	if s := c.want(200, "POST", "/api/im/skills/import", `{"items": [{"slug": "review-go", "name": "Review", "description": "d", "content": "# Review\n"}, {"slug": "../../etc", "content": "x"}]}`); at(s, "imported") != 1.0 || len(at(s, "skipped").([]any)) != 1 {
		t.Errorf("%v", s)
	}
	if s := c.want(200, "GET", "/api/im/skills/installed", ""); at(s, 0, "slug") != "review-go" || at(s, 0, "content") != nil {
		t.Errorf("%v", s)
	}
	if s := c.want(200, "GET", "/api/im/skills/review-go/content", ""); at(s, "content") != "# Review\n" {
		t.Errorf("%v", s)
	}
	status, doc := c.do("POST", "/api/context/load", `{"input": "https://go.dev/doc"}`)
	if status != 200 || doc["success"] != true || at(doc, "result", "cached") != false || at(doc, "cost", "credits") != 0.0 {
		t.Errorf("a miss: %d %v", status, doc)
	}
	status, doc = c.do("POST", "/api/context/save", `{"url": "https://GO.dev/doc#x", "hqcc": "what it says"}`)
	if status != 200 || doc["success"] != true || doc["visibility"] != "private" || doc["url"] != "https://go.dev/doc" {
		t.Errorf("%d %v", status, doc)
	}
	if _, doc = c.do("POST", "/api/context/load", `{"input": "https://go.dev/doc"}`); at(doc, "result", "hqcc") != "what it says" || at(doc, "result", "cached") != true {
		t.Errorf("a hit: %v", doc)
	}
	if _, doc = c.do("POST", "/api/context/save", `{"items": [{"url": "prismer://search/go", "hqcc": "x"}, {"url": "http://10.0.0.1/", "hqcc": "x"}]}`); at(doc, "results", 0, "success") != true || at(doc, "results", 1, "success") != false {
		t.Errorf("%v", doc)
	}
}

// What is refused, and how. EV-SRV-02.
func TestContractRefusals(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := opened(t, place)
		both := team(t, s, DefaultLimits(), io.Discard, "ada", "bob")
		ada, bob := both[0], both[1]
		id := fmt.Sprint(at(ada.want(201, "POST", "/api/im/evolution/genes", geneBody), "id"))
		for _, c := range []struct {
			status             int
			method, path, body string
			message            string
		}{
			{400, "POST", "/api/im/evolution/analyze?scope=my%2Fapp", `{"signals": ["x:y"]}`, "Invalid scope format"},
			{400, "POST", "/api/im/evolution/record?scope=my-app", `{}`, "Invalid scope format"},
			{400, "POST", "/api/im/evolution/genes?scope=my-app", `{}`, "Invalid scope format"},
			{400, "POST", "/api/im/evolution/analyze", `{}`, "signals"},
			{400, "POST", "/api/im/evolution/analyze", ``, "empty"},
			{400, "POST", "/api/im/evolution/analyze", `[1`, "body"},
			{404, "POST", "/api/im/evolution/record", `{"gene_id": "x", "signals": ["a:b"], "outcome": "success"}`, "unknown"},
			{400, "POST", "/api/im/evolution/record", `{"gene_id": "` + id + `", "signals": [], "outcome": "success"}`, "signals"},
			{400, "POST", "/api/im/evolution/record", `{"gene_id": "` + id + `", "signals": ["a:b"], "outcome": "maybe"}`, "outcome"},
			{400, "POST", "/api/im/evolution/record", `{"gene_id": "` + id + `", "signals": ["a:b"], "outcome": "success", "score": 2}`, "score"},
			{400, "POST", "/api/im/evolution/genes", `{"category": "magic", "signals_match": ["a:b"], "strategy": ["x"]}`, "category"},
			{400, "POST", "/api/im/evolution/genes", `{"category": "repair", "signals_match": [], "strategy": ["x"]}`, "signals_match"},
			{400, "POST", "/api/im/evolution/genes", `{"category": "repair", "signals_match": ["a:b"], "strategy": []}`, "strategy"},
			{400, "POST", "/api/im/evolution/genes", `{"category": "repair", "signals_match": ["a:b"], "strategy": ["x"], "id": "../x"}`, "id"},
			{400, "POST", "/api/im/evolution/report", `{"outcome": "success"}`, "raw_context"},
			{400, "GET", "/api/im/memory/load?path=../../etc/passwd", "", "path"},
			{400, "POST", "/api/im/memory/files", `{"path": "/etc/passwd", "content": "x"}`, "path"},
			{404, "GET", "/api/im/skills/none/content", "", "no such skill"},
			{404, "GET", "/api/im/nothing", "", "no such path"},
			{404, "GET", "/api/im/evolution/sync", "", "no such path"},
			{413, "POST", "/api/im/memory/files", `{"path": "a", "content": "` + strings.Repeat("x", 3<<20) + `"}`, "bytes"},
		} {
			t.Run(fmt.Sprintf("status %v, %s, %s, body %q", c.status, c.method, c.path, c.body), func(t *testing.T) {
				f := ada.want(c.status, c.method, c.path, c.body)
				if !strings.Contains(fmt.Sprint(at(f, "message")), c.message) {
					t.Errorf("%s %s: %v, want %q", c.method, c.path, f, c.message)
				}
			})
		}
		bob.want(403, "POST", "/api/im/evolution/record", `{"gene_id": "`+id+`", "signals": ["a:b"], "outcome": "success"}`)
		if status, doc := ada.do("POST", "/api/context/load", `{"input": "http://169.254.169.254/latest"}`); status != 400 || doc["success"] != false {
			t.Errorf("%d %v", status, doc)
		}
		for _, key := range []string{"", "nonsense", api.KeyPrefix + "0000", "Bearer"} {
			c := ada
			c.key = key
			c.want(401, "GET", "/api/im/skills/installed", "")
		}
	})
}
