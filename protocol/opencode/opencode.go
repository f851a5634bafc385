package opencode

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/opencodelike"
)

const id = "opencode"

// Dialect is OpenCode.
var Dialect = &protocol.Dialect{
	ID:             id,
	Name:           "OpenCode",
	Observed:       "1.18.33",
	Doc:            "https://opencode.ai/docs/plugins",
	NativeEvents:   opencodelike.NativeEvents,
	Others:         opencodelike.Others,
	EventName:      opencodelike.EventName,
	Tools:          opencodelike.Tools,
	ToolSource:     "source",
	Quirks:         quirks,
	EchoesFollowup: true,
	Detect:         detect,
	Decode:         decode,
	Encode:         opencodelike.Encode,
	TakesEnv:       opencodelike.TakesEnv,
	NoOpinion:      protocol.Silence,
	Config:         config,
	MCP:            servers,
	Programs:       []string{"opencode"},
	Markers:        []string{"OPENCODE", "OPENCODE_PID"},
	Folder:         folder,
	Skills:         protocol.Skills{Project: ".opencode/skills", User: folder},
	Notes: []string{
		"restart open programs",
		"at its first start with a plugin OpenCode fetches @opencode-ai/plugin from the registry and waits for it; offline that takes two seconds with the .npmrc that install writes, if none is there, and over a minute without",
		"opencode run exits before a hook can make it go on; the terminal interface does go on",
	},
}

var config = &protocol.Config{
	Shape:  protocol.Plugin,
	File:   file,
	Unit:   time.Millisecond,
	Text:   opencodelike.Plugin,
	Beside: npmrc,
}

// folder is where OpenCode keeps a user's files, on every system.
func folder(s protocol.Site) string {
	if dir := s.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return s.Join(dir, "opencode")
	}
	return s.Join(s.Home, ".config", "opencode")
}

func file(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".opencode", "plugin", "agents-hooks.js"), s.Join(folder(s), "plugin", "agents-hooks.js"))
}

func npmrc(s protocol.Site) (name, text string) { return opencodelike.Npmrc(s, folder(s)) }

func decode(in protocol.Input) ([]*protocol.Event, error) { return opencodelike.Decode(in, id), nil }

// detect recognises OpenCode by the frame of our plugin. A frame that does not name
// its agent is OpenCode's, unless the fork started us.
func detect(p protocol.Object) bool {
	return opencodelike.Detect(p, id, true)
}

var quirks = []protocol.Quirk{
	{ID: "opencode/1", Seen: "1.18.33", Text: "hooks cannot be commands; our plugin calls the dispatcher, with its own time limits"},
	{ID: "opencode/2", Seen: "1.18.33", Text: "permission.ask is in the plugin types but never called; an ask becomes a block"},
	{ID: "opencode/3", Seen: "1.18.33", Text: "a call is blocked by throwing; the model gets the text, and the call is reported as failed, which we do not report to hooks"},
	{ID: "opencode/4", Seen: "1.18.33", Text: "a call's input is changed in place; a replacement object is ignored"},
	{ID: "opencode/5", Seen: "1.18.33", Text: "tool.execute.after does not fire for a failed call; a message part with state error becomes post-tool-call-failure"},
	{ID: "opencode/6", Seen: "1.18.33", Text: "tool.execute.after does fire for a command with a non-zero exit code; that becomes post-tool-call-failure too"},
	{ID: "opencode/7", Seen: "1.18.33", Text: "a part whose ids differ from the message's breaks the turn; the part with our context has the message's ids"},
	{ID: "opencode/8", Seen: "1.18.33", Text: "throwing on a prompt ends the turn with UnknownError and without the text; we empty a blocked prompt instead, and its request fails with the reason in chat.params"},
	{ID: "opencode/9", Seen: "1.18.33", Text: "a session's start cannot carry context; we add it as a system message to every request of the session except the one for the title"},
	{ID: "opencode/10", Seen: "1.18.33", Text: "session.idle comes twice after session.error; we report one end of the turn"},
	{ID: "opencode/11", Seen: "1.18.33", Text: "a prompt from the plugin makes it go on; opencode run exits before that, unless it is attached to a server"},
	{ID: "opencode/12", Seen: "1.18.33", Text: "the prompt that makes it go on comes back as chat.message; we do not report that as an event"},
	{ID: "opencode/13", Seen: "1.18.33", Text: "a subagent is a session with a parent; its events get the parent's session_id, and its own as agent_id"},
	{ID: "opencode/14", Seen: "1.18.33", Text: "a resumed session sends no event of its creation; its first prompt brings pre-session with source resume"},
	{ID: "opencode/15", Seen: "1.18.33", Text: "MCP tools are named SERVER_TOOL; the plugin knows the servers"},
	{ID: "opencode/16", Seen: "1.18.33", Text: "there is no event at the end of a session, but a plugin's dispose is called when its instance ends, including opencode run; a signal brings nothing"},
	{ID: "opencode/17", Seen: "1.18.33", Text: "opencode run puts the prompt in quotes; they are part of prompt"},
	{ID: "opencode/18", Seen: "1.18.33", Text: "a call of a tool that does not exist is a call of the tool invalid"},
	{ID: "opencode/19", Seen: "1.18.33", Text: "messages are shown only in the terminal interface, as a toast"},
	{ID: "opencode/20", Seen: "1.18.33", Text: "for a failed call the terminal shows only the command, in red; we show a block's reason as a toast"},
}
