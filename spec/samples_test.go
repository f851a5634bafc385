package spec

// samples are documents that each schema accepts, and ones it rejects.
var samples = map[string]struct{ good, bad []string }{
	"hook": {
		good: []string{
			`{"name": "a", "description": "d", "trigger": "pre-session"}`,
			`{"name": "no-rm-2", "description": "d", "trigger": "pre-tool-call", "matcher": {"tool": "^Shell$", "pattern": "rm"}, "timeout": 100, "async": false, "priority": 0, "metadata": {"author": "x", "on_error": "block", "loop_limit": 3}}`,
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
		},
	},
	"hooks-toml": {
		good: []string{
			`{}`,
			`{"hooks": {"stop_limit": {"row": 3, "total": 10}}}`,
			`{"hooks": {"enabled": true, "on_error": "block", "order": "layer", "stop_limit": 3, "disable": [{"name": "a"}], "override": [{"name": "b", "timeout": 500}], "lock": [{"name": "c"}]}, "trust": {"project": "always"}, "builtin": {"memory": {"enabled": true}}}`,
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
			`{"schema": 1, "hooks": [{"name": "a", "description": "d", "layer": "project", "dir": "/p/.agents/hooks/a", "file": "/p/.agents/hooks/a/HOOK.md", "entry": "/p/.agents/hooks/a/scripts/run", "trigger": "pre-tool-call", "matcher": {"tool": "Shell", "pattern": ""}, "priority": 100, "timeout_ms": 30000, "async": false, "status": "untrusted", "trusted": false, "overridden_by": "", "problems": [{"file": "f", "line": 0, "column": 0, "field": "", "severity": "warning", "message": "m", "value": "", "fix": ""}]}]}`,
		},
		bad: []string{
			`{"schema": 1}`,
			`{"schema": 1, "hooks": [{"name": "a"}]}`,
			`{"schema": 1, "hooks": [{"name": "a", "description": "d", "layer": "global", "dir": "", "file": "", "entry": "", "trigger": "", "matcher": {"tool": "", "pattern": ""}, "priority": 100, "timeout_ms": 30000, "async": false, "status": "ready", "trusted": true, "overridden_by": "", "problems": []}]}`,
			`{"schema": 1, "hooks": [{"name": "a", "description": "d", "layer": "user", "dir": "", "file": "", "entry": "", "trigger": "", "matcher": {"tool": "", "pattern": ""}, "priority": 100, "timeout_ms": 30000, "async": false, "status": "ready", "trusted": true, "overridden_by": "", "problems": [{}]}]}`,
		},
	},
	"explain": {
		good: []string{
			`{"schema": 1, "event": {"event_type": "pre-session"}, "project": "/p", "layers": [{"name": "user", "dir": "/u"}], "hooks": [{"name": "a", "layer": "user", "position": 1, "runs": false, "gate": "pattern", "detail": "no text matches", "tried": ["ls"], "limit_ms": 30000, "may_be_stopped_by": ["b"]}]}`,
		},
		bad: []string{
			`{"schema": 1, "event": {}, "project": "", "layers": [], "hooks": [{"name": "a", "layer": "user", "position": 1, "runs": false, "gate": "lazy", "detail": "", "tried": [], "limit_ms": 1, "may_be_stopped_by": []}]}`,
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
	"doctor": {
		good: []string{
			`{"schema": 1, "checks": [{"id": "entry", "agent": "codex", "status": "off", "message": "m", "fix": "f"}]}`,
		},
		bad: []string{
			`{"schema": 1, "checks": [{"id": "entry", "agent": "", "status": "bad", "message": "m", "fix": ""}]}`,
			`{"checks": []}`,
		},
	},
	"test": {
		good: []string{
			`{"schema": 1, "exit": 0, "duration_ms": 1.5, "outcome": {"decision": "allow"}, "stderr": "", "verdict": "ok", "agents": {"codex": {"stdout": "", "stderr": "", "exit": 0}}, "hostile": [{"trial": "again", "class": "ok", "detail": ""}]}`,
			`{"schema": 1, "exit": -1, "duration_ms": 100, "outcome": null, "stderr": "", "verdict": "timeout", "agents": {}}`,
		},
		bad: []string{
			`{"schema": 1, "exit": 0, "duration_ms": 1, "outcome": {"decision": "maybe"}, "stderr": "", "verdict": "ok", "agents": {}}`,
			`{"schema": 1, "exit": 0, "duration_ms": 1, "outcome": null, "stderr": "", "verdict": "fine", "agents": {}}`,
			`{"schema": 1, "exit": 0, "duration_ms": 1, "outcome": null, "stderr": "", "verdict": "ok", "agents": {}, "hostile": [{"trial": "again", "class": "bad", "detail": ""}]}`,
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
	"replay": {
		good: []string{
			`{"schema": 1, "agent": "", "files": [{"file": "/f", "bad_lines": [3], "events": [{"line": 1, "time": "", "agent": "codex", "native_event": "PreToolUse", "event": "pre-tool-call", "tool": "Shell", "result": "differs", "why": "", "changed": ["decision"], "redacted": false, "recorded": null, "now": {"decision": "block", "reason": "no", "exit": 0, "stdout": "{}", "stderr": "", "hooks": [{"name": "guard", "result": "block"}]}, "async": []}]}], "same": 0, "differs": 1, "new": 0, "skipped": 0}`,
		},
		bad: []string{
			`{"schema": 1, "agent": "", "files": [], "same": 0}`,
			`{"schema": 1, "agent": "", "files": [{"file": "/f", "bad_lines": [], "events": [{"line": 1, "time": "", "agent": "codex", "native_event": "PreToolUse", "event": "pre-tool-call", "tool": "Shell", "result": "other", "why": "", "changed": ["decision"], "redacted": false, "recorded": null, "now": {"decision": "block", "reason": "no", "exit": 0, "stdout": "{}", "stderr": "", "hooks": [{"name": "guard", "result": "block"}]}, "async": []}]}], "same": 0, "differs": 1, "new": 0, "skipped": 0}`,
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
