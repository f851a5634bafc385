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
func (t Tools) NewCall(native string, input Object) *Call {
	c := &Call{Name: native, NativeName: native, NativeInput: input}
	if tool, ok := t.Find(native); ok {
		c.Name, c.Also, c.Keys = tool.Name, tool.Also, tool.Keys
	}
	c.Input = input.Clone()
	for _, k := range c.Keys {
		if v := input.Get(k.Native); v != nil && !input.Has(k.Portable) {
			c.Input.Set(k.Portable, v)
		}
	}
	return c
}

// NativeInputOf maps a hook's modified_input back to the agent's own keys, as a
// complete object: laid over the original native input, so a key that the hook
// left out stays (R10). Of a native key and its portable one, the one that was
// changed wins; if both were, the portable one, with a warning. derived names
// keys of Input that were computed for the hook and have no native counterpart.
func (c *Call) NativeInputOf(modified Object, derived ...string) (Object, []string) {
	out := c.NativeInput.Clone()
	var warnings []string
	changed := func(name string) bool {
		v := modified.Get(name)
		return v != nil && !sameValue(v, c.Input.Get(name))
	}
	for _, m := range modified {
		key, portable := c.nativeKey(m.Name)
		switch {
		case portable && changed(m.Name):
			if changed(key) {
				warnings = append(warnings, fmt.Sprintf("modified_input: %s and %s were both changed; %s stands", m.Name, key, m.Name))
			}
			out.Set(key, m.Value)
		case portable:
			// An unchanged portable key says nothing; its native twin stands for itself.
		case contains(derived, m.Name):
			if changed(m.Name) {
				warnings = append(warnings, fmt.Sprintf("modified_input: %s is read from another key for the hook and cannot be changed; left out", m.Name))
			}
		case c.twinChanged(m.Name, changed):
			// The portable twin was changed too, and stands.
		default:
			out.Set(m.Name, m.Value)
		}
	}
	return out, warnings
}

// nativeKey is the native key that a portable one stands for in this call.
func (c *Call) nativeKey(name string) (string, bool) {
	for _, k := range c.Keys {
		if k.Portable == name && !c.NativeInput.Has(name) && c.NativeInput.Has(k.Native) {
			return k.Native, true
		}
	}
	return name, false
}

func (c *Call) twinChanged(native string, changed func(string) bool) bool {
	for _, k := range c.Keys {
		if k.Native == native && !c.NativeInput.Has(k.Portable) && changed(k.Portable) {
			return true
		}
	}
	return false
}

// sameValue compares two JSON values by their wire spelling.
func sameValue(a, b []byte) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return bytes.Equal(AppendValue(nil, a), AppendValue(nil, b))
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
