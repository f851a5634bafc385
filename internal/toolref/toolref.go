package toolref

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Tool stands for the name of a tool in a Spelling.
const Tool = "TOOL"

// A Server is a registration of the MCP server in an agent.
type Server struct {
	Project  string   // the root of the project that it holds for, "" for all
	Spelling string   // what the agent calls a tool: mcp__agents-hooks__TOOL
	Tools    []string // what it offers
}

// Names are the ways to call in one agent. The zero value knows commands of
// "agents-hooks" only.
type Names struct {
	Program string // the program, as the PATH or the file system has it; "" for "agents-hooks"
	server  Server
}

// File is where the servers of an agent are noted. An agent's id is a plain word;
// what is none has no file.
func File(state, agent string) string {
	if state == "" || agent == "" || strings.ContainsAny(agent, `/\:`) || agent[0] == '.' {
		return ""
	}
	return filepath.Join(state, "mcp", agent)
}

// Of are the names in an agent that works in dir. marker is the content of its
// [File], nil if there is none; program as in [Names].
func Of(marker []byte, dir, program string) Names {
	n := Names{Program: program}
	for _, s := range Parse(marker) {
		if s.Project == "" && n.server.Spelling == "" || s.Project != "" && within(dir, s.Project) {
			n.server = s // a project's stands for that of all
		}
	}
	return n
}

// Parse reads a marker, as far as it can be read.
func Parse(marker []byte) (list []Server) {
	o, err := protocol.ParseObject(marker)
	if err != nil {
		return nil
	}
	for _, raw := range protocol.ElementsOf(o.Get("servers")) {
		one := protocol.ObjectOf(raw)
		s := Server{Project: one.Text("project"), Spelling: one.Text("spelling")}
		s.Tools = protocol.TextsOf(one.Get("tools"))
		if strings.Contains(s.Spelling, Tool) {
			list = append(list, s)
		}
	}
	return list
}

// Format writes a marker, nil for no server at all.
func Format(list []Server) []byte {
	if len(list) == 0 {
		return nil
	}
	servers := protocol.ListOf(list, func(s Server) protocol.Raw {
		var o protocol.Object
		o.SetText("project", s.Project)
		o.SetText("spelling", s.Spelling)
		o.Set("tools", protocol.TextList(s.Tools))
		return o.Raw()
	})
	var o protocol.Object
	o.Set("schema", protocol.Raw("1"))
	o.Set("servers", servers)
	return append(o.Raw(), '\n')
}

// Tool is the name of a tool in this agent; false if it does not have it.
func (n Names) Tool(tool string) (string, bool) {
	if !slices.Contains(n.server.Tools, tool) {
		return "", false
	}
	return strings.ReplaceAll(n.server.Spelling, Tool, tool), true
}

// Name names a tool, or the command that does the same: "memory save".
func (n Names) Name(tool, command string) string {
	if name, ok := n.Tool(tool); ok {
		return name
	}
	return n.Command(command)
}

// Command is a command of ours, ready for a shell.
func (n Names) Command(command string) string {
	if n.Program == "" {
		return "agents-hooks " + command
	}
	return text.ShellWord(n.Program) + " " + command
}

// Arg is what an argument is called: type or, of a command, --type.
func (n Names) Arg(tool, name string) string {
	if _, ok := n.Tool(tool); ok {
		return name
	}
	return Arg{Name: name}.spelled()
}

// Call is a whole call of a tool or, where the agent does not have it, of the
// command that does the same.
func (n Names) Call(tool, command string, args ...Arg) string {
	name, ok := n.Tool(tool)
	if !ok {
		line := n.Command(command)
		for _, a := range args {
			line += a.flag()
		}
		return line
	}
	var o protocol.Object
	for _, a := range args {
		o.Set(a.Name, a.json)
	}
	return name + " " + string(o.Raw())
}

// within reports whether dir is root or lies below it.
func within(dir, root string) bool {
	rest, ok := strings.CutPrefix(filepath.Clean(dir), filepath.Clean(root))
	return ok && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator || strings.HasSuffix(root, string(filepath.Separator)))
}
