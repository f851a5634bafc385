package main

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/toolref"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// In each agent the server's entry goes in, is found, changes
// nothing the second time, is brought up to date where it stands, and goes out to
// the byte, whatever stood in the file; one that is not ours is left alone.
func TestMCPEntryOfEachAgent(t *testing.T) {
	count := 0
	for _, d := range agents.All() {
		if d.MCP == nil {
			continue
		}
		count++
		for _, scope := range []protocol.Scope{protocol.UserScope, protocol.ProjectScope} {
			for _, goos := range []string{"linux", "darwin", "windows"} {
				site, argv := siteOf(scope, goos, d)
				if d.MCP.File(site) == "" {
					continue
				}
				t.Run(d.ID+" "+string(scope)+" "+goos, func(t *testing.T) { mcpEntry(t, d, site, argv) })
			}
		}
	}
	if count < 15 {
		t.Errorf("%d agents", count)
	}
}

func siteOf(scope protocol.Scope, goos string, d *protocol.Dialect) (protocol.Site, []string) {
	s := protocol.Site{Scope: scope, GOOS: goos, Home: "/home/ann", Project: "/home/ann/my shop", Env: func(string) string { return "" }}
	program := "/opt/my tools/agents-hooks"
	if goos == "windows" {
		s.Home, s.Project, program = `C:\Users\ann`, `C:\Users\ann\my shop`, `C:\Program Files\agents-hooks.exe`
	}
	return s, []string{program, "mcp", "--agent=" + d.ID, `--state=` + s.Home + `/état "x"`}
}

// contents are what may stand in a file before, nil for no file.
func contents(d *protocol.Dialect, s protocol.Site) map[string]string {
	if d.MCP.TOML {
		return map[string]string{
			"nothing": "", "a setting": "model = \"x\"\n", "no end of line": "model = \"x\"", "windows": "model = \"x\"\r\n\r\n[a]\r\nb = 1\r\n",
			"another server": "[mcp_servers.other]\ncommand = \"x\"\n\n# a comment at the end\n",
			"hooks of ours":  "# >>> agents-hooks: hooks >>>\n[hooks.state.\"x\"]\ntrusted_hash = \"y\"\n# <<< agents-hooks <<<\n",
		}
	}
	holder := d.MCP.Holder(s)
	open, end := "", ""
	for _, name := range holder {
		open += `{"` + strings.ReplaceAll(name, `\`, `\\`) + `": `
		end += "}"
	}
	return map[string]string{
		"nothing": "", "an empty object": "{}\n", "one line": `{"a": 1}`, "a comment": "{\n  // mine\n  \"a\": 1, // one\n}\n",
		"windows": "{\r\n\t\"a\": 1\r\n}\r\n", "bom": "\ufeff{\n  \"a\": 1\n}\n",
		"another server": open + "{\n  \"other\": {\"command\": \"x\"}\n}" + end + "\n",
	}
}

func mcpEntry(t *testing.T, d *protocol.Dialect, site protocol.Site, argv []string) {
	path := d.MCP.File(site)
	files := map[string][]byte{}
	site.Read = func(p string) ([]byte, error) {
		if b, ok := files[p]; ok {
			return b, nil
		}
		return nil, fs.ErrNotExist
	}
	apply := func(edits []protocol.Edit, err error) int {
		t.Helper()
		must.Do(t, err)
		for _, e := range edits {
			if delete(files, e.Path); e.After != nil {
				files[e.Path] = e.After
			}
		}
		return len(edits)
	}
	for name, before := range contents(d, site) {
		clear(files)
		if before != "" {
			files[path] = []byte(before)
		}
		if apply(install.AddMCP(d, site, argv)) != 1 {
			t.Errorf("%s: nothing was added", name)
		}
		m, ok, err := install.InspectMCP(d, site)
		if err != nil || !ok || !slices.Equal(m.Argv, argv) || m.Problem != "" || m.Line < 1 {
			t.Errorf("%s: added %q, found %v %+v %v in\n%s", name, argv, ok, m, err, files[path])
		}
		if n := apply(install.AddMCP(d, site, argv)); n != 0 {
			t.Errorf("%s: a second time changed it:\n%s", name, files[path])
		}
		other := append(slices.Clone(argv), "--tools=memory")
		apply(install.AddMCP(d, site, other))
		if m, _, _ := install.InspectMCP(d, site); !slices.Equal(m.Argv, other) {
			t.Errorf("%s: not brought up to date: %q", name, m.Argv)
		}
		apply(install.RemoveMCP(d, site))
		if got := string(files[path]); got != before && !(before == "{}\n" && got == "") {
			t.Errorf("%s: gone, and not to the byte:\n%q\nwas\n%q", name, got, before)
		}
		if n := apply(install.RemoveMCP(d, site)); n != 0 {
			t.Errorf("%s: removed twice", name)
		}
	}
	// A server of our name that is not ours.
	clear(files)
	apply(install.AddMCP(d, site, argv))
	theirs := strings.NewReplacer("agents-hooks.exe", "theirs.exe", "/agents-hooks\"", "/theirs\"").Replace(string(files[path]))
	files[path] = []byte(theirs)
	if _, err := install.AddMCP(d, site, argv); err == nil || !strings.Contains(err.Error(), "not ours") {
		t.Errorf("a foreign server: %v in\n%s", err, theirs)
	}
	if n := apply(install.RemoveMCP(d, site)); n != 0 {
		t.Error("a foreign server was removed")
	}
}

// A command that is not ours is never written, and what an agent calls a tool has
// the tool's name in it.
func TestMCPOfEachAgentIsWhole(t *testing.T) {
	for _, d := range agents.All() {
		if d.MCP == nil {
			continue
		}
		if !strings.Contains(d.MCP.Tool(), toolref.Tool) || d.MCP.Source != "observed" && d.MCP.Source != "documentation" {
			t.Errorf("%s: %+v", d.ID, d.MCP)
		}
		site, argv := siteOf(protocol.UserScope, "linux", d)
		site.Read = func(string) ([]byte, error) { return nil, fs.ErrNotExist }
		for _, bad := range [][]string{nil, argv[:1], {"agents-hooks", "mcp"}, {"/bin/agents-hooks", "run"}, {"/bin/sh", "mcp"}} {
			if _, err := install.AddMCP(d, site, bad); err == nil {
				t.Errorf("%s: %q was written", d.ID, bad)
			}
		}
	}
}
