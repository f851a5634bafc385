package opencodelike

import (
	_ "embed"

	"github.com/agents-hooks/agents-hooks/protocol/internal/jsplugin"
)

//go:embed plugin.js
var part string

// Plugin is the source of the plugin, for install to fill in.
var Plugin = jsplugin.Source(part)
