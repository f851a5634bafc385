package builtinhooks

import (
	"context"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	engine "github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	memory "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/hooks"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Value is one setting as it holds.
type Value = setting.Value

// MemoryOf is where memory lies for a working directory, and how it is set there:
// the same for its commands as for its hooks.
func MemoryOf(ctx context.Context, w *World, env []string, dir string) (engine.Place, setting.Values) {
	b := memory.Behaviour()
	var ev protocol.Object
	ev.SetText("event_type", string(protocol.PreSession))
	ev.SetText("work_dir", dir)
	c := behaviour.NewCall(ctx, &b, w, env, ev)
	return engine.Find(c.Project(), w.Data, c.Settings.Of("data_dir").Text), c.Settings
}

// MemoryKeys are the settings of memory, in the order of its table.
func MemoryKeys() []string {
	var out []string
	for _, s := range memory.Behaviour().Settings() {
		out = append(out, s.Key)
	}
	return out
}

// Plain is a setting's value as JSON shows it.
func Plain(v Value) any {
	switch v.Setting.Kind {
	case setting.Bool:
		return v.Bool
	case setting.Int:
		return v.Int
	case setting.Number:
		return v.Number
	case setting.List:
		return append([]string{}, v.List...)
	}
	return v.Text
}
