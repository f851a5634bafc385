package goose

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var config = &protocol.Config{
	Shape:   protocol.NestedJSON,
	Events:  "hooks",
	File:    file,
	Unit:    time.Second,
	Windows: protocol.QuoteSh, // sh -c, on Windows too
}

// home is what stands for the user's home directory.
func home(s protocol.Site) string {
	if root := s.Getenv("GOOSE_PATH_ROOT"); root != "" {
		return root
	}
	return s.Home
}

// folder is where Goose keeps a user's files.
func folder(s protocol.Site) string {
	if s.GOOS == "windows" && s.Getenv("APPDATA") != "" && s.Getenv("GOOSE_PATH_ROOT") == "" {
		return s.Join(s.Getenv("APPDATA"), "Block", "goose")
	}
	return s.Join(home(s), ".config", "goose")
}

// file is the one in our own plugin.
func file(s protocol.Site) string {
	return s.Join(s.ByScope(s.Project, home(s)), ".agents", "plugins", "agents-hooks", "hooks", "hooks.json")
}
