// Package hooks is what evolution does on the events of an agent. The texts that
// an agent reads are in texts.go.
//
//	pre-session             evolution-start      a fresh journal, what is shared, proven genes
//	pre-agent-turn          evolution-prompt     what was proven here, if the prompt is about it
//	pre-tool-call           evolution-stuck      the same failure again: a strategy
//	pre-tool-call           evolution-web-load   a page that is kept, instead of fetching it
//	post-tool-call          evolution-journal    notes what was done, and what failed; again: a strategy
//	post-tool-call          evolution-web-save   keeps a fetched page
//	post-tool-call-failure  evolution-failure    notes what failed; again: a strategy
//	pre-subagent            evolution-subagent   strategies and signals for a subagent
//	pre-agent-turn-stop     evolution-review     asks to look back
//	post-session            evolution-push       what became of suggestions
//
// # What is called
//
// Genes lie in SQLite and servers are reached by net/http, which are not linked
// here. These commands of agents-hooks are called, each with --dir PROJECT
// --scope SCOPE --json; what they print beside these members is ignored:
//
//	evolution analyze --signals S,… --command C --session ID [--failure F] [--tried] [--offered GENE,…] [--remote]  {"gene_id", "title", "strategy": ["…"], "confidence": 0…1}
//	evolution passive [--untested]                    {"genes": [{"id", "title", "success_rate", "runs"}]}
//	evolution strategies --signals S,… --limit 3      {"genes": [{"id", "title", "success_rate", "runs", "strategy": ["…"]}]}
//	evolution sync --start --session ID --deadline-ms N   {"memory": "…"}
//	evolution web-load URL --deadline-ms N            {"url", "text", "saved"}
//	evolution web-save                                stdin {"url", "text", "saved"}
//
// and one that nobody waits for: evolution sync --end --session ID, which records
// what the journal says of suggestions ([journal.Journal.Feedback]) in the store
// and, without --local, shares it. A gene_id of "" means that there is nothing to
// offer. An error of a command is an error of the hook: it is logged, and the
// agent goes on.
//
// A tool event starts none of them, but for a failure that comes again (after the call
// where the agent reads what a hook says there, else before the next one), and web-load
// with web_load_remote.
//
// # What is remembered of a session
//
// The journal lies in evolution's data ([journal.Of]). The session's directory
// holds evolution.json: the pending suggestion, which genes were offered when,
// which signals were asked about at which count.
package hooks
