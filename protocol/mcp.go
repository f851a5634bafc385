package protocol

// Server stands for the name of our MCP server in the configuration of agents.
const Server = "agents-hooks"

// An MCP says where an agent keeps the MCP servers that it starts, how one is
// spelled there, and what the agent calls their tools. Package protocol/install
// reads and writes them. Like [Config] it is data, and its JSON constant texts.
type MCP struct {
	File func(Site) string // the file of the site's scope, "" if the agent has none there

	// Path leads to the object that holds the servers by name; nil for
	// "mcpServers" at the top.
	Path func(Site) []string

	// TOML is set for a file in TOML, with a table [mcp_servers.NAME].
	TOML bool

	// Row is set if the program and its arguments are one array, "command".
	Row bool

	// Fields is what a server needs before its command, as a JSON object: {"type":
	// "stdio"}; More is what it needs after it.
	Fields, More string

	// Spelling is what a model calls a tool, with TOOL for its name:
	// mcp__agents-hooks__TOOL. "" if that is not known: the model is then told the
	// tool's own name and that of the server.
	Spelling string

	Source string   // how this is known: "observed", "documentation"
	Notes  []string // told after an install
}

// Tool is what the agent's model calls a tool, TOOL standing for its name.
func (m *MCP) Tool() string {
	if m.Spelling != "" {
		return m.Spelling
	}
	return "TOOL (MCP server " + Server + ")"
}

// Holder leads to the object that holds the servers by name.
func (m *MCP) Holder(s Site) []string {
	if m.Path != nil {
		return m.Path(s)
	}
	return []string{"mcpServers"}
}

// An MCPServer is our server as it stands in an agent's configuration.
type MCPServer struct {
	File    string
	Line    int
	Argv    []string
	Problem string // what keeps it from being started, "" if nothing
}
