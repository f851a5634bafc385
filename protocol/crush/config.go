package crush

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var config = &protocol.Config{
	Shape:   protocol.FlatJSON,
	Events:  "hooks",
	File:    file,
	Unit:    time.Second,
	Named:   "agents-hooks",
	Windows: protocol.QuoteSh, // crush/7
}

// folder is where Crush keeps a user's files.
func folder(s protocol.Site) string {
	if dir := s.Getenv("CRUSH_GLOBAL_CONFIG"); dir != "" {
		return dir
	}
	if dir := s.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return s.Join(dir, "crush")
	}
	return s.Join(s.Home, ".config", "crush")
}

func file(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".crush.json"), s.Join(folder(s), "crush.json"))
}
