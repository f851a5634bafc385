package protocol

import (
	"bytes"
	"fmt"
)

// The portable tools: one name and one shape, whatever the agent calls them
// (DESIGN 6).
const (
	Shell     = "Shell"     // command
	ReadFile  = "ReadFile"  // file_path
	WriteFile = "WriteFile" // file_path, content
	EditFile  = "EditFile"  // file_path, old_string, new_string
	Search    = "Search"    // pattern, path
	Fetch     = "Fetch"     // url
	WebSearch = "WebSearch" // query
	Task      = "Task"      // prompt, description, subagent_type
)

// A Key says that a portable key stands for an agent's own key.
type Key struct{ Portable, Native string }

// A Tool is how one of an agent's tools is seen through the portable ones.
type Tool struct {
	Native string   // the agent's own name, "run_shell_command"
	Name   string   // the portable name, Shell
	Also   []string // further names that a matcher tries
	Keys   []Key    // where the agent's keys differ from the portable ones
}

// Tools is the tool table of an agent.
type Tools []Tool

// Find looks a tool up by the agent's own name.
func (t Tools) Find(native string) (Tool, bool) {
	for _, tool := range t {
		if tool.Native == native {
			return tool, true
		}
	}
	return Tool{}, false
}

// NewCall makes a call from what the agent sent: the portable name, and the
// portable keys added beside the native ones, which are never overwritten. A
// tool that the table does not know keeps its own name.
//
// An input that is no object stands in the hooks' input as the member "input",
// so that a pattern finds it; it cannot be changed.
func (t Tools) NewCall(native string, input Raw) *Call {
	c := &Call{Name: native, NativeName: native}
	var keys []Key
	if tool, ok := t.Find(native); ok {
		c.Name, c.Also, keys = tool.Name, tool.Also, tool.Keys
	}
	switch {
	case len(input) == 0 || string(input) == "null":
		c.NativeInput = Object{}
	case input[0] != '{':
		c.opaque = true
		c.Input = Object{{"input", input}}
		return c
	default:
		c.NativeInput = ObjectOf(input)
	}
	c.Keys = pairs(keys, c.NativeInput)
	c.Input = make(Object, len(c.NativeInput), len(c.NativeInput)+len(c.Keys)+2)
	copy(c.Input, c.NativeInput)
	for _, k := range c.Keys {
		if v := c.NativeInput.Get(k.Native); v != nil {
			c.Input = append(c.Input, Member{k.Portable, v})
		}
	}
	return c
}

// pairs are the keys of a tool that hold for one input: not those whose portable
// name the agent uses itself, and one native key for each portable one: the one
// that is there, else the one that the table names first.
func pairs(keys []Key, input Object) []Key {
	var out []Key
next:
	for _, k := range keys {
		if input.Has(k.Portable) {
			continue
		}
		for i := range out {
			if out[i].Portable == k.Portable {
				if !input.Has(out[i].Native) && input.Has(k.Native) {
					out[i] = k
				}
				continue next
			}
		}
		out = append(out, k)
	}
	return out
}

// Derive adds a member to the hooks' input that was computed from others, and so
// has no key of the agent that it could be mapped back to. A member that is
// there already stays.
func (c *Call) Derive(name string, value Raw) {
	if !c.Input.Has(name) {
		c.Input = append(c.Input, Member{name, value})
		c.derived = append(c.derived, Member{name, value})
	}
}

// NativeInputOf maps a hook's modified_input back to the agent's own keys, as a
// complete object: laid over the original native input, so a key that the hook
// left out stays (R10). Of a native key and its portable one, the one that was
// changed wins; if both were, the portable one, with a warning. Derived members
// cannot be changed. It is nil if the agent's input cannot be changed at all.
func (c *Call) NativeInputOf(modified Object) (Object, []string) {
	if c.opaque {
		return nil, []string{"modified_input: the input of " + c.NativeName + " is no object and cannot be changed; left out"}
	}
	settled, warnings := c.Input, c.lost
	if c.given == nil || !sameValue(modified.verbatim(), c.given.verbatim()) {
		settled, warnings = c.settle(modified)
	}
	out := c.NativeInput.Clone()
	for _, m := range settled {
		if v := c.derived.Get(m.Name); v != nil {
			if !sameValue(m.Value, v) {
				warnings = append(warnings, fmt.Sprintf("modified_input: %s is read from another key for the hook and cannot be changed; left out", m.Name))
			}
			continue
		}
		out.Set(c.nativeKey(m.Name), m.Value)
	}
	return out, warnings
}

// settle makes a modified input agree with itself: of a native and a portable
// key that say the same thing, the one that differs from what the hook was given
// is copied to the other.
func (c *Call) settle(modified Object) (Object, []string) {
	out := modified.Clone()
	var warnings []string
	for _, k := range c.Keys {
		portable, native := out.Get(k.Portable), out.Get(k.Native)
		if portable == nil || native == nil || sameValue(portable, native) {
			continue
		}
		if sameValue(portable, c.Input.Get(k.Portable)) {
			out.Set(k.Portable, native)
			continue
		}
		if !sameValue(native, c.Input.Get(k.Native)) {
			warnings = append(warnings, fmt.Sprintf("modified_input: %s and %s were both changed; %s stands", k.Portable, k.Native, k.Portable))
		}
		out.Set(k.Native, portable)
	}
	return out, warnings
}

// nativeKey is the key that the agent uses for a key of Input.
func (c *Call) nativeKey(name string) string {
	for _, k := range c.Keys {
		if k.Portable == name {
			return k.Native
		}
	}
	return name
}

// sameValue compares two JSON values by their wire spelling.
func sameValue(a, b []byte) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return bytes.Equal(AppendValue(nil, a), AppendValue(nil, b))
}
