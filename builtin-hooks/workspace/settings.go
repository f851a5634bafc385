package workspace

import (
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/originals"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/remind"
)

// Settings is what can be set about workspaces: [builtin.workspace] of hooks.toml.
func Settings() []setting.Setting {
	return []setting.Setting{
		{Key: "language", Kind: setting.Choice, Words: []string{"auto", "zh", "en"}, Default: "auto", Env: "AGENTS_HOOKS_LANGUAGE", Meaning: "of texts for the agent; `auto` is that of the locale"},
		{Key: "data_dir", Kind: setting.Text, Env: "AGENTS_HOOKS_WORKSPACE_DIR", Meaning: "folder of the index and the bindings, absolute; empty: the original's if it is there, else ours"},
		{Key: "suggest_by_cwd", Kind: setting.Bool, Default: "true", Seed: true, Meaning: "name the active workspaces of a folder to an unbound session that begins there"},
		{Key: "keywords", Kind: setting.List, Default: remind.Words, Seed: true, Meaning: "words of a prompt at which an unbound session is told how to bind, where its folder has an active workspace"},
		{Key: "keyword_minutes", Kind: setting.Int, Default: "10", Min: 0, Max: 1440, Meaning: "how long that is not repeated in a session; 0: it is told each time"},
		{Key: "reminders", Kind: setting.List, Default: remind.Names, Seed: true, Meaning: "which reminders are given to a bound session; there are also `failed_node` and `no_docs`"},
		{Key: originals.WorkspaceContext, Kind: setting.Choice, Words: []string{"changed", "always"}, Default: "always", Seed: true, Meaning: "when " + originals.WorkspaceRepeatsName + " is told the whole context with a prompt: with each, or when it changed or after ten minutes"},
		{Key: "lease_minutes", Kind: setting.Int, Default: "30", Min: 1, Max: 1440, Meaning: "how long a claimed node stays a session's that is not seen at work any more"},
		{Key: "run_checks", Kind: setting.Bool, Default: "true", Project: setting.Nothing, Meaning: "run the commands of acceptance criteria (`cmd: …`) when a node is done"},
		{Key: "check_seconds", Kind: setting.Int, Default: "120", Min: 1, Max: 3600, Project: setting.Nothing, Meaning: "how long those of one node may take together"},
		{Key: "stop_gate", Kind: setting.Bool, Default: "false", Meaning: "ask a session that stops while a node that it claimed is unfinished to finish it or to give it back, once a turn"},
		{Key: "activity_reminders", Kind: setting.Bool, Default: "false", Seed: true, Meaning: "remind a bound session of the log and of problems after tool calls and as it stops"},
	}
}
