package opencode

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/opencodelike"
)

const id = "opencode"

// Dialect is OpenCode.
var Dialect = &protocol.Dialect{
	ID:         id,
	Name:       "OpenCode",
	Observed:   "1.18.33",
	Doc:        "https://opencode.ai/docs/plugins",
	Natives:    opencodelike.Natives,
	Others:     opencodelike.Others,
	EventName:  opencodelike.EventName,
	Tools:      opencodelike.Tools,
	ToolSource: "source",
	Quirks:     quirks,
	Echoes:     true,
	Detect:     detect,
	Decode:     decode,
	Encode:     opencodelike.Encode,
	TakesEnv:   opencodelike.TakesEnv,
	NoOpinion:  opencodelike.NoOpinion,
	Config:     config,
	MCP:        servers,
	Programs:   []string{"opencode"},
	Markers:    []string{"OPENCODE", "OPENCODE_PID"},
	Folder:     folder,
	Skills:     protocol.Skills{Project: ".opencode/skills", User: folder},
	Notes: []string{
		"programs that are open must be started again",
		"OpenCode fetches @opencode-ai/plugin from the registry at its first start with a plugin, and waits for it; offline that start hangs",
		"opencode run leaves before it can be made to go on; in the terminal interface it goes on",
	},
}

var config = &protocol.Config{
	Shape:  protocol.Plugin,
	File:   file,
	Shared: true,
	Unit:   time.Millisecond,
	Text:   opencodelike.Plugin,
}

// folder is where OpenCode keeps what belongs to its user, on every system.
func folder(s protocol.Site) string {
	if dir := s.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return s.Join(dir, "opencode")
	}
	return s.Join(s.Home, ".config", "opencode")
}

func file(s protocol.Site) string {
	if s.Scope == protocol.ProjectScope {
		return s.Join(s.Project, ".opencode", "plugin", "agents-hooks.js")
	}
	return s.Join(folder(s), "plugin", "agents-hooks.js")
}

func decode(in protocol.Input) ([]*protocol.Event, error) { return opencodelike.Decode(in, id), nil }

// detect tells OpenCode by the frame of our plugin. A frame that does not say
// whose it is, is its own, unless the fork started us.
func detect(p protocol.Object) bool {
	return opencodelike.Detect(p, id, true)
}

var quirks = []protocol.Quirk{
	{ID: "opencode/1", Seen: "1.18.33", Text: "there are no commands as hooks; a plugin of ours calls the dispatcher, and has its own limits of time"},
	{ID: "opencode/2", Seen: "1.18.33", Text: "permission.ask stands in the types of plugins and is never called; an ask is a block"},
	{ID: "opencode/3", Seen: "1.18.33", Text: "a call is blocked by throwing; the model gets the text, and the call is reported as failed, which is not told to hooks"},
	{ID: "opencode/4", Seen: "1.18.33", Text: "the input of a call is changed in place; an object put in its place is not looked at"},
	{ID: "opencode/5", Seen: "1.18.33", Text: "tool.execute.after does not fire for a call that failed; a part of a message with state error is post-tool-call-failure"},
	{ID: "opencode/6", Seen: "1.18.33", Text: "tool.execute.after does fire for a command that exits with another code than 0; that is post-tool-call-failure too"},
	{ID: "opencode/7", Seen: "1.18.33", Text: "a part with ids that are not the message's breaks the turn; the one with context has them"},
	{ID: "opencode/8", Seen: "1.18.33", Text: "throwing on a prompt ends the turn with UnknownError and without the text; a prompt is emptied instead, and its request fails with the reason in chat.params"},
	{ID: "opencode/9", Seen: "1.18.33", Text: "there is no place for context at a session's start; it is a system message of every request of the session, but for the title"},
	{ID: "opencode/10", Seen: "1.18.33", Text: "session.idle comes twice after session.error; a turn ends once"},
	{ID: "opencode/11", Seen: "1.18.33", Text: "a prompt of the plugin makes it go on; opencode run leaves before that, but not where it is attached to a server"},
	{ID: "opencode/12", Seen: "1.18.33", Text: "the prompt that makes it go on comes back as chat.message; not an event"},
	{ID: "opencode/13", Seen: "1.18.33", Text: "a subagent is a session with a parent; its events have the parent's session_id, and its own as agent_id"},
	{ID: "opencode/14", Seen: "1.18.33", Text: "a session that is taken up again is not created; its first prompt is pre-session with source resume"},
	{ID: "opencode/15", Seen: "1.18.33", Text: "tools of MCP servers are named SERVER_TOOL; the plugin knows the servers"},
	{ID: "opencode/16", Seen: "1.18.33", Text: "there is no event at the end of a session, but a plugin's dispose is called when its instance ends, opencode run included; on a signal there is nothing"},
	{ID: "opencode/17", Seen: "1.18.33", Text: "opencode run puts the prompt into quotes of its own; they are part of prompt"},
	{ID: "opencode/18", Seen: "1.18.33", Text: "a tool that does not exist is called as invalid"},
	{ID: "opencode/19", Seen: "1.18.33", Text: "messages are shown in the terminal interface only, as a toast"},
	{ID: "opencode/20", Seen: "1.18.33", Text: "the terminal shows no text of a call that failed, only the command in red; the reason of a block is a toast"},
}
