package claude

import (
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func noOpinion(string) protocol.Reply { return protocol.Reply{} }

func encode(ev *protocol.Event, o protocol.Outcome) (protocol.Reply, []string) {
	a := claudelike.Answer{Max: fieldMax}
	a.Message(o.UserMessage)
	switch ev.Type {
	case protocol.PreToolCall:
		toolCall(&a, ev, o)
	case protocol.PreAgentTurn:
		if o.Decision == protocol.Block {
			a.Block("block", o.Reason)
		}
		a.Context(o.AdditionalContext)
	case protocol.PreAgentTurnStop, protocol.PostSubagent:
		goOn(&a, ev, o)
	case protocol.PreContextCompact:
		if o.Decision == protocol.Block {
			a.Block("block", o.Reason)
		} else if o.AdditionalContext != "" {
			return instructions(&a, o)
		}
	default:
		a.Context(o.AdditionalContext)
	}
	r := a.Reply(ev.NativeEvent, "")
	if ev.Type == protocol.PreSession {
		sessionEnv(&a, &r, ev.EnvFile, o.Env)
	} else {
		a.DropEnv(o)
	}
	return r, a.Warnings
}

// toolCall says what is to become of a tool call. There is no word for allow
// (claude-code/2); a changed input needs none.
func toolCall(a *claudelike.Answer, ev *protocol.Event, o protocol.Outcome) {
	switch o.Decision {
	case protocol.Block:
		a.Permission("deny", claudelike.Reason(o.Reason))
	case protocol.Ask:
		a.Permission("ask", claudelike.Question(o.Reason))
	}
	if o.Decision != protocol.Block {
		a.Input(ev, "updatedInput", o.ModifiedInput)
	}
	a.Context(o.AdditionalContext)
}

// goOn makes the agent, or a subagent, go on: a block says that something is
// wrong, a follow-up does not (claude-code/8).
func goOn(a *claudelike.Answer, ev *protocol.Event, o protocol.Outcome) {
	switch {
	case o.Decision == protocol.Block:
		a.GoOn("block", o.Reason)
	case o.FollowupMessage != "" && ev.Type == protocol.PostSubagent:
		// Only seen to work as a block there.
		a.GoOn("block", o.FollowupMessage)
	case o.FollowupMessage != "":
		a.Context(o.FollowupMessage)
		a.Continue = a.Specific.Text("additionalContext")
	}
}

// instructions are plain text: what a compaction is to keep in mind
// (claude-code/9).
func instructions(a *claudelike.Answer, o protocol.Outcome) (protocol.Reply, []string) {
	text := a.Cut("additional_context", strings.TrimSpace(o.AdditionalContext))
	if strings.HasPrefix(text, "{") {
		text = "Keep in mind:\n" + text // a brace would make it an answer in JSON
	}
	a.DropEnv(o)
	return protocol.Reply{Stdout: []byte(text + "\n")}, a.Warnings
}

// sessionEnv writes the session's variables where Claude Code takes them
// (claude-code/14).
func sessionEnv(a *claudelike.Answer, r *protocol.Reply, file string, env protocol.Object) {
	if len(env) == 0 {
		return
	}
	if !filepath.IsAbs(file) {
		a.DropEnv(protocol.Outcome{Env: env})
		return
	}
	var script []byte
	for _, m := range env {
		value, ok := a.Variable(m)
		if !ok {
			continue
		}
		script = append(script, "export "+m.Name+"="+text.ShellQuote(value)+"\n"...)
	}
	if len(script) > 0 {
		r.Files = append(r.Files, protocol.FileText{Path: file, Text: script})
	}
}
