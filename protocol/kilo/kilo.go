package kilo

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/opencodelike"
)

const id = "kilo"

// Dialect is Kilo CLI.
var Dialect = &protocol.Dialect{
	ID:             id,
	Aliases:        []string{"kilo-cli", "kilocode"},
	Name:           "Kilo CLI",
	Observed:       "7.7.9",
	Doc:            "https://kilo.ai/docs/cli",
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
	Programs:       []string{"kilo"},
	Markers:        []string{"KILO", "KILO_PID"},
	Folder:         folder,
	Skills:         protocol.Skills{Project: ".kilo/skills", User: func(s protocol.Site) string { return s.Join(s.Home, ".kilo") }},
	Notes: []string{
		"restart open programs",
		"at its first start with a plugin Kilo CLI fetches its plugin package from the registry and waits for it; offline that takes two seconds with the .npmrc that install writes, if none is there, and over a minute without",
		"kilo run exits before a hook can make it go on; the terminal interface does go on",
	},
}

var config = &protocol.Config{
	Shape:  protocol.Plugin,
	File:   file,
	Unit:   time.Millisecond,
	Text:   opencodelike.Plugin,
	Beside: npmrc,
}

// folder is where Kilo CLI keeps a user's files, on every system.
func folder(s protocol.Site) string {
	if dir := s.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return s.Join(dir, "kilo")
	}
	return s.Join(s.Home, ".config", "kilo")
}

func file(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".kilo", "plugin", "agents-hooks.js"), s.Join(folder(s), "plugin", "agents-hooks.js"))
}

func npmrc(s protocol.Site) (name, text string) { return opencodelike.Npmrc(s, folder(s)) }

func decode(in protocol.Input) ([]*protocol.Event, error) { return opencodelike.Decode(in, id), nil }

// detect recognises Kilo CLI by the frame of our plugin, which names its agent, or by
// the variable that the program sets in the environment.
func detect(p protocol.Object) bool {
	return opencodelike.Detect(p, id, false)
}

var quirks = []protocol.Quirk{
	{ID: "kilo/1", Seen: "7.7.9", Text: "a fork of OpenCode with the same plugins; OpenCode's quirks 1 to 16 apply"},
	{ID: "kilo/2", Seen: "7.7.9", Text: "it has plugin folders of its own: plugin in ~/.config/kilo and in a project's .kilo"},
	{ID: "kilo/3", Seen: "7.7.9", Text: "its payloads are OpenCode's; our plugin says which of the two runs it"},
	{ID: "kilo/4", Seen: "7.7.9", Text: "a tool that does not exist calls no hook at all"},
	{ID: "kilo/5", Seen: "7.7.9", Text: "it sends session.drained before it exits; we ignore it"},
	{ID: "kilo/6", Seen: "7.7.9", Text: "kilo run requests no title"},
	{ID: "kilo/7", Seen: "7.7.9", Text: "it sets OPENCODE in the environment as well as KILO"},
}
