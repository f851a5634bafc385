package discovery

import (
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"
)

// A Sandbox confines a hook: it may read the project and the system, write its state
// and its temporary files, and has no network. The hook itself can only restrict that
// further, except that it can request the network; the user can extend it.
type Sandbox struct {
	By       string   // what demands it: "FILE:LINE" of a setting, else the HOOK.md itself
	Network  bool     // TCP and UDP
	Env      bool     // the agent gets the session variables that it sets (env)
	Required bool     // it does not run if any of this cannot be enforced
	Only     []string // the only paths of the project that it reads, relative; nil: all of it
	NoState  bool     // it cannot write its state
	NoTemp   bool     // it has no temporary directory
	// Read and Write are what the user adds: absolute, or below the project.
	Read, Write []string
}

// SandboxMode says which hooks are confined without requesting it.
type SandboxMode string

const (
	SandboxOff     SandboxMode = "off"
	SandboxProject SandboxMode = "project" // hooks of projects
	SandboxAll     SandboxMode = "all"     // hooks of every layer; built-in ones are not processes
)

// May describes in words what a confined hook may do.
func (s *Sandbox) May() string {
	read := "the project and the system"
	if s.Only != nil {
		read = "the system"
		if len(s.Only) > 0 {
			read = listed(s.Only) + " of the project, and the system"
		}
	}
	write := "its state and its temporary files"
	switch {
	case s.NoState && s.NoTemp:
		write = "nothing"
	case s.NoState:
		write = "its temporary files"
	case s.NoTemp:
		write = "its state"
	}
	if len(s.Write) > 0 {
		write = strings.TrimPrefix(write+", "+strings.Join(s.Write, ", "), "nothing, ")
	}
	if len(s.Read) > 0 {
		read += ", " + strings.Join(s.Read, ", ")
	}
	text := "reads " + read + "; writes " + write
	if s.Env {
		text += "; sets variables of the session"
	}
	if s.Network {
		return text + "; uses the network"
	}
	return text + "; no network"
}

// listed puts paths into a sentence. One that could be read as part of the sentence is
// quoted: a hook must not write what the user is told about it.
func listed(paths []string) string {
	out := make([]string, 0, len(paths))
	for _, p := range paths {
		if strings.ContainsFunc(p, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-+@~", r)
		}) {
			p = strconv.Quote(p)
		}
		out = append(out, p)
	}
	return strings.Join(out, ", ")
}

// A sandboxFront is the content of metadata.sandbox.
type sandboxFront struct {
	network, required field
	read, write       field
	reads, writes     []field
}

// sandbox reads metadata.sandbox.
func (r *yamlReader) sandbox(n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	s := &sandboxFront{}
	r.front.sandbox = s
	r.members(n, "metadata.sandbox.", func(name string, key field, value *yaml.Node) {
		switch name {
		case "network":
			s.network = r.field(value)
		case "required":
			s.required = r.field(value)
		case "read":
			s.read, s.reads = r.field(value), r.items(value)
		case "write":
			s.write, s.writes = r.field(value), r.items(value)
		default:
			r.unknown("metadata.sandbox."+name, name, key, []string{"network", "required", "read", "write"})
		}
	})
}

// asksForSandbox reads metadata.sandbox into the hook. Where a part is wrong, the
// tightest value is used.
func (h *Hook) asksForSandbox(f *front) {
	v := f.fields[keySandbox]
	switch {
	case v.kind == absent || v.kind == null:
		return
	case v.kind == boolean && strings.EqualFold(v.text, "true"):
	case v.kind == boolean:
		h.problem(wrong(v, "metadata.sandbox", "remove it; sandbox = false stands in [[hooks.override]] of your own hooks.toml", "a hook cannot take itself out of the sandbox"))
		return
	case v.kind != mapping:
		h.problem(wrong(v, "metadata.sandbox", "write true, or network:, required:, read: or write: below it, indented", "%s is neither true nor a mapping; true stands", shown(v)))
	}
	s := &Sandbox{}
	h.Sandbox = s
	in := f.sandbox
	if in == nil {
		return
	}
	s.Network = h.sandboxSwitch(in.network, "network", false)
	s.Required = h.sandboxSwitch(in.required, "required", true)
	if h.sandboxList(in.read, "read", "write a list of paths below the project: [src, go.mod]") {
		s.Only = []string{}
		for _, path := range in.reads {
			if path.kind == list || path.kind == mapping || !filepath.IsLocal(filepath.FromSlash(path.text)) {
				h.problem(wrong(path, "metadata.sandbox.read", "write a path below the project, such as src", "%s lies not below the project and is left out: a hook can only narrow what it reads", shown(path)))
				continue
			}
			s.Only = append(s.Only, filepath.Clean(filepath.FromSlash(path.text)))
		}
	}
	if h.sandboxList(in.write, "write", "write a list of state and tmp, or []") {
		s.NoState, s.NoTemp = true, true
		for _, what := range in.writes {
			switch what.text {
			case "state":
				s.NoState = false
			case "tmp":
				s.NoTemp = false
			default:
				h.problem(wrong(what, "metadata.sandbox.write", "write state, tmp or both", "%s is neither state nor tmp and is left out: a hook can only narrow what it writes", shown(what)))
			}
		}
	}
}

func (h *Hook) sandboxSwitch(v field, name string, tight bool) bool {
	switch v.kind {
	case absent, null:
		return false
	case boolean:
		return strings.EqualFold(v.text, "true")
	}
	h.problem(wrong(v, "metadata.sandbox."+name, "write true or false", "%s is no boolean; %t stands", shown(v), tight))
	return tight
}

// sandboxList reports whether a list narrows anything. Anything but a list counts as
// empty.
func (h *Hook) sandboxList(v field, name, fix string) bool {
	switch v.kind {
	case absent, null:
		return false
	case list:
	default:
		h.problem(wrong(v, "metadata.sandbox."+name, fix, "%s is no list; an empty one stands", shown(v)))
	}
	return true
}

// sandboxSettings are the settings of one hooks.toml for sandboxes.
type sandboxSettings struct {
	mode                   setting[SandboxMode]
	network, env, required setting[bool]
	read, write            []string
}

// sandboxKey reads one of the keys of [trust] that begin with sandbox.
func (r *settingsReader) sandboxKey(name, path string, v any) {
	if r.notHere(path, SystemLayer, UserLayer) {
		return
	}
	switch name {
	case "sandbox":
		r.sandbox.mode = typed[SandboxMode](r.word(path, v, string(SandboxOff), string(SandboxProject), string(SandboxAll)))
	case "sandbox_network":
		r.sandbox.network = r.boolean(path, v)
	case "sandbox_env":
		r.sandbox.env = r.boolean(path, v)
	case "sandbox_required":
		r.sandbox.required = r.boolean(path, v)
	case "sandbox_read":
		r.sandbox.read = r.paths(path, v)
	case "sandbox_write":
		r.sandbox.write = r.paths(path, v)
	}
}

// paths are texts that may name a file: absolute, below the home directory, or below
// any project.
func (r *settingsReader) paths(path string, v any) (out []string) {
	list, ok := v.([]any)
	if !ok {
		r.want(path, v, `a list of paths, such as ["~/.nvm"]`)
		return nil
	}
	for _, e := range list {
		s, ok := e.(string)
		home := strings.HasPrefix(s, "~/") || s == "~"
		if !ok || s == "" || !home && !filepath.IsAbs(s) && !filepath.IsLocal(s) {
			r.want(path, e, `an absolute path, one below "~/", or one below the project`)
			continue
		}
		out = append(out, s)
	}
	return out
}

// confine decides how a hook is confined: by the user's setting for this hook, by its
// own metadata, or by the mode.
func (l *loader) confine(h *Hook) {
	if h.Layer == BuiltinLayer {
		return
	}
	var word setting[bool]
	for _, f := range l.touching(h) {
		word = word.or(f.overrides[h.Name].sandbox)
	}
	mode := first(l.files, func(f *settingsFile) setting[SandboxMode] { return f.sandbox.mode })
	on := mode.value == SandboxAll || mode.value == SandboxProject && h.Layer == ProjectLayer
	switch {
	case word.ok && !word.value:
		h.Sandbox = nil
		return
	case h.Sandbox != nil:
		h.Sandbox.By = h.File
	case word.ok:
		h.Sandbox = &Sandbox{By: word.at}
	case on:
		h.Sandbox = &Sandbox{By: mode.at}
	default:
		return
	}
	l.loosen(h.Sandbox)
}

// loosen applies the user's settings for all sandboxes.
func (l *loader) loosen(s *Sandbox) {
	network := first(l.files, func(f *settingsFile) setting[bool] { return f.sandbox.network })
	s.Network = s.Network && (!network.ok || network.value)
	s.Env = first(l.files, func(f *settingsFile) setting[bool] { return f.sandbox.env }).value
	s.Required = s.Required || first(l.files, func(f *settingsFile) setting[bool] { return f.sandbox.required }).value
	for _, f := range l.files {
		s.Read = append(s.Read, l.atHome(f.sandbox.read)...)
		s.Write = append(s.Write, l.atHome(f.sandbox.write)...)
	}
}

// atHome are paths with the home directory written out.
func (l *loader) atHome(paths []string) (out []string) {
	for _, p := range paths {
		if rest, ok := strings.CutPrefix(p, "~"); ok {
			if l.src.Home == "" {
				continue
			}
			p = l.src.Home + rest
		}
		out = append(out, filepath.Clean(p))
	}
	return out
}

// confined reads whether a hook is confined, which a project's file may only demand.
func (r *settingsReader) confined(path string, v any) setting[bool] {
	s := r.boolean(path, v)
	if r.layer == ProjectLayer && s.ok && !s.value {
		r.problem(Warning, path, display(v), "write true, or remove it", "a project may only tighten; it is left out")
		return setting[bool]{}
	}
	return s
}
