package kiro

import "github.com/agents-hooks/agents-hooks/protocol"

// The folder of hooks is read whole.
var custom = &protocol.Custom{Files: func(s protocol.Site) []string { return s.JSONBeside(file(s)) }}
