package protocol

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Validate checks that a dialect is complete and consistent. A test calls it
// for the whole list.
func (d *Dialect) Validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("dialect %q: "+format, append([]any{d.ID}, args...)...))
	}
	for _, name := range append([]string{d.ID}, d.Aliases...) {
		if !ValidName(name) {
			bad("bad id %q", name)
		}
	}
	if d.Name == "" || d.Doc == "" {
		bad("no name or no source of its facts")
	}
	if d.Detect == nil || d.Decode == nil || d.Encode == nil || d.NoOpinion == nil {
		bad("a function is missing")
	}
	if d.Config != nil {
		if err := d.Config.validate(); err != nil {
			bad("its configuration: %v", err)
		}
	}
	if d.Borrows != nil && len(d.AlsoReads) == 0 {
		bad("borrows entries of no other agent")
	}
	if (len(d.AlsoReads) > 0) != (len(d.BorrowSigns) > 0) {
		bad("reads entries of other agents without a sign of it, or has signs and reads none")
	}
	names := map[string]bool{}
	for _, n := range d.NativeEvents {
		if names[n.Name] {
			bad("event %q stands twice", n.Name)
		}
		names[n.Name] = true
		if err := n.validate(d.Config != nil); err != nil {
			bad("event %q: %v", n.Name, err)
		}
	}
	tools := map[string]bool{}
	for _, t := range d.Tools {
		if tools[t.Native] || t.Name == "" {
			bad("tool %q stands twice, or has no portable name", t.Native)
		}
		tools[t.Native] = true
	}
	for i, q := range d.Quirks {
		if q.ID != fmt.Sprintf("%s/%d", d.ID, i+1) || q.Text == "" || q.Seen == "" {
			bad("quirk %d: want id %s/%d, a text and the version it was seen in", i, d.ID, i+1)
		}
	}
	return errors.Join(errs...)
}

func (n Native) validate(installed bool) error {
	if len(n.MapsTo) == 0 {
		return errors.New("feeds nothing")
	}
	for _, t := range n.Events() {
		if !t.Known() {
			return fmt.Errorf("feeds unknown event %q", t)
		}
	}
	if err := validObject(n.Fields); err != nil {
		return fmt.Errorf("fields %q: %v", n.Fields, err)
	}
	if installed && !n.Manual && (n.Limit <= 0 || n.Limit > MaxLimit) {
		return fmt.Errorf("time limit %s, want more than 0 and at most %s", n.Limit, MaxLimit)
	}
	switch n.Source {
	case "observed", "source", "documentation":
		return nil
	}
	return fmt.Errorf("source %q", n.Source)
}

func (c *Config) validate() error {
	if c.File == nil || c.Unit <= 0 {
		return errors.New("no file, or no unit of time")
	}
	for _, text := range []string{c.Head, c.Fields, c.Label, c.Closed} {
		if err := validObject(text); err != nil {
			return fmt.Errorf("%q: %v", text, err)
		}
	}
	switch c.Shape {
	case NestedJSON, FlatJSON, BlockTOML, Wrappers:
		return nil
	case ListJSON:
		if c.Events == "" || c.Named == "" {
			return errors.New("a list without a name, or entries without one")
		}
		return nil
	case Plugin:
		if c.Text == nil || strings.Count(c.Text(), PluginEntry+"null\n") != 1 {
			return fmt.Errorf("want one line %q in the text", PluginEntry+"null")
		}
		return nil
	}
	return fmt.Errorf("shape %q", c.Shape)
}

// PluginEntry begins the line of a Plugin that install fills in.
const PluginEntry = "const ENTRY = "

func validObject(text string) error {
	if text == "" {
		return nil
	}
	_, err := ParseObject([]byte(text))
	return err
}

// MaxLimit is the longest time limit that install writes: that of a hook.
const MaxLimit = 600 * time.Second
