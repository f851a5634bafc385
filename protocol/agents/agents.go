// Package agents lists the dialects, and recognises which one a payload is in. A new
// agent is a folder beside this one and a line in this file.
package agents

import (
	"slices"
	"strings"
	"sync"

	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/amazonq"
	"github.com/agents-hooks/agents-hooks/protocol/antigravity"
	"github.com/agents-hooks/agents-hooks/protocol/augment"
	"github.com/agents-hooks/agents-hooks/protocol/claude"
	"github.com/agents-hooks/agents-hooks/protocol/cline"
	"github.com/agents-hooks/agents-hooks/protocol/codex"
	"github.com/agents-hooks/agents-hooks/protocol/copilot"
	"github.com/agents-hooks/agents-hooks/protocol/crush"
	"github.com/agents-hooks/agents-hooks/protocol/cursor"
	"github.com/agents-hooks/agents-hooks/protocol/devin"
	"github.com/agents-hooks/agents-hooks/protocol/droid"
	"github.com/agents-hooks/agents-hooks/protocol/gemini"
	"github.com/agents-hooks/agents-hooks/protocol/goose"
	"github.com/agents-hooks/agents-hooks/protocol/junie"
	"github.com/agents-hooks/agents-hooks/protocol/kilo"
	"github.com/agents-hooks/agents-hooks/protocol/kimi"
	kimicli "github.com/agents-hooks/agents-hooks/protocol/kimi-cli"
	"github.com/agents-hooks/agents-hooks/protocol/kiro"
	"github.com/agents-hooks/agents-hooks/protocol/opencode"
	"github.com/agents-hooks/agents-hooks/protocol/pi"
	"github.com/agents-hooks/agents-hooks/protocol/qoder"
	"github.com/agents-hooks/agents-hooks/protocol/qwen"
	"github.com/agents-hooks/agents-hooks/protocol/spec"
	"github.com/agents-hooks/agents-hooks/protocol/vscode"
	"github.com/agents-hooks/agents-hooks/protocol/windsurf"
)

var list = [...]*protocol.Dialect{
	claude.Dialect,
	codex.Dialect,
	copilot.Dialect,
	cursor.Dialect,
	gemini.Dialect,
	kimi.Dialect,
	kimicli.Dialect,
	opencode.Dialect,
	kilo.Dialect,
	cline.Dialect,
	pi.Dialect,
	qoder.Dialect,
	qwen.Dialect,
	vscode.Dialect,
	windsurf.Dialect,
	droid.Dialect,
	augment.Dialect,
	amazonq.Dialect,
	kiro.Dialect,
	crush.Dialect,
	goose.Dialect,
	junie.Dialect,
	devin.Dialect,
	antigravity.Dialect,
}

// All lists the agents. The format's own form is not among them.
func All() []*protocol.Dialect { return append([]*protocol.Dialect(nil), list[:]...) }

// Lookup finds a dialect by its id or one of its aliases; the format's own form
// by "spec".
func Lookup(id string) (*protocol.Dialect, bool) {
	for _, d := range list {
		if d.Is(id) {
			return d, true
		}
	}
	if spec.Dialect.Is(id) {
		return spec.Dialect, true
	}
	return nil, false
}

// Meant says what to do about a word that names no agent, on one line. near reports whether it
// names the id or alias that was probably meant.
func Meant(word string) (hint string, near bool) {
	var names []string
	for _, d := range list {
		names = append(append(names, d.ID), d.Aliases...)
	}
	const list = "agents-hooks agents lists them"
	if name := text.Nearest(strings.ToLower(word), names, 2); name != "" {
		return "did you mean " + name + "? " + list, true
	}
	return list, false
}

// Tongues are the protocols that a hook may be written in, besides the format's own.
func Tongues() []*protocol.Tongue {
	var all []*protocol.Tongue
	for _, d := range list {
		if d.Tongue != nil {
			all = append(all, d.Tongue)
		}
	}
	return all
}

// ToolNames are all names of the tools that an agent has under a name: the portable
// one, and those that this and other agents use. A name in no agent's table stands
// alone. Callers must not change the list.
func ToolNames(name string) []string {
	if names, ok := toolNames()[name]; ok {
		return names
	}
	return []string{name}
}

// toolNames are the rows of all tables that have a portable name, by each of their
// names.
var toolNames = sync.OnceValue(func() map[string][]string {
	of := map[string][]string{}
	for _, name := range protocol.PortableTools() {
		of[name] = []string{name}
	}
	rows := func(f func(native, portable string)) {
		for _, d := range list {
			for _, t := range d.Tools {
				if slices.Contains(protocol.PortableTools(), t.Name) && t.Native != t.Name {
					f(t.Native, t.Name)
				}
			}
		}
	}
	rows(func(native, portable string) {
		if !slices.Contains(of[portable], native) {
			of[portable] = append(of[portable], native)
		}
	})
	rows(func(native, portable string) {
		if !slices.Contains(of[native], portable) { // two tools may share a name
			of[native] = slices.Concat(of[native], of[portable])
		}
	})
	return of
})

// Detect recognises the dialect of a payload by its shape alone, since a repository can
// set an agent's environment. It returns nil if no dialect matches, or more than one: a
// guess could deny in a form that the agent takes for a yes.
func Detect(p protocol.Object) *protocol.Dialect {
	var found *protocol.Dialect
	if spec.Dialect.Detect(p) {
		found = spec.Dialect
	}
	for _, d := range list {
		if !d.Detect(p) {
			continue
		}
		if found != nil {
			return nil
		}
		found = d
	}
	return found
}

// Caller is the agent that runs an entry which names d: d itself, or an agent that
// reads d's configuration too and is recognised by its payload. No variable decides
// in which form the answer goes; if the payload does not tell, the entry does.
func Caller(d *protocol.Dialect, p protocol.Object) *protocol.Dialect {
	own := sync.OnceValue(func() bool { return d.Detect(p) })
	for _, o := range list {
		switch {
		case o == d || !o.Reads(d.ID, "") || !signed(o, p):
		case o.Borrows != nil:
			if o.Borrows(p) {
				return o
			}
		case !own() && o.Detect(p):
			return o
		}
	}
	return d
}

// signed reports whether one of an agent's BorrowSigns is present.
func signed(d *protocol.Dialect, p protocol.Object) bool {
	return slices.ContainsFunc(d.BorrowSigns, p.Has)
}
