package spec

// samples are documents that each schema accepts, and ones it rejects.
var samples = map[string]struct{ good, bad []string }{
	"hook": {
		good: []string{
			`{"name": "a", "description": "d", "trigger": "pre-session"}`,
			`{"name": "no-rm-2", "description": "d", "trigger": "pre-tool-call", "matcher": {"tool": "^Shell$", "pattern": "rm"}, "timeout": 100, "async": false, "priority": 0, "metadata": {"author": "x", "on_error": "block", "loop_limit": 3}}`,
			`{"name": "a", "description": "d", "trigger": "pre-session", "metadata": {"sandbox": true}}`,
			`{"name": "a", "description": "d", "trigger": "pre-session", "metadata": {"sandbox": {"network": true, "required": true, "read": ["src"], "write": ["tmp"]}}}`,
		},
		bad: []string{
			`{"description": "d", "trigger": "pre-session"}`,
			`{"name": "a", "trigger": "pre-session"}`,
			`{"name": "A", "description": "d", "trigger": "pre-session"}`,
			`{"name": "a--b", "description": "d", "trigger": "pre-session"}`,
			`{"name": "a", "description": "", "trigger": "pre-session"}`,
			`{"name": "a", "description": "d", "trigger": "before_tool"}`,
			`{"name": "a", "description": "d", "trigger": ["pre-session"]}`,
			`{"name": "a", "description": "d", "trigger": "pre-tool-call", "matcher": "Shell"}`,
			`{"name": "a", "description": "d", "trigger": "pre-tool-call", "matcher": {"tool": ["Shell"]}}`,
			`{"name": "a", "description": "d", "trigger": "pre-session", "timeout": 99}`,
			`{"name": "a", "description": "d", "trigger": "pre-session", "timeout": "5s"}`,
			`{"name": "a", "description": "d", "trigger": "pre-session", "async": "yes"}`,
			`{"name": "a", "description": "d", "trigger": "pre-session", "priority": 1001}`,
			`{"name": "a", "description": "d", "trigger": "pre-session", "event": "x"}`,
			`{"name": "a", "description": "d", "trigger": "pre-session", "metadata": {"sandbox": false}}`,
			`{"name": "a", "description": "d", "trigger": "pre-session", "metadata": {"sandbox": {"netwrok": true}}}`,
			`{"name": "a", "description": "d", "trigger": "pre-session", "metadata": {"sandbox": {"read": ["/etc"]}}}`,
			`{"name": "a", "description": "d", "trigger": "pre-session", "metadata": {"sandbox": {"write": ["."]}}}`,
		},
	},
	"hooks-toml": {
		good: []string{
			`{}`,
			`{"hooks": {"stop_limit": {"row": 3, "total": 10}}}`,
			`{"hooks": {"enabled": true, "on_error": "block", "order": "layer", "stop_limit": 3, "disable": [{"name": "a"}], "override": [{"name": "b", "timeout": 500, "sandbox": false}], "lock": [{"name": "c"}]}, "trust": {"project": "always", "sandbox": "project", "sandbox_network": false, "sandbox_env": true, "sandbox_required": true, "sandbox_read": ["~/.nvm"], "sandbox_write": ["."]}, "builtin": {"memory": {"enabled": true}}}`,
		},
		bad: []string{
			`{"hook": {}}`,
			`{"hooks": {"on_error": "deny"}}`,
			`{"hooks": {"disable": ["a"]}}`,
			`{"hooks": {"stop_limit": -1}}`,
			`{"hooks": {"stop_limit": {"rows": 3}}}`,
			`{"hooks": {"override": [{"timeout": 500}]}}`,
			`{"hooks": {"defaults": {"timeout": "30s"}}}`,
			`{"trust": {"project": "never"}}`,
			`{"trust": {"sandbox": "yes"}}`,
			`{"trust": {"sandbox_read": "~/.nvm"}}`,
			`{"hooks": {"override": [{"name": "a", "sandbox": "off"}]}}`,
			`{"builtin": {"momery": {}}}`,
		},
	},
	"event": {
		good: []string{
			`{"event_type": "pre-session", "timestamp": "2026-01-15T10:30:00.000Z", "session_id": "s", "work_dir": "/w", "context": {}, "novel": 1}`,
			`{"event_type": "pre-tool-call", "timestamp": "", "session_id": "", "work_dir": "", "context": {"agent": "claude-code", "can": ["block", "ask"]}, "tool_name": "Shell", "tool_input": {"command": "ls"}}`,
		},
		bad: []string{
			`{"event_type": "PreToolUse", "timestamp": "", "session_id": "", "work_dir": "", "context": {}}`,
			`{"event_type": "pre-session", "timestamp": "", "session_id": "", "work_dir": ""}`,
			`{"event_type": "pre-tool-call", "timestamp": "", "session_id": "", "work_dir": "", "context": {}}`,
			`{"event_type": "pre-session", "timestamp": "", "session_id": "", "work_dir": "", "context": {"can": ["fly"]}}`,
			`{"event_type": "pre-session", "timestamp": "", "session_id": 7, "work_dir": "", "context": {}}`,
		},
	},
	"stream-line": {
		good: []string{
			`{"event_type": "pre-session", "id": {"a": 1}, "novel": true}`,
			`{"request": "hello", "stream": 1, "id": 0}`,
			`{"request": "cancel", "of": "x"}`,
			`{"request": "cancel"}`,
			`{"request": "later", "event_type": "pre-session"}`,
		},
		bad: []string{
			`{}`,
			`[]`,
			`{"event_type": 5}`,
			`{"request": "hello", "stream": "1"}`,
			`{"request": "later"}`,
		},
	},
	"outcome": {
		good: []string{
			`{}`,
			`{"decision": "ask", "reason": "r", "modified_input": {"command": "ls"}, "additional_context": "c", "user_message": "m", "followup_message": "f", "env": {"A": "b"}, "log": [1], "novel": null}`,
		},
		bad: []string{
			`[]`,
			`{"decision": "block"}`,
			`{"decision": true}`,
			`{"modified_input": "ls"}`,
			`{"env": {"A": {}}}`,
		},
	},
	"problems": {
		good: []string{
			`{"schema": 1, "problems": []}`,
			`{"schema": 1, "problems": [{"file": "a/HOOK.md", "line": 4, "column": 10, "field": "timeout", "severity": "error", "message": "want 100-600000", "value": "5", "fix": "write milliseconds"}]}`,
		},
		bad: []string{
			`{"problems": []}`,
			`{"schema": 2, "problems": []}`,
			`{"schema": 1, "problems": [{"file": "a", "line": 1, "column": 1, "field": "", "severity": "fatal", "message": "m", "value": "", "fix": ""}]}`,
			`{"schema": 1, "problems": [{"file": "a", "line": -1, "column": 1, "field": "", "severity": "error", "message": "m", "value": "", "fix": ""}]}`,
			`{"schema": 1, "problems": [{"file": "a"}]}`,
		},
	},
	"list": {
		good: []string{
			`{"schema": 1, "hooks": [{"name": "a", "description": "d", "layer": "project", "dir": "/p/.agents/hooks/a", "file": "/p/.agents/hooks/a/HOOK.md", "entry": "/p/.agents/hooks/a/scripts/run", "trigger": "pre-tool-call", "matcher": {"tool": "Shell", "pattern": "", "command": "", "path": "", "content": ""}, "priority": 100, "timeout_ms": 30000, "async": false, "status": "untrusted", "trusted": false, "refused": "", "overridden_by": "", "left_out": [{"agents": ["codex"], "others": false, "by": "f:1"}], "held": null, "problems": [{"file": "f", "line": 0, "column": 0, "field": "", "severity": "warning", "message": "m", "value": "", "fix": ""}]}]}`,
		},
		bad: []string{
			`{"schema": 1}`,
			`{"schema": 1, "hooks": [{"name": "a"}]}`,
			`{"schema": 1, "hooks": [{"name": "a", "description": "d", "layer": "global", "dir": "", "file": "", "entry": "", "trigger": "", "matcher": {"tool": "", "pattern": ""}, "priority": 100, "timeout_ms": 30000, "async": false, "status": "ready", "trusted": true, "refused": "", "overridden_by": "", "problems": []}]}`,
			`{"schema": 1, "hooks": [{"name": "a", "description": "d", "layer": "user", "dir": "", "file": "", "entry": "", "trigger": "", "matcher": {"tool": "", "pattern": ""}, "priority": 100, "timeout_ms": 30000, "async": false, "status": "ready", "trusted": true, "refused": "", "overridden_by": "", "problems": [{}]}]}`,
		},
	},
	"explain": {
		good: []string{
			`{"schema": 1, "event": {"event_type": "pre-session"}, "project": "/p", "layers": [{"name": "user", "dir": "/u"}], "hooks": [{"name": "a", "layer": "user", "position": 1, "runs": false, "gate": "pattern", "detail": "no text matches", "tried": ["ls"], "limit_ms": 30000, "may_be_stopped_by": ["b"], "held": {"by": "/u/hooks.toml:1", "on_error": "block", "against": ["AGENTS_HOOKS_DISABLE"]}}]}`,
		},
		bad: []string{
			`{"schema": 1, "event": {}, "project": "", "layers": [], "hooks": [{"name": "a", "layer": "user", "position": 1, "runs": false, "gate": "lazy", "detail": "", "tried": [], "limit_ms": 1, "may_be_stopped_by": [], "held": null}]}`,
			`{"schema": 1, "hooks": []}`,
		},
	},
	"agents": {
		good: []string{
			`{"schema": 1, "agents": [{"id": "codex", "name": "Codex", "observed": "0.169.0", "version": "", "config": {"user": "/h/.codex/hooks.json", "project": ""}, "events": [{"native": "PreToolUse", "event": "pre-tool-call", "can": ["block", "modify"]}]}]}`,
		},
		bad: []string{
			`{"schema": 1, "agents": [{"id": "codex"}]}`,
			`{"schema": 1, "agents": [{"id": "c", "name": "C", "observed": "", "version": "", "config": {"user": "", "project": ""}, "events": [{"native": "X", "event": "on-save", "can": []}]}]}`,
		},
	},
	"view": {
		good: []string{
			`{"schema": 1, "file": "/h/page.html", "made": "2026-11-23T02:00:00Z", "events": 5000, "older": true, "sessions": 12, "hooks": 3, "agents": 2, "approvals": 1, "memory": 0, "workspace": 0, "evolution": 0}`,
		},
		bad: []string{
			`{"schema": 1, "file": "/h/page.html"}`,
			`{"schema": 1, "file": "/h/page.html", "made": "2026-11-23T02:00:00Z", "events": -1, "older": true, "sessions": 12, "hooks": 3, "agents": 2, "approvals": 1, "memory": 0, "workspace": 0, "evolution": 0}`,
		},
	},
	"ui": {
		good: []string{`{"schema": 1, "address": "http://127.0.0.1:4711/word/", "approvals": false}`},
		bad:  []string{`{"schema": 1, "address": "http://127.0.0.1:4711/word/", "approvals": "no"}`},
	},
	"doctor": {
		good: []string{
			`{"schema": 1, "checks": [{"id": "entry", "agent": "codex", "status": "off", "message": "m", "fix": "f"}]}`,
		},
		bad: []string{
			`{"schema": 1, "checks": [{"id": "entry", "agent": "", "status": "bad", "message": "m", "fix": ""}]}`,
			`{"checks": []}`,
		},
	},
	"status": {
		good: []string{
			`{"schema": 1, "guards": {"id": "guards", "agent": "", "status": "ok", "message": "m", "fix": ""}, "agents": [{"id": "codex", "name": "OpenAI Codex", "holds": false, "why": "no entry of ours"}], "hooks": [{"status": "ready", "count": 1}], "behaviours": [], "behaviours_off": ["memory"], "wrong": [], "next": "agents-hooks doctor"}`,
		},
		bad: []string{
			`{"schema": 1, "guards": {"id": "guards", "agent": "", "status": "holds", "message": "m", "fix": ""}, "agents": [], "hooks": [], "behaviours": [], "behaviours_off": [], "wrong": [], "next": "x"}`,
			`{"schema": 1, "agents": []}`,
		},
	},
	"test": {
		good: []string{
			`{"schema": 1, "exit": 0, "duration_ms": 1.5, "outcome": {"decision": "allow"}, "stderr": "", "verdict": "ok", "agents": {"codex": {"stdout": "", "stderr": "", "exit": 0}}, "hostile": [{"trial": "again", "class": "ok", "detail": ""}], "unseen": ["crush"], "causes": [{"cause": "tool", "text": "t", "fix": "f", "spellings": ["s"], "agents": ["codex"], "example": {"agent": "codex", "payload": {}}}]}`,
			`{"schema": 1, "exit": -1, "duration_ms": 100, "outcome": null, "stderr": "", "verdict": "timeout", "agents": {}}`,
		},
		bad: []string{
			`{"schema": 1, "exit": 0, "duration_ms": 1, "outcome": {"decision": "maybe"}, "stderr": "", "verdict": "ok", "agents": {}}`,
			`{"schema": 1, "exit": 0, "duration_ms": 1, "outcome": null, "stderr": "", "verdict": "fine", "agents": {}}`,
			`{"schema": 1, "exit": 0, "duration_ms": 1, "outcome": null, "stderr": "", "verdict": "ok", "agents": {}, "hostile": [{"trial": "again", "class": "bad", "detail": ""}]}`,
			`{"schema": 1, "exit": 0, "duration_ms": 1, "outcome": null, "stderr": "", "verdict": "ok", "agents": {}, "causes": [{"cause": "luck", "text": "t", "fix": "f", "spellings": [], "agents": [], "example": {"agent": "", "payload": {}}}]}`,
		},
	},
	"memory-search": {
		good: []string{
			`{"schema": 1, "method": "hybrid", "total": 1, "results": [{"id": "log-1", "content": "c", "type": "W", "kind": "fact", "score": 0.5, "source": "daily/2026-11-21.jsonl", "timestamp": "", "entities": [], "scope": "project"}]}`,
		},
		bad: []string{
			`{"schema": 1, "method": "hybrid", "total": 1, "results": [{"id": "log-1"}]}`,
			`{"schema": 1, "method": "hybrid", "total": 1, "results": [{"id": "log-1", "content": "c", "type": "W", "kind": "fact", "score": 1.5, "source": "", "timestamp": "", "entities": [], "scope": "project"}]}`,
			`{"schema": 1, "results": []}`,
		},
	},
	"skills-list": {
		good: []string{
			`{"schema": 1, "enabled": true, "project": "/p", "skills": [{"name": "s", "layer": "project", "dir": "/p", "status": "ready", "detail": "", "hooks": [{"name": "h", "timing": "after_tool_call", "role": "system", "persistent": false, "tool_filter": ["Read"], "when": "always", "match": "", "max_copies": 0, "file": "/p/h.md"}], "problems": [{"file": "/f", "line": 1, "column": 2, "field": "hooks[0]", "severity": "error", "message": "m", "value": "v", "fix": ""}]}], "without": 2}`,
			`{"schema": 1, "enabled": false, "project": "", "skills": [], "without": 0}`,
		},
		bad: []string{
			`{"schema": 1, "enabled": true, "project": "/p", "skills": [{"name": "s"}], "without": 2}`,
			`{"schema": 1, "enabled": true, "project": "/p", "skills": [{"name": "s", "layer": "project", "dir": "/p", "status": "fine", "detail": "", "hooks": [{"name": "h", "timing": "after_tool_call", "role": "system", "persistent": false, "tool_filter": ["Read"], "when": "always", "match": "", "max_copies": 0, "file": "/p/h.md"}], "problems": [{"file": "/f", "line": 1, "column": 2, "field": "hooks[0]", "severity": "error", "message": "m", "value": "v", "fix": ""}]}], "without": 2}`,
		},
	},
	"skills-explain": {
		good: []string{
			`{"schema": 1, "enabled": true, "prompts": [{"id": "s/h", "layer": "user", "gives": false, "detail": "off", "name": "h", "timing": "after_tool_call", "role": "system", "persistent": false, "tool_filter": ["Read"], "when": "always", "match": "", "max_copies": 0, "file": "/p/h.md", "events": ["post-tool-call"], "scope": "a step", "fidelity": [{"agent": "a", "fidelity": "good", "detail": ""}], "text": "t"}]}`,
		},
		bad: []string{
			`{"schema": 1, "enabled": true, "prompts": [{}]}`,
			`{"schema": 1, "enabled": true, "prompts": [{"id": "s/h", "layer": "user", "gives": false, "detail": "off", "name": "h", "timing": "after_tool_call", "role": "system", "persistent": false, "tool_filter": ["Read"], "when": "always", "match": "", "max_copies": 0, "file": "/p/h.md", "events": ["post-tool-call"], "scope": "a step", "fidelity": [{"agent": "a", "fidelity": "best", "detail": ""}], "text": "t"}]}`,
		},
	},
	"skills-messages": {
		good: []string{
			`{"schema": 1, "messages": [{"role": "user", "content": [{"type": "text", "text": "x"}], "more": 1}, {"role": "system", "content": "p", "_hook": {"skill": "s", "name": "h", "timing": "before_planning", "persistent": false}}], "stored": [{"skill": "s", "name": "h", "role": "user", "content": "c", "_hook": {"skill": "s", "name": "h", "timing": "before_planning", "persistent": true}}]}`,
			`{"schema": 1, "messages": [], "stored": []}`,
			`{"schema": 1, "messages": [], "ref": "0011223344556677"}`,
			`{"schema": 1, "messages": [], "model": "m", "tools": []}`,
		},
		bad: []string{
			`{"schema": 1}`,
			`{"schema": 1, "messages": ["x"]}`,
			`{"schema": 1, "messages": [], "stored": [{"name": "h"}]}`,
		},
	},
	"evolution-sync": {
		good: []string{
			`{"schema": 1, "key": true, "server": "https://team.example.com", "scope": "ws_app", "done": true, "added": 1, "updated": 0, "skipped": 0, "pushed": 2, "queued": 0, "rejected": ["outcome[0]: unknown gene"], "memory": "", "skills": [], "problems": [], "ms": 12}`,
		},
		bad: []string{
			`{"schema": 1, "key": true, "server": "https://team.example.com", "scope": "ws_app", "done": true, "added": 1, "updated": 0, "skipped": 0, "pushed": -1, "queued": 0, "rejected": ["outcome[0]: unknown gene"], "memory": "", "skills": [], "problems": [], "ms": 12}`,
			`{"schema": 1, "key": false}`,
		},
	},
	"evolution-web-load": {
		good: []string{
			`{"schema": 1, "hit": true, "from": "here", "url": "https://go.dev/", "text": "t", "saved": "2026-11-21T00:00:00Z"}`,
			`{"schema": 1, "hit": false, "from": "", "url": "https://go.dev/", "text": "", "saved": ""}`,
		},
		bad: []string{
			`{"schema": 1, "hit": true, "from": "elsewhere", "url": "https://go.dev/", "text": "t", "saved": ""}`,
			`{"schema": 1, "hit": true}`,
		},
	},
	"evolution-serve-keys": {
		good: []string{
			`{"schema": 1, "keys": [{"id": "key_1", "person": "ada", "label": "", "created": 1, "used": 0, "revoked": 0}]}`,
			`{"schema": 1, "keys": []}`,
		},
		bad: []string{
			`{"schema": 1}`,
			`{"schema": 1, "keys": [{"id": "key_1"}]}`,
		},
	},
	"memory-share": {
		good: []string{
			`{"schema": 1, "on": true, "server": "https://team.example.com", "room": "app", "role": "member", "preferences": false, "from": "", "shared": 3, "waiting": 1, "refused": 0, "synced": "2026-11-23T09:00:00Z", "tried": "2026-11-23T10:00:00Z", "wrong": "https://team.example.com cannot be reached: the connection was cut"}`,
		},
		bad: []string{
			`{"schema": 1, "on": true, "server": "https://team.example.com", "role": "member", "preferences": false, "from": "", "shared": 3, "waiting": 1, "refused": 0, "synced": "2026-11-23T09:00:00Z", "tried": "2026-11-23T10:00:00Z", "wrong": "https://team.example.com cannot be reached: the connection was cut"}`,
			`{"schema": 1, "on": true, "server": "https://team.example.com", "room": "app", "role": "member", "preferences": false, "from": "", "shared": -1, "waiting": 1, "refused": 0, "synced": "2026-11-23T09:00:00Z", "tried": "2026-11-23T10:00:00Z", "wrong": "https://team.example.com cannot be reached: the connection was cut"}`,
		},
	},
	"memory-sync": {
		good: []string{
			`{"schema": 1, "status": "ok", "wrong": "", "pushed": 1, "ended": 0, "waiting": 0, "added": 2, "changed": 0, "removed": 1, "skipped": 0, "withdrawn": [], "refused": [], "conflicts": [{"id": "team-1", "content": "c", "author": "ann", "against": [{"id": "log-1", "content": "d", "timestamp": ""}]}], "out": false}`,
		},
		bad: []string{
			`{"schema": 1, "status": "done", "wrong": "", "pushed": 1, "ended": 0, "waiting": 0, "added": 2, "changed": 0, "removed": 1, "skipped": 0, "withdrawn": [], "refused": [], "conflicts": [{"id": "team-1", "content": "c", "author": "ann", "against": [{"id": "log-1", "content": "d", "timestamp": ""}]}], "out": false}`,
			`{"schema": 1, "status": "ok", "wrong": "", "pushed": 1, "ended": 0, "waiting": 0, "added": 2, "changed": 0, "removed": 1, "skipped": 0, "withdrawn": [], "refused": [], "conflicts": [{"id": "team-1", "content": "c", "author": "ann"}], "out": false}`,
		},
	},
	"server-rooms": {
		good: []string{
			`{"schema": 1, "rooms": [{"name": "app", "created": 1, "facts": 2, "members": [{"person": "ada", "role": "member", "since": 1}]}]}`,
		},
		bad: []string{
			`{"schema": 1, "rooms": [{"name": "app", "created": 1, "facts": 2, "members": [{"person": "ada", "role": "king", "since": 1}]}]}`,
			`{"schema": 1, "rooms": [{"name": "app", "created": 1, "members": [{"person": "ada", "role": "member", "since": 1}]}]}`,
		},
	},
	"memory-list": {
		good: []string{
			`{"schema": 1, "entries": [{"id": "log-1", "type": "W", "content": "c", "entities": ["a"], "confidence": 0.9, "timestamp": "", "session": "", "origin": "", "topic_key": "", "seen_count": 1, "deleted": false, "file": "facts.jsonl"}]}`,
		},
		bad: []string{
			`{"schema": 1, "entries": [{}]}`,
			`{"schema": 1, "entries": [{"id": "log-1", "type": "W", "content": "c", "entities": ["a"], "confidence": 2, "timestamp": "", "session": "", "origin": "", "topic_key": "", "seen_count": 1, "deleted": false, "file": "facts.jsonl"}]}`,
		},
	},
	"memory-saved": {
		good: []string{
			`{"schema": 1, "status": "ok", "id": "log-1"}`,
			`{"schema": 1, "status": "duplicate", "id": "log-1"}`,
			`{"schema": 1, "status": "ok", "id": "log-2", "supersedes": ["log-1"], "before": [{"id": "log-1", "content": "c", "author": "ann", "timestamp": "t"}], "conflicts": [], "near": [{"id": "log-0", "content": "c", "timestamp": "t"}], "ask": "a"}`,
			`{"schema": 1, "status": "ok", "id": "log-2", "nearest": [{"id": "log-0", "content": "c", "timestamp": "t"}], "hint": "h"}`,
			`{"schema": 1, "status": "skipped", "reason": "already_saved"}`,
			`{"schema": 1, "status": "error", "reason": "content is empty"}`,
		},
		bad: []string{
			`{"status": "ok", "id": "log-1"}`,
			`{"schema": 1, "status": "ok"}`,
			`{"schema": 1, "status": "ok", "reason": "r"}`,
			`{"schema": 1, "status": "error", "id": "log-1"}`,
			`{"schema": 1, "status": "dry-run", "id": "log-1"}`,
			`{"schema": 1, "status": "ok", "id": "log-2", "supersedes": ["log-1"]}`,
			`{"schema": 1, "status": "ok", "id": "log-2", "near": []}`,
			`{"schema": 1, "status": "ok", "id": "log-2", "nearest": []}`,
			`{"schema": 1, "status": "ok", "id": "log-2", "conflicts": [{"id": "log-1"}]}`,
			`{"schema": 1, "status": "ok", "id": "log-1", "entries": 1}`,
		},
	},
	"memory-changed": {
		good: []string{
			`{"schema": 1, "status": "ok", "entries": 0}`,
			`{"schema": 1, "status": "dry-run", "entries": 1, "ids": ["log-1"]}`,
			`{"schema": 1, "status": "ok", "files": 2, "entries": 3}`,
			`{"schema": 1, "status": "ok", "file": "/p/MEMORY.md", "before": "", "diff": "+x"}`,
			`{"schema": 1, "status": "ok", "added": 1, "replaced": 0, "skipped": 2}`,
			`{"schema": 1, "status": "error", "reason": "r"}`,
		},
		bad: []string{
			`{"status": "ok", "entries": 1}`,
			`{"schema": 1, "status": "ok"}`,
			`{"schema": 1, "status": "ok", "entries": -1}`,
			`{"schema": 1, "status": "ok", "entries": 1, "ids": [1]}`,
			`{"schema": 1, "status": "duplicate", "entries": 1}`,
			`{"schema": 1, "status": "ok", "before": "", "diff": "+x"}`,
			`{"schema": 1, "status": "ok", "added": 1, "skipped": 2}`,
			`{"schema": 1, "status": "ok", "reason": "r"}`,
			`{"schema": 1, "status": "ok", "entries": 1, "id": "log-1"}`,
			`{"schema": 1, "status": "ok", "entries": 1, "added": 1, "replaced": 0, "skipped": 2}`,
		},
	},
	"memory-stats": {
		good: []string{
			`{"schema": 1, "dir": "/p/.agents/memory-data", "facts": 3, "types": {"W": 2, "B": 1, "O": 0, "S": 0}, "hidden": 0, "summaries": 1, "vectors": "built-in"}`,
		},
		bad: []string{
			`{"schema": 1, "dir": "/p", "facts": 3, "types": {"W": "2"}, "hidden": 0, "summaries": 1, "vectors": "built-in"}`,
			`{"schema": 1, "dir": "/p", "facts": -1, "types": {}, "hidden": 0, "summaries": 1, "vectors": "built-in"}`,
			`{"schema": 1, "dir": "/p", "facts": 3, "types": {}, "hidden": 0, "summaries": 1}`,
		},
	},
	"memory-review": {
		good: []string{
			`{"schema": 1, "findings": [], "total": 0}`,
			`{"schema": 1, "findings": [{"why": "contradicted", "id": "log-1", "content": "c", "timestamp": "t", "author": "ann", "uses": 2, "branch": "main", "other": {"id": "log-2", "content": "d", "timestamp": "t"}, "proposed": ["agents-hooks memory delete log-1"]}], "total": 4}`,
		},
		bad: []string{
			`{"schema": 1, "findings": []}`,
			`{"schema": 1, "findings": [{"why": "dull", "id": "log-1", "content": "c", "timestamp": "t", "uses": 2, "proposed": []}], "total": 1}`,
			`{"schema": 1, "findings": [{"why": "old", "id": "log-1", "content": "c", "timestamp": "t", "uses": 2}], "total": 1}`,
			`{"schema": 1, "findings": [{"why": "old", "id": "log-1", "content": "c", "timestamp": "t", "uses": 2, "proposed": [], "other": {"id": "log-2"}}], "total": 1}`,
		},
	},
	"memory-config": {
		good: []string{
			`{"schema": 1, "dir": "/p", "user_dir": "/h", "settings": [{"key": "language", "value": "auto", "from": "default"}, {"key": "days", "value": 3, "from": "hooks.toml"}]}`,
		},
		bad: []string{
			`{"schema": 1, "dir": "/p", "settings": []}`,
			`{"schema": 1, "dir": "/p", "user_dir": "/h", "settings": [{"key": "language", "from": "default"}]}`,
			`{"schema": 1, "dir": "/p", "user_dir": "/h", "settings": {"language": "auto"}}`,
		},
	},
	"memory-model": {
		good: []string{
			`{"schema": 1, "dir": "/d", "used": "potion", "setting": "auto", "models": [{"name": "potion", "id": "i", "kind": "Unigram", "dims": 2, "tokens": 2, "bytes": 4, "from": "/p", "sha256": {"config.json": "0"}, "added": "t", "used": true, "wrong": ""}], "known": [{"name": "potion-base-2M", "about": "English", "from": "https://example.com"}]}`,
			`{"schema": 1, "model": {"name": "built-in", "id": "", "kind": "", "dims": 0, "tokens": 0, "bytes": 0, "from": "", "sha256": null, "added": "", "used": false, "wrong": ""}}`,
			`{"schema": 1, "removed": "potion"}`,
		},
		bad: []string{
			`{"schema": 1}`,
			`{"schema": 1, "removed": 1}`,
			`{"schema": 1, "model": {"name": "built-in"}}`,
			`{"schema": 1, "removed": "potion", "dir": "/d"}`,
			`{"schema": 1, "dir": "/d", "used": "potion", "setting": "auto", "models": ["potion"], "known": []}`,
		},
	},
	"behaviour-doctor": {
		good: []string{
			`{"schema": 1, "dir": "/d", "checks": [{"id": "files", "status": "ok", "message": "m", "fix": ""}]}`,
			`{"schema": 1, "dir": "/d", "scope": "shop", "checks": [{"id": "key", "status": "off", "message": "m", "fix": "f"}]}`,
		},
		bad: []string{
			`{"schema": 1, "checks": []}`,
			`{"schema": 1, "dir": "/d", "checks": [{"id": "files", "status": "bad", "message": "m", "fix": ""}]}`,
			`{"schema": 1, "dir": "/d", "checks": [{"id": "files", "status": "ok", "message": "m"}]}`,
		},
	},
	"behaviour-view": {
		good: []string{
			`{"schema": 1, "status": "ok", "file": "/h/page.html", "facts": 2, "sessions": 1}`,
			`{"schema": 1, "status": "ok", "file": "/h/page.html", "signals": 2, "genes": 1, "suggestions": 0}`,
		},
		bad: []string{
			`{"status": "ok", "file": "/h/page.html", "facts": 2, "sessions": 1}`,
			`{"schema": 1, "status": "ok", "file": "/h/page.html"}`,
			`{"schema": 1, "status": "ok", "file": "/h/page.html", "facts": 2, "genes": 1}`,
			`{"schema": 1, "status": "ok", "facts": 2, "sessions": 1}`,
		},
	},
	"evolution-web-save": {
		good: []string{`{"schema": 1, "kept": true, "shared": false}`},
		bad:  []string{`{"schema": 1, "kept": true}`, `{"schema": 1, "kept": "yes", "shared": false}`},
	},
	"accept": {
		good: []string{
			`{"schema": 1, "items": [], "accepted": []}`,
			`{"schema": 1, "items": [{"name": "memory", "path": "/p/.agents/memory-data", "waiting": 2, "diff": "+x"}], "accepted": ["memory"]}`,
		},
		bad: []string{
			`{"schema": 1, "items": []}`,
			`{"schema": 1, "items": [{"name": "memory", "path": "/p", "waiting": 0, "diff": ""}], "accepted": []}`,
		},
	},
	"memory-export": {
		good: []string{
			`{"schema": 1, "exported_at": "2026-11-21T00:00:00Z", "facts": [{"id": "a", "type": "W", "content": "c", "entities": [], "confidence": 1, "timestamp": ""}], "summaries": [{"id": "s", "session_id": "", "topic": "", "summary": "", "decisions": [], "todos": [], "timestamp": ""}]}`,
		},
		bad: []string{
			`{"schema": 1, "facts": []}`,
			`{"schema": 1, "exported_at": "", "facts": [{"id": "a"}], "summaries": []}`,
		},
	},
	"gene": {
		good: []string{
			`{"type": "Gene", "id": "gene_repair_mwqbuzjo", "category": "repair", "title": "Drain", "visibility": "private", "signals_match": [{"type": "infra:queue_full"}], "preconditions": [], "strategy": ["Stop who fills the queue first."], "constraints": {"max_credits": 100, "max_retries": 3, "required_capabilities": []}, "success_count": 1, "failure_count": 0, "last_used_at": "2026-11-21T11:31:27.450Z", "created_by": "local", "forkCount": 0, "generation": 0, "qualityScore": 0}`,
		},
		bad: []string{
			`{"type": "Hook", "id": "g", "category": "repair", "title": "", "visibility": "private", "signals_match": ["error:oom"], "strategy": ["x"]}`,
			`{"type": "Gene", "id": "g", "category": "repair", "title": "", "visibility": "private", "signals_match": ["error:oom"], "strategy": []}`,
			`{"type": "Gene", "id": "g", "category": "magic", "title": "", "visibility": "private", "signals_match": ["error:oom"], "strategy": ["x"]}`,
		},
	},
	"evolution-create": {
		good: []string{
			`{"schema": 1, "status": "created", "gene_id": "gene_repair_mwqbuzjo", "gene": {"type": "Gene", "id": "gene_repair_mwqbuzjo", "category": "repair", "title": "Drain", "visibility": "private", "signals_match": [{"type": "infra:queue_full"}], "preconditions": [], "strategy": ["Stop who fills the queue first."], "constraints": {"max_credits": 100, "max_retries": 3, "required_capabilities": []}, "success_count": 0, "failure_count": 0, "last_used_at": null, "created_by": "local", "forkCount": 0, "generation": 0, "qualityScore": 0}, "problems": [], "similar": []}`,
			`{"schema": 1, "status": "refused", "gene_id": "", "gene": null, "problems": [{"kind": "line", "field": "title", "value": "line 42", "fix": "leave the line out: it is another one elsewhere"}, {"kind": "line", "field": "strategy[0]", "value": "line 42", "fix": "leave the line out: it is another one elsewhere"}], "similar": []}`,
			`{"schema": 1, "status": "similar", "gene_id": "", "gene": null, "problems": [], "similar": [{"id": "gene_repair_mwqbuzjo", "title": "Drain", "coverage": 1, "similarity": 1}]}`,
		},
		bad: []string{
			`{"schema": 1, "status": "created", "gene_id": "gene_repair_mwqbuzjo", "gene": {"type": "Gene", "id": "gene_repair_mwqbuzjo", "category": "repair", "title": "Drain", "visibility": "private", "signals_match": [{"type": "infra:queue_full"}], "preconditions": [], "strategy": ["Stop who fills the queue first."], "constraints": {"max_credits": 100, "max_retries": 3, "required_capabilities": []}, "success_count": 0, "failure_count": 0, "last_used_at": null, "created_by": "local", "forkCount": 0, "generation": 0, "qualityScore": 0}, "problems": []}`,
			`{"schema": 1, "status": "created", "gene_id": "gene_repair_mwqbuzjo", "gene": {"type": "Gene", "id": "gene_repair_mwqbuzjo", "category": "repair", "title": "Drain", "visibility": "private", "signals_match": [{"type": "infra:queue_full"}], "preconditions": [], "strategy": ["Stop who fills the queue first."], "constraints": {"max_credits": 100, "max_retries": 3, "required_capabilities": []}, "success_count": 0, "failure_count": 0, "last_used_at": null, "created_by": "local", "forkCount": 0, "generation": 0, "qualityScore": 0}, "problems": [], "similar": [], "novel": 1}`,
			`{"schema": 2, "status": "created", "gene_id": "gene_repair_mwqbuzjo", "gene": {"type": "Gene", "id": "gene_repair_mwqbuzjo", "category": "repair", "title": "Drain", "visibility": "private", "signals_match": [{"type": "infra:queue_full"}], "preconditions": [], "strategy": ["Stop who fills the queue first."], "constraints": {"max_credits": 100, "max_retries": 3, "required_capabilities": []}, "success_count": 0, "failure_count": 0, "last_used_at": null, "created_by": "local", "forkCount": 0, "generation": 0, "qualityScore": 0}, "problems": [], "similar": []}`,
		},
	},
	"evolution-analyze": {
		good: []string{
			`{"schema": 1, "action": "apply_gene", "signals": ["infra:queue_full"], "scope": "global", "gene_id": "gene_repair_mwqbuzjo", "title": "Drain", "strategy": ["Stop who fills the queue first."], "confidence": 0, "coverageScore": 1, "gene": {"type": "Gene", "id": "gene_repair_mwqbuzjo", "category": "repair", "title": "Drain", "visibility": "private", "signals_match": [{"type": "infra:queue_full"}], "preconditions": [], "strategy": ["Stop who fills the queue first."], "constraints": {"max_credits": 100, "max_retries": 3, "required_capabilities": []}, "success_count": 0, "failure_count": 0, "last_used_at": null, "created_by": "local", "forkCount": 0, "generation": 0, "qualityScore": 0}, "alternatives": [], "rank": [{"gene_id": "gene_repair_mwqbuzjo", "title": "Drain", "layer": "exact", "rank": 0.625, "coverage": 1, "memory": 0.5, "confidence": 0, "context": 0, "quality": 0, "state": "ready"}], "reason": "exact match", "suggestion": null}`,
			`{"schema": 1, "action": "create_suggested", "signals": ["capability:teleport"], "scope": "global", "gene_id": "", "title": "", "strategy": [], "confidence": 0, "coverageScore": 0, "gene": null, "alternatives": [], "rank": [], "reason": "no gene is about these signals", "suggestion": {"category": "repair", "signals_match": [{"type": "capability:teleport"}], "title": "Solving capability:teleport", "description": "No gene is about this yet. When it is solved in a way that would help elsewhere, create one.", "similar_genes": []}}`,
		},
		bad: []string{
			`{"schema": 1, "action": "apply_gene", "signals": ["infra:queue_full"], "scope": "global", "gene_id": "gene_repair_mwqbuzjo", "title": "Drain", "strategy": ["Stop who fills the queue first."], "confidence": 0, "coverageScore": 1, "gene": {"type": "Gene", "id": "gene_repair_mwqbuzjo", "category": "repair", "title": "Drain", "visibility": "private", "signals_match": [{"type": "infra:queue_full"}], "preconditions": [], "strategy": ["Stop who fills the queue first."], "constraints": {"max_credits": 100, "max_retries": 3, "required_capabilities": []}, "success_count": 0, "failure_count": 0, "last_used_at": null, "created_by": "local", "forkCount": 0, "generation": 0, "qualityScore": 0}, "alternatives": [], "rank": [{"gene_id": "gene_repair_mwqbuzjo", "title": "Drain", "layer": "exact", "rank": 0.625, "coverage": 1, "memory": 0.5, "confidence": 0, "context": 0, "quality": 0, "state": "ready"}], "reason": "exact match"}`,
			`{"schema": 1, "action": "apply_gene", "signals": ["infra:queue_full"], "scope": "global", "gene_id": "gene_repair_mwqbuzjo", "title": "Drain", "strategy": ["Stop who fills the queue first."], "confidence": 0, "coverageScore": 1, "gene": {"type": "Gene", "id": "gene_repair_mwqbuzjo", "category": "repair", "title": "Drain", "visibility": "private", "signals_match": [{"type": "infra:queue_full"}], "preconditions": [], "strategy": ["Stop who fills the queue first."], "constraints": {"max_credits": 100, "max_retries": 3, "required_capabilities": []}, "success_count": 0, "failure_count": 0, "last_used_at": null, "created_by": "local", "forkCount": 0, "generation": 0, "qualityScore": 0}, "alternatives": [], "rank": [{"gene_id": "gene_repair_mwqbuzjo", "title": "Drain", "layer": "exact", "rank": 0.625, "coverage": 1, "memory": 0.5, "confidence": 0, "context": 0, "quality": 0, "state": "ready"}], "reason": "exact match", "suggestion": null, "novel": 1}`,
			`{"schema": 2, "action": "apply_gene", "signals": ["infra:queue_full"], "scope": "global", "gene_id": "gene_repair_mwqbuzjo", "title": "Drain", "strategy": ["Stop who fills the queue first."], "confidence": 0, "coverageScore": 1, "gene": {"type": "Gene", "id": "gene_repair_mwqbuzjo", "category": "repair", "title": "Drain", "visibility": "private", "signals_match": [{"type": "infra:queue_full"}], "preconditions": [], "strategy": ["Stop who fills the queue first."], "constraints": {"max_credits": 100, "max_retries": 3, "required_capabilities": []}, "success_count": 0, "failure_count": 0, "last_used_at": null, "created_by": "local", "forkCount": 0, "generation": 0, "qualityScore": 0}, "alternatives": [], "rank": [{"gene_id": "gene_repair_mwqbuzjo", "title": "Drain", "layer": "exact", "rank": 0.625, "coverage": 1, "memory": 0.5, "confidence": 0, "context": 0, "quality": 0, "state": "ready"}], "reason": "exact match", "suggestion": null}`,
		},
	},
	"evolution-review": {
		good: []string{
			`{"schema": 1, "unrecorded": [{"gene_id": "gene_repair_mwqbuzjo", "title": "Drain", "session": "s", "signals": ["infra:queue_full"], "at": "2026-11-21T11:31:27.129Z", "concluded": ""}], "held": [], "failing": [], "on_trial": [], "ripe": [], "alike": [], "waiting": [{"session": "s", "at": null, "failed": "npm test", "times": 2, "message": "m", "signals": [], "changed": ["a.ts"], "proof": "npm test"}]}`,
		},
		bad: []string{
			`{"schema": 1, "unrecorded": [{"gene_id": "gene_repair_mwqbuzjo", "title": "Drain", "session": "s", "signals": ["infra:queue_full"], "at": "2026-11-21T11:31:27.129Z", "concluded": ""}], "held": [], "failing": [], "on_trial": [], "ripe": []}`,
			`{"schema": 1, "unrecorded": [{"gene_id": "gene_repair_mwqbuzjo", "title": "Drain", "session": "s", "signals": ["infra:queue_full"], "at": "2026-11-21T11:31:27.129Z", "concluded": ""}], "held": [], "failing": [], "on_trial": [], "ripe": [], "alike": [], "novel": 1}`,
			`{"schema": 2, "unrecorded": [{"gene_id": "gene_repair_mwqbuzjo", "title": "Drain", "session": "s", "signals": ["infra:queue_full"], "at": "2026-11-21T11:31:27.129Z", "concluded": ""}], "held": [], "failing": [], "on_trial": [], "ripe": [], "alike": [], "waiting": [{"session": "s", "at": null, "failed": "npm test", "times": 2, "message": "m", "signals": [], "changed": ["a.ts"], "proof": "npm test"}]}`,
		},
	},
	"evolution-record": {
		good: []string{
			`{"schema": 1, "status": "ok", "id": "obs_132a63bd4fe3f2cef042d1f6", "gene_id": "gene_repair_mwqbuzjo", "edge_updated": true, "weight": 1, "frozen": false, "replaces": [], "reflection": "", "remembered": false, "distill_ready": [], "visibility": "private"}`,
		},
		bad: []string{
			`{"schema": 1, "status": "ok", "id": "obs_132a63bd4fe3f2cef042d1f6", "gene_id": "gene_repair_mwqbuzjo", "edge_updated": true, "weight": 1, "frozen": false, "replaces": [], "reflection": "", "remembered": false, "distill_ready": []}`,
			`{"schema": 1, "status": "ok", "id": "obs_132a63bd4fe3f2cef042d1f6", "gene_id": "gene_repair_mwqbuzjo", "edge_updated": true, "weight": 1, "frozen": false, "replaces": [], "reflection": "", "remembered": false, "distill_ready": [], "visibility": "private", "novel": 1}`,
			`{"schema": 2, "status": "ok", "id": "obs_132a63bd4fe3f2cef042d1f6", "gene_id": "gene_repair_mwqbuzjo", "edge_updated": true, "weight": 1, "frozen": false, "replaces": [], "reflection": "", "remembered": false, "distill_ready": [], "visibility": "private"}`,
		},
	},
	"evolution-list": {
		good: []string{
			`{"schema": 1, "genes": [{"id": "gene_repair_mwqbuzjo", "title": "Drain", "category": "repair", "visibility": "private", "origin": "local", "scope": "global", "signals": ["infra:queue_full"], "steps": 1, "success_count": 1, "failure_count": 0, "runs": 1, "success_rate": 1, "last_used_at": "2026-11-21T11:31:27.450Z", "banned": false}]}`,
		},
		bad: []string{
			`{"schema": 1}`,
			`{"schema": 1, "genes": [{"id": "gene_repair_mwqbuzjo", "title": "Drain", "category": "repair", "visibility": "private", "origin": "local", "scope": "global", "signals": ["infra:queue_full"], "steps": 1, "success_count": 1, "failure_count": 0, "runs": 1, "success_rate": 1, "last_used_at": "2026-11-21T11:31:27.450Z", "banned": false}], "novel": 1}`,
			`{"schema": 2, "genes": [{"id": "gene_repair_mwqbuzjo", "title": "Drain", "category": "repair", "visibility": "private", "origin": "local", "scope": "global", "signals": ["infra:queue_full"], "steps": 1, "success_count": 1, "failure_count": 0, "runs": 1, "success_rate": 1, "last_used_at": "2026-11-21T11:31:27.450Z", "banned": false}]}`,
		},
	},
	"evolution-show": {
		good: []string{
			`{"schema": 1, "gene": {"type": "Gene", "id": "gene_repair_mwqbuzjo", "category": "repair", "title": "Drain", "visibility": "private", "signals_match": [{"type": "infra:queue_full"}], "preconditions": [], "strategy": ["Stop who fills the queue first."], "constraints": {"max_credits": 100, "max_retries": 3, "required_capabilities": []}, "success_count": 1, "failure_count": 0, "last_used_at": "2026-11-21T11:31:27.450Z", "created_by": "local", "forkCount": 0, "generation": 0, "qualityScore": 0}, "origin": "local", "created": "2026-11-21T11:31:26.964Z", "here": {"successes": 1, "failures": 0}, "elsewhere": {"successes": 0, "failures": 0}, "posterior": {"alpha": 1.9999998923300364, "beta": 1, "mean": 0.666666654703337}, "banned": false, "problems": [], "outcomes": [{"id": "obs_132a63bd4fe3f2cef042d1f6", "gene_id": "gene_repair_mwqbuzjo", "at": "2026-11-21T11:31:27.450Z", "outcome": "success", "signals": ["infra:queue_full"], "summary": "it is empty again", "session": "s", "agent": "", "explicit": true, "followed": null, "counted": true, "replaced_by": "", "weight": 1}]}`,
		},
		bad: []string{
			`{"schema": 1, "gene": {"type": "Gene", "id": "gene_repair_mwqbuzjo", "category": "repair", "title": "Drain", "visibility": "private", "signals_match": [{"type": "infra:queue_full"}], "preconditions": [], "strategy": ["Stop who fills the queue first."], "constraints": {"max_credits": 100, "max_retries": 3, "required_capabilities": []}, "success_count": 1, "failure_count": 0, "last_used_at": "2026-11-21T11:31:27.450Z", "created_by": "local", "forkCount": 0, "generation": 0, "qualityScore": 0}, "origin": "local", "created": "2026-11-21T11:31:26.964Z", "here": {"successes": 1, "failures": 0}, "elsewhere": {"successes": 0, "failures": 0}, "posterior": {"alpha": 1.9999998923300364, "beta": 1, "mean": 0.666666654703337}, "banned": false, "problems": []}`,
			`{"schema": 1, "gene": {"type": "Gene", "id": "gene_repair_mwqbuzjo", "category": "repair", "title": "Drain", "visibility": "private", "signals_match": [{"type": "infra:queue_full"}], "preconditions": [], "strategy": ["Stop who fills the queue first."], "constraints": {"max_credits": 100, "max_retries": 3, "required_capabilities": []}, "success_count": 1, "failure_count": 0, "last_used_at": "2026-11-21T11:31:27.450Z", "created_by": "local", "forkCount": 0, "generation": 0, "qualityScore": 0}, "origin": "local", "created": "2026-11-21T11:31:26.964Z", "here": {"successes": 1, "failures": 0}, "elsewhere": {"successes": 0, "failures": 0}, "posterior": {"alpha": 1.9999998923300364, "beta": 1, "mean": 0.666666654703337}, "banned": false, "problems": [], "outcomes": [{"id": "obs_132a63bd4fe3f2cef042d1f6", "gene_id": "gene_repair_mwqbuzjo", "at": "2026-11-21T11:31:27.450Z", "outcome": "success", "signals": ["infra:queue_full"], "summary": "it is empty again", "session": "s", "agent": "", "explicit": true, "followed": null, "counted": true, "replaced_by": "", "weight": 1}], "novel": 1}`,
			`{"schema": 2, "gene": {"type": "Gene", "id": "gene_repair_mwqbuzjo", "category": "repair", "title": "Drain", "visibility": "private", "signals_match": [{"type": "infra:queue_full"}], "preconditions": [], "strategy": ["Stop who fills the queue first."], "constraints": {"max_credits": 100, "max_retries": 3, "required_capabilities": []}, "success_count": 1, "failure_count": 0, "last_used_at": "2026-11-21T11:31:27.450Z", "created_by": "local", "forkCount": 0, "generation": 0, "qualityScore": 0}, "origin": "local", "created": "2026-11-21T11:31:26.964Z", "here": {"successes": 1, "failures": 0}, "elsewhere": {"successes": 0, "failures": 0}, "posterior": {"alpha": 1.9999998923300364, "beta": 1, "mean": 0.666666654703337}, "banned": false, "problems": [], "outcomes": [{"id": "obs_132a63bd4fe3f2cef042d1f6", "gene_id": "gene_repair_mwqbuzjo", "at": "2026-11-21T11:31:27.450Z", "outcome": "success", "signals": ["infra:queue_full"], "summary": "it is empty again", "session": "s", "agent": "", "explicit": true, "followed": null, "counted": true, "replaced_by": "", "weight": 1}]}`,
		},
	},
	"evolution-proven": {
		good: []string{
			`{"schema": 1, "scope": "global", "genes": [{"id": "seed_diagnostic_first_error", "title": "Read the first error, not the last", "success_rate": 0, "runs": 0, "confidence": 0, "signals": ["error:generic"]}]}`,
			`{"schema": 1, "scope": "global", "genes": [{"id": "g", "title": "t", "success_rate": 1, "runs": 6, "confidence": 0.5, "signals": ["error:oom"], "strategy": ["x"]}]}`,
		},
		bad: []string{
			`{"schema": 1, "scope": "global"}`,
			`{"schema": 1, "scope": "global", "genes": [{"id": "seed_diagnostic_first_error", "title": "Read the first error, not the last", "success_rate": 0, "runs": 0, "confidence": 0, "signals": ["error:generic"]}], "novel": 1}`,
			`{"schema": 2, "scope": "global", "genes": [{"id": "seed_diagnostic_first_error", "title": "Read the first error, not the last", "success_rate": 0, "runs": 0, "confidence": 0, "signals": ["error:generic"]}]}`,
		},
	},
	"evolution-import": {
		good: []string{
			`{"schema": 1, "added": 1, "updated": 0, "skipped": 0, "held": ["t"], "refused": [{"index": 1, "id": "", "reason": "member \"hooks\": a gene is text, it brings nothing that runs"}]}`,
		},
		bad: []string{
			`{"schema": 1, "added": 1, "updated": 0, "skipped": 0, "held": ["t"]}`,
			`{"schema": 1, "added": 1, "updated": 0, "skipped": 0, "held": ["t"], "refused": [{"index": 1, "id": "", "reason": "member \"hooks\": a gene is text, it brings nothing that runs"}], "novel": 1}`,
			`{"schema": 2, "added": 1, "updated": 0, "skipped": 0, "held": ["t"], "refused": [{"index": 1, "id": "", "reason": "member \"hooks\": a gene is text, it brings nothing that runs"}]}`,
		},
	},
	"evolution-changed": {
		good: []string{
			`{"schema": 1, "status": "ok", "genes": ["t"], "visibility": "canary"}`,
		},
		bad: []string{
			`{"schema": 1, "status": "ok", "genes": ["t"]}`,
			`{"schema": 1, "status": "ok", "genes": ["t"], "visibility": "canary", "novel": 1}`,
			`{"schema": 2, "status": "ok", "genes": ["t"], "visibility": "canary"}`,
		},
	},
	"evolution-skill": {
		good: []string{
			`{"schema": 1, "name": "gene", "content": "---\nname: gene\ndescription: \"T (error:oom)\"\n---\n\n# T\n\n## When\n\n- error:oom\n\n## Steps\n\n1. x\n\nIt helped 7 times of 7 (gene t).\n"}`,
		},
		bad: []string{
			`{"schema": 1, "name": "gene"}`,
			`{"schema": 1, "name": "gene", "content": "---\nname: gene\ndescription: \"T (error:oom)\"\n---\n\n# T\n\n## When\n\n- error:oom\n\n## Steps\n\n1. x\n\nIt helped 7 times of 7 (gene t).\n", "novel": 1}`,
			`{"schema": 2, "name": "gene", "content": "---\nname: gene\ndescription: \"T (error:oom)\"\n---\n\n# T\n\n## When\n\n- error:oom\n\n## Steps\n\n1. x\n\nIt helped 7 times of 7 (gene t).\n"}`,
		},
	},
	"evolution-export": {
		good: []string{
			`{"schema": 1, "type": "GeneFile", "genes": [{"type": "Gene", "id": "gene_repair_mwqbuzjo", "category": "repair", "title": "Drain", "visibility": "private", "signals_match": [{"type": "infra:queue_full"}], "preconditions": [], "strategy": ["Stop who fills the queue first."], "constraints": {"max_credits": 100, "max_retries": 3, "required_capabilities": []}, "success_count": 1, "failure_count": 0, "last_used_at": "2026-11-21T11:31:27.450Z", "created_by": "local", "forkCount": 0, "generation": 0, "qualityScore": 0}]}`,
		},
		bad: []string{
			`{"schema": 1, "type": "GeneFile"}`,
			`{"schema": 1, "type": "GeneFile", "genes": [{"type": "Gene", "id": "gene_repair_mwqbuzjo", "category": "repair", "title": "Drain", "visibility": "private", "signals_match": [{"type": "infra:queue_full"}], "preconditions": [], "strategy": ["Stop who fills the queue first."], "constraints": {"max_credits": 100, "max_retries": 3, "required_capabilities": []}, "success_count": 1, "failure_count": 0, "last_used_at": "2026-11-21T11:31:27.450Z", "created_by": "local", "forkCount": 0, "generation": 0, "qualityScore": 0}], "novel": 1}`,
			`{"schema": 2, "type": "GeneFile", "genes": [{"type": "Gene", "id": "gene_repair_mwqbuzjo", "category": "repair", "title": "Drain", "visibility": "private", "signals_match": [{"type": "infra:queue_full"}], "preconditions": [], "strategy": ["Stop who fills the queue first."], "constraints": {"max_credits": 100, "max_retries": 3, "required_capabilities": []}, "success_count": 1, "failure_count": 0, "last_used_at": "2026-11-21T11:31:27.450Z", "created_by": "local", "forkCount": 0, "generation": 0, "qualityScore": 0}]}`,
		},
	},
	"evolution-distill": {
		good: []string{
			`{"schema": 1, "dry_run": false, "proposals": []}`,
			`{"schema": 1, "dry_run": true, "proposals": [{"signal": "error:oom", "from": ["a", "b"], "gene": {"type": "Gene", "id": "gene_repair_mwqbuzjo", "category": "repair", "title": "Drain", "visibility": "private", "signals_match": [{"type": "infra:queue_full"}], "preconditions": [], "strategy": ["Stop who fills the queue first."], "constraints": {"max_credits": 100, "max_retries": 3, "required_capabilities": []}, "success_count": 1, "failure_count": 0, "last_used_at": "2026-11-21T11:31:27.450Z", "created_by": "local", "forkCount": 0, "generation": 0, "qualityScore": 0}, "status": "proposed", "similar": [], "summaries": ["x"]}]}`,
		},
		bad: []string{
			`{"schema": 1, "dry_run": false}`,
			`{"schema": 1, "dry_run": false, "proposals": [], "novel": 1}`,
			`{"schema": 2, "dry_run": false, "proposals": []}`,
		},
	},
	"evolution-prove": {
		good: []string{
			`{"schema": 1, "gene_id": "g", "title": "t", "strategy": ["s"], "hashes": {"steps": "a", "gene": "b", "outcomes": "c"}, "from": {"origin": "seed", "author": "", "created_by": "agents-hooks", "created": null, "visibility": "seed", "reviewed_by": "", "held_for": "", "parent": "", "distilled_from": []}, "cured": [{"kind": "k", "family": "go test", "code": "", "symbols": ["port:1"], "text": "x"}], "outcomes": [{"sha256": "d"}], "sums": {"said": 0, "concluded": 1, "rested": 1, "replaced": 0, "ignored": 0, "here": {"successes": 1, "failures": 0}, "elsewhere": {"successes": 0, "failures": 0}, "worse": 0, "mean": 0.5, "banned": false}, "team": null, "check": ["c"]}`,
		},
		bad: []string{
			`{"schema": 2, "gene_id": "g", "title": "t", "strategy": ["s"], "hashes": {"steps": "a", "gene": "b", "outcomes": "c"}, "from": {"origin": "seed", "author": "", "created_by": "agents-hooks", "created": null, "visibility": "seed", "reviewed_by": "", "held_for": "", "parent": "", "distilled_from": []}, "cured": [{"kind": "k", "family": "go test", "code": "", "symbols": ["port:1"], "text": "x"}], "outcomes": [{"sha256": "d"}], "sums": {"said": 0, "concluded": 1, "rested": 1, "replaced": 0, "ignored": 0, "here": {"successes": 1, "failures": 0}, "elsewhere": {"successes": 0, "failures": 0}, "worse": 0, "mean": 0.5, "banned": false}, "team": null, "check": ["c"]}`,
			`{"schema": 1, "gene_id": "g", "title": "t", "strategy": ["s"], "hashes": {"steps": "a", "gene": "b", "outcomes": "c"}, "from": {"origin": "seed", "author": "", "created_by": "agents-hooks", "created": null, "visibility": "seed", "reviewed_by": "", "held_for": "", "parent": "", "distilled_from": []}, "cured": [{"kind": "k", "family": "go test", "code": "", "symbols": ["port:1"], "text": "x"}], "outcomes": [{"sha256": "d"}], "sums": {"said": 0, "concluded": 1, "rested": 1, "replaced": 0, "ignored": 0, "here": {"successes": 1, "failures": 0}, "elsewhere": {"successes": 0, "failures": 0}, "worse": 0, "mean": 0.5, "banned": false}, "team": null, "novel": ["c"]}`,
			`{"schema": 1, "gene_id": "g", "title": "t", "strategy": ["s"], "hashes": {"steps": "a", "gene": "b", "outcomes": "c"}, "from": {"origin": "seed", "author": "", "created_by": "agents-hooks", "created": null, "visibility": "seed", "reviewed_by": "", "held_for": "", "parent": "", "distilled_from": []}, "cured": [{"kind": "k", "family": "go test", "code": "", "symbols": ["port:1"], "text": "x"}], "outcomes": [{}], "sums": {"said": 0, "concluded": 1, "rested": 1, "replaced": 0, "ignored": 0, "here": {"successes": 1, "failures": 0}, "elsewhere": {"successes": 0, "failures": 0}, "worse": 0, "mean": 0.5, "banned": false}, "team": null, "check": ["c"]}`,
		},
	},
	"evolution-stats": {
		good: []string{
			`{"schema": 1, "genes": {"canary": 1, "private": 1, "seed": 57}, "outcomes": {"all": 1, "successes": 1, "explicit": 1, "unpushed": 1}, "suggestions": {"all": 1, "followed": 1, "not_followed": 0, "unknown": 0}, "signals": [{"signal": "infra:queue_full", "outcomes": 1, "successes": 1}], "north_star": {"repeatRate": 0, "frrApprox": 1, "errApprox": null}, "frozen_since": null, "file": "/genes.jsonl"}`,
		},
		bad: []string{
			`{"schema": 1, "genes": {"canary": 1, "private": 1, "seed": 57}, "outcomes": {"all": 1, "successes": 1, "explicit": 1, "unpushed": 1}, "suggestions": {"all": 1, "followed": 1, "not_followed": 0, "unknown": 0}, "signals": [{"signal": "infra:queue_full", "outcomes": 1, "successes": 1}], "north_star": {"repeatRate": 0, "frrApprox": 1, "errApprox": null}, "frozen_since": null}`,
			`{"schema": 1, "genes": {"canary": 1, "private": 1, "seed": 57}, "outcomes": {"all": 1, "successes": 1, "explicit": 1, "unpushed": 1}, "suggestions": {"all": 1, "followed": 1, "not_followed": 0, "unknown": 0}, "signals": [{"signal": "infra:queue_full", "outcomes": 1, "successes": 1}], "north_star": {"repeatRate": 0, "frrApprox": 1, "errApprox": null}, "frozen_since": null, "file": "/genes.jsonl", "novel": 1}`,
			`{"schema": 2, "genes": {"canary": 1, "private": 1, "seed": 57}, "outcomes": {"all": 1, "successes": 1, "explicit": 1, "unpushed": 1}, "suggestions": {"all": 1, "followed": 1, "not_followed": 0, "unknown": 0}, "signals": [{"signal": "infra:queue_full", "outcomes": 1, "successes": 1}], "north_star": {"repeatRate": 0, "frrApprox": 1, "errApprox": null}, "frozen_since": null, "file": "/genes.jsonl"}`,
		},
	},
	"evolution-achievements": {
		good: []string{
			`{"schema": 1, "milestones": [{"id": "genes", "title": "genes of your own", "has": 1, "wants": 1, "reached": true}]}`,
		},
		bad: []string{
			`{"schema": 1}`,
			`{"schema": 1, "milestones": [{"id": "genes", "title": "genes of your own", "has": 1, "wants": 1, "reached": true}], "novel": 1}`,
			`{"schema": 2, "milestones": [{"id": "genes", "title": "genes of your own", "has": 1, "wants": 1, "reached": true}]}`,
		},
	},
	"record": {
		good: []string{
			`{"schema": 1, "project": "/p", "recording": true, "since": "", "dir": "/d", "bytes": 0, "sessions": [{"file": "/f", "bytes": 1, "last": "2026-11-21T10:00:00Z"}], "others": [{"project": "/p", "recording": true, "since": "", "dir": "/d", "bytes": 0, "sessions": [{"file": "/f", "bytes": 1, "last": "2026-11-21T10:00:00Z"}]}], "limits": {"event_bytes": 1, "text_bytes": 1, "session_bytes": 1, "total_bytes": 1}}`,
		},
		bad: []string{
			`{"schema": 1, "project": "/p", "recording": true, "since": "", "dir": "/d", "bytes": 0, "sessions": [{"file": "/f", "bytes": 1, "last": "2026-11-21T10:00:00Z"}], "others": []}`,
			`{"schema": 1, "project": "/p", "recording": true, "since": "", "dir": "/d", "bytes": 0, "sessions": [{"file": "/f", "bytes": 1, "last": "2026-11-21T10:00:00Z"}], "others": [{}], "limits": {"event_bytes": 1, "text_bytes": 1, "session_bytes": 1, "total_bytes": 1}}`,
		},
	},
	"recording": {
		good: []string{
			`{"v": 1, "time": "2026-11-21T10:00:00.000Z", "agent": "claude-code", "native_event": "PreToolUse", "event": "pre-tool-call", "session": "s", "project": "/p", "work_dir": "/p", "payload": {}, "answer": {"decision": "block", "reason": "no", "exit": 0, "stdout": "{}", "stderr": "", "hooks": [{"name": "guard", "result": "block"}]}}`,
			`{"v": 1, "time": "2026-11-21T10:00:00.000Z", "agent": "claude-code", "native_event": "PreToolUse", "event": "pre-tool-call", "session": "s", "project": "/p", "work_dir": "/p", "flag": "x", "omitted_bytes": 5, "redacted": true, "answer": {"decision": "block", "reason": "no", "exit": 0, "stdout": "{}", "stderr": "", "hooks": [{"name": "guard", "result": "block"}]}}`,
		},
		bad: []string{
			`{"v": 1, "time": "2026-11-21T10:00:00.000Z", "agent": "claude-code", "native_event": "PreToolUse", "event": "pre-tool-call", "session": "s", "project": "/p", "work_dir": "/p", "answer": {"decision": "block", "reason": "no", "exit": 0, "stdout": "{}", "stderr": "", "hooks": [{"name": "guard", "result": "block"}]}}`,
			`{"v": 1, "time": "2026-11-21T10:00:00.000Z", "agent": "claude-code", "native_event": "PreToolUse", "event": "pre-tool-call", "session": "s", "project": "/p", "work_dir": "/p", "payload": [], "answer": {"decision": "block", "reason": "no", "exit": 0, "stdout": "{}", "stderr": "", "hooks": [{"name": "guard", "result": "block"}]}}`,
			`{"v": 1, "time": "2026-11-21T10:00:00.000Z", "agent": "claude-code", "native_event": "PreToolUse", "event": "pre-tool-call", "session": "s", "project": "/p", "work_dir": "/p", "payload": {}}`,
			`{"v": 1, "time": "2026-11-21T10:00:00.000Z", "agent": "claude-code", "native_event": "PreToolUse", "event": "pre-tool-call", "session": "s", "project": "/p", "work_dir": "/p", "payload": {}, "answer": {"decision": "deny"}}`,
		},
	},
	"skills-run": {
		good: []string{
			`{"schema": 1, "line": 1, "hello": {"stream": 1, "requests": ["hello"], "asks": ["model"], "max_line": 1}}`,
			`{"schema": 1, "line": 1, "id": 1, "ask": "model", "at": "planning", "messages": [{"role": "user"}], "warnings": ["w"]}`,
			`{"schema": 1, "line": 2, "ask": "tool", "call": {"name": "read_file", "more": 1}}`,
			`{"schema": 1, "line": 3, "ask": "store", "stored": [{"skill": "s", "name": "h", "role": "user", "content": "c", "_hook": {}}]}`,
			`{"schema": 1, "line": 4, "done": true, "messages": [], "stored": []}`,
			`{"schema": 1, "line": 5, "error": {"kind": "caller", "text": "t"}, "messages": [], "stored": []}`,
			`{"schema": 1, "line": 6, "error": {"kind": "unreadable", "text": "t", "byte": 0}}`,
			`{"schema": 1, "line": 7, "cancelled": false}`,
		},
		bad: []string{
			`{"schema": 1, "line": 1}`,
			`{"schema": 1, "ask": "model", "messages": []}`,
			`{"schema": 1, "line": 1, "ask": "plan", "messages": []}`,
			`{"schema": 1, "line": 1, "ask": "model", "at": "later", "messages": []}`,
			`{"schema": 1, "line": 1, "done": false, "messages": []}`,
			`{"schema": 1, "line": 1, "error": {"text": "t"}}`,
			`{"schema": 1, "line": 1, "ask": "tool", "call": {}}`,
		},
	},
	"run": {
		good: []string{
			`{"schema": 1, "outcome": {}, "blocked_by": null, "warnings": []}`,
			`{"schema": 1, "line": 3, "id": {"a": [1.0]}, "outcome": {"decision": "block", "reason": "no"}, "blocked_by": "guard", "warnings": [{"hook": "x", "kind": "failed", "text": "t"}], "novel": 1}`,
			`{"schema": 1, "line": 4, "error": {"kind": "unreadable", "text": "byte 0: …", "byte": 0, "hint": "h"}, "warnings": []}`,
			`{"schema": 1, "line": 1, "hello": {"stream": 1, "events": ["pre-session"], "requests": ["hello"], "max_line": 67108864}}`,
			`{"schema": 1, "line": 1, "cancelled": false}`,
		},
		bad: []string{
			`{"schema": 1, "outcome": {}, "warnings": []}`,
			`{"schema": 1, "outcome": {}, "blocked_by": null, "warnings": [], "error": {"kind": "bug", "text": ""}}`,
			`{"schema": 1, "outcome": {"decision": "deny"}, "blocked_by": "guard", "warnings": []}`,
			`{"schema": 1, "outcome": {}, "blocked_by": "", "warnings": ["text"]}`,
			`{"schema": 1, "error": {"kind": "other", "text": ""}, "warnings": []}`,
			`{"schema": 1, "cancelled": true}`,
		},
	},
	"replay": {
		good: []string{
			`{"schema": 1, "agent": "", "files": [{"file": "/f", "bad_lines": [3], "events": [{"line": 1, "time": "", "agent": "codex", "native_event": "PreToolUse", "event": "pre-tool-call", "tool": "Shell", "result": "differs", "why": "", "changed": ["decision"], "redacted": false, "recorded": null, "now": {"decision": "block", "reason": "no", "exit": 0, "stdout": "{}", "stderr": "", "hooks": [{"name": "guard", "result": "block"}]}, "async": []}]}], "same": 0, "differs": 1, "new": 0, "skipped": 0}`,
		},
		bad: []string{
			`{"schema": 1, "agent": "", "files": [], "same": 0}`,
			`{"schema": 1, "agent": "", "files": [{"file": "/f", "bad_lines": [], "events": [{"line": 1, "time": "", "agent": "codex", "native_event": "PreToolUse", "event": "pre-tool-call", "tool": "Shell", "result": "other", "why": "", "changed": ["decision"], "redacted": false, "recorded": null, "now": {"decision": "block", "reason": "no", "exit": 0, "stdout": "{}", "stderr": "", "hooks": [{"name": "guard", "result": "block"}]}, "async": []}]}], "same": 0, "differs": 1, "new": 0, "skipped": 0}`,
		},
	},
	"install": {
		good: []string{
			`{"schema": 1, "dry_run": true, "agents": [{"agent": "x", "scope": "project", "changed": true, "events": ["x"], "files": [{"path": "x", "action": "restore", "backup": "x"}], "notes": ["x"], "error": "x", "diff": "x"}]}`,
		},
		bad: []string{
			`{"schema": 2, "dry_run": true, "agents": [{"agent": "x", "scope": "project", "changed": true, "events": ["x"], "files": [{"path": "x", "action": "restore", "backup": "x"}], "notes": ["x"], "error": "x", "diff": "x"}]}`,
			`{"schema": 1, "agents": [{"agent": "x", "scope": "project", "changed": true, "events": ["x"], "files": [{"path": "x", "action": "restore", "backup": "x"}], "notes": ["x"], "error": "x", "diff": "x"}]}`,
			`{"schema": 1, "dry_run": true}`,
			`{"schema": 1, "dry_run": 7, "agents": [{"agent": "x", "scope": "project", "changed": true, "events": ["x"], "files": [{"path": "x", "action": "restore", "backup": "x"}], "notes": ["x"], "error": "x", "diff": "x"}]}`,
			`{"schema": 1, "dry_run": true, "agents": [{"scope": "project", "changed": true, "events": ["x"], "files": [{"path": "x", "action": "restore", "backup": "x"}], "notes": ["x"], "error": "x", "diff": "x"}]}`,
		},
	},
	"import": {
		good: []string{
			`{"schema": 1, "dry_run": true, "entries": [{"source": "x", "line": 1, "last_line": 2, "agent": "x", "plugin": "", "event": "x", "matcher": "x", "command": "x", "result": "brought", "name": "x", "folder": "x", "state": "new", "differences": ["x"], "reason": "", "twice": ["x"]}], "gone": [{"name": "x", "folder": "x", "from": "x"}], "notes": ["x"], "problems": [{"file": "x", "line": 1, "column": 1, "message": "x", "fix": "x", "agent": "x"}]}`,
		},
		bad: []string{
			`{"schema": 2, "dry_run": true, "entries": [{"source": "x", "line": 1, "last_line": 2, "agent": "x", "plugin": "", "event": "x", "matcher": "x", "command": "x", "result": "brought", "name": "x", "folder": "x", "state": "new", "differences": ["x"], "reason": "", "twice": ["x"]}], "gone": [{"name": "x", "folder": "x", "from": "x"}], "notes": ["x"], "problems": [{"file": "x", "line": 1, "column": 1, "message": "x", "fix": "x", "agent": "x"}]}`,
			`{"schema": 1, "entries": [{"source": "x", "line": 1, "last_line": 2, "agent": "x", "plugin": "", "event": "x", "matcher": "x", "command": "x", "result": "brought", "name": "x", "folder": "x", "state": "new", "differences": ["x"], "reason": "", "twice": ["x"]}], "gone": [{"name": "x", "folder": "x", "from": "x"}], "notes": ["x"], "problems": [{"file": "x", "line": 1, "column": 1, "message": "x", "fix": "x", "agent": "x"}]}`,
			`{"schema": 1, "dry_run": true, "entries": [{"source": "x", "line": 1, "last_line": 2, "agent": "x", "plugin": "", "event": "x", "matcher": "x", "command": "x", "result": "taken", "name": "x", "folder": "x", "state": "new", "differences": ["x"], "reason": "", "twice": ["x"]}], "gone": [{"name": "x", "folder": "x", "from": "x"}], "notes": ["x"], "problems": [{"file": "x", "line": 1, "column": 1, "message": "x", "fix": "x", "agent": "x"}]}`,
			`{"schema": 1, "dry_run": true, "entries": [{"source": "x", "line": "1", "last_line": 2, "agent": "x", "plugin": "", "event": "x", "matcher": "x", "command": "x", "result": "brought", "name": "x", "folder": "x", "state": "new", "differences": ["x"], "reason": "", "twice": ["x"]}], "gone": [{"name": "x", "folder": "x", "from": "x"}], "notes": ["x"], "problems": [{"file": "x", "line": 1, "column": 1, "message": "x", "fix": "x", "agent": "x"}]}`,
			`{"schema": 1, "dry_run": true, "entries": [{"source": "x", "line": 1, "last_line": 2, "agent": "x", "plugin": "", "event": "x", "matcher": "x", "command": "x", "result": "brought", "name": "x", "folder": "x", "state": "old", "differences": ["x"], "reason": "", "twice": ["x"]}], "gone": [{"name": "x", "folder": "x", "from": "x"}], "notes": ["x"], "problems": [{"file": "x", "line": 1, "column": 1, "message": "x", "fix": "x", "agent": "x"}]}`,
		},
	},
	"enable": {
		good: []string{
			`{"schema": 1, "file": "x", "hooks": [{"name": "x", "status": "foreign", "changed": true, "detail": "x"}]}`,
		},
		bad: []string{
			`{"schema": 2, "file": "x", "hooks": [{"name": "x", "status": "foreign", "changed": true, "detail": "x"}]}`,
			`{"schema": 1, "hooks": [{"name": "x", "status": "foreign", "changed": true, "detail": "x"}]}`,
			`{"schema": 1, "file": "x"}`,
			`{"schema": 1, "file": 7, "hooks": [{"name": "x", "status": "foreign", "changed": true, "detail": "x"}]}`,
			`{"schema": 1, "file": "x", "hooks": [{"status": "foreign", "changed": true, "detail": "x"}]}`,
		},
	},
	"trust": {
		good: []string{
			`{"schema": 1, "project": "x", "items": [{"name": "x", "project": "x", "path": "x", "state": "refused", "hash": "x", "approved": "x", "replaced": "", "also": [{"hash": "x", "time": "x", "place": "x"}], "problem": "x", "diff": "x", "displaces": [{"name": "x", "layer": "user", "trigger": "pre-tool-call", "path": "x", "held": "", "off": false}], "outside": [{"file": "x", "line": 1, "text": "x", "why": "x"}], "unseen": [{"path": "x", "size": 1, "why": "x"}]}], "approved": ["x"]}`,
		},
		bad: []string{
			`{"schema": 2, "project": "x", "items": [{"name": "x", "project": "x", "path": "x", "state": "refused", "hash": "x", "approved": "x", "replaced": "", "also": [{"hash": "x", "time": "x", "place": "x"}], "problem": "x", "diff": "x"}], "approved": ["x"]}`,
			`{"schema": 1, "items": [{"name": "x", "project": "x", "path": "x", "state": "refused", "hash": "x", "approved": "x", "replaced": "", "also": [{"hash": "x", "time": "x", "place": "x"}], "problem": "x", "diff": "x"}], "approved": ["x"]}`,
			`{"schema": 1, "project": "x", "approved": ["x"]}`,
			`{"schema": 1, "project": 7, "items": [{"name": "x", "project": "x", "path": "x", "state": "refused", "hash": "x", "approved": "x", "replaced": "", "also": [{"hash": "x", "time": "x", "place": "x"}], "problem": "x", "diff": "x"}], "approved": ["x"]}`,
			`{"schema": 1, "project": "x", "items": [{"path": "x", "state": "refused", "hash": "x", "approved": "x", "problem": "x", "diff": "x"}], "approved": ["x"]}`,
		},
	},
	"add": {
		good: []string{
			`{"schema": 1, "pack": "x", "source": "x", "dir": "", "ref": "", "commit": "", "sha256": "", "version": "", "description": "", "signed": {"key": "x", "first": true, "by": "--key"}, "files": 1, "bytes": 1, "to": "x", "agents": ["x"], "hooks": [{"folder": "x", "name": "x", "description": "x", "change": "new", "hash": "x", "trigger": "pre-tool-call", "matcher": {"tool": "", "pattern": "", "command": "", "path": "", "content": ""}, "runs": ["x"], "async": false, "sandbox": null, "replaces": [], "outside": [], "warnings": ["x"], "unseen": [{"path": "x", "size": 1, "why": "x"}], "diff": "x", "tests": {"own": 1, "passed": 1, "unproven": "", "trials": 1, "holes": 0, "missed": 0, "failed": false, "problem": ""}, "edited": false}], "left_out": ["x"], "notes": ["x"], "tested": "", "changed": true, "done": false}`,
			`{"schema": 1, "pack": "x", "source": "x", "dir": "", "ref": "", "commit": "", "sha256": "", "version": "", "description": "", "signed": null, "files": 1, "bytes": 1, "to": "x", "agents": ["x"], "hooks": [{"folder": "x", "name": "x", "description": "x", "change": "new", "hash": "x", "trigger": "pre-tool-call", "matcher": {"tool": "", "pattern": "", "command": "", "path": "", "content": ""}, "runs": ["x"], "async": false, "sandbox": null, "replaces": [], "outside": [], "warnings": ["x"], "unseen": [{"path": "x", "size": 1, "why": "x"}], "diff": "x", "tests": null, "edited": false}], "left_out": ["x"], "notes": ["x"], "tested": "", "changed": true, "done": false}`,
		},
		bad: []string{
			`{"schema": 2, "pack": "x", "source": "x", "dir": "", "ref": "", "commit": "", "sha256": "", "version": "", "description": "", "signed": {"key": "x", "first": true, "by": "--key"}, "files": 1, "bytes": 1, "to": "x", "agents": ["x"], "hooks": [{"folder": "x", "name": "x", "description": "x", "change": "new", "hash": "x", "trigger": "pre-tool-call", "matcher": {"tool": "", "pattern": "", "command": "", "path": "", "content": ""}, "runs": ["x"], "async": false, "sandbox": null, "replaces": [], "outside": [], "warnings": ["x"], "unseen": [{"path": "x", "size": 1, "why": "x"}], "diff": "x", "tests": {"own": 1, "passed": 1, "unproven": "", "trials": 1, "holes": 0, "missed": 0, "failed": false, "problem": ""}, "edited": false}], "left_out": ["x"], "notes": ["x"], "tested": "", "changed": true, "done": false}`,
			`{"schema": 1, "source": "x", "dir": "", "ref": "", "commit": "", "sha256": "", "version": "", "description": "", "signed": {"key": "x", "first": true, "by": "--key"}, "files": 1, "bytes": 1, "to": "x", "agents": ["x"], "hooks": [{"folder": "x", "name": "x", "description": "x", "change": "new", "hash": "x", "trigger": "pre-tool-call", "matcher": {"tool": "", "pattern": "", "command": "", "path": "", "content": ""}, "runs": ["x"], "async": false, "sandbox": null, "replaces": [], "outside": [], "warnings": ["x"], "unseen": [{"path": "x", "size": 1, "why": "x"}], "diff": "x", "tests": {"own": 1, "passed": 1, "unproven": "", "trials": 1, "holes": 0, "missed": 0, "failed": false, "problem": ""}, "edited": false}], "left_out": ["x"], "notes": ["x"], "tested": "", "changed": true, "done": false}`,
			`{"schema": 1, "pack": "x", "source": "x", "dir": "", "ref": "", "commit": "", "sha256": "", "version": "", "description": "", "signed": {"key": "x", "first": true, "by": "--key"}, "files": 1, "bytes": 1, "to": "x", "agents": ["x"], "hooks": [{"folder": "x", "name": "x", "description": "x", "change": "odd", "hash": "x", "trigger": "pre-tool-call", "matcher": {"tool": "", "pattern": "", "command": "", "path": "", "content": ""}, "runs": ["x"], "async": false, "sandbox": null, "replaces": [], "outside": [], "warnings": ["x"], "unseen": [{"path": "x", "size": 1, "why": "x"}], "diff": "x", "tests": {"own": 1, "passed": 1, "unproven": "", "trials": 1, "holes": 0, "missed": 0, "failed": false, "problem": ""}, "edited": false}], "left_out": ["x"], "notes": ["x"], "tested": "", "changed": true, "done": false}`,
			`{"schema": 1, "pack": "x", "source": "x", "dir": "", "ref": "", "commit": "", "sha256": "", "version": "", "description": "", "signed": {"key": "x", "first": true, "by": "x"}, "files": 1, "bytes": 1, "to": "x", "agents": ["x"], "hooks": [{"folder": "x", "name": "x", "description": "x", "change": "new", "hash": "x", "trigger": "pre-tool-call", "matcher": {"tool": "", "pattern": "", "command": "", "path": "", "content": ""}, "runs": ["x"], "async": false, "sandbox": null, "replaces": [], "outside": [], "warnings": ["x"], "unseen": [{"path": "x", "size": 1, "why": "x"}], "diff": "x", "tests": {"own": 1, "passed": 1, "unproven": "", "trials": 1, "holes": 0, "missed": 0, "failed": false, "problem": ""}, "edited": false}], "left_out": ["x"], "notes": ["x"], "tested": "", "changed": true, "done": false}`,
			`{"schema": 1, "pack": "x", "source": "x", "dir": "", "ref": "", "commit": "", "sha256": "", "version": "", "description": "", "signed": {"key": "x", "first": true, "by": "--key"}, "files": 1, "bytes": 1, "to": "x", "agents": ["x"], "hooks": 7, "left_out": ["x"], "notes": ["x"], "tested": "", "changed": true, "done": false}`,
		},
	},
	"update": {
		good: []string{
			`{"schema": 1, "lock": "x", "packs": [{"schema": 1, "pack": "x", "source": "x", "dir": "", "ref": "", "commit": "", "sha256": "", "version": "", "description": "", "signed": {"key": "x", "first": true, "by": "--key"}, "files": 1, "bytes": 1, "to": "x", "agents": ["x"], "hooks": [{"folder": "x", "name": "x", "description": "x", "change": "new", "hash": "x", "trigger": "pre-tool-call", "matcher": {"tool": "", "pattern": "", "command": "", "path": "", "content": ""}, "runs": ["x"], "async": false, "sandbox": null, "replaces": [], "outside": [], "warnings": ["x"], "unseen": [{"path": "x", "size": 1, "why": "x"}], "diff": "x", "tests": {"own": 1, "passed": 1, "unproven": "", "trials": 1, "holes": 0, "missed": 0, "failed": false, "problem": ""}, "edited": false}], "left_out": ["x"], "notes": ["x"], "tested": "", "changed": true, "done": false}]}`,
		},
		bad: []string{
			`{"schema": 2, "lock": "x", "packs": [{"schema": 1, "pack": "x", "source": "x", "dir": "", "ref": "", "commit": "", "sha256": "", "version": "", "description": "", "signed": {"key": "x", "first": true, "by": "--key"}, "files": 1, "bytes": 1, "to": "x", "agents": ["x"], "hooks": [{"folder": "x", "name": "x", "description": "x", "change": "new", "hash": "x", "trigger": "pre-tool-call", "matcher": {"tool": "", "pattern": "", "command": "", "path": "", "content": ""}, "runs": ["x"], "async": false, "sandbox": null, "replaces": [], "outside": [], "warnings": ["x"], "unseen": [{"path": "x", "size": 1, "why": "x"}], "diff": "x", "tests": {"own": 1, "passed": 1, "unproven": "", "trials": 1, "holes": 0, "missed": 0, "failed": false, "problem": ""}, "edited": false}], "left_out": ["x"], "notes": ["x"], "tested": "", "changed": true, "done": false}]}`,
			`{"schema": 1, "lock": "x"}`,
			`{"schema": 1, "lock": "x", "packs": [{"schema": 1, "pack": "x", "source": "x", "dir": "", "ref": "", "commit": "", "sha256": "", "version": "", "description": "", "signed": {"key": "x", "first": true, "by": "--key"}, "files": 1, "bytes": 1, "to": "x", "agents": ["x"], "hooks": [{"folder": "x", "name": "x", "description": "x", "change": "new", "hash": "x", "trigger": "pre-tool-call", "matcher": {"tool": "", "pattern": "", "command": "", "path": "", "content": ""}, "runs": ["x"], "async": false, "sandbox": null, "replaces": [], "outside": [], "warnings": ["x"], "unseen": [{"path": "x", "size": 1, "why": "x"}], "diff": "x", "tests": {"own": 1, "passed": 1, "unproven": "", "trials": 1, "holes": 0, "missed": 0, "failed": false, "problem": ""}, "edited": false}], "left_out": ["x"], "notes": ["x"], "tested": "", "changed": true}]}`,
			`{"schema": 1, "lock": 7, "packs": [{"schema": 1, "pack": "x", "source": "x", "dir": "", "ref": "", "commit": "", "sha256": "", "version": "", "description": "", "signed": {"key": "x", "first": true, "by": "--key"}, "files": 1, "bytes": 1, "to": "x", "agents": ["x"], "hooks": [{"folder": "x", "name": "x", "description": "x", "change": "new", "hash": "x", "trigger": "pre-tool-call", "matcher": {"tool": "", "pattern": "", "command": "", "path": "", "content": ""}, "runs": ["x"], "async": false, "sandbox": null, "replaces": [], "outside": [], "warnings": ["x"], "unseen": [{"path": "x", "size": 1, "why": "x"}], "diff": "x", "tests": {"own": 1, "passed": 1, "unproven": "", "trials": 1, "holes": 0, "missed": 0, "failed": false, "problem": ""}, "edited": false}], "left_out": ["x"], "notes": ["x"], "tested": "", "changed": true, "done": false}]}`,
		},
	},
	"remove": {
		good: []string{
			`{"schema": 1, "pack": "x", "lock": "x", "removed": ["x"], "kept": []}`,
		},
		bad: []string{
			`{"schema": 2, "pack": "x", "lock": "x", "removed": ["x"], "kept": []}`,
			`{"schema": 1, "pack": "x", "lock": "x", "removed": ["x"]}`,
			`{"schema": 1, "pack": "x", "lock": "x", "removed": 7, "kept": []}`,
		},
	},
	"verify": {
		good: []string{
			`{"schema": 1, "lock": "x", "offline": true, "packs": 1, "hooks": 1, "differences": [{"pack": "x", "folder": "", "kind": "missing", "detail": "x"}]}`,
		},
		bad: []string{
			`{"schema": 2, "lock": "x", "offline": true, "packs": 1, "hooks": 1, "differences": [{"pack": "x", "folder": "", "kind": "missing", "detail": "x"}]}`,
			`{"schema": 1, "lock": "x", "packs": 1, "hooks": 1, "differences": [{"pack": "x", "folder": "", "kind": "missing", "detail": "x"}]}`,
			`{"schema": 1, "lock": "x", "offline": true, "packs": 1, "hooks": 1, "differences": [{"pack": "x", "folder": "", "kind": "x", "detail": "x"}]}`,
		},
	},
	"setup": {
		good: []string{
			`{"schema": 1, "manifest": "/p/.agents/agents-hooks.toml", "dry_run": false, "done": ["x"], "rows": [{"id": "hook", "name": "guard", "agent": "", "status": "differ", "message": "m", "fix": ""}], "ok": false}`,
		},
		bad: []string{
			`{"schema": 1, "manifest": "x", "dry_run": false, "done": [], "rows": []}`,
			`{"schema": 1, "manifest": "x", "dry_run": false, "done": [], "rows": [{"id": "hook", "name": "guard", "agent": "", "status": "bad", "message": "m", "fix": ""}], "ok": true}`,
		},
	},
	"untrust": {
		good: []string{
			`{"schema": 1, "project": "x", "revoked": ["x"]}`,
		},
		bad: []string{
			`{"schema": 2, "project": "x", "revoked": ["x"]}`,
			`{"schema": 1, "revoked": ["x"]}`,
			`{"schema": 1, "project": "x"}`,
			`{"schema": 1, "project": 7, "revoked": ["x"]}`,
		},
	},
	"prompt": {
		good: []string{
			`{"schema": 1, "hooks": [{"name": "x", "description": "x", "trigger": "post-context-compact", "location": "x"}], "prompt": "x"}`,
		},
		bad: []string{
			`{"schema": 2, "hooks": [{"name": "x", "description": "x", "trigger": "post-context-compact", "location": "x"}], "prompt": "x"}`,
			`{"schema": 1, "prompt": "x"}`,
			`{"schema": 1, "hooks": [{"name": "x", "description": "x", "trigger": "post-context-compact", "location": "x"}]}`,
			`{"schema": 1, "hooks": 7, "prompt": "x"}`,
			`{"schema": 1, "hooks": [{"description": "x", "trigger": "post-context-compact", "location": "x"}], "prompt": "x"}`,
		},
	},
	"demo": {
		good: []string{
			`{"schema": 1, "ok": true, "problems": ["x"], "dir": "x", "steps": [{"agent": "x", "native": "x", "duration_ms": 1, "exit": 1, "stdout": "x", "stderr": "x", "log": [{"v": 1, "time": "t", "event": "", "duration_ms": 0, "decision": "none", "hooks": []}], "problems": ["x"]}], "others": [{"agent": "x", "native": "x", "duration_ms": 1, "exit": 1, "stdout": "x", "stderr": "x", "log": [{"v": 1, "time": "t", "event": "", "duration_ms": 0, "decision": "none", "hooks": []}], "problems": ["x"]}], "async_wrote": "x"}`,
		},
		bad: []string{
			`{"schema": 2, "ok": true, "problems": ["x"], "dir": "x", "steps": [{"agent": "x", "native": "x", "duration_ms": 1, "exit": 1, "stdout": "x", "stderr": "x", "log": [{"v": 1, "time": "t", "event": "", "duration_ms": 0, "decision": "none", "hooks": []}], "problems": ["x"]}], "others": [{"agent": "x", "native": "x", "duration_ms": 1, "exit": 1, "stdout": "x", "stderr": "x", "log": [{"v": 1, "time": "t", "event": "", "duration_ms": 0, "decision": "none", "hooks": []}], "problems": ["x"]}], "async_wrote": "x"}`,
			`{"schema": 1, "problems": ["x"], "dir": "x", "steps": [{"agent": "x", "native": "x", "duration_ms": 1, "exit": 1, "stdout": "x", "stderr": "x", "log": [{"v": 1, "time": "t", "event": "", "duration_ms": 0, "decision": "none", "hooks": []}], "problems": ["x"]}], "others": [{"agent": "x", "native": "x", "duration_ms": 1, "exit": 1, "stdout": "x", "stderr": "x", "log": [{"v": 1, "time": "t", "event": "", "duration_ms": 0, "decision": "none", "hooks": []}], "problems": ["x"]}], "async_wrote": "x"}`,
			`{"schema": 1, "ok": true, "dir": "x", "steps": [{"agent": "x", "native": "x", "duration_ms": 1, "exit": 1, "stdout": "x", "stderr": "x", "log": [{"v": 1, "time": "t", "event": "", "duration_ms": 0, "decision": "none", "hooks": []}], "problems": ["x"]}], "others": [{"agent": "x", "native": "x", "duration_ms": 1, "exit": 1, "stdout": "x", "stderr": "x", "log": [{"v": 1, "time": "t", "event": "", "duration_ms": 0, "decision": "none", "hooks": []}], "problems": ["x"]}], "async_wrote": "x"}`,
			`{"schema": 1, "ok": 7, "problems": ["x"], "dir": "x", "steps": [{"agent": "x", "native": "x", "duration_ms": 1, "exit": 1, "stdout": "x", "stderr": "x", "log": [{"v": 1, "time": "t", "event": "", "duration_ms": 0, "decision": "none", "hooks": []}], "problems": ["x"]}], "others": [{"agent": "x", "native": "x", "duration_ms": 1, "exit": 1, "stdout": "x", "stderr": "x", "log": [{"v": 1, "time": "t", "event": "", "duration_ms": 0, "decision": "none", "hooks": []}], "problems": ["x"]}], "async_wrote": "x"}`,
			`{"schema": 1, "ok": true, "problems": ["x"], "dir": "x", "steps": [{"native": "x", "duration_ms": 1, "exit": 1, "stdout": "x", "stderr": "x", "log": [{"v": 1, "time": "t", "event": "", "duration_ms": 0, "decision": "none", "hooks": []}], "problems": ["x"]}], "others": [{"agent": "x", "native": "x", "duration_ms": 1, "exit": 1, "stdout": "x", "stderr": "x", "log": [{"v": 1, "time": "t", "event": "", "duration_ms": 0, "decision": "none", "hooks": []}], "problems": ["x"]}], "async_wrote": "x"}`,
		},
	},
	"conformance": {
		good: []string{
			`{"schema": 1, "suite": "x", "hash": "x", "spec": "x", "subject": {"name": "x", "version": "x", "claims": ["x"], "agents": ["x"], "without": {}}, "totals": {"pass": 1, "fail": 1, "skip": 1, "broken": 1}, "skips": {}, "cases": [{"id": "x", "title": "x", "profile": "x", "agent": "x", "spec": ["x"], "result": "broken", "reason": "x", "problems": [{"step": 1, "what": "x", "wanted": "x", "got": "x"}], "duration_ms": 1, "stdin": "x", "stdout": "x", "stderr": "x"}]}`,
		},
		bad: []string{
			`{"schema": 2, "suite": "x", "hash": "x", "spec": "x", "subject": {"name": "x", "version": "x", "claims": ["x"], "agents": ["x"], "without": {}}, "totals": {"pass": 1, "fail": 1, "skip": 1, "broken": 1}, "skips": {}, "cases": [{"id": "x", "title": "x", "profile": "x", "agent": "x", "spec": ["x"], "result": "broken", "reason": "x", "problems": [{"step": 1, "what": "x", "wanted": "x", "got": "x"}], "duration_ms": 1, "stdin": "x", "stdout": "x", "stderr": "x"}]}`,
			`{"schema": 1, "hash": "x", "spec": "x", "subject": {"name": "x", "version": "x", "claims": ["x"], "agents": ["x"], "without": {}}, "totals": {"pass": 1, "fail": 1, "skip": 1, "broken": 1}, "skips": {}, "cases": [{"id": "x", "title": "x", "profile": "x", "agent": "x", "spec": ["x"], "result": "broken", "reason": "x", "problems": [{"step": 1, "what": "x", "wanted": "x", "got": "x"}], "duration_ms": 1, "stdin": "x", "stdout": "x", "stderr": "x"}]}`,
			`{"schema": 1, "suite": "x", "spec": "x", "subject": {"name": "x", "version": "x", "claims": ["x"], "agents": ["x"], "without": {}}, "totals": {"pass": 1, "fail": 1, "skip": 1, "broken": 1}, "skips": {}, "cases": [{"id": "x", "title": "x", "profile": "x", "agent": "x", "spec": ["x"], "result": "broken", "reason": "x", "problems": [{"step": 1, "what": "x", "wanted": "x", "got": "x"}], "duration_ms": 1, "stdin": "x", "stdout": "x", "stderr": "x"}]}`,
			`{"schema": 1, "suite": 7, "hash": "x", "spec": "x", "subject": {"name": "x", "version": "x", "claims": ["x"], "agents": ["x"], "without": {}}, "totals": {"pass": 1, "fail": 1, "skip": 1, "broken": 1}, "skips": {}, "cases": [{"id": "x", "title": "x", "profile": "x", "agent": "x", "spec": ["x"], "result": "broken", "reason": "x", "problems": [{"step": 1, "what": "x", "wanted": "x", "got": "x"}], "duration_ms": 1, "stdin": "x", "stdout": "x", "stderr": "x"}]}`,
			`{"schema": 1, "suite": "x", "hash": "x", "spec": "x", "subject": {"name": "x", "version": "x", "claims": ["x"], "agents": ["x"], "without": {}}, "totals": {"pass": 1, "fail": 1, "skip": 1, "broken": 1}, "skips": {}, "cases": [{"title": "x", "profile": "x", "agent": "x", "spec": ["x"], "result": "broken", "reason": "x", "problems": [{"step": 1, "what": "x", "wanted": "x", "got": "x"}], "duration_ms": 1, "stdin": "x", "stdout": "x", "stderr": "x"}]}`,
		},
	},
	"conformance-hook": {
		good: []string{
			`{"schema": 1, "hooks": [{"dir": "x", "name": "x", "checks": [{"check": "x", "result": "warn", "detail": "x", "spec": "x"}], "agents": [{"id": "x", "native": ["x"], "without": ["x"]}]}]}`,
		},
		bad: []string{
			`{"schema": 2, "hooks": [{"dir": "x", "name": "x", "checks": [{"check": "x", "result": "warn", "detail": "x", "spec": "x"}], "agents": [{"id": "x", "native": ["x"], "without": ["x"]}]}]}`,
			`{"schema": 1}`,
			`{"schema": 1, "hooks": 7}`,
			`{"schema": 1, "hooks": [{"name": "x", "checks": [{"check": "x", "result": "warn", "detail": "x", "spec": "x"}], "agents": [{"id": "x", "native": ["x"], "without": ["x"]}]}]}`,
		},
	},
	"conformance-list": {
		good: []string{
			`{"schema": 1, "spec": "x", "suite": "x", "hash": "x", "cases": [{"id": "x", "title": "x", "profile": "x", "agent": "x", "spec": ["x"], "gaps": [1], "needs": ["x"]}]}`,
		},
		bad: []string{
			`{"schema": 2, "spec": "x", "suite": "x", "hash": "x", "cases": [{"id": "x", "title": "x", "profile": "x", "agent": "x", "spec": ["x"], "gaps": [1], "needs": ["x"]}]}`,
			`{"schema": 1, "suite": "x", "hash": "x", "cases": [{"id": "x", "title": "x", "profile": "x", "agent": "x", "spec": ["x"], "gaps": [1], "needs": ["x"]}]}`,
			`{"schema": 1, "spec": 7, "suite": "x", "hash": "x", "cases": [{"id": "x", "title": "x", "profile": "x", "agent": "x", "spec": ["x"], "gaps": [1], "needs": ["x"]}]}`,
			`{"schema": 1, "spec": "x", "suite": "x", "hash": "x", "cases": [{"title": "x", "profile": "x", "agent": "x", "spec": ["x"], "gaps": [1], "needs": ["x"]}]}`,
		},
	},
	"document": {
		good: []string{
			`{"schema": 1, "name": "x", "file": "x", "title": "x", "text": "x", "version": "x"}`,
		},
		bad: []string{
			`{"schema": 2, "name": "x", "file": "x", "title": "x", "text": "x", "version": "x"}`,
			`{"schema": 1, "name": 7, "file": "x", "title": "x", "text": "x", "version": "x"}`,
		},
	},
	"log-lines": {
		good: []string{
			`{"schema": 1, "lines": [{"v": 1, "time": "t", "event": "", "duration_ms": 0, "decision": "none", "hooks": []}]}`,
		},
		bad: []string{
			`{"schema": 2, "lines": [{"v": 1, "time": "t", "event": "", "duration_ms": 0, "decision": "none", "hooks": []}]}`,
			`{"schema": 1}`,
			`{"schema": 1, "lines": 7}`,
			`{"schema": 1, "lines": [{"time": "t", "event": "", "duration_ms": 0, "decision": "none", "hooks": []}]}`,
		},
	},
	"export": {
		good: []string{
			`{"schema": 1, "address": "http://h:4318", "contents": false, "spans": 1, "rejected": 0, "dropped": 0, "waiting": 0, "open": 0, "last_ok": "t", "failing_since": null, "next_try": null, "error": ""}`,
		},
		bad: []string{
			`{"schema": 2, "address": "http://h:4318", "contents": false, "spans": 1, "rejected": 0, "dropped": 0, "waiting": 0, "open": 0, "last_ok": "t", "failing_since": null, "next_try": null, "error": ""}`,
			`{"schema": 1, "address": "http://h:4318", "contents": false, "spans": -1, "rejected": 0, "dropped": 0, "waiting": 0, "open": 0, "last_ok": "t", "failing_since": null, "next_try": null, "error": ""}`,
			`{"schema": 1, "address": "http://h:4318", "contents": false, "spans": 1, "rejected": 0, "dropped": 0, "waiting": 0, "open": 0, "failing_since": null, "next_try": null, "error": ""}`,
		},
	},
	"stats": {
		good: []string{
			`{"schema": 1, "since": "t", "until": "t", "log_from": null, "events": 1, "blocked": 0, "asked": 0, "sessions": 1, "hooks": [{"name": "x", "layer": "user", "runs": 1, "blocks": 0, "asks": 0, "allows": 0, "failures": 0, "timeouts": 0, "skipped": 0, "median_ms": 1.5, "p95_ms": 1.5, "max_ms": 1.5, "total_ms": 1.5, "last": "t"}], "agents": [], "projects": [], "days": [{"name": "2026-11-23", "events": 1, "blocked": 0, "asked": 0, "runs": 1, "failures": 0, "median_ms": 1, "p95_ms": 1, "total_ms": 1}], "slowest": [{"hook": "x", "ms": 1.5, "time": "t", "agent": "", "event": "pre-session"}], "never": [{"name": "y", "layer": "project", "file": "/y"}], "not_read": []}`,
		},
		bad: []string{
			`{"schema": 2, "since": "t", "until": "t", "log_from": null, "events": 1, "blocked": 0, "asked": 0, "sessions": 1, "hooks": [{"name": "x", "layer": "user", "runs": 1, "blocks": 0, "asks": 0, "allows": 0, "failures": 0, "timeouts": 0, "skipped": 0, "median_ms": 1.5, "p95_ms": 1.5, "max_ms": 1.5, "total_ms": 1.5, "last": "t"}], "agents": [], "projects": [], "days": [{"name": "2026-11-23", "events": 1, "blocked": 0, "asked": 0, "runs": 1, "failures": 0, "median_ms": 1, "p95_ms": 1, "total_ms": 1}], "slowest": [{"hook": "x", "ms": 1.5, "time": "t", "agent": "", "event": "pre-session"}], "never": [{"name": "y", "layer": "project", "file": "/y"}], "not_read": []}`,
			`{"schema": 1, "since": "t", "until": "t", "log_from": null, "events": 1, "blocked": 0, "asked": 0, "sessions": 1, "hooks": [{"name": "x", "layer": "user", "runs": "1", "blocks": 0, "asks": 0, "allows": 0, "failures": 0, "timeouts": 0, "skipped": 0, "median_ms": 1.5, "p95_ms": 1.5, "max_ms": 1.5, "total_ms": 1.5, "last": "t"}], "agents": [], "projects": [], "days": [{"name": "2026-11-23", "events": 1, "blocked": 0, "asked": 0, "runs": 1, "failures": 0, "median_ms": 1, "p95_ms": 1, "total_ms": 1}], "slowest": [{"hook": "x", "ms": 1.5, "time": "t", "agent": "", "event": "pre-session"}], "never": [{"name": "y", "layer": "project", "file": "/y"}], "not_read": []}`,
			`{"schema": 1, "since": "t", "until": "t", "log_from": null, "events": 1, "blocked": 0, "asked": 0, "sessions": 1, "hooks": [{"name": "x", "layer": "user", "runs": 1, "blocks": 0, "asks": 0, "allows": 0, "failures": 0, "timeouts": 0, "skipped": 0, "median_ms": 1.5, "p95_ms": 1.5, "max_ms": 1.5, "total_ms": 1.5, "last": "t"}], "agents": [], "projects": [], "days": [{}, {"name": "2026-11-23", "events": 1, "blocked": 0, "asked": 0, "runs": 1, "failures": 0, "median_ms": 1, "p95_ms": 1, "total_ms": 1}], "slowest": [{"hook": "x", "ms": 1.5, "time": "t", "agent": "", "event": "pre-session"}], "never": [{"name": "y", "layer": "project", "file": "/y"}], "not_read": []}`,
			`{"schema": 1, "since": "t", "until": "t", "log_from": null, "events": 1, "blocked": 0, "asked": 0, "sessions": 1, "hooks": [{"name": "x", "layer": "user", "runs": 1, "blocks": 0, "asks": 0, "allows": 0, "failures": 0, "timeouts": 0, "skipped": 0, "median_ms": 1.5, "p95_ms": 1.5, "max_ms": 1.5, "total_ms": 1.5, "last": "t"}], "agents": [], "projects": [], "days": [{"name": "2026-11-23", "events": 1, "blocked": 0, "asked": 0, "runs": 1, "failures": 0, "median_ms": 1, "p95_ms": 1, "total_ms": 1}], "slowest": [{"hook": "x", "ms": 1.5, "time": "t", "agent": "", "event": "pre-session"}], "ever": [{"name": "y", "layer": "project", "file": "/y"}], "not_read": []}`,
		},
	},
	"builtin": {
		good: []string{
			`{"schema": 1, "behaviours": [{"name": "x", "purpose": "x", "enabled": true, "disabled_by": "x", "hooks": [{"name": "x", "description": "x", "trigger": "post-context-compact", "timeout_ms": 1, "priority": 1, "status": "foreign"}]}]}`,
		},
		bad: []string{
			`{"schema": 2, "behaviours": [{"name": "x", "purpose": "x", "enabled": true, "disabled_by": "x", "hooks": [{"name": "x", "description": "x", "trigger": "post-context-compact", "timeout_ms": 1, "priority": 1, "status": "foreign"}]}]}`,
			`{"schema": 1, "behaviours": 7}`,
			`{"schema": 1, "behaviours": [{"purpose": "x", "enabled": true, "disabled_by": "x", "hooks": [{"name": "x", "description": "x", "trigger": "post-context-compact", "timeout_ms": 1, "priority": 1, "status": "foreign"}]}]}`,
		},
	},
	"workspace": {
		good: []string{
			`{"schema": 1, "success": true}`,
			`{"schema": 1, "nodeId": "node-1", "path": "/p", "actionRequired": {"type": "show_plan", "message": "m", "data": {}, "confirmationToken": "ct-1"}}`,
			`{"schema": 1, "error": {"code": "NODE_NOT_FOUND", "message": "m", "fix": ""}}`,
		},
		bad: []string{
			`{"schema": 2, "success": true}`,
			`{"schema": 1, "success": false}`,
			`{"schema": 1, "error": {"code": "no", "message": "m", "fix": ""}}`,
			`{"schema": 1, "actionRequired": {"type": "dance", "message": "m", "data": {}}}`,
		},
	},
	"workspace-list": {
		good: []string{
			`{"schema": 1, "workspaces": [{"id": "ws-1", "name": "x", "dirName": "x_1", "projectRoot": "/p", "status": "active", "createdAt": "", "updatedAt": "", "goal": "g", "progress": {"done": 0, "total": 1}}]}`,
		},
		bad: []string{
			`{"schema": 1}`,
			`{"schema": 1, "workspaces": [{"id": "ws-1"}]}`,
			`{"schema": 1, "workspaces": [{"id": "ws-1", "name": "x", "dirName": "x_1", "projectRoot": "/p", "status": "asleep", "createdAt": "", "updatedAt": ""}]}`,
		},
	},
	"workspace-tree": {
		good: []string{
			`{"schema": 1, "rootId": "root", "tree": {"id": "root", "type": "planning", "title": "x", "status": "planning", "children": [{"id": "n", "type": "execution", "title": "y", "status": "pending", "children": []}]}}`,
			`{"schema": 1, "rootId": "root", "tree": {"id": "root", "type": "planning", "title": "x", "status": "planning", "children": [{"id": "n", "type": "execution", "title": "y", "status": "pending", "after": ["m"], "owner": "@s1", "children": []}], "hidden": 480}, "hint": "480 more nodes"}`,
		},
		bad: []string{
			`{"schema": 1, "rootId": "root"}`,
			`{"schema": 1, "rootId": "root", "tree": {"id": "root", "type": "planning", "title": "x", "status": "lost", "children": []}}`,
			`{"schema": 1, "rootId": "root", "tree": {"id": "root", "type": "planning", "title": "x", "status": "planning", "children": [{}]}}`,
		},
	},
	"workspace-session": {
		good: []string{
			`{"schema": 1, "success": true, "message": "m", "binding": {"sessionId": "s", "workspaceId": "ws-1", "focusedNodeId": "n"}}`,
			`{"schema": 1, "success": true, "message": "m", "binding": {"sessionId": "s", "workspaceId": "ws-1"}, "goal": "g", "rules": ["a"], "rulesHash": "0cc175b9", "focus": {"nodeId": "n", "title": "t", "status": "pending"}, "progress": "1/3", "next": {"nodeId": "n", "title": "t", "why": "w", "with": "node_begin"}}`,
			`{"schema": 1, "bound": true, "workspace": {"id": "ws-1", "name": "x", "goal": "g"}, "focusedNode": {"id": "n", "title": "t", "status": "implementing", "requirement": "r"}, "rules": ["a"]}`,
			`{"schema": 1, "bound": false, "availableWorkspaces": [{"id": "ws-1", "name": "x", "status": "active", "progress": {"done": 0, "total": 1}}]}`,
		},
		bad: []string{
			`{"schema": 1}`,
			`{"schema": 1, "bound": true, "availableWorkspaces": []}`,
			`{"schema": 1, "bound": false, "workspace": {"id": "ws-1", "name": "x", "goal": "g"}}`,
			`{"schema": 1, "bound": false, "availableWorkspaces": [{"id": "ws-1", "name": "x", "status": "archived"}]}`,
		},
	},
	"workspace-context": {
		good: []string{
			`{"schema": 1, "workspace": {"goal": "g", "rules": ["a"], "rulesHash": "0cc175b9", "docs": []}, "chain": [{"nodeId": "root", "title": "x", "type": "planning", "status": "planning", "requirement": "r", "docs": [], "note": ""}], "references": [{"memoId": "memo-1", "title": "t", "summary": "s"}], "childConclusions": [], "hint": "h"}`,
		},
		bad: []string{
			`{"schema": 1, "workspace": {"goal": "g", "rules": [], "rulesHash": "x", "docs": []}, "chain": [], "references": [], "childConclusions": [], "hint": "h"}`,
			`{"schema": 1, "chain": [], "references": [], "childConclusions": [], "hint": "h"}`,
		},
	},
	"mcp": {
		good: []string{
			`{"schema": 1, "server": "agents-hooks", "tools": [{"set": "memory", "name": "memory_get", "offered": true, "core": true, "read_only": true, "destructive": false, "command": "memory list", "description": "x", "off": ""}]}`,
		},
		bad: []string{
			`{"schema": 1, "server": "agents-hooks"}`,
			`{"schema": 1, "server": "agents-hooks", "tools": [{"set": "memory", "name": "memory_get"}]}`,
			`{"schema": 1, "server": 1, "tools": []}`,
		},
	},
	"upgrade": {
		good: []string{
			`{"schema": 1, "version": "v1", "program": "/p", "way": "npm", "do": ["x"], "newest": {"version": "v2", "page": "x"}, "state": "older"}`,
			`{"schema": 1, "version": "v1", "program": "/p", "way": "copy", "do": [], "newest": null, "state": "not asked"}`,
		},
		bad: []string{
			`{"schema": 2, "version": "v1", "program": "/p", "way": "npm", "do": ["x"], "newest": null, "state": "older"}`,
			`{"schema": 1, "version": "v1", "program": "/p", "way": "mail", "do": ["x"], "newest": null, "state": "older"}`,
			`{"schema": 1, "version": "v1", "program": "/p", "way": "npm", "do": "x", "newest": null, "state": "older"}`,
			`{"schema": 1, "version": "v1", "program": "/p", "way": "npm", "do": [], "newest": {"version": "v2"}, "state": "older"}`,
			`{"schema": 1, "version": "v1", "program": "/p", "way": "npm", "do": [], "newest": null, "state": "new"}`,
			`{"schema": 1, "program": "/p", "way": "npm", "do": [], "newest": null, "state": "older"}`,
		},
	},
	"version": {
		good: []string{
			`{"schema": 1, "version": "x", "commit": "x", "date": "x", "modified": false, "format": "x", "linked": [{"path": "x", "version": "x"}], "go": "x", "os": "x", "arch": "x"}`,
		},
		bad: []string{
			`{"schema": 2, "version": "x", "commit": "x", "date": "x", "modified": false, "format": "x", "linked": [{"path": "x", "version": "x"}], "go": "x", "os": "x", "arch": "x"}`,
			`{"schema": 1, "go": "x", "os": "x", "arch": "x"}`,
			`{"schema": 1, "version": "x", "os": "x", "arch": "x"}`,
			`{"schema": 1, "version": 7, "commit": "x", "date": "x", "modified": false, "format": "x", "linked": [{"path": "x", "version": "x"}], "go": "x", "os": "x", "arch": "x"}`,
		},
	},
	"log": {
		good: []string{
			`{"v": 1, "time": "2026-01-15T10:30:00.000Z", "agent": "codex", "event": "pre-tool-call", "native_event": "PreToolUse", "session": "s", "project": "/p", "duration_ms": 3.2, "decision": "block", "hooks": [{"name": "a", "layer": "user", "duration_ms": 2, "exit": 2, "result": "block"}], "async": ["b"], "warnings": [{"hook": "a", "kind": "failed", "text": "w"}]}`,
		},
		bad: []string{
			`{"v": 1, "time": "", "event": "", "duration_ms": 1, "decision": "deny", "hooks": []}`,
			`{"v": 1, "time": "", "event": "", "duration_ms": 1, "decision": "none", "hooks": [], "warnings": ["w"]}`,
			`{"v": 1, "time": "", "event": "", "duration_ms": -1, "decision": "none", "hooks": []}`,
			`{"v": 1, "time": "", "event": "", "duration_ms": 1, "decision": "none", "hooks": [{"name": "a", "layer": "user", "result": "great"}]}`,
		},
	},
}
