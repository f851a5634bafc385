//go:build e2e && unix

package e2e

// inspector is the MCP inspector: not an agent, but installed like one.
var inspector = Agent{
	Package: "@modelcontextprotocol/inspector",
	Version: "2.12.0",
	Program: "@modelcontextprotocol/inspector/clients/launcher/build/index.js",
	Node:    true,
}
