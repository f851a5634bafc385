// Package hooks has what evolution does on the events of an agent. The texts that an
// agent reads are in texts.go.
//
//	pre-session             evolution-start      a new journal, shared genes, proven genes
//	pre-agent-turn          evolution-prompt     what was proven here, if the prompt is about it
//	pre-tool-call           evolution-stuck      a recurring failure: a strategy
//	pre-tool-call           evolution-web-load   a kept page, instead of fetching it
//	post-tool-call          evolution-journal    records calls and failures; recurring: a strategy
//	post-tool-call          evolution-web-save   keeps a fetched page
//	post-tool-call-failure  evolution-failure    records failures; recurring: a strategy
//	pre-subagent            evolution-subagent   strategies and signals for a subagent
//	pre-agent-turn-stop     evolution-review     asks for a review
//	post-session            evolution-push       results of suggestions
//
// # Commands
//
// The gene store and net/http are not linked here. The hooks call these commands of
// agents-hooks, each with --dir PROJECT --scope SCOPE --json; other members of their
// output are ignored:
//
//	evolution analyze --signals S,… --command C --session ID [--failure F] [--tried] [--offered GENE,…] [--remote]  {"gene_id", "title", "strategy": ["…"], "confidence": 0…1}
//	evolution passive [--untested]                    {"genes": [{"id", "title", "success_rate", "runs"}]}
//	evolution strategies --signals S,… --limit 3      {"genes": [{"id", "title", "success_rate", "runs", "strategy": ["…"]}]}
//	evolution sync --start --session ID --deadline-ms N   {"memory": "…"}
//	evolution web-load URL --deadline-ms N            {"url", "text", "saved"}
//	evolution web-save                                stdin {"url", "text", "saved"}
//
// and two in the background: evolution sync --end --session ID, which records in the
// store what the journal says about suggestions ([journal.Journal.Feedback]) and, without
// --local, shares it; and, at the first failure after an installation, builtin worker
// evolution, which unpacks what analyze compares failures with. A gene_id of "" means that there is nothing to offer. An error of a
// command is an error of the hook: it is logged, and the agent goes on.
//
// A tool event starts none of them, except for a recurring failure (after the call if the
// agent reads a hook's text there, else before the next one), and web-load with
// web_load_remote.
//
// # State of a session
//
// The journal is in evolution's data ([journal.Of]). The session's directory has
// evolution.json: the pending suggestion, which genes were offered when, and for which
// signals a gene was looked up at which count.
package hooks
