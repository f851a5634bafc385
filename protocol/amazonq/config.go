package amazonq

import (
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var config = &protocol.Config{
	Shape:   protocol.FlatJSON,
	Events:  "hooks",
	File:    file,
	Files:   files,
	Unit:    time.Millisecond, // amazon-q/12
	Head:    builtin,
	Fields:  `{"max_output_size": 65536}`, // amazon-q/7
	Timeout: "timeout_ms",
	Windows: protocol.QuoteCmd,
}

// builtin is the agent that Amazon Q has when there is no q_cli_default.json
// (amazon-q/2).
const builtin = `{"name": "q_cli_default", "description": "The default agent, with hooks", "tools": ["*"], "allowedTools": ["fs_read"],
	"resources": ["file://AmazonQ.md", "file://README.md", "file://.amazonq/rules/**/*.md"], "useLegacyMcpJson": true}`

// folder is where Amazon Q keeps a user's files.
func folder(s protocol.Site) string { return s.Join(s.Home, ".aws", "amazonq") }

// places are the folders of agents: Amazon Q's, and Kiro's.
func places(s protocol.Site) (q, kiro string) {
	if s.Scope == protocol.ProjectScope {
		return s.Join(s.Project, ".amazonq", "cli-agents"), s.Join(s.Project, ".kiro", "agents")
	}
	return s.Join(folder(s), "cli-agents"), s.Join(s.Home, ".kiro", "agents")
}

// file is the default agent's file.
func file(s protocol.Site) string {
	q, _ := places(s)
	return s.Join(q, "q_cli_default.json")
}

// files are the files of all agents, the default one among them (amazon-q/1).
func files(s protocol.Site) []string {
	out := []string{file(s)}
	if s.List == nil {
		return out
	}
	q, kiro := places(s)
	for _, dir := range []string{q, kiro} {
		for _, name := range s.List(dir) {
			if path := s.Join(dir, name); strings.HasSuffix(name, ".json") && path != out[0] {
				out = append(out, path)
			}
		}
	}
	return out
}
