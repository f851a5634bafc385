package goose

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var config = &protocol.Config{
	Shape:   protocol.NestedJSON,
	Events:  "hooks",
	File:    file,
	Shared:  true,
	Unit:    time.Second,
	Windows: protocol.QuoteSh, // sh -c, there too
}

// home is what stands for the user's home directory.
func home(s protocol.Site) string {
	if root := s.Getenv("GOOSE_PATH_ROOT"); root != "" {
		return root
	}
	return s.Home
}

// folder is where Goose keeps what belongs to its user.
func folder(s protocol.Site) string {
	if s.GOOS == "windows" && s.Getenv("APPDATA") != "" && s.Getenv("GOOSE_PATH_ROOT") == "" {
		return s.Join(s.Getenv("APPDATA"), "Block", "goose")
	}
	return s.Join(home(s), ".config", "goose")
}

// file is that of a plugin of our own.
func file(s protocol.Site) string {
	root := home(s)
	if s.Scope == protocol.ProjectScope {
		root = s.Project
	}
	return s.Join(root, ".agents", "plugins", "agents-hooks", "hooks", "hooks.json")
}
