package install

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A plugin is a file of our own, written whole, and what the agent needs beside it.
type plugin struct {
	d      *protocol.Dialect
	site   protocol.Site
	path   string
	before []byte
	after  []byte
	beside aside
}

func openPlugin(d *protocol.Dialect, s protocol.Site, path string) (*plugin, error) {
	b, err := read(s, path)
	if err != nil {
		return nil, err
	}
	beside, err := openAside(d, s)
	return &plugin{d, s, path, b, b, beside}, err
}

// An aside is the file of [protocol.Config.Beside]; without a path there is none.
type aside struct {
	path, text    string
	before, after []byte
}

func openAside(d *protocol.Dialect, s protocol.Site) (a aside, err error) {
	if d.Config.Beside == nil {
		return a, nil
	}
	if a.path, a.text = d.Config.Beside(s); a.path == "" {
		return a, nil
	}
	a.before, err = read(s, a.path)
	a.after = a.before
	return a, err
}

func (a *aside) register() {
	if a.path != "" && a.before == nil {
		a.after = []byte(a.text)
	}
}

// clear keeps what others have added to the file.
func (a *aside) clear() {
	if rest := bytes.Replace(a.before, []byte(a.text), nil, 1); len(rest) < len(a.before) {
		a.after = rest
		if len(rest) == 0 {
			a.after = nil
		}
	}
}

func (p *plugin) off() string     { return "" }
func (p *plugin) notes() []string { return nil }

// entry is what the file's line ENTRY says, and where it is; nil if the file is not
// ours.
func (p *plugin) entry() (argv []string, limits protocol.Object, line int) {
	for i, text := range strings.Split(string(p.after), "\n") {
		rest, ok := strings.CutPrefix(text, protocol.PluginEntry)
		if !ok {
			continue
		}
		entry, err := protocol.ParseObject([]byte(strings.TrimRight(rest, "; \t\r")))
		if err != nil {
			return nil, nil, 0
		}
		argv = append(argv, protocol.TextsOf(entry.Get("argv"))...)
		if !Ours(argv, p.d) {
			return nil, nil, 0
		}
		return argv, entry.Sub("limits"), i + 1
	}
	return nil, nil, 0
}

func (p *plugin) ours() ([]found, error) {
	argv, limits, line := p.entry()
	var out []found
	for _, m := range limits {
		f := found{file: p.path, line: line, argv: argv, command: Quote(argv, protocol.QuoteSh)}
		f.Event = eventOf(p.d, m.Name)
		if ms, err := time.ParseDuration(string(m.Value) + "ms"); err == nil {
			f.limit = ms
		}
		out = append(out, f)
	}
	return out, nil
}

func (p *plugin) register(e protocol.Entry) error {
	if argv, _, _ := p.entry(); p.before != nil && argv == nil && len(bytes.TrimSpace(p.before)) > 0 {
		return at(p.path, p.before, 0, "this file is not of agents-hooks, and ours would have its name; rename it")
	}
	var entry, limits protocol.Object
	entry.Set("argv", protocol.TextList(e.Argv))
	entry.PutText("gone", e.Gone)
	for _, n := range wanted(p.d, e) {
		limits.Set(n.Key(), protocol.Raw(strconv.FormatInt(n.Limit.Milliseconds(), 10)))
	}
	entry.Set("limits", limits.Raw())
	text := strings.Replace(p.d.Config.Text(), protocol.PluginEntry+"null\n", protocol.PluginEntry+string(entry.Raw())+"\n", 1)
	p.after = []byte(text)
	p.beside.register()
	return nil
}

func (p *plugin) clear() error {
	if argv, _, _ := p.entry(); argv != nil {
		p.after = nil
	}
	p.beside.clear()
	return nil
}

func (p *plugin) edits() ([]protocol.Edit, error) {
	return append(change(p.path, p.before, p.after), change(p.beside.path, p.beside.before, p.beside.after)...), nil
}
