package kimilike

import "github.com/agents-hooks/agents-hooks/protocol"

// File is the user's config.toml in a program's folder; projects have none.
func File(s protocol.Site, folder string) string {
	return s.ByScope("", s.Join(folder, "config.toml"))
}
