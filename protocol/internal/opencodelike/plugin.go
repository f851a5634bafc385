package opencodelike

import (
	_ "embed"

	"github.com/agents-hooks/agents-hooks/protocol/internal/jsplugin"
)

//go:embed plugin.js
var part string

// Plugin is the source of the plugin, for install to fill in.
func Plugin() string { return jsplugin.Source(part) }
