package opencodelike

import (
	_ "embed"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/jsplugin"
)

//go:embed plugin.js
var part string

// Plugin is the source of the plugin, for install to fill in.
func Plugin() string { return jsplugin.Source(part) }

// npmrc shortens the pauses between npm's tries, without which nothing is lost: at its next
// start the agent begins anew.
const npmrc = `# agents-hooks: this agent waits for npm in this folder before it loads a plugin.
# Offline, three tries with these pauses fail after 2 s instead of 70.
fetch-retry-mintimeout=250
fetch-retry-maxtimeout=1000
`

// Npmrc is the file that keeps a first start without a network from waiting, in the
// user's folder of the agent. A project's belongs to its repository.
func Npmrc(s protocol.Site, folder string) (file, text string) {
	if s.Scope != protocol.UserScope {
		return "", ""
	}
	return s.Join(folder, ".npmrc"), npmrc
}
