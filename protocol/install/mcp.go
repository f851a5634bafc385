package install

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// AddMCP returns the edits that make the agent start our MCP server with a command: a
// path and its arguments. An existing entry of ours is updated in place, keeping what
// its user added; an entry with our name that is not ours is an error.
func AddMCP(d *protocol.Dialect, s protocol.Site, argv []string) ([]protocol.Edit, error) {
	if len(argv) < 2 || !absolute(s, argv[0]) || !ourServer(argv) {
		return nil, fmt.Errorf("the command %q is not an absolute path of agents-hooks, followed by mcp", argv)
	}
	path := d.MCP.File(s)
	if d.MCP.TOML {
		f, err := openServerTOML(s, path)
		if err != nil {
			return nil, err
		}
		return f.put(argv)
	}
	f, err := openServerJSON(d, s, path)
	if err != nil {
		return nil, err
	}
	return f.put(argv)
}

// RemoveMCP returns the edits that take our MCP server out of the agent's
// configuration.
func RemoveMCP(d *protocol.Dialect, s protocol.Site) ([]protocol.Edit, error) {
	if d.MCP == nil || d.MCP.File(s) == "" {
		return nil, nil
	}
	if d.MCP.TOML {
		f, err := openServerTOML(s, d.MCP.File(s))
		if err != nil {
			return nil, err
		}
		return f.remove()
	}
	f, err := openServerJSON(d, s, d.MCP.File(s))
	if err != nil {
		return nil, err
	}
	return f.remove()
}

// InspectMCP reports whether our MCP server is in the agent's configuration.
func InspectMCP(d *protocol.Dialect, s protocol.Site) (protocol.MCPServer, bool, error) {
	if d.MCP == nil || d.MCP.File(s) == "" {
		return protocol.MCPServer{}, false, nil
	}
	if d.MCP.TOML {
		f, err := openServerTOML(s, d.MCP.File(s))
		if err != nil {
			return protocol.MCPServer{}, false, err
		}
		m, ok := f.server()
		return m, ok, nil
	}
	f, err := openServerJSON(d, s, d.MCP.File(s))
	if err != nil {
		return protocol.MCPServer{}, false, err
	}
	m, ok := f.server()
	return m, ok, nil
}

// ourServer reports whether a command is our MCP server, wherever it lies.
func ourServer(argv []string) bool {
	return len(argv) >= 2 && argv[1] == "mcp" && programName(argv[0]) == "agents-hooks"
}

// notOurs is the error about an entry of our name that is somebody else's.
func notOurs(path string, before []byte, offset int) error {
	return at(path, before, offset, "an MCP server named %q stands here that is not ours; rename it, and try again", protocol.Server)
}

// A serverJSON is a JSON file that holds MCP servers.
type serverJSON struct {
	*jsonFile
	mcp    *protocol.MCP
	holder *hujson.Object // the servers by name; nil if there is none
	entry  *hujson.Value  // ours by its name; nil if there is none
}

func openServerJSON(d *protocol.Dialect, s protocol.Site, path string) (*serverJSON, error) {
	b, err := read(s, path)
	if err != nil {
		return nil, err
	}
	doc, err := parseDocument(path, b)
	if err != nil {
		return nil, err
	}
	f := &serverJSON{jsonFile: &jsonFile{document: doc, d: d, site: s}, mcp: d.MCP}
	f.holder = f.object()
	for _, name := range d.MCP.Holder(s) {
		if f.holder, err = f.objectMember(f.holder, name); err != nil || f.holder == nil {
			return f, err
		}
	}
	f.entry, err = f.member(f.holder, protocol.Server)
	return f, err
}

// argv is the command of the entry, nil if it has none.
func (f *serverJSON) argv() []string {
	if f.entry == nil {
		return nil
	}
	fields := plain(*f.entry)
	var argv []string
	rest := fields.Get("args")
	if f.mcp.Row {
		rest = fields.Get("command")
	} else {
		argv = append(argv, fields.Text("command"))
	}
	argv = append(argv, protocol.TextsOf(rest)...)
	return argv
}

func (f *serverJSON) server() (protocol.MCPServer, bool) {
	argv := f.argv()
	if !ourServer(argv) {
		return protocol.MCPServer{}, false
	}
	m := protocol.MCPServer{File: f.path, Line: f.document.line(f.entry.StartOffset), Argv: argv}
	fields := plain(*f.entry)
	switch {
	case fields.Bool("disabled"):
		m.Problem = `it is switched off: "disabled" is true`
	case string(fields.Get("enabled")) == "false":
		m.Problem = `it is switched off: "enabled" is false`
	}
	return m, true
}

func (f *serverJSON) put(argv []string) ([]protocol.Edit, error) {
	if f.entry != nil && !ourServer(f.argv()) {
		return nil, notOurs(f.path, f.before, f.entry.StartOffset)
	}
	if f.entry != nil {
		return f.update(argv)
	}
	holder, prefix := f.object(), ""
	for _, name := range f.mcp.Holder(f.site) {
		if err := f.ensure(holder, prefix, name, "{}"); err != nil {
			return nil, err
		}
		inner, err := f.objectMember(holder, name)
		if err != nil {
			return nil, err
		}
		prefix = prefixOf(holder, name, prefix+f.style.indent)
		holder = inner
	}
	var o protocol.Object
	if err := merge(&o, f.mcp.Fields); err != nil {
		return nil, err
	}
	for _, m := range f.command(argv) {
		o.Set(m.Name, m.Value)
	}
	if err := merge(&o, f.mcp.More); err != nil {
		return nil, err
	}
	if err := f.ensure(holder, prefix, protocol.Server, string(o.Raw())); err != nil {
		return nil, err
	}
	return change(f.path, f.before, f.bytes()), nil
}

// command is the part of an entry that starts the server.
func (f *serverJSON) command(argv []string) (o protocol.Object) {
	if f.mcp.Row {
		o.Set("command", protocol.TextList(argv))
		return o
	}
	o.SetText("command", argv[0])
	o.Set("args", protocol.TextList(argv[1:]))
	return o
}

// update replaces the command of our entry, and nothing else of it.
func (f *serverJSON) update(argv []string) ([]protocol.Edit, error) {
	if slices.Equal(f.argv(), argv) {
		return nil, nil
	}
	entry, ok := f.entry.Value.(*hujson.Object)
	if !ok {
		return nil, notOurs(f.path, f.before, f.entry.StartOffset)
	}
	prefix := prefixOf(f.holder, protocol.Server, f.style.indent+f.style.indent)
	for _, m := range f.command(argv) {
		v, err := hujson.Parse(m.Value)
		if err != nil {
			return nil, err
		}
		if old, err := f.member(entry, m.Name); err != nil {
			return nil, err
		} else if old != nil {
			layOut(&v, f.style, prefix+f.style.indent)
			old.Value = v.Value
			continue
		}
		appendMember(entry, f.style, prefix, m.Name, v)
	}
	return change(f.path, f.before, f.bytes()), nil
}

// remove takes our entry out, and the objects that it leaves empty.
func (f *serverJSON) remove() ([]protocol.Edit, error) {
	if !ourServer(f.argv()) {
		return nil, nil
	}
	path := f.mcp.Holder(f.site)
	holders := []*hujson.Object{f.object()}
	for _, name := range path {
		inner, err := f.objectMember(holders[len(holders)-1], name)
		if err != nil {
			return nil, err
		}
		holders = append(holders, inner)
	}
	names := append(slices.Clone(path), protocol.Server)
	for i, holder := range slices.Backward(holders) {
		removeNamed(holder, names[i])
		if len(holder.Members) > 0 {
			break
		}
	}
	return change(f.path, f.before, f.bytes()), nil
}

// A serverTOML is a TOML file that holds MCP servers in tables of their own.
type serverTOML struct {
	path       string
	before     []byte
	lines      []string // with their ends
	start, end int      // our table's, by its name; -1 if there is none
	argv       []string
	off        bool // "enabled" is false
}

// The marks around our server. They differ from those around entries and their
// approvals, which may be in the same file.
const (
	serverBegin = "# >>> agents-hooks: its MCP server (install writes it, uninstall removes it) >>>"
	serverEnd   = "# <<< agents-hooks: its MCP server <<<"
)

func openServerTOML(s protocol.Site, path string) (*serverTOML, error) {
	b, err := read(s, path)
	if err != nil {
		return nil, err
	}
	values, err := parseTOML(path, b)
	if err != nil {
		return nil, err
	}
	f := &serverTOML{path: path, before: b, lines: splitLines(string(b)), start: -1}
	for _, t := range tomlTables(f.lines) {
		if name := strings.TrimSpace(f.lines[t.start]); name == "[mcp_servers."+protocol.Server+"]" || name == `[mcp_servers."`+protocol.Server+`"]` {
			f.start, f.end = t.start, t.end
		}
	}
	servers, _ := values["mcp_servers"].(map[string]any)
	entry, there := servers[protocol.Server].(map[string]any)
	if there && f.start < 0 {
		return nil, &FileError{path, 1, 1, fmt.Sprintf("want the MCP server %q in a table [mcp_servers.%s] of its own; spell it so, and try again", protocol.Server, protocol.Server)}
	}
	command, _ := entry["command"].(string)
	f.argv = []string{command}
	args, _ := entry["args"].([]any)
	for _, a := range args {
		text, _ := a.(string)
		f.argv = append(f.argv, text)
	}
	f.off = entry["enabled"] == false
	return f, nil
}

func (f *serverTOML) server() (protocol.MCPServer, bool) {
	if f.start < 0 || !ourServer(f.argv) {
		return protocol.MCPServer{}, false
	}
	m := protocol.MCPServer{File: f.path, Line: f.start + 1, Argv: f.argv}
	if f.off {
		m.Problem = "it is switched off: enabled is false"
	}
	return m, true
}

func (f *serverTOML) put(argv []string) ([]protocol.Edit, error) {
	nl := "\n"
	if strings.Contains(string(f.before), "\r\n") {
		nl = "\r\n"
	}
	command := "command = " + tomlText(argv[0]) + nl
	args := "args = " + tomlTexts(argv[1:]) + nl
	switch {
	case f.start >= 0 && !ourServer(f.argv):
		return nil, &FileError{f.path, f.start + 1, 1, fmt.Sprintf("an MCP server named %q stands here that is not ours; rename it, and try again", protocol.Server)}
	case f.start >= 0 && slices.Equal(f.argv, argv):
		return nil, nil
	case f.start >= 0:
		// Of a table that is ours the two lines are replaced; what its user added
		// stays.
		kept := []string{f.lines[f.start], command, args}
		var in tomlState
		skipping := false
		for _, line := range f.lines[f.start+1 : f.end] {
			if in.outside() {
				key, _, _ := strings.Cut(line, "=")
				key = strings.Trim(key, " \t\"'")
				skipping = key == "command" || key == "args"
			}
			in.read(line)
			if !skipping {
				kept = append(kept, line)
			}
		}
		f.lines = slices.Concat(f.lines[:f.start], kept, f.lines[f.end:])
	default:
		text := strings.Join(f.lines, "")
		lead := "" // a blank line or, where the last line has no end, that
		if text != "" {
			lead = nl
		}
		f.lines = append(f.lines, lead+serverBegin+nl+"[mcp_servers."+protocol.Server+"]"+nl+command+args+serverEnd+nl)
	}
	return f.edits()
}

// remove removes our table, with the marks around it and the blank line that came with
// them.
func (f *serverTOML) remove() ([]protocol.Edit, error) {
	if _, ok := f.server(); !ok {
		return nil, nil
	}
	for i := f.start; i < f.end; i++ {
		f.lines[i] = ""
	}
	begin, end := f.start-1, f.end
	for begin >= 0 && blankLine(f.lines[begin]) {
		begin--
	}
	for end < len(f.lines) && blankLine(f.lines[end]) {
		end++
	}
	if begin >= 0 && end < len(f.lines) && strings.TrimSpace(f.lines[begin]) == serverBegin && strings.TrimSpace(f.lines[end]) == serverEnd {
		for i := begin; i <= end; i++ {
			f.lines[i] = ""
		}
		switch {
		case begin == 0:
		case blankLine(f.lines[begin-1]):
			f.lines[begin-1] = ""
		case strings.Join(f.lines[begin:], "") == "":
			f.lines[begin-1] = strings.TrimRight(f.lines[begin-1], "\r\n")
		}
	}
	return f.edits()
}

func blankLine(line string) bool { return strings.TrimSpace(line) == "" }

func (f *serverTOML) edits() ([]protocol.Edit, error) {
	text := strings.Join(f.lines, "")
	if _, err := parseTOML(f.path, []byte(text)); err != nil {
		return nil, err
	}
	if text == "" {
		return change(f.path, f.before, nil), nil
	}
	return change(f.path, f.before, []byte(text)), nil
}

// tomlText is a text as a basic string, whose escapes are those of JSON.
func tomlText(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string can always be
	return strings.TrimSuffix(b.String(), "\n")
}

func tomlTexts(list []string) string {
	var words []string
	for _, s := range list {
		words = append(words, tomlText(s))
	}
	return "[" + strings.Join(words, ", ") + "]"
}
