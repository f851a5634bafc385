package hooks

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/dirs"
	"github.com/agents-hooks/agents-hooks/internal/notice"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/protocol/spec"
	"github.com/agents-hooks/agents-hooks/runner"
)

// maxDepth is how many dispatchers may be nested: beyond it only locked hooks run.
const maxDepth = 3

// inside runs hooks in this process, like the dispatcher in spec form.
type inside struct {
	opt    Options
	vars   map[string]string
	home   string
	own    dirs.Own
	self   string // the program that starts async hooks
	nested int
	memo   discovery.Memo
}

func newInside(o Options) *inside {
	e := &inside{opt: o, vars: map[string]string{}}
	for _, kv := range o.Env {
		if name, value, ok := strings.Cut(kv, "="); ok && name != "" {
			e.vars[fold(name)] = value
		}
	}
	where := dirs.Environment{Getenv: e.getenv, GOOS: runtime.GOOS}
	e.home = where.FindHome()
	where.Home = e.home
	e.own = where.Below(where.Base())
	e.self = e.dispatcher()
	depth, _ := strconv.Atoi(e.getenv("AGENTS_HOOKS_DEPTH"))
	e.nested = max(depth, runner.Nested(e.own.State, e.getenv("AGENTS_HOOKS_TICKET")))
	return e
}

func (e *inside) close() error { return nil }

func (e *inside) getenv(name string) string { return e.vars[fold(name)] }

func fold(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// on reports whether a switch in the environment is on.
func (e *inside) on(name string) bool {
	switch strings.ToLower(e.getenv(name)) {
	case "", "0", "false", "no", "off":
		return false
	}
	return true
}

// ask runs the hooks of an event. A bug of ours becomes an error, and never ends the
// program that imports this package.
func (e *inside) ask(ctx context.Context, payload protocol.Object) (out Outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = Outcome{}, &Error{Kind: "bug", Text: fmt.Sprintf("internal error: %v", p)}
		}
	}()
	start := time.Now()
	payload, unread, err := protocol.ParseEvent(payload.Raw())
	if err != nil {
		return Outcome{}, &Error{Kind: "unreadable", Text: err.Error(), Err: err}
	}
	events, err := spec.Dialect.Decode(protocol.Input{Payload: payload, Unread: unread, WorkDir: e.opt.WorkDir, Env: e.getenv, Now: start})
	if err != nil {
		return Outcome{}, &Error{Kind: "unreadable", Text: err.Error(), Err: err}
	}
	if len(events) == 0 {
		return Outcome{}, &Error{Kind: "event", Text: fmt.Sprintf("event_type %q is not one of the format's events", payload.Text("event_type"))}
	}
	ev := events[0]
	ses := e.session(ev)
	set, known := e.load(ctx, ev)
	if e.nested > maxDepth {
		known = append(known, runner.Warning{Kind: "depth", Text: fmt.Sprintf("%d dispatchers stand inside one another, at most %d may: only locked hooks run; is a hook running an agent that runs this hook?", e.nested, maxDepth)})
	}
	r := e.runner()
	r.Session = ses
	rep := r.Run(ctx, ev, set)
	fitted, losses := spec.Dialect.Fit(rep.Event, rep.Outcome, protocol.Policy{Unsupported: set.Settings.OnUnsupported, Plain: set.Settings.PlainBlock})
	notices := append(notice.Of(rep, set, losses, spec.Dialect.Name, known), ses.Warnings()...)
	allowed := fitted.Decision == protocol.Allow && ev.Type.Permits()
	if unkept := e.log(rep, set, start, fitted, notices, allowed); unkept != nil {
		notices = append(notices, *unkept)
		if allowed { // a permission that cannot be logged is not given
			fitted.Decision, fitted.Reason = protocol.NoOpinion, ""
		}
	}
	out = outcomeOf(fitted.Object())
	if fitted.Decision == protocol.Block {
		out.Decision, out.BlockedBy = Block, notice.BlockedBy(rep, fitted.Decision)
	}
	late := ctx.Err() != nil && !out.Blocked()
	if len(rep.Async) > 0 && !late {
		notices = append(notices, e.start(r, rep.Async, set)...)
	}
	notices = notice.Fresh(ses, slices.DeleteFunc(notices, notice.IsRefused))
	for _, w := range notices {
		out.Warnings = append(out.Warnings, Warning{protocol.Plain(w.Hook), w.Kind, protocol.Plain(w.Text)})
	}
	if late {
		return Outcome{Warnings: out.Warnings}, cancelled(ctx.Err())
	}
	return out, nil
}

// session is the state of the session. Within a hook there is none: the outer
// dispatcher keeps it.
func (e *inside) session(ev *protocol.Event) *runner.Session {
	if e.nested > 0 || ev.SessionID == "" {
		return nil
	}
	ses := runner.OpenSession(e.own.State, ev.Agent, ev.SessionID)
	if source := ev.Fields.Text("source"); ev.Type == protocol.PreAgentTurn && (source == "" || source == "user") {
		ses.PromptArrived(ev.Fields.Text("prompt"))
	}
	return ses
}

// load finds the hooks of an event, and records where the session began: the hooks of
// that project apply wherever the session goes.
func (e *inside) load(ctx context.Context, ev *protocol.Event) (*discovery.Set, []runner.Warning) {
	always := e.opt.TrustProject || e.getenv("AGENTS_HOOKS_TRUST") == "always"
	src := discovery.Sources{
		System: e.own.System, User: e.own.Config, Home: e.home, State: e.own.State,
		TrustAlways: always, AnyOwner: always,
		Off:       e.on("AGENTS_HOOKS_DISABLE") || e.nested > maxDepth,
		OffNames:  strings.FieldsFunc(e.getenv("AGENTS_HOOKS_DISABLED_HOOKS"), func(r rune) bool { return r == ',' || r == ' ' }),
		Debug:     e.on("AGENTS_HOOKS_DEBUG"),
		NoProject: e.opt.NoProject, GOOS: runtime.GOOS, Tongues: agents.Tongues, Memo: &e.memo, Ctx: ctx,
	}
	begins := ev.Type == protocol.PreSession && ev.Fields.Text("source") == "startup"
	if !begins {
		src.Kept = runner.Roots(e.own.State, ev.SessionID)
	}
	src.Tools = discovery.ToolNames(ev)
	set := discovery.LoadEvent(src, ev.Type, ev.WorkDir)
	roots, changed := set.Roots()
	if !changed && !(begins && len(runner.Roots(e.own.State, ev.SessionID)) > 0) {
		return set, nil
	}
	if err := runner.KeepRoots(e.own.State, ev.SessionID, roots); err != nil {
		return set, []runner.Warning{{Kind: "state", Text: fmt.Sprintf("where this session began cannot be kept: %v", err)}}
	}
	return set, nil
}

func (e *inside) runner() *runner.Runner {
	r := &runner.Runner{Env: e.opt.Env, State: e.own.State, Self: e.self, Home: e.home, Nested: e.nested}
	if runtime.GOOS == "windows" && e.self != "" {
		r.Shell = []string{filepath.Join(filepath.Dir(e.self), "agents-hooks.exe"), runner.ShellVerb}
	}
	return r
}

// start starts async hooks, which may outlive this process.
func (e *inside) start(r *runner.Runner, list []runner.Launch, set *discovery.Set) []runner.Warning {
	if e.self == "" {
		return []runner.Warning{{Kind: "async", Text: fmt.Sprintf("%d async hooks were not started: neither agents-hooks-run nor agents-hooks is in %s or on the PATH; install agents-hooks, or say which in Options.Dispatcher", len(list), filepath.Join(e.own.Data, "bin"))}}
	}
	return r.Start(list, set)
}

// dispatcher is the program that starts async hooks, "" if there is none.
func (e *inside) dispatcher() string {
	if e.opt.Dispatcher != "" {
		return e.opt.Dispatcher
	}
	suffix := ""
	if runtime.GOOS == "windows" {
		suffix = ".exe"
	}
	places := append([]string{filepath.Join(e.own.Data, "bin")}, filepath.SplitList(e.getenv("PATH"))...)
	for _, name := range []string{"agents-hooks-run" + suffix, "agents-hooks" + suffix} {
		for _, dir := range places {
			path := filepath.Join(dir, name)
			if info, err := os.Stat(path); filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() {
				return path
			}
		}
	}
	return ""
}

// log writes the log line of an event, unless there are no hooks at all.
func (e *inside) log(rep runner.Report, set *discovery.Set, start time.Time, fitted protocol.Outcome, notices []runner.Warning, allowed bool) *runner.Warning {
	if set.Found == 0 && len(notices) == 0 {
		return nil
	}
	line := runner.NewLogLine(rep, set, start, set.Settings.Debug)
	line.Decision = fitted.Decision.String()
	if allowed {
		line.Allowed = rep.Allowed
	}
	line.Warnings = notices
	err := runner.AppendLog(e.own.State, line)
	if err == nil {
		return nil
	}
	return &runner.Warning{Kind: "state", Text: fmt.Sprintf("this event is not in the run log: %v", err)}
}
