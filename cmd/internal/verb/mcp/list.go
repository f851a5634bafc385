package mcp

import (
	"cmp"

	"github.com/agents-hooks/agents-hooks/cmd/internal/mcp"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// A listedTool is a tool as mcp --list prints it.
type listedTool struct {
	Set         string `json:"set"`
	Name        string `json:"name"`
	Offered     bool   `json:"offered"`
	Core        bool   `json:"core"`
	ReadOnly    bool   `json:"read_only"`
	Destructive bool   `json:"destructive"`
	Command     string `json:"command"`
	Description string `json:"description"`
	Off         string `json:"off"` // why its set is off, "" if it is on
}

// list are the tools that the server has, and whether it would offer them.
func list(s *mcp.Server) []listedTool {
	dir := cmp.Or(s.Dir, s.Start)
	rows := []listedTool{}
	for _, set := range s.Sets {
		off := ""
		if set.Off != nil {
			off = set.Off(dir)
		}
		for _, o := range set.Ops {
			rows = append(rows, listedTool{set.Name, o.Name, off == "" && (o.Core || s.Full[set.Name]), o.Core, o.ReadOnly, o.Destructive, set.Command(&o), o.Model.English, off})
		}
	}
	return rows
}

func printTools(sh *shell.Shell, rows []listedTool) {
	last := ""
	for _, r := range rows {
		if r.Set != last {
			state := "on"
			if r.Off != "" {
				state = "off, " + r.Off
			}
			sh.Printf("%s (%s)\n", r.Set, state)
			last = r.Set
		}
		mark := " "
		if r.Offered {
			mark = "+"
		}
		sh.Printf("%s %-24s %s\n", mark, r.Name, shell.Headline(r.Description))
	}
}
