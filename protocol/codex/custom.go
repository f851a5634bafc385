package codex

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var custom = &protocol.Custom{
	Files:  files,
	Speaks: "claude-code",
	Own:    []string{"apply_patch", "turn_id"},
	Limit:  600 * time.Second,
	Limits: []protocol.EventLimit{
		{Event: "SessionEnd", Limit: time.Second},
		{Event: "Interrupt", Limit: time.Second},
	},
	Subjects:    []string{"SessionStart", "PermissionRequest", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact"},
	Notify:      "notify",
	NotifyLine:  notifyLine,
	NotifyLacks: "it is not told turn-id and input-messages; thread-id is the id of the session",
}

// notifyLine calls a program with a JSON text of what happened as its last argument.
// The texts are copied from the payload as they are spelled there.
const notifyLine = `event=$(cat)
part() { printf '%s' "$event" | sed -nE 's/.*"'"$1"'": *("([^"\\]|\\.)*").*/\1/p'; }
last=$(part last_assistant_message)
PROGRAM "{\"type\": \"agent-turn-complete\", \"thread-id\": $(part session_id), \"cwd\": $(part cwd), \"last-assistant-message\": ${last:-null}}" >/dev/null`

// files are hooks.json and the configuration, which may have a table of hooks.
func files(s protocol.Site) []string {
	hooks := file(s)
	return []string{hooks, hooks[:len(hooks)-len("hooks.json")] + "config.toml"}
}
