package discovery

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/claude"
)

// pluginWorld has a plugin in the person's home, with these files, and a hooks.toml
// that names it.
func pluginWorld(t *testing.T, files map[string]string) *world {
	w := newWorld(t)
	w.src.Tongues = func() []*protocol.Tongue { return []*protocol.Tongue{claude.Dialect.Tongue} }
	for path, text := range files {
		w.file(filepath.Join(w.home, "plug", path), text, 0o644)
	}
	w.file(filepath.Join(w.user, "hooks.toml"), "[[hooks.source]]\npath = \"~/plug\"\nkind = \"claude-plugin\"\n", 0o644)
	return w
}

const manifest = `{"name": "Guard Dogs", "description": "They bark"}`

// What an entry says is what its hook has.
func TestEntriesOfPluginsBecomeHooks(t *testing.T) {
	w := pluginWorld(t, map[string]string{".claude-plugin/plugin.json": manifest, "hooks/hooks.json": `{"hooks": {
		"PreToolUse": [{"matcher": "Edit|Write", "hooks": [
			{"type": "command", "command": "python3 ${CLAUDE_PLUGIN_ROOT}/bin/check_it.py", "timeout": 2.5},
			{"type": "command", "command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/x.js"], "async": true},
			{"type": "command", "command": "python3 ${CLAUDE_PLUGIN_ROOT}/bin/check_it.py again"}]}],
		"Stop": [{"hooks": [{"type": "command", "command": "'${CLAUDE_PLUGIN_ROOT}/stop.sh'"}]}]}}`})
	set := Load(w.src, w.src.Home)
	var names []string
	byName := map[string]*Hook{}
	for _, h := range set.Hooks {
		names = append(names, h.Name)
		byName[h.Name] = h
		if h.Status != Ready || h.Layer != UserLayer || !h.Trusted || h.Tongue == nil || h.Description != "They bark" {
			t.Errorf("%s: %s %s trusted %v, tongue %v, %q: %v", h.Name, h.Status, h.Layer, h.Trusted, h.Tongue, h.Description, h.Problems)
		}
	}
	slices.Sort(names)
	if want := []string{"guard-dogs/pre-agent-turn-stop-stop", "guard-dogs/pre-tool-call-check-it", "guard-dogs/pre-tool-call-check-it-2", "guard-dogs/pre-tool-call-node"}; !slices.Equal(names, want) {
		t.Fatalf("names %q, want %q; %v", names, want, set.Problems)
	}
	check := byName["guard-dogs/pre-tool-call-check-it"]
	if check.Timeout != 2500*time.Millisecond || check.Matcher.Tool != "Edit|Write" || !slices.Equal(check.Entry.Argv, []string{"sh", "-c", "python3 ${CLAUDE_PLUGIN_ROOT}/bin/check_it.py"}) {
		t.Errorf("%s, %+v, %q", check.Timeout, check.Matcher, check.Entry.Argv)
	}
	if n := byName["guard-dogs/pre-tool-call-node"]; !n.Async || !slices.Equal(n.Command.Words, []string{"node", "${CLAUDE_PLUGIN_ROOT}/x.js"}) {
		t.Errorf("async %v, %q", n.Async, n.Command.Words)
	}
	if s := byName["guard-dogs/pre-agent-turn-stop-stop"]; s.Trigger != protocol.PreAgentTurnStop || s.Timeout != MaxTimeout || s.Command.Line != `''"${CLAUDE_PLUGIN_ROOT}"'/stop.sh'` {
		t.Errorf("%s, %s, %q", s.Trigger, s.Timeout, s.Command.Line)
	}
}

// What is wrong with a plugin is told with its place, and costs no other hook.
func TestBadPluginsAreTold(t *testing.T) {
	entry := func(members string) string {
		return `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{` + members + `}]}]}}`
	}
	for name, tt := range map[string]struct {
		files map[string]string
		want  string // of a problem of the set, or of the one hook
	}{
		"nothing there":        {map[string]string{"README.md": "x"}, "it is no plugin"},
		"no hooks":             {map[string]string{".claude-plugin/plugin.json": manifest}, "has no hooks/hooks.json"},
		"broken JSON":          {map[string]string{"hooks/hooks.json": "{\n \"hooks\": {"}, "hooks.json:2:12: hooks.source: no valid JSON"},
		"a comment":            {map[string]string{"hooks/hooks.json": "// hi\n{}"}, "hooks.json:1:1: hooks.source: no valid JSON"},
		"broken manifest":      {map[string]string{".claude-plugin/plugin.json": "{", "hooks/hooks.json": entry(`"type": "command", "command": "x"`)}, "plugin.json:1:2: hooks.source: no valid JSON"},
		"manifest leads out":   {map[string]string{".claude-plugin/plugin.json": `{"name": "a", "hooks": "../../x.json"}`}, "leads out of the plugin"},
		"manifest names none":  {map[string]string{".claude-plugin/plugin.json": `{"name": "a", "hooks": "./x.json"}`}, `there is no "x.json"`},
		"hooks are a list":     {map[string]string{"hooks/hooks.json": `{"hooks": []}`}, "hooks.json:1:11: hooks.source: hooks: is no object"},
		"an event of others":   {map[string]string{"hooks/hooks.json": `{"hooks": {"WorktreeCreate": []}}`}, `"WorktreeCreate" has no event here`},
		"an event is a text":   {map[string]string{"hooks/hooks.json": `{"hooks": {"Stop": "x"}}`}, `"Stop": is no list`},
		"a group without list": {map[string]string{"hooks/hooks.json": `{"hooks": {"Stop": [{"type": "command", "command": "x"}]}}`}, "a group without a list of hooks"},
		"prompt":               {map[string]string{"hooks/hooks.json": entry(`"type": "prompt", "prompt": "x"`)}, `"prompt" is run by the agent itself`},
		"mcp_tool":             {map[string]string{"hooks/hooks.json": entry(`"type": "mcp_tool"`)}, `"mcp_tool" is run by the agent itself`},
		"no type":              {map[string]string{"hooks/hooks.json": entry(`"command": "x"`)}, `"" is no type that is known`},
		"no command":           {map[string]string{"hooks/hooks.json": entry(`"type": "command"`)}, "names no command"},
		"a number for a word":  {map[string]string{"hooks/hooks.json": entry(`"type": "command", "command": "node", "args": [1]`)}, `"1" is no text that can be given`},
		"NUL in a command":     {map[string]string{"hooks/hooks.json": entry(`"type": "command", "command": "a\u0000b"`)}, "cannot be run"},
		"an odd if":            {map[string]string{"hooks/hooks.json": entry(`"type": "command", "command": "x", "if": "Bash(a) or Edit"`)}, "cannot be said as a matcher"},
		"a shell of others":    {map[string]string{"hooks/hooks.json": entry(`"type": "command", "command": "x", "shell": "fish"`)}, `"fish" is no shell that is known`},
		"user_config":          {map[string]string{"hooks/hooks.json": entry(`"type": "command", "command": "x ${user_config.key}"`)}, "own configuration"},
	} {
		t.Run(name, func(t *testing.T) {
			w := pluginWorld(t, tt.files)
			set := Load(w.src, w.src.Home)
			var all []string
			for _, p := range set.Problems {
				all = append(all, p.String())
			}
			for _, h := range set.Hooks {
				for _, p := range h.Problems {
					all = append(all, p.String())
					if p.Fatal && h.Status != Broken {
						t.Errorf("%s is %s", h.Name, h.Status)
					}
				}
			}
			if !strings.Contains(strings.Join(all, "\n"), tt.want) {
				t.Errorf("want %q, have\n%s", tt.want, strings.Join(all, "\n"))
			}
		})
	}
}
