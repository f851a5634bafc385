// Package builtin connects the built-in hooks to the process: it creates their [Runtime]
// from a host, puts them into the lowest layer of discovery, and decides by the
// environment and by marker files whether a behaviour is on:
//
//	AGENTS_HOOKS_MEMORY=0           off, whatever the files say; 1 on
//	.agents/.memory-disable         in a project: off there
//
// and by the variables and files of the programs with which the behaviours share their
// data. Any of them can switch a behaviour off; only the variable can switch it on, and
// not if a repository may have set it.
package builtin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/worktree"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
	"github.com/agents-hooks/agents-hooks/trust"
)

// Runtime is what built-in hooks may know about the machine. state is the state
// directory in use; settings are those of hooks.toml.
func Runtime(h host.Host, state string, settings func(behaviour, workDir string) map[string]any) *builtinhooks.Runtime {
	return &builtinhooks.Runtime{
		Home: h.Home, State: state, Cache: h.Cache, Data: h.Data, Config: h.Config,
		Session:    func(id string) string { return sessionDir(state, id) },
		Repository: trust.Home,
		Now:        h.Now,
		Random:     rand.Uint64,
		Settings:   settings,
		Program:    func() string { return Program(h) },
		TextBudget: builtinhooks.DefaultTextBudget,
		Words:      builtinhooks.Words,
		Tool: func(ctx context.Context, dir string, env []string, stdin []byte, args ...string) ([]byte, error) {
			program := Program(h)
			if program == "" {
				return nil, errNoProgram
			}
			return runner.Output(ctx, append([]string{program}, args...), dir, env, stdin)
		},
		Git: func(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
			program := git(pathOf(env), dir)
			if program == "" {
				return nil, errNoGit
			}
			env = slices.DeleteFunc(slices.Clone(env), func(kv string) bool { return strings.HasPrefix(kv, "GIT_") })
			return runner.Output(ctx, slices.Concat([]string{program}, worktree.Alone, args), dir, append(env, gitAloneEnv...), nil)
		},
		Shell: func(ctx context.Context, dir string, env []string, session, line string) (int, string, error) {
			return guarded(ctx, Program(h), dir, env, session, line)
		},
		Processes: func() (string, []int) { return space(), runner.Ancestors() },
		Detach: func(dir string, env []string, args ...string) error {
			program := Program(h)
			if program == "" {
				return errNoProgram
			}
			return runner.Detach(append([]string{program, runner.WorkVerb}, args...), dir, env)
		},
	}
}

// space is where a number of a process means the same one: this machine or, on Linux, this
// container.
func space() string {
	name, _ := os.Hostname()
	ns, _ := os.Readlink("/proc/self/ns/pid")
	return name + " " + ns
}

// Standalone is the runtime of built-in hooks that run outside the dispatcher, for a
// command: it reads their settings for the folder in which they work.
func Standalone(h host.Host) *builtinhooks.Runtime {
	src := h.Sources()
	w := Runtime(h, h.State, Settings(src, h))
	w.Refused, w.Unnoted = toStderr(h, "not opened: "), toStderr(h, "")
	w.Approved = func(workDir string) func(name, dir string) (string, bool) {
		return discovery.LoadSettings(src, workDir).ApprovedCopy
	}
	w.Always = func(workDir string) bool { return discovery.LoadSettings(src, workDir).Always() }
	w.On = func(behaviour, workDir string) bool {
		return slices.ContainsFunc(discovery.Load(Sources(src, h, true), workDir).Hooks, func(k *discovery.Hook) bool {
			return k.Behaviour == behaviour && k.Status == discovery.Ready
		})
	}
	return w
}

// toStderr reports each thing that was not done below a project, once.
func toStderr(h host.Host, head string) func(error) {
	var mu sync.Mutex
	told := map[string]bool{}
	return func(err error) {
		mu.Lock()
		defer mu.Unlock()
		text := err.Error()
		if e, ok := errors.AsType[*fs.PathError](err); ok { // without the name of the system's call
			text = strings.Replace(text, e.Error(), h.Short(e.Path)+": "+e.Err.Error(), 1)
		}
		if text = protocol.Plain(text); !told[text] {
			told[text] = true
			fmt.Fprintln(os.Stderr, "agents-hooks: "+head+text)
		}
	}
}

// Call is an operation that a user or a model requests in a folder, before it has
// arguments.
func Call(h host.Host, from string) op.Call {
	project, root := discovery.FindProject(from, h.Home)
	project = cmp.Or(project, root)
	return op.Call{Dir: from, Project: project, Env: append(h.Env[:len(h.Env):len(h.Env)], "AGENTS_HOOKS_PROJECT_DIR="+project)}
}

func pathOf(env []string) string {
	for _, kv := range env {
		if name, value, _ := strings.Cut(kv, "="); strings.EqualFold(name, "PATH") {
			return value
		}
	}
	return ""
}

// git is the first git on a PATH that is outside the folder in question.
func git(path, outside string) string {
	name := "git"
	if runtime.GOOS == "windows" {
		name = "git.exe"
	}
	for _, dir := range filepath.SplitList(path) {
		if rel, err := filepath.Rel(outside, dir); !filepath.IsAbs(dir) || err == nil && filepath.IsLocal(rel) {
			continue
		}
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
}

// Git answers an event from what is there: besides worktree.Alone it runs no transport, by which it
// would fetch what a partial clone lacks. (For filters see memory's plain.)
var gitAloneEnv = []string{"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL="}

var errNoGit = errors.New("git was not found")

var errNoProgram = errors.New("agents-hooks itself was not found beside agents-hooks-run")

// sessionDir is the folder of a session's state, "" if nothing can be stored.
func sessionDir(state, id string) string {
	if state == "" {
		return ""
	}
	return runner.SessionDir(state, id)
}

// Program is agents-hooks with all its commands: this executable, or the one
// beside the lean dispatcher; "" if there is none.
func Program(h host.Host) string {
	dir, name := filepath.Split(h.Self)
	whole, lean := strings.CutSuffix(strings.TrimSuffix(name, ".exe"), "-run")
	if !lean {
		return h.Self
	}
	beside := dir + whole + strings.TrimPrefix(name, strings.TrimSuffix(name, ".exe"))
	if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
		return beside
	}
	return ""
}

// Sources adds the built-in hooks to the sources of hooks. mayEnable says that the
// environment may switch a behaviour on.
func Sources(src discovery.Sources, h host.Host, mayEnable bool) discovery.Sources {
	src.Builtins, src.BuiltinsByEnv = func() []*discovery.Hook { return hooks(h.Behaviours()) }, mayEnable
	src.BuiltinSwitch = func(behaviour, project, root string, on bool) (bool, string) {
		return last(h, mayEnable, behaviour, project, root, on)
	}
	src.Behaviours = Known(h)
	return src
}

// hooks are the built-in hooks in discovery's form.
func hooks(behaviours builtinhooks.List) []*discovery.Hook {
	var list []*discovery.Hook
	for _, b := range behaviours {
		for i := range b.Hooks {
			list = append(list, hook(b.Name, &b.Hooks[i]))
		}
	}
	return list
}

func hook(behaviour string, h *builtinhooks.Hook) *discovery.Hook {
	return &discovery.Hook{
		Name: h.Name, Description: h.Description, Layer: discovery.BuiltinLayer, Behaviour: behaviour,
		Trigger: h.Trigger, Matcher: discovery.Matcher{Tool: h.Tool}, Timeout: h.Timeout,
		Async: h.Async, Priority: h.Priority, LoopLimit: h.LoopLimit,
		Entry: discovery.Entry{Builtin: true},
	}
}

// Find finds a built-in hook's function by name, for a runner: nil if there is none.
func Find(h host.Host, w *builtinhooks.Runtime) func(name string) runner.Builtin {
	return func(name string) runner.Builtin {
		b, hook, ok := h.Behaviours().Find(name)
		if !ok {
			return nil
		}
		main := builtinhooks.Main(b, hook, w)
		return func(ctx context.Context, env []string, stdin []byte, stdout, stderr io.Writer) int {
			return main(ctx, own(h, env), stdin, stdout, stderr)
		}
	}
}

// own is the environment of a built-in hook, and of the commands that it starts: the
// host's, plus the variables that the runner sets for hooks.
func own(h host.Host, env []string) []string {
	if !h.AgentForm {
		return env
	}
	out := slices.Clone(h.Env)
	for _, kv := range env {
		if runner.Sets(kv) || strings.HasPrefix(kv, "PATH=") {
			out = append(out, kv)
		}
	}
	return out
}

// last has the final decision on whether a behaviour is on.
func last(h host.Host, mayEnable bool, behaviour, project, root string, on bool) (bool, string) {
	b, ok := h.Behaviours().Named(behaviour)
	if !ok {
		return false, ""
	}
	name := b.Variable()
	switch set := h.Getenv(name); {
	case set == "":
	case !h.True(name):
		return false, name
	case mayEnable:
		on = true
	}
	if !on {
		return false, ""
	}
	for _, v := range b.OffEnv {
		if h.True(v) {
			return false, v
		}
	}
	for _, dir := range []string{root, project} {
		for _, m := range b.Markers {
			file := filepath.Join(dir, filepath.FromSlash(m))
			if dir == "" {
				continue
			}
			if _, err := os.Lstat(file); err != nil {
				continue // the usual case, for the cost of one call
			}
			if _, err := beneath.At(dir).Lstat(file); err == nil {
				return false, file
			}
		}
		if project == root {
			break
		}
	}
	return true, name
}

// Off reports whether the environment or a marker file switches a behaviour off,
// whatever the settings say, and which one does.
func Off(h host.Host, behaviour, project, root string) (by string, off bool) {
	on, by := last(h, false, behaviour, project, root, true)
	return by, !on
}

// Known are the built-in behaviours in the form that the reader of hooks.toml knows.
func Known(h host.Host) discovery.Behaviours {
	return discovery.Behaviours{
		Names: func() []string { return h.Behaviours().Names() },
		Key: func(layer discovery.LayerName, behaviour, name string, value any) (want string, known []string, loose bool) {
			b, ok := h.Behaviours().Named(behaviour)
			if !ok {
				return "", nil, false
			}
			return key(b.Settings(), layer, name, value)
		},
	}
}

// key says what is wrong with a setting in a table; see [discovery.Behaviours].
func key(table []builtinhooks.Setting, layer discovery.LayerName, name string, value any) (want string, known []string, loose bool) {
	for i := range table {
		if table[i].Key != name {
			known = append(known, table[i].Key)
			continue
		}
		if _, ok := table[i].Check(value); !ok {
			return table[i].Want(), nil, false
		}
		return "", nil, layer == discovery.ProjectLayer && !table[i].Reached(value)
	}
	return "", known, false
}

// SettingsOf are the settings of hooks.toml with which a set of hooks was loaded, for the folder of
// its event; those of another one are read.
func SettingsOf(set *discovery.Set, src discovery.Sources, h host.Host, workDir string) func(behaviour, dir string) map[string]any {
	elsewhere := Settings(src, h)
	return func(behaviour, dir string) map[string]any {
		if dir == "" || dir == workDir {
			return set.Settings.Builtin[behaviour]
		}
		return elsewhere(behaviour, dir)
	}
}

// Settings are those of hooks.toml for code without a set of hooks: a command, or a
// hook whose event is over. They are read again each time.
func Settings(src discovery.Sources, h host.Host) func(behaviour, workDir string) map[string]any {
	src.Behaviours = Known(h)
	return func(behaviour, workDir string) map[string]any {
		return discovery.LoadSettings(src, workDir).Settings.Builtin[behaviour]
	}
}
