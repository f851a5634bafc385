package workspace

import (
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/compat"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/reminder"
)

// Settings is what can be set about workspaces: [builtin.workspace] of hooks.toml.
func Settings() []setting.Setting {
	return []setting.Setting{
		{Key: "language", Kind: setting.Choice, Words: []string{"auto", "zh", "en"}, Default: "auto", Env: "AGENTS_HOOKS_LANGUAGE", Meaning: "language of texts for the agent; `auto` uses the locale"},
		{Key: "data_dir", Kind: setting.Text, Env: "AGENTS_HOOKS_WORKSPACE_DIR", Project: setting.Nothing, Meaning: "folder of the index and the bindings, absolute; empty: the original's if it exists, else ours"},
		{Key: "suggest_by_cwd", Kind: setting.Bool, Default: "true", Meaning: "tell an unbound session that begins in a folder which workspaces are active there"},
		{Key: "keywords", Kind: setting.List, Default: reminder.Words, Meaning: "words in a prompt at which an unbound session is told how to bind, if its folder has an active workspace"},
		{Key: "keyword_minutes", Kind: setting.Int, Default: "10", Min: 0, Max: 1440, Meaning: "how long that is not repeated in a session; 0: always repeated"},
		{Key: "reminders", Kind: setting.List, Default: reminder.Names, Meaning: "which reminders a bound session gets; there are also `failed_node` and `no_docs`"},
		{Key: compat.WorkspaceContext, Kind: setting.Choice, Words: []string{"changed", "always"}, Default: "always", Meaning: "when " + compat.WorkspaceRepeatsName + " is told the whole context with a prompt: with each, or when it changed or after ten minutes"},
		{Key: "lease_minutes", Kind: setting.Int, Default: "30", Min: 1, Max: 1440, Meaning: "how long a session keeps a claimed node after its last activity"},
		{Key: "run_checks", Kind: setting.Bool, Default: "true", Project: setting.Nothing, Meaning: "run the commands of acceptance criteria (`cmd: …`) when a node is completed"},
		{Key: "check_seconds", Kind: setting.Int, Default: "120", Min: 1, Max: 3600, Project: setting.Nothing, Meaning: "time limit for all commands of one node together"},
		{Key: "stop_gate", Kind: setting.Bool, Default: "false", Meaning: "when a session stops with an unfinished node that it claimed, ask it once a turn to finish the node or give it back"},
		{Key: "activity_reminders", Kind: setting.Bool, Default: "false", Meaning: "remind a bound session of the log and of problems after tool calls and at a stop"},
	}
}
