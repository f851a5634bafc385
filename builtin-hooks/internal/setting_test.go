package internal_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
)

var table = []setting.Setting{
	{Key: "on", Kind: setting.Bool, Default: "true", Env: "ON"},
	{Key: "days", Kind: setting.Int, Default: "7", Min: 1, Max: 30, Env: "DAYS", Also: "memory.days"},
	{Key: "weight", Kind: setting.Number, Default: "0.9", Min: 0, Max: 1},
	{Key: "mode", Kind: setting.Choice, Words: []string{"a", "b"}, Default: "a", Env: "MODE"},
	{Key: "names", Kind: setting.List, Default: "x,y", Env: "NAMES"},
	{Key: "dir", Kind: setting.Text, Env: "DIR"},
}

// Environment, hooks.toml, the original's own file, default; a
// value that is out of range or of another type is passed over.
func TestSettingsAreResolved(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		key   string
		env   map[string]string
		files map[string]any
		own   map[string]any
		want  any
		from  string
	}{
		{"default", "days", nil, nil, nil, 7, "default"},
		{"own", "days", nil, nil, map[string]any{"memory.days": float64(5)}, 5, "own"},
		{"own, no whole number", "days", nil, nil, map[string]any{"memory.days": 5.5}, 7, "default"},
		{"hooks.toml over own", "days", nil, map[string]any{"days": int64(9)}, map[string]any{"memory.days": float64(5)}, 9, "hooks.toml"},
		{"environment over all", "days", map[string]string{"DAYS": " 11 "}, map[string]any{"days": int64(9)}, nil, 11, "environment"},
		{"environment out of range", "days", map[string]string{"DAYS": "31"}, map[string]any{"days": int64(9)}, nil, 9, "hooks.toml"},
		{"environment no number", "days", map[string]string{"DAYS": "many"}, nil, nil, 7, "default"},
		{"hooks.toml of another type", "days", nil, map[string]any{"days": "9"}, nil, 7, "default"},
		{"bool off", "on", map[string]string{"ON": "off"}, map[string]any{"on": true}, nil, false, "environment"},
		{"bool of hooks.toml", "on", nil, map[string]any{"on": false}, nil, false, "hooks.toml"},
		{"bool of hooks.toml that is none", "on", nil, map[string]any{"on": "false"}, nil, true, "default"},
		{"bool garbage", "on", map[string]string{"ON": "maybe"}, nil, nil, true, "default"},
		{"number", "weight", nil, map[string]any{"weight": int64(1)}, nil, 1.0, "hooks.toml"},
		{"number out of range", "weight", nil, map[string]any{"weight": 1.1}, nil, 0.9, "default"},
		{"choice", "mode", map[string]string{"MODE": "b"}, nil, nil, "b", "environment"},
		{"choice that is none", "mode", map[string]string{"MODE": "c"}, nil, nil, "a", "default"},
		{"list", "names", map[string]string{"NAMES": "p, q,"}, nil, nil, "p|q", "environment"},
		{"list of toml", "names", nil, map[string]any{"names": []any{"z"}}, nil, "z", "hooks.toml"},
		{"list of numbers", "names", nil, map[string]any{"names": []any{int64(1)}}, nil, "x|y", "default"},
		{"text", "dir", nil, map[string]any{"dir": "d"}, nil, "d", "hooks.toml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := setting.Resolve(table, setting.Sources{
				Env: func(n string) string { return c.env[n] }, Files: c.files,
				Own: func(n string) any { return c.own[n] },
			}).Of(c.key)
			var got any
			switch v.Setting.Kind {
			case setting.Bool:
				got = v.Bool
			case setting.Int:
				got = v.Int
			case setting.Number:
				got = v.Number
			case setting.List:
				got = join(v.List)
			default:
				got = v.Text
			}
			if got != c.want || v.From != c.from {
				t.Errorf("%s: %v from %s, want %v from %s", c.name, got, v.From, c.want, c.from)
			}
		})
	}
	if v := setting.Resolve(table, setting.Sources{}).Of("nothing"); v.Setting != nil {
		t.Errorf("%+v", v)
	}
	if !slices.ContainsFunc(table, func(s setting.Setting) bool { return s.Want() == "a whole number from 1 to 30" }) {
		t.Error("Want")
	}
}

func join(list []string) (out string) {
	for i, s := range list {
		if i > 0 {
			out += "|"
		}
		out += s
	}
	return out
}

// A reader finds what holds in a folder for an environment: the environment over
// the file, and of two variables with one name the last.
func TestSettingsThatHoldInAFolderAreFound(t *testing.T) {
	t.Parallel()
	r := setting.Reader{Behaviour: "tides", Table: []setting.Setting{
		{Key: "sea", Kind: setting.Choice, Words: []string{"low", "high"}, Default: "low", Env: "SEA"}, {Key: "days", Kind: setting.Int, Default: "3", Min: 1, Max: 9},
	}, Files: func(name, dir string) map[string]any {
		return map[string]any{"sea": map[string]string{"tides /here": "high"}[name+" "+dir], "days": int64(12)}
	}}
	for _, c := range []struct {
		dir, env, sea, from string
	}{
		{"/here", "", "high", "hooks.toml"}, {"/there", "", "low", "default"}, {"/here", "SEA=low", "low", "environment"},
		{"/there", "SEA=low\nSEA=high", "high", "environment"}, {"/here", "SEA=rough", "high", "hooks.toml"}, {"/there", "SEALS=high", "low", "default"},
	} {
		t.Run(fmt.Sprintf("%s, env %q", c.dir, c.env), func(t *testing.T) {
			v := r.For(c.dir, strings.Split(c.env, "\n"))
			if sea := v.Of("sea"); sea.Text != c.sea || sea.From != c.from {
				t.Errorf("%s with %q: %s, from %s; want %s, from %s", c.dir, c.env, sea.Text, sea.From, c.sea, c.from)
			}
			if days := v.Of("days"); days.Int != 3 || days.From != "default" {
				t.Errorf("a value out of range holds: %+v", days)
			}
		})
	}
}

// What a project's own file may do with a setting: bring it back to its default, or name a
// folder below the project that is neither git's nor that of its hooks.
func TestWhatAProjectMaySet(t *testing.T) {
	t.Parallel()
	tight := func(k setting.Kind, byDefault string) setting.Setting {
		return setting.Setting{Kind: k, Default: byDefault, Words: []string{"a", "b"}, Min: 1, Max: 9, Project: setting.Tightens}
	}
	below := setting.Setting{Kind: setting.Text, Project: setting.Below}
	for _, c := range []struct {
		of    setting.Setting
		value any
		may   bool
	}{
		{setting.Setting{Kind: setting.Text}, "x", true},
		{setting.Setting{Kind: setting.Text, Project: setting.Nothing}, "", false},
		{tight(setting.Bool, "false"), false, true}, {tight(setting.Bool, "false"), true, false},
		{tight(setting.Int, "7"), int64(7), true}, {tight(setting.Int, "7"), int64(8), false},
		{tight(setting.Number, "1.5"), 1.5, true}, {tight(setting.Number, "1.5"), 1.6, false},
		{tight(setting.Choice, "a"), "a", true}, {tight(setting.Choice, "a"), "b", false},
		{below, "", true}, {below, "data", true}, {below, "a/b", true}, {below, "./a", true}, {below, ".agents", true}, {below, ".agents/memory", true}, {below, "x/hooks", true}, {below, "a~b", true},
		{below, ".", false}, {below, "..", false}, {below, "../a", false}, {below, "a/../..", false}, {below, "/tmp", false},
		{below, ".git", false}, {below, "a/.git/b", false}, {below, ".GIT", false}, {below, ".git. .", false}, {below, "GIT~1/hooks", false},
		{below, ".agents/hooks", false}, {below, ".Agents/Hooks/x", false}, {below, ".agents/x/../hooks", false},
	} {
		t.Run(fmt.Sprintf("%d %v", c.of.Project, c.value), func(t *testing.T) {
			if got := c.of.Reached(c.value); got != c.may {
				t.Errorf("%v", got)
			}
		})
	}
}
