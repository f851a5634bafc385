//go:build e2e && unix

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/existing"
	"github.com/agents-hooks/agents-hooks/e2e/model"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// proveRecorded plays each hook of the corpus in the agent that it was written for,
// registered as its author did, and nothing of ours is there. What came of it is
// what e2e/existing/effects.json says; with AGENTS_HOOKS_UPDATE=1 it is written.
func proveRecorded(l *Lab) {
	hooks, err := existing.All()
	must.Do(l.t, err)
	known, err := existing.Recorded()
	must.Do(l.t, err)
	update := os.Getenv("AGENTS_HOOKS_UPDATE") != ""
	for _, h := range hooks {
		var seen existing.Effects
		seen.Hit = l.fresh().natively(h, h.Hit)
		if h.Fine != nil {
			seen.Fine = l.fresh().natively(h, *h.Fine)
		}
		if want := known[h.Name]; !update && (!slices.Equal(seen.Hit, want.Hit) || !slices.Equal(seen.Fine, want.Fine)) {
			l.t.Errorf("%s: %v, and else %v; recorded is %v, and else %v", h.Name, seen.Hit, seen.Fine, want.Hit, want.Fine)
		}
		known[h.Name] = seen
	}
	if !update {
		return
	}
	b, err := json.MarshalIndent(known, "", "  ")
	must.Do(l.t, err)
	must.Write(l.t, filepath.Join("existing", "effects.json"), append(b, '\n'))
}

// proveExisting plays a hook of the corpus through us, as it lies there but for its
// place: what comes of it is what was recorded of the agent that it was written for.
func proveExisting(name string) func(*Lab) {
	return func(l *Lab) {
		h, want := l.recorded(name)
		play := func(l *Lab, s existing.Situation, want existing.Effect) {
			must.Do(l.t, h.Write(filepath.Join(l.Home, ".config/agents/hooks", h.Name)))
			l.install()
			l.comesTo(h, s, want)
		}
		play(l, h.Hit, want.Hit)
		if h.Fine != nil && !h.Fine.Active { // a stop of which the suite itself makes two, in one agent alone
			play(l.fresh(), *h.Fine, want.Fine)
		}
	}
}

// proveSource has the person's hooks.toml name a plugin of the corpus, which lies
// where their agent would keep it.
func proveSource(name string) func(*Lab) {
	return func(l *Lab) {
		h, want := l.recorded(name)
		play := func(l *Lab, s existing.Situation, want existing.Effect) {
			l.plugin(h, filepath.Join(l.Home, "plugins", h.Name), ".config/agents/hooks.toml", "~/plugins/"+h.Name)
			l.install()
			l.comesTo(h, s, want)
		}
		play(l, h.Hit, want.Hit)
		play(l.fresh(), *h.Fine, want.Fine)
	}
}

// proveProjectSource has a project bring a plugin: nothing of it runs before the
// person approved its folder, nor after somebody changed it.
func proveProjectSource(name string) func(*Lab) {
	return func(l *Lab) {
		h, want := l.recorded(name)
		dir := filepath.Join(l.Project, ".agents/plugins", h.Name)
		l.plugin(h, dir, filepath.Join("project", ".agents/hooks.toml"), ".agents/plugins/"+h.Name)
		l.install()
		play := func(want existing.Effect) {
			l.t.Helper()
			l.comesTo(h, h.Hit, want)
			_ = os.Remove(l.mark("called"))
		}
		play(existing.Effect{})
		must.Do(l.t, must.Err(l.ours("trust", "--yes")))
		play(want.Hit)
		l.write(filepath.Join(dir, "patterns.json"), "{}", 0o644)
		play(existing.Effect{})
	}
}

// proveSourceTwice has the agent run a plugin by itself that is a source of ours as
// well: its hooks run twice there, until they are left out of it.
func proveSourceTwice(name string) func(*Lab) {
	return func(l *Lab) {
		h, want := l.recorded(name)
		dir := filepath.Join(l.Home, "plugins", h.Name)
		l.plugin(h, dir, ".config/agents/hooks.toml", "~/plugins/"+h.Name)
		ran := filepath.Join(l.Root, "ran")
		l.append(filepath.Join(dir, "hooks", "check.py"), "\n", "open("+strconv.Quote(ran)+", 'a').write('once ')\n")
		l.install()
		play := func(times string) {
			l.t.Helper()
			if got := l.cameOf(h, *h.Fine, []string{"--plugin-dir", dir}); !slices.Equal(got, want.Fine) {
				l.t.Errorf("%v, want %v\n%s", got, want.Fine, l.logText())
			}
			if b, _ := os.ReadFile(ran); strings.TrimSpace(string(b)) != times {
				l.t.Errorf("it ran %q, want %q", b, times)
			}
			_ = os.Remove(ran)
			_ = os.Remove(l.mark("called"))
		}
		play("once once")
		must.Do(l.t, must.Err(l.ours("disable", "--agent", l.Agent.ID, h.Name+"/*")))
		play("once")
	}
}

// append puts lines behind a file.
func (l *Lab) append(path string, lines ...string) {
	l.t.Helper()
	l.write(path, must.Read(l.t, path)+strings.Join(lines, ""), 0o755)
}

// recorded is a hook of the corpus, and what it did in the agent that it was written
// for, as far as this agent can tell.
func (l *Lab) recorded(name string) (existing.Hook, existing.Effects) {
	l.t.Helper()
	hooks, err := existing.All()
	must.Do(l.t, err)
	known, err := existing.Recorded()
	must.Do(l.t, err)
	want, hook := known[name], hooks[slices.IndexFunc(hooks, func(h existing.Hook) bool { return h.Name == name })]
	if l.Agent.BlockEnds && hook.Hit.Kind != "shell" {
		for _, e := range []*existing.Effect{&want.Hit, &want.Fine} {
			*e = slices.DeleteFunc(slices.Clone(*e), func(w string) bool { return w == "told" })
		}
	}
	return hook, want
}

// plugin lays a plugin of the corpus out, and has a hooks.toml name it.
func (l *Lab) plugin(h existing.Hook, dir, settings, path string) {
	l.t.Helper()
	must.Do(l.t, h.Write(dir))
	if err := os.Remove(filepath.Join(dir, "HOOK.md")); err != nil { // which no plugin has
		l.t.Fatal(err)
	}
	in := l.Home
	if rest, ok := strings.CutPrefix(settings, "project/"); ok {
		in, settings = l.Project, rest
	}
	l.write(filepath.Join(in, settings), "[[hooks.source]]\npath = \""+path+"\"\nkind = \"claude-plugin\"\n", 0o644)
}

// comesTo plays a situation: what comes of the hook is what is wanted. Where
// something is, its person may be shown more than by the agent of its author.
func (l *Lab) comesTo(h existing.Hook, s existing.Situation, want existing.Effect) {
	l.t.Helper()
	got := l.cameOf(h, s, nil)
	same := slices.DeleteFunc(slices.Clone(got), func(w string) bool { return w == "shown" && len(want) > 0 && !slices.Contains(want, w) })
	if !slices.Equal(same, want) {
		l.t.Errorf("%s: %v, want %v\n%s", h.Name, got, want, l.logText())
	}
}

// logText is what our log says, for a failed check.
func (l *Lab) logText() string {
	r := &Run{l: l, Turns: l.Model.Turns()}
	return r.story()
}

// fresh is another machine with the same agent.
func (l *Lab) fresh() *Lab { return newLab(l.t, l.bench, l.Agent) }

// natively plays a situation with the hook as its author registered it.
func (l *Lab) natively(h existing.Hook, s existing.Situation) existing.Effect {
	l.t.Helper()
	dir := filepath.Join(l.Project, ".claude", "hooks", h.Name)
	must.Do(l.t, h.Write(dir))
	extra := l.issues()
	if !h.Asks {
		extra = append(extra, "--permission-prompt-tool", "mcp__github__approve")
	}
	if h.Plugin {
		extra = append(extra, "--plugin-dir", dir)
	} else {
		handler := map[string]any{"type": "command", "command": h.Command}
		if h.Timeout > 0 {
			handler["timeout"] = h.Timeout
		}
		if h.Async {
			handler["async"] = true
		}
		group := map[string]any{"hooks": []any{handler}}
		if h.Matcher != "" {
			group["matcher"] = h.Matcher
		}
		b, err := json.Marshal(map[string]any{"hooks": map[string]any{h.Event: []any{group}}})
		must.Do(l.t, err)
		l.write(filepath.Join(l.Project, ".claude", "settings.json"), string(b), 0o644)
	}
	return l.cameOf(h, s, extra)
}

// cameOf plays a situation and sees what came of a hook that is registered.
func (l *Lab) cameOf(h existing.Hook, s existing.Situation, extra []string) existing.Effect {
	l.t.Helper()
	must.Do(l.t, h.WriteFiles(l.Project))
	is := map[string]bool{}
	p := &play{l: l, h: h, s: s, is: is, extra: extra}
	switch s.Kind {
	case "shell", "failure", "write", "edit", "mcp":
		p.call()
	case "permission":
		p.permission()
	case "prompt":
		r := p.run(model.Play(says("all is well")), s.Text)
		is["blocked"] = len(r.Turns) == 0
		p.told(r, 0)
	case "start", "end":
		p.start()
	case "stop":
		p.stop()
	case "subagent":
		p.subagent()
	case "compact":
		p.compaction()
	case "notice":
		p.run(model.Play(calls(model.Call{Name: "mcp__github__ask", Args: map[string]any{}}), says("all is well")), "")
	default:
		l.t.Fatalf("no situation is of the kind %q", s.Kind)
	}
	is["acted"] = h.Acted(l.Project, l.Home) || h.Async && l.eventually(func() bool { return h.Acted(l.Project, l.Home) })
	return existing.EffectOf(is)
}
