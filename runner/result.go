package runner

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// interpret turns how a hook ended into its verdict and outcome. It is pure.
// The order of the questions matters: not started, then stopped by us, then a
// signal, then the exit code; stdout is looked at only after an exit code of 0.
func interpret(h *discovery.Hook, ev *protocol.Event, e exitState, set *discovery.Settings) Result {
	r := Result{Hook: h, Exit: e.exit, Signal: e.signal, Async: h.Async, Stderr: stderrText(e.stderr)}
	fail := func(v Verdict, format string, args ...any) {
		r.Verdict = v
		r.Warning = fmt.Sprintf(format, args...)
	}
	switch {
	case e.err != nil:
		fail(NotStarted, "did not start: %v", e.err)
	case e.stop != notStopped:
		fail(TimedOut, "%s%s", stopText(e.stop, h.Timeout), quoteStderr(r.Stderr))
	case e.panicked != "":
		fail(Failed, "panicked: %s", protocol.Plain(firstLine(e.panicked)))
	case e.signal != "":
		fail(Failed, "was ended by %s%s", e.signal, quoteStderr(r.Stderr))
	case e.in != nil:
		r.hear(ev, e)
	case e.exit == 0:
		r.answer(ev, e.stdout, set.DenyJSON || h.DenyJSON)
	case e.exit == 2:
		r.Verdict = Blocked
		r.Outcome.Decision = protocol.Block
		r.Outcome.Reason = protocol.Plain(strings.TrimSpace(r.Stderr))
		if r.Outcome.Reason == "" {
			r.Outcome.Reason = "blocked this and gave no reason"
		}
	default:
		fail(Failed, "%s", undecided(e.exit, r.Stderr))
	}
	if ev.Type == protocol.Notification && r.Outcome.Decision != protocol.NoOpinion {
		if r.Verdict == Blocked {
			r.Verdict = OK
			r.Warning = "ended with exit code 2, which changes nothing on notification: nothing is about to happen"
		}
		r.Outcome.Decision, r.Outcome.Reason = protocol.NoOpinion, ""
	}
	if h.Copy != "" {
		// Its author can only fix the original.
		r.Warning = strings.ReplaceAll(r.Warning, h.Copy, h.Dir)
	}
	return r
}

// answer reads the stdout of a hook that ended with 0.
func (r *Result) answer(ev *protocol.Event, stdout capture, denyBlocks bool) {
	if stdout.over {
		r.Verdict = BadOutput
		r.Warning = fmt.Sprintf("stdout is over %d KiB; nothing of it is used", maxStdout>>10)
		return
	}
	a, err := protocol.ParseAnswer(stdout.data)
	if err != nil {
		r.Verdict = BadOutput
		r.Warning = err.Error() + "; nothing of it is used"
		return
	}
	r.Verdict = OK
	r.Outcome = a.Outcome
	r.Outcome.Reason = protocol.Plain(a.Reason)
	r.Outcome.UserMessage = protocol.Plain(a.UserMessage)
	warnings := append(a.Warnings, r.misplaced(ev)...)
	if a.Deny {
		if denyBlocks {
			r.Verdict = Blocked
			r.Outcome.Decision = protocol.Block
			if strings.TrimSpace(r.Outcome.Reason) == "" {
				r.Outcome.Reason = "denied this and gave no reason"
			}
		} else {
			r.deny = true
			warnings = append(warnings, `"decision": "deny" with exit code 0 does not block; exit with 2 and the reason on stderr (or set deny_json = "block" in hooks.toml)`)
		}
	}
	r.Warning = strings.Join(warnings, "; ")
}

// misplaced takes out of an answer what its event has no place for.
func (r *Result) misplaced(ev *protocol.Event) (warnings []string) {
	out := func(key string, events ...protocol.EventType) {
		names := make([]string, len(events))
		for i, t := range events {
			names[i] = string(t)
		}
		warnings = append(warnings, fmt.Sprintf("%s: means something on %s only; left out", key, strings.Join(names, " and ")))
	}
	if r.Outcome.ModifiedInput != nil && (ev.Type != protocol.PreToolCall || ev.Call == nil) {
		r.Outcome.ModifiedInput = nil
		out("modified_input", protocol.PreToolCall)
	}
	if r.Outcome.ModifiedOutput != "" && (!ev.Type.HasResult() || ev.Call == nil) {
		r.Outcome.ModifiedOutput = ""
		out("modified_output", protocol.PostToolCall, protocol.PostToolCallFailure)
	}
	if r.Outcome.FollowupMessage != "" && !canGoOn(ev.Type) {
		r.Outcome.FollowupMessage = ""
		out("followup_message", protocol.PreAgentTurnStop, protocol.PostSubagent)
	}
	if len(r.Outcome.Env) > 0 && ev.Type != protocol.PreSession {
		r.Outcome.Env = nil
		out("env", protocol.PreSession)
	}
	if box := r.Hook.Sandbox; len(r.Outcome.Env) > 0 && box != nil && !box.Env {
		r.Outcome.Env = nil
		warnings = append(warnings, "env: would act outside of its sandbox, in all that the agent starts; left out (sandbox_env = true in [trust] of your hooks.toml lets it)")
	}
	return warnings
}

// canGoOn reports whether an answer to t may make the agent go on after it had
// stopped.
func canGoOn(t protocol.EventType) bool {
	return t == protocol.PreAgentTurnStop || t == protocol.PostSubagent
}

// noVerdict reports whether v means that the hook ended without a verdict, which is
// when the failure policy applies.
func (v Verdict) noVerdict() bool { return v != OK && v != Blocked }

// applyPolicy turns the failure of a hook into a block where the settings, or
// the hook itself, say so, on events that can be prevented.
func (r *Result) applyPolicy(t protocol.EventType, general discovery.OnError) {
	if !r.Verdict.noVerdict() || !t.Prevents() {
		return
	}
	why, program := r.Hook.FailureBlocks(t, general)
	if why == "" || program && r.Verdict != Failed && r.Verdict != NotStarted {
		return
	}
	if k := r.Hook.Held; k != nil && !k.Allow {
		why = "it is locked by " + k.At + `: fix it, or write on_error = "allow" beside its name there`
	}
	r.Outcome.Decision = protocol.Block
	r.Outcome.Reason = fmt.Sprintf(`%s; its failure blocks (%s)`, protocol.Plain(r.Warning), protocol.Plain(why))
}

func stopText(why stop, limit time.Duration) string {
	switch why {
	case eventLimit:
		return "was stopped: the time of the whole event was over"
	case cancelled:
		return "was stopped: the dispatcher was told to end"
	}
	return fmt.Sprintf("was stopped after %v, its time limit", limit)
}

// stderrText is what a hook wrote on stderr, as text.
func stderrText(c capture) string {
	text := strings.ToValidUTF8(string(c.data), "\uFFFD")
	if c.over {
		text += fmt.Sprintf("\n[stderr cut here by agents-hooks, at %d KiB]", maxStderr>>10)
	}
	return text
}

// undecided says of an exit code that it is neither a yes nor a no, and what it
// means to a shell, where the hook itself did not say.
func undecided(exit int, stderr string) string {
	said, meaning := quoteStderr(stderr), ""
	switch {
	case said != "":
	case exit == 126:
		meaning = ": command cannot be executed"
	case exit == 127:
		meaning = ": command not found"
	}
	return fmt.Sprintf("failed (exit code %d%s), so it decided nothing%s", exit, meaning, said)
}

// quoteStderr is the first line of a stderr text, as the end of a warning.
func quoteStderr(stderr string) string {
	line := firstLine(protocol.Plain(stderr))
	if line == "" {
		return ""
	}
	return ": " + line
}

// firstLine is the first line of a text that holds anything, or its first 200
// characters.
func firstLine(s string) string { return text.Clip(text.FirstLine(s), 201) }

// place is where a problem is, as a prefix.
func place(p discovery.Problem) string {
	s := p.File
	if p.Line > 0 {
		s += fmt.Sprintf(":%d:%d", p.Line, p.Column)
	}
	if p.Field != "" {
		s += ": " + p.Field
	}
	if s != "" {
		s += ": "
	}
	return s
}

// Fold merges the results of an event's hooks, in their order, into one outcome. It
// is pure.
//
//   - The strongest decision stands: block, then ask, then allow. Its reasons
//     are kept, those of weaker decisions are not.
//   - The last modified input stands, and the last modified output, whatever the
//     decision, so that hidden text stays hidden. The environments are merged.
//   - Every reason, follow-up and user message begins with the name of its hook
//     in brackets. Several are joined by a blank line.
//   - Several contexts are joined in the same way, each below a line
//     [hook-name]; a single one is unchanged.
//   - A block drops contexts, modified input and environment, unless the event
//     cannot carry a block at all, which [protocol.Fit] decides later. If a block makes
//     the agent go on, follow-ups of earlier hooks are added to its reason, so that no
//     text is lost.
func Fold(ev *protocol.Event, results []Result) protocol.Outcome {
	var o protocol.Outcome
	for _, r := range results {
		o.Decision = max(o.Decision, r.Outcome.Decision)
	}
	block := o.Decision == protocol.Block && ev.Can.Has(protocol.CanBlock)
	var reasons, messages, followups, halts parts
	var contexts []Result
	var logs []protocol.Raw
	var rewriter *discovery.Hook // the last one, or the last that insists
	var wants protocol.Object    // what it wants
	for _, r := range results {
		name, out := r.Hook.Name, r.Outcome
		if block && canGoOn(ev.Type) {
			reasons.add(name, out.FollowupMessage)
		}
		if out.Decision == o.Decision {
			reasons.add(name, question(out))
		}
		if strings.TrimSpace(out.AdditionalContext) != "" {
			contexts = append(contexts, r)
		}
		messages.add(name, out.UserMessage)
		followups.add(name, out.FollowupMessage)
		halts.add(name, out.Halt)
		if out.ModifiedInput != nil {
			o.ModifiedInput = out.ModifiedInput
			if rewriter == nil || r.Hook.Insists || !rewriter.Insists {
				rewriter, wants = r.Hook, out.ModifiedInput
			}
		}
		if out.ModifiedOutput != "" {
			o.ModifiedOutput = out.ModifiedOutput
			o.Replacers = strings.TrimPrefix(o.Replacers+", "+name, ", ")
		}
		for _, m := range out.Env {
			o.Env.Set(m.Name, m.Value)
		}
		if len(out.Env) > 0 {
			o.EnvFrom = strings.TrimPrefix(o.EnvFrom+", "+name, ", ")
		}
		if len(out.Log) > 0 {
			logs = append(logs, out.Log)
		}
		for _, m := range out.Extra {
			o.Extra.Set(m.Name, m.Value)
		}
	}
	o.Reason = reasons.join()
	o.AdditionalContext = joinContexts(contexts)
	o.UserMessage = messages.join()
	o.FollowupMessage = followups.join()
	o.Halt = halts.join()
	o.Log = list(logs)
	if block {
		o.AdditionalContext, o.FollowupMessage, o.ModifiedInput, o.Env, o.EnvFrom = "", "", nil, nil, ""
	}
	if o.ModifiedInput != nil {
		o.Insists, o.Wanted = rewriter.Insists, named(rewriter.Name, wanted(ev, wants))
	}
	return o
}

// wanted says which input a hook wants, for whoever can make the call but cannot
// be given that. A hook may have put a secret into it.
func wanted(ev *protocol.Event, input protocol.Object) string {
	const most, each = 2000, 500 // characters
	said := "wants this call with another input, and this agent takes none from a hook"
	if ev.Unread != "" {
		said = "wants this call with another input, which would lose " + ev.Unread
	}
	raw := input.Raw()
	if len(raw) > 64<<10 {
		return fmt.Sprintf("%s: one of %d KiB", said, len(raw)>>10)
	}
	clean, _ := redact.Log.JSON(raw, func(s string) string { return text.Clip(protocol.Plain(s), each) })
	return said + ": make it with " + text.Clip(protocol.Plain(string(clean)), most)
}

// question is the reason of an outcome; nobody is asked without one.
func question(o protocol.Outcome) string {
	if o.Decision == protocol.Ask && strings.TrimSpace(o.Reason) == "" {
		return "wants a person to approve this"
	}
	return o.Reason
}

// parts are what hooks add to a text, each with its name.
type parts []string

func (p *parts) add(hook, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	if text = named(hook, text); !slices.Contains(*p, text) { // a hook may be asked twice
		*p = append(*p, text)
	}
}

func (p parts) join() string { return strings.Join(p, "\n\n") }

// named puts the name of a hook before what it says, once: some say it themselves.
func named(hook, said string) string {
	head := "[" + protocol.Plain(hook) + "]"
	for _, own := range []string{head, hook + ":"} {
		if rest, ok := strings.CutPrefix(said, own); ok {
			said = strings.TrimSpace(rest)
			break
		}
	}
	return strings.TrimSpace(head + " " + said)
}

func joinContexts(list []Result) string {
	if len(list) == 1 {
		return list[0].Outcome.AdditionalContext
	}
	var texts []string
	for _, r := range list {
		texts = append(texts, "["+r.Hook.Name+"]\n"+strings.Trim(r.Outcome.AdditionalContext, "\n"))
	}
	return strings.Join(texts, "\n\n")
}

// list is one log value as it is, several as an array.
func list(logs []protocol.Raw) protocol.Raw {
	if len(logs) == 0 {
		return nil
	}
	if len(logs) == 1 {
		return logs[0]
	}
	return protocol.ListOf(logs, func(l protocol.Raw) protocol.Raw { return protocol.AppendValue(nil, l) })
}
