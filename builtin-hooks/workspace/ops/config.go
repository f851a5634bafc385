package ops

import (
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Ways to hand nodes to subagents.
const (
	dispatchNone  = "none"
	dispatchGit   = "git"
	dispatchNoGit = "no-git"
)

func configTools() []operation {
	return []operation{
		{op.Op{Name: "config_get", Command: "config get", People: op.Text{English: "show it", Chinese: "查看配置"}, ReadOnly: true, Idempotent: true,
			Model: op.Text{English: "What is set for all workspaces.", Chinese: "获取全局配置。"}}, configGet},
		{op.Op{Name: "config_set", Command: "config set", People: op.Text{English: "change it", Chinese: "修改配置"}, Idempotent: true,
			Model: op.Text{English: "Sets how nodes are handed to subagents where dispatch_enable does not say: none, git (each in a worktree of its own), no-git (only noted).", Chinese: "设置默认派发模式：none、git（各自独立的 worktree）、no-git（仅记录）。"},
			Args:  []op.Arg{{Name: "defaultDispatchMode", Required: true, Words: []string{dispatchNone, dispatchGit, dispatchNoGit}, Model: op.Text{English: "the default", Chinese: "默认派发模式"}}}}, configSet},
	}
}

func (c *call) configPath() string { return filepath.Join(c.Place.Home, "config.json") }

// config is what is set, in the original's own file.
func (c *call) config() protocol.Object {
	b, _ := statefile.Read(c.configPath())
	o, _ := protocol.ParseObject(b)
	if !o.Has("version") {
		o.SetText("version", "1.0")
	}
	if o.Text("defaultDispatchMode") == "" {
		o.SetText("defaultDispatchMode", dispatchNone)
	}
	return o
}

func configGet(c *call) (protocol.Object, error) { return c.config(), nil }

func configSet(c *call) (protocol.Object, error) {
	var o protocol.Object
	err := statefile.Update(c.configPath(), lockWait, func([]byte) ([]byte, error) {
		o = c.config()
		o.SetText("defaultDispatchMode", c.text("defaultDispatchMode"))
		return workspace.Pretty(o.Raw()), nil
	})
	return o, err
}
