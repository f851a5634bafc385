package agents

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

// Where each agent has its files on each system: without variables and files, with
// each variable that it asks for alone and all of them, and where every file exists. A
// variable has its name as its value. Only what differs is listed. Shared is what goes
// to others with the repository.
func TestPlacesOfFiles(t *testing.T) {
	var b strings.Builder
	b.WriteString("Where agents have their files: entries, MCP servers, what people wrote, the folder of the user.\n")
	for _, d := range All() {
		fmt.Fprintf(&b, "\n%s\n", d.ID)
		for _, scope := range []protocol.Scope{protocol.UserScope, protocol.ProjectScope} {
			for _, goos := range []string{"linux", "windows"} {
				s := protocol.Site{Scope: scope, GOOS: goos, Home: "/home", Project: "/p"}
				var asked []string
				s.Env = func(name string) string {
					asked = append(asked, name)
					return ""
				}
				plain := placesOf(d, s)
				fmt.Fprintf(&b, "  %s, %s: %s\n", scope, goos, plain)
				slices.Sort(asked)
				asked = slices.Compact(asked)
				list := func(why string, s protocol.Site) {
					if got := placesOf(d, s); got != plain {
						fmt.Fprintf(&b, "    %s: %s\n", why, got)
					}
				}
				for _, name := range asked {
					list(name, with(s, name))
				}
				if len(asked) > 1 {
					list("all of them", with(s, asked...))
				}
				s = with(s)
				s.Read = func(path string) ([]byte, error) { return []byte("{}"), nil }
				list("files that exist", s)
			}
		}
	}
	dialecttest.Golden(t, "testdata/places.txt", []byte(b.String()))
}

// with is a site where these variables are set, and no file exists.
func with(s protocol.Site, variables ...string) protocol.Site {
	s.Read = func(path string) ([]byte, error) { return nil, fs.ErrNotExist }
	s.Env = func(name string) string {
		if slices.Contains(variables, name) {
			return name
		}
		return ""
	}
	return s
}

// placesOf are an agent's files on a site, each named once.
func placesOf(d *protocol.Dialect, s protocol.Site) string {
	list := []string{d.Config.File(s)}
	if d.Config.Files != nil {
		list = append(list, d.Config.Files(s)...)
	}
	if d.MCP != nil {
		list = append(list, d.MCP.File(s))
	}
	if d.Custom != nil && d.Custom.Files != nil {
		list = append(list, d.Custom.Files(s)...)
	}
	if s.Scope == protocol.UserScope && d.Folder != nil {
		list = append(list, d.Folder(s))
	}
	var named []string
	for _, path := range list {
		if s.Shares(path) {
			path += " (shared)"
		}
		if path != "" && !slices.Contains(named, path) {
			named = append(named, path)
		}
	}
	return strings.Join(named, " ")
}
