package install

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A keeper is a file of an agent that holds entries in one of the shapes, or a folder
// of such files. Its methods change only what it holds in memory.
type keeper interface {
	ours() ([]found, error)          // our entries, in their order
	register(e protocol.Entry) error // exactly one for each wanted event
	clear() error                    // none of them
	off() string                     // why the agent runs no entry, "" if it does
	notes() []string                 // what else is wrong, once ours was asked for
	edits() ([]protocol.Edit, error) // what has changed since it was opened
}

// A found is one entry of ours.
type found struct {
	protocol.Handler
	file    string
	line    int
	command string
	argv    []string
	apart   bool          // the arguments stand beside the program
	limit   time.Duration // 0 if it says none
}

// Add returns the edits that make the agent call us: exactly one current entry for each
// event of e, after other entries.
func Add(d *protocol.Dialect, s protocol.Site, e protocol.Entry) ([]protocol.Edit, error) {
	if err := checkEntry(d, s, e); err != nil {
		return nil, err
	}
	return edited(d, s, func(k keeper) error { return k.register(e) })
}

// Remove returns the edits that remove our entries, and their records, from the agent's
// files.
func Remove(d *protocol.Dialect, s protocol.Site) ([]protocol.Edit, error) {
	return edited(d, s, keeper.clear)
}

func edited(d *protocol.Dialect, s protocol.Site, change func(keeper) error) ([]protocol.Edit, error) {
	keepers, err := open(d, s)
	if err != nil {
		return nil, err
	}
	var all []protocol.Edit
	for _, k := range keepers {
		if err := change(k); err != nil {
			return nil, err
		}
		edits, err := k.edits()
		if err != nil {
			return nil, err
		}
		all = append(all, edits...)
	}
	return all, nil
}

// Inspect reports what is in the agent's files, and whether the agent will run it.
func Inspect(d *protocol.Dialect, s protocol.Site) (protocol.Installation, error) {
	keepers, err := open(d, s)
	if err != nil {
		return protocol.Installation{}, err
	}
	var out protocol.Installation
	l, err := openLedger(d, s)
	if err != nil {
		return out, err
	}
	for _, k := range keepers {
		have, err := k.ours()
		if err != nil {
			return out, err
		}
		out.Notes = append(out.Notes, k.notes()...)
		off := cmp.Or(k.off(), l.off())
		if off != "" && len(have) > 0 {
			out.Notes = append(out.Notes, "the agent runs no entry: "+off)
		}
		seen := map[string]bool{}
		for _, h := range have {
			r := protocol.Registered{Event: h.Event, File: h.file, Line: h.line, Command: h.command, Argv: h.argv, Apart: h.apart, Timeout: h.limit, Closed: closed(d, h)}
			r.Trusted, r.Problem = l.approved(h.file, h.Handler)
			if p := problem(d, h, off, seen[h.Event]); r.Problem == "" {
				r.Problem = p
			}
			seen[h.Event] = true
			out.Entries = append(out.Entries, r)
		}
	}
	return out, nil
}

// open reads the agent's files.
func open(d *protocol.Dialect, s protocol.Site) ([]keeper, error) {
	if d.Config == nil {
		return nil, fmt.Errorf("%s: nothing to install", d.Name)
	}
	path := d.Config.File(s)
	if path == "" {
		return nil, fmt.Errorf("%s has no %s configuration", d.Name, s.Scope)
	}
	paths := []string{path}
	if d.Config.Files != nil {
		paths = d.Config.Files(s)
	}
	var out []keeper
	for _, path := range paths {
		k, err := openOne(d, s, path)
		if err != nil {
			return nil, err
		}
		out = append(out, k)
	}
	return out, nil
}

func openOne(d *protocol.Dialect, s protocol.Site, path string) (keeper, error) {
	switch d.Config.Shape {
	case protocol.NestedJSON, protocol.FlatJSON, protocol.ListJSON:
		return openJSON(d, s, path)
	case protocol.BlockTOML:
		return openBlock(d, s, path)
	case protocol.Plugin:
		return openPlugin(d, s, path)
	case protocol.Wrappers:
		return openWrappers(d, s, path)
	}
	return nil, fmt.Errorf("%s: unknown shape %q", d.Name, d.Config.Shape)
}

// wanted are the events to register.
func wanted(d *protocol.Dialect, e protocol.Entry) []protocol.Native {
	var out []protocol.Native
	for _, native := range d.NativeEvents {
		if e.Events == nil && !native.Manual || slices.Contains(e.Events, native.Name) {
			out = append(out, native)
		}
	}
	return out
}

// argvFor is the command of one event's entry.
func argvFor(e protocol.Entry, native protocol.Native) []string {
	if !native.Unnamed {
		return e.Argv
	}
	return append(slices.Clone(e.Argv), "--event="+native.Name)
}

// checkEntry refuses a command that we would not recognise later.
func checkEntry(d *protocol.Dialect, s protocol.Site, e protocol.Entry) error {
	if len(e.Argv) == 0 || !absolute(s, e.Argv[0]) {
		return fmt.Errorf("the command %q does not begin with an absolute path", e.Argv)
	}
	if !Ours(e.Argv, d) {
		return fmt.Errorf("the command %q is not agents-hooks run --agent=%s", e.Argv, d.ID)
	}
	for _, arg := range e.Argv {
		if strings.ContainsAny(arg, "\x00\r\n") {
			return fmt.Errorf("the command %q contains a line break, which no agent's file can hold", e.Argv)
		}
		if d.Config.Quoting(s) == protocol.QuoteCmd && strings.ContainsAny(arg, `"%`) {
			return fmt.Errorf("the command %q contains a quote or a percent sign, which cannot be passed through cmd.exe", e.Argv)
		}
	}
	for _, name := range e.Events {
		if _, ok := d.Native(name); !ok {
			return fmt.Errorf("%s has no event %q", d.Name, name)
		}
	}
	return nil
}

// absolute reports whether a path is one on the site's system.
func absolute(s protocol.Site, path string) bool {
	if s.GOOS != "windows" {
		return strings.HasPrefix(path, "/")
	}
	return strings.HasPrefix(path, `\\`) ||
		len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}

// closed reports whether a failure of an entry blocks.
func closed(d *protocol.Dialect, h found) bool {
	want, err := protocol.ParseObject([]byte(d.Config.Closed))
	return err == nil && len(want) > 0 && !slices.ContainsFunc(want, func(m protocol.Member) bool {
		return string(h.Fields.Get(m.Name)) != string(m.Value)
	})
}

// problem says what keeps an entry from doing its work.
func problem(d *protocol.Dialect, h found, off string, second bool) string {
	native, known := d.Native(h.Event)
	switch {
	case off != "":
		return off
	case !known:
		return "the event is none that we know"
	case second:
		return "a second entry for the same event"
	case h.Matcher != "" && h.Matcher != "*" && h.Matcher != native.Matcher:
		return fmt.Sprintf("matcher %q keeps events away", h.Matcher)
	case h.Fields.Bool("async"):
		return "async: its answer is not waited for"
	case string(h.Fields.Get("enabled")) == "false":
		return "it is switched off: \"enabled\" is false"
	case native.Unnamed && d.Config.Shape != protocol.Plugin && flagOf(h.argv, "event") != native.Name:
		return fmt.Sprintf("its command does not say --event=%s, and the payload does not either", native.Name)
	case h.limit > 0 && h.limit < time.Second:
		return fmt.Sprintf("a time limit of %s is too short", h.limit)
	}
	return ""
}
