package hooktest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/scratch"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/translate"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/runner"
)

// A trial is one way to run a hook that has broken others.
type trial struct {
	name string
	what string // what is different, for the report
	env  []string
	ev   *protocol.Event
	hook *discovery.Hook
	// spell writes the event in another way; nil for the promised one.
	spell func(*protocol.Event) []byte
	// cut says that the hook cannot know what it is asked: that it fails is
	// right then, and that it allows is not.
	cut bool
	// soft says that another answer may be right.
	soft bool
}

// canary stands in fields that are none of a hook's business.
const canary = "canary-4f1d7c20-do-not-repeat"

// hostile runs all trials. base is how the hook ended on the plain event; a
// trial that takes ten times as long, and 5 s at least, has failed, so that one
// that hangs does not hang for all of its time limit each time.
func (b *bench) hostile(ctx context.Context, base runner.Result) []trialResult {
	limited := *b.hook
	limited.Timeout = min(limited.Timeout, max(5*time.Second, 10*base.Duration))
	full := b.hook.Timeout
	b.hook = &limited
	var results []trialResult
	for _, tr := range b.trials() {
		if ctx.Err() != nil {
			return results
		}
		r, _ := b.run(ctx, tr.hook, tr.ev, tr.env, tr.spell)
		results = append(results, judge(tr, base, r, full))
	}
	results = append(results, b.together(ctx, base, full))
	return append(results, b.survivors())
}

func (b *bench) trials() []trial {
	plain := func(name, what string) trial {
		return trial{name: name, what: what, env: b.host.Env, ev: b.ev, hook: b.hook}
	}
	var list []trial
	spelled := func(name, what string, spell func(*protocol.Event) []byte) *trial {
		tr := plain(name, what)
		tr.spell = spell
		list = append(list, tr)
		return &list[len(list)-1]
	}
	spelled("again", "the same event a second time", nil)
	spelled("compact", "JSON without blanks", compactJSON)
	spelled("lines", "JSON over many lines", manyLines)
	spelled("reordered", "members in the opposite order", reordered)
	spelled("escapes", `"/" as "\/", letters beyond ASCII as \u`, escapedJSON)
	spelled("cut", "stdin ends in the middle of the event", cutJSON).cut = true
	spelled("empty", "stdin ends at once", func(*protocol.Event) []byte { return nil }).cut = true
	changed := func(name, what string, ev *protocol.Event) {
		tr := plain(name, what)
		tr.ev = ev
		list = append(list, tr)
	}
	changed("unknown", "fields nobody has heard of, one of them secret", withFields(b.ev, protocol.Member{Name: "x_token", Value: protocol.Quote(canary)}, protocol.Member{Name: "x_novel", Value: protocol.Raw(`{"deep": [1, null, {"command": "ls"}]}`)}))
	changed("quotes", "a text that looks like JSON, before the real one", withFields(b.ev, protocol.Member{Name: "x_note", Value: protocol.Quote("say \"command\": \"ls\", \"file_path\": \"a\"\n\tor 'so'; $(true) `true` \\ %s")}))
	changed("unicode", "text in many scripts", withFields(b.ev, protocol.Member{Name: "x_note", Value: protocol.Quote("日本語 · ñandú · עברית · 🦊 · \u2028")}))
	changed("large", "1 MiB of input", withFields(b.ev, protocol.Member{Name: "x_padding", Value: protocol.Quote(strings.Repeat("padding ", 1<<17))}))
	for _, d := range agents.All() {
		if ev, ok := translate.Event(d, b.ev); ok && ev.Call != nil && ev != b.ev {
			changed(d.ID, "the names and keys of "+d.Name, ev)
		}
	}
	surrounded := func(name, what string, env []string, soft bool) {
		tr := plain(name, what)
		tr.env, tr.soft = env, soft
		list = append(list, tr)
	}
	surrounded("path", "PATH with the system's folders only", setEnv(b.host.Env, "PATH", systemPath(b.host.GOOS)), false)
	surrounded("home", "no HOME", setEnv(b.host.Env, "HOME", ""), false)
	surrounded("locale", "LC_ALL=C", setEnv(setEnv(b.host.Env, "LC_ALL", "C"), "LANG", "C"), false)
	elsewhere := plain("elsewhere", "started in an empty folder")
	elsewhere.ev, elsewhere.soft = b.ev.Clone(), true
	elsewhere.ev.WorkDir = filepath.Join(b.temp, "elsewhere")
	if os.MkdirAll(elsewhere.ev.WorkDir, 0o755) == nil {
		list = append(list, elsewhere)
	}
	if moved, err := b.moved(); err == nil {
		tr := plain("moved", "a copy that cannot be written, below blanks and quotes")
		tr.hook = moved
		list = append(list, tr)
	}
	return list
}

// together runs the hook four times at once.
func (b *bench) together(ctx context.Context, base runner.Result, limit time.Duration) trialResult {
	tr := trial{name: "together", what: "four of it at once"}
	results := make([]runner.Result, 4)
	var all sync.WaitGroup
	for i := range results {
		all.Go(func() { results[i], _ = b.run(ctx, b.hook, b.ev, b.host.Env, nil) })
	}
	all.Wait()
	worst := judge(tr, base, results[0], limit)
	for _, r := range results[1:] {
		if j := judge(tr, base, r, limit); rank(j.Class) < rank(worst.Class) {
			worst = j
		}
	}
	return worst
}

// survivors looks for processes that the trials left behind.
func (b *bench) survivors() trialResult {
	r := trialResult{Trial: "survivors", What: "processes alive after all of this", Class: passed, Verdict: runner.OK}
	list, known := processesWith(b.mark)
	switch {
	case !known:
		r.Detail = "not looked for on this system"
	case len(list) > 0:
		r.Class = leftBehind
		r.Detail = fmt.Sprintf("%d still running: %s", len(list), text.Clip(shell.Plain(strings.Join(list, ", ")), 160))
	}
	return r
}

// moved is a copy of the hook whose path has what breaks unquoted scripts.
func (b *bench) moved() (*discovery.Hook, error) {
	if b.hook.Entry.Builtin {
		return nil, errors.New("a built-in hook has no folder")
	}
	dir := filepath.Join(b.temp, "a b 'c' $d é", filepath.Base(b.hook.Dir))
	if b.host.GOOS == "windows" {
		dir = filepath.Join(b.temp, "a b 'c' é", filepath.Base(b.hook.Dir))
	}
	if err := scratch.CopyFolder(b.hook.Dir, dir); err != nil {
		return nil, err
	}
	moved := *b.hook
	moved.Dir, moved.File = dir, filepath.Join(dir, filepath.Base(b.hook.File))
	within := func(path string) string {
		if rel, err := filepath.Rel(b.hook.Dir, path); err == nil && filepath.IsLocal(rel) {
			return filepath.Join(dir, rel)
		}
		return path
	}
	moved.Entry.Path = within(b.hook.Entry.Path)
	moved.Entry.Argv = nil
	for _, a := range b.hook.Entry.Argv {
		if filepath.IsAbs(a) {
			a = within(a)
		}
		moved.Entry.Argv = append(moved.Entry.Argv, a)
	}
	return &moved, nil
}

func systemPath(goos string) string {
	if goos == "windows" {
		return `C:\Windows\System32;C:\Windows`
	}
	return "/usr/bin:/bin"
}

// setEnv is env with a variable set, or without it where value is "".
func setEnv(env []string, name, value string) []string {
	out := make([]string, 0, len(env)+1)
	for _, kv := range env {
		if n, _, _ := strings.Cut(kv, "="); n != name {
			out = append(out, kv)
		}
	}
	if value != "" {
		out = append(out, name+"="+value)
	}
	return out
}
