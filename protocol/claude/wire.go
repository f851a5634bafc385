package claude

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	p := in.Payload
	if in.NativeName() == "SubagentStop" && p.Has("agent_type") && p.Text("agent_type") == "" {
		return nil, nil // claude-code/3
	}
	in.Version = version(in.Getenv("AI_AGENT"))
	events := claudelike.Decode(in, id, natives, tools)
	if len(events) > 0 && events[0].Type == protocol.PreSession {
		events[0].EnvFile = in.Getenv("CLAUDE_ENV_FILE")
	}
	if len(events) > 0 && events[0].Type == protocol.PostToolCall {
		if _, v := output(events[0], "x"); v == nil {
			events[0].SetCan(events[0].Can &^ protocol.CanOutput) // claude-code/16
		}
	}
	return events, nil
}

// version reads the program's version from what it puts into the environment
// (claude-code/13).
func version(mark string) string {
	rest, ok := strings.CutPrefix(mark, "claude-code_")
	if !ok {
		return ""
	}
	rest, _, _ = strings.Cut(rest, "_")
	for _, c := range rest {
		if c != '-' && (c < '0' || c > '9') {
			return ""
		}
	}
	return strings.ReplaceAll(rest, "-", ".")
}

// detect recognises Claude Code by its transcript, which is named after the session,
// or by prompt_id. Others have copied most of its form; Cursor even runs its entries,
// but adds members of its own.
func detect(p protocol.Object) bool {
	name, session := p.Text("hook_event_name"), p.Text("session_id")
	if name == "" || session == "" || !p.Has("transcript_path") {
		return false
	}
	if slices.ContainsFunc([]string{"timestamp", "cursor_version", "generation_id", "client_type", "workspace_roots"}, p.Has) {
		return false
	}
	if claudelike.TranscriptIn(p, ".factory") || claudelike.TranscriptIn(p, ".qoder") {
		return false // Factory Droid and Qoder CLI, whose transcripts are named in the same way
	}
	if p.Text("turn_id") != "" && p.Text("model") != "" || name == "SessionStart" && p.Has("permission_mode") {
		return false // Codex
	}
	if p.Text("prompt_id") != "" {
		return true
	}
	return claudelike.TranscriptBase(p) == session+".jsonl" || claudelike.TranscriptIn(p, ".claude")
}

func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	a := claudelike.Answer{Max: fieldMax}
	a.Message(o.UserMessage)
	a.Halt(o.Halt)
	switch ev.Type {
	case protocol.PreToolCall:
		a.Verdict(ev, o) // claude-code/2
		a.Context(o.AdditionalContext)
	case protocol.PermissionRequest:
		a.Behavior(o) // claude-code/15
	case protocol.PostToolCall:
		if name, v := output(ev, o.ModifiedOutput); v != nil {
			a.Specific.Set(name, v)
		}
		a.Context(o.AdditionalContext)
	case protocol.PreAgentTurn:
		a.Prompt(o)
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
	if takesEnv(ev) {
		sessionEnv(&r, ev.EnvFile, o.Env)
	}
	return r
}

// output replaces the result of a call in the form that the agent accepts: in the
// shape of the tool, which is known for commands and for files that were read, or as
// text for a tool of an MCP server (claude-code/16).
func output(ev *protocol.Event, text string) (name string, v protocol.Raw) {
	if text == "" || ev.Call == nil {
		return "", nil
	}
	if strings.HasPrefix(ev.Call.NativeName, "mcp__") {
		return "updatedMCPToolOutput", protocol.Quote(text)
	}
	was := ev.Context.Sub("native").Sub("tool_response")
	if ev.Call.NativeName != "Bash" || !was.Has("stdout") {
		return "", nil
	}
	was = was.Clone()
	was.SetText("stdout", text)
	was.SetText("stderr", "")
	return "updatedToolOutput", was.Raw()
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

// instructions are plain text: what a compaction is to keep (claude-code/9).
func instructions(a *claudelike.Answer, o protocol.Outcome) protocol.Reply {
	text := a.Cut("additional_context", strings.TrimSpace(o.AdditionalContext))
	if strings.HasPrefix(text, "{") {
		text = "Keep in mind:\n" + text // a brace would make it a JSON answer
	}
	return protocol.Reply{Stdout: []byte(text + "\n"), Cuts: a.Cuts}
}

// takesEnv reports whether Claude Code named a file for session variables
// (claude-code/14).
func takesEnv(ev *protocol.Event) bool {
	return ev.Type == protocol.PreSession && filepath.IsAbs(ev.EnvFile)
}

// sessionEnv writes the session variables into that file.
func sessionEnv(r *protocol.Reply, file string, env protocol.Object) {
	var script []byte
	for _, m := range env {
		if value, ok := protocol.Variable(m); ok {
			script = append(script, "export "+m.Name+"="+text.ShellQuote(value)+"\n"...)
		}
	}
	if len(script) > 0 {
		r.Files = append(r.Files, protocol.FileText{Path: file, Text: script})
	}
}
