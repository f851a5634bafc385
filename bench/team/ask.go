package main

import (
	"encoding/json"
	"fmt"
)

// kinds are the signals of enquiries and genes.
var kinds = []string{"error:timeout", "error:build_failure", "error:oom", "error:port_in_use", "error:permission_error", "error:not_found", "error:module_not_found",
	"error:test_failure", "error:typescript", "error:connection_refused", "error:prisma", "error:deploy_failure", "error:generic"}

// messages are what an enquiry may contain instead of signals.
var messages = []string{
	"dial tcp 10.1.2.3:5432: connect: connection refused", "Error: Cannot find module 'left-pad'", "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
	"listen tcp :8080: bind: address already in use", "error TS2345: Argument of type 'string' is not assignable to parameter of type 'number'.",
}

const genesPath, analyzePath = "/api/im/evolution/genes", "/api/im/evolution/analyze"

func (s *service) analyze(client, turn int) error {
	body := map[string]any{"signals": []string{kinds[(client+turn)%len(kinds)]}}
	switch turn % 3 {
	case 1:
		body = map[string]any{"error": messages[(client+turn)%len(messages)]}
	case 2:
		body = map[string]any{"signals": []string{kinds[(client+turn)%len(kinds)], "error:generic", "capability:build"}, "stage": "build"}
	}
	_, err := s.post(client, analyzePath, body)
	return err
}

// make makes a gene of a realistic length.
func (s *service) make(client, turn int) error {
	n := s.made.Add(1)
	_, err := s.post(int(n), genesPath, map[string]any{"id": fmt.Sprintf("gene_repair_team%d", n), "category": "repair", "title": fmt.Sprintf("A way round wall %d", n), "visibility": "published",
		"signals_match": []string{kinds[int(n)%len(kinds)]}, "preconditions": []string{"The service answers on its own machine"},
		"strategy": []string{"Look which call waits, and for what.", fmt.Sprintf("Give it a limit of %d s, and one retry with a pause.", n%60+1), "Run the test again."}})
	return err
}

// record reports an outcome of somebody's gene.
func (s *service) record(client, turn int) error {
	n := s.told.Add(1)
	_, err := s.post(client+turn, "/api/im/evolution/record", outcome(n, s.made.Load()))
	return err
}

func outcome(n, genes int64) map[string]any {
	id := n*7919%genes + 1
	return map[string]any{"gene_id": fmt.Sprintf("gene_repair_team%d", id), "signals": []string{kinds[int(id)%len(kinds)]},
		"outcome": []string{"success", "success", "failed"}[n%3], "summary": "the call answered", "outcome_id": fmt.Sprintf("outcome-%d", n), "score": 0.9}
}

type pulled struct {
	Data struct {
		Pulled struct {
			Cursor int64
			More   bool
			Genes  []json.RawMessage
		}
	}
}

// pull acts as a machine that has nothing yet: each call is one page.
func (s *service) pull() func(client, turn int) error {
	var since int64
	return func(int, int) error {
		p, err := s.since(0, since, nil)
		since = p.Data.Pulled.Cursor
		s.cursor.Store(since)
		return err
	}
}

// sync reports five outcomes and pulls what is new since the client's last pull.
func (s *service) sync(client, turn int) error {
	var list []any
	for range 5 {
		list = append(list, outcome(s.told.Add(1), s.made.Load()))
	}
	p, err := s.since(client, s.cursor.Load(), list)
	if err == nil {
		s.cursor.Store(p.Data.Pulled.Cursor)
	}
	return err
}

func (s *service) since(person int, since int64, outcomes []any) (p pulled, err error) {
	body := map[string]any{"pull": map[string]any{"since": since}}
	if len(outcomes) > 0 {
		body["push"] = map[string]any{"outcomes": outcomes}
	}
	out, err := s.post(person, "/api/im/evolution/sync", body)
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(out, &p)
}
