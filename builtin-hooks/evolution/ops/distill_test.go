package ops

import (
	"fmt"
	"testing"
	"time"
)

// From ten successes on, one gene can be made of those that helped.
func TestDistill(t *testing.T) {
	b := newBench(t)
	one := b.create(retry)
	two := b.create(`{"category": "repair", "signals_match": ["error:timeout"], "strategy": ["Measure how long the other side takes when nobody waits.", "Give it a limit and one retry with a pause."], "title": "Measure first"}`)
	b.fails("evolve_distill", `{"signal": "error:timeout"}`, "TOO_EARLY", "not ripe")
	for i := range 10 {
		b.now = b.now.Add(2 * time.Hour)
		out := b.record([]string{one, two}[i%2], "success", fmt.Sprintf(`, "session": "p%d"`, i))
		if ready := len(out["distill_ready"].([]any)) == 1; ready != (i == 9) {
			t.Errorf("after %d successes: %v", i+1, out)
		}
	}
	if out := b.call("evolve_review", `{}`); fmt.Sprint(out["ripe"]) != "[error:timeout]" {
		t.Errorf("%v", out)
	}
	proposal := b.call("evolve_distill", `{"dry_run": true}`)["proposals"].([]any)[0].(map[string]any)
	steps := proposal["gene"].(map[string]any)["strategy"].([]any)
	if len(steps) != 3 || proposal["status"] != "proposed" || len(proposal["from"].([]any)) != 2 {
		t.Errorf("%v", proposal)
	}
	made := b.call("evolve_distill", `{}`)["proposals"].([]any)[0].(map[string]any)
	if made["status"] != "created" {
		t.Errorf("%v", made)
	}
	if made["gene"].(map[string]any)["id"] == "" {
		t.Errorf("%v", made)
	}
	if out := b.call("evolve_distill", `{}`); len(out["proposals"].([]any)) != 0 {
		t.Errorf("a minute later again: %v", out)
	}
}

// What is distilled is near to what it is made of, and is made all
// the same where it says more; a day later there is nothing new to say.
func TestDistilledOfNearGenes(t *testing.T) {
	b := newBench(t)
	ids := []string{
		b.create(`{"category": "repair", "signals_match": ["task:start"], "strategy": ["Look at the lock file first.", "Remove the stale lock."], "title": "Locks"}`),
		b.create(`{"category": "repair", "signals_match": ["task:start"], "strategy": ["Look at the lock file first.", "Start the daemon again.", "Wait until it answers."], "title": "Daemon"}`),
	}
	for i := range 10 {
		b.now = b.now.Add(2 * time.Hour)
		b.call("evolve_record", fmt.Sprintf(`{"gene_id": %q, "signals": ["task:start"], "outcome": "success", "summary": "it was a lock", "session": "p%d"}`, ids[i%2], i))
	}
	for _, want := range []string{"created", "similar"} {
		made := b.call("evolve_distill", `{"signal": "task:start"}`)["proposals"].([]any)[0].(map[string]any)
		if steps := made["gene"].(map[string]any)["strategy"].([]any); made["status"] != want || len(steps) != 4 {
			t.Errorf("want %s: %v", want, made)
		}
		b.now = b.now.Add(25 * time.Hour)
	}
}
