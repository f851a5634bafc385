package workspace

import "github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"

// Settings is what can be set about workspaces: [builtin.workspace] of hooks.toml.
func Settings() []setting.Setting {
	return []setting.Setting{
		{Key: "language", Kind: setting.Choice, Words: []string{"auto", "zh", "en"}, Default: "auto", Env: "AGENTS_HOOKS_LANGUAGE", Meaning: "of texts for the agent; `auto` is that of the locale"},
		{Key: "data_dir", Kind: setting.Text, Env: "AGENTS_HOOKS_WORKSPACE_DIR", Meaning: "folder of the index and the bindings, absolute; empty: the original's if it is there, else ours"},
	}
}
