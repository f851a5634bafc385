package opencodelike

import _ "embed"

// Plugin is the source of the plugin, for install to fill in.
//
//go:embed plugin.js
var Plugin string
