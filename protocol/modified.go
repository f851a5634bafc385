package protocol

import (
	"bytes"
	"fmt"
)

// What hooks change of a call, and what becomes of it in the agent's own keys.

// SetInput replaces the tool input for the hooks that run after this one. Of a native
// key and its portable twin, the changed one is copied to the other, so that no later
// hook judges a value that will not be used.
func (e *Event) SetInput(input Object) {
	if e.Call == nil {
		return
	}
	call := *e.Call
	call.given = input
	call.Input, call.lost = e.Call.reconcile(input)
	e.Call = &call
	fields := e.Fields.Clone()
	fields.Set("tool_input", call.Input.Raw())
	fields.Delete("commands") // they described the old input
	fields.Delete("changes")
	e.Fields, e.Deed = fields, nil
}

// SetOutput replaces the result of the call for the hooks that run after this one: they
// judge what the model reads.
func (e *Event) SetOutput(text string) {
	fields := e.Fields.Clone()
	if e.Type == PostToolCall || fields.Has("tool_response") {
		fields.Set("tool_response", Quote(text))
	}
	if fields.Has("error") {
		fields.Set("error", Quote(text))
	}
	fields.Delete("result")
	e.Deed, e.Fields = nil, fields
}

// NativeInputOf maps a hook's modified_input back to the agent's own keys, as a
// complete object: it is laid over the original native input, so a key that the hook
// left out stays. Of a native key and its portable twin, the changed one wins; if
// both were changed, the portable one, with a warning. A command has the shape of the
// agent's own, a line or a list of words. Derived members cannot be changed. It is
// nil if the agent's input cannot be changed at all.
func (c *Call) NativeInputOf(modified Object) (Object, []string) {
	if c.opaque {
		return nil, []string{"modified_input: the input of " + c.NativeName + " is not an object and cannot be changed; left out"}
	}
	reconciled, warnings := c.Input, c.lost
	if c.given == nil || !sameValue(modified.verbatim(), c.given.verbatim()) {
		reconciled, warnings = c.reconcile(modified)
	}
	out := c.NativeInput.Clone()
	for _, m := range reconciled {
		if v := c.derived.Get(m.Name); v != nil {
			if !sameValue(m.Value, v) {
				warnings = append(warnings, fmt.Sprintf("modified_input: %s is read from another key for the hook and cannot be changed; left out", m.Name))
			}
			continue
		}
		key := c.nativeKey(m.Name)
		if m.Name == "command" {
			m.Value = inShape(c.NativeInput.Get(key), m.Value)
		}
		out.Set(key, m.Value)
	}
	return out, warnings
}

// reconcile makes a modified input consistent: of a native key and its portable twin,
// the value that differs from what the hook got is copied to the other.
func (c *Call) reconcile(modified Object) (Object, []string) {
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
