package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A look finds names in the files of a program. Programs are bundles and binaries of up
// to 400 MB: an expression should begin with plain text, which is found fast.
type look struct {
	// Of is what the names belong to; $1 stands for the first group of Find.
	Of string `json:"of"`

	// Find is where to look. Without any of the following, its first group is a name.
	Find string `json:"find"`

	// Each finds names in the match of Find: its first group.
	Each string `json:"each,omitempty"`

	// Keys means that the names are the keys of the object that begins with the first
	// brace in the match of Find.
	Keys bool `json:"keys,omitempty"`

	// Schema means that a JSON schema begins with the first brace in the match of Find.
	// If its title matches this, the names are its properties, including those of its
	// definitions, and $1 is the title.
	Schema string `json:"schema,omitempty"`
}

// lookInto collects what the looks of a table find in the files of an installation. A
// look that finds nothing at all is an error: the program is now built differently, and
// it would be wrong to take silence for no change.
func (t *table) lookInto(ctx context.Context, modules string) (said, error) {
	var files []string
	if len(t.Unpack) > 0 {
		dir, err := os.MkdirTemp("", "agents-drift-unpacked-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		if err := t.unpack(ctx, modules, dir); err != nil {
			return nil, err
		}
		modules = dir
	}
	for _, pattern := range t.Files {
		found, err := filepath.Glob(filepath.Join(modules, filepath.FromSlash(here(pattern))))
		if err != nil {
			return nil, fmt.Errorf("the table of %s: %q: %w", t.Agent, pattern, err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("none of %q is there", t.Files)
	}
	says, blind := said{}, slices.Clone(t.Looks)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, l := range t.Looks {
			n, err := l.into(data, says)
			if err != nil {
				return nil, fmt.Errorf("the table of %s: %w", t.Agent, err)
			}
			if n > 0 {
				blind = slices.DeleteFunc(blind, func(b look) bool { return b == l })
			}
		}
	}
	if len(blind) > 0 {
		var what []string
		for _, l := range blind {
			what = append(what, fmt.Sprintf("%s by %q", l.Of, l.Find))
		}
		return says, fmt.Errorf("found nothing of %s: the program is built in another way, and its table has to look elsewhere", strings.Join(what, "; "))
	}
	return says, nil
}

// unpack makes the program unpack its parts into a new folder as its home.
func (t *table) unpack(ctx context.Context, modules, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(modules, filepath.FromSlash(here(t.Unpack[0]))), t.Unpack[1:]...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CACHE_HOME="+filepath.Join(dir, ".cache"))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("unpacking %s: %w: %s", t.Package, err, bytes.TrimSpace(out))
	}
	return nil
}

// into adds what a look finds in data, and returns how many names it found.
func (l look) into(data []byte, says said) (n int, err error) {
	find, err := regexp.Compile(l.Find)
	if err != nil {
		return 0, err
	}
	each, err := regexp.Compile(l.Each + l.Schema)
	if err != nil {
		return 0, err
	}
	for _, at := range find.FindAllSubmatchIndex(data, -1) {
		match := data[at[0]:at[1]]
		of := l.Of
		if len(at) > 2 && at[2] >= 0 {
			of = strings.ReplaceAll(of, "$1", string(data[at[2]:at[3]]))
		}
		var names []string
		brace := at[0] + max(bytes.IndexByte(match, '{'), 0)
		switch {
		case l.Keys:
			names = keysOf(data[brace:])
		case l.Schema != "":
			title, list := propertiesOf(data[brace:])
			if !each.MatchString(title) {
				continue
			}
			of, names = strings.ReplaceAll(l.Of, "$1", title), list
		case l.Each != "":
			for _, m := range each.FindAllSubmatch(match, -1) {
				names = append(names, string(m[1]))
			}
		default:
			names = []string{string(data[at[2]:at[3]])}
		}
		n += len(names)
		says.add(of, names...)
	}
	return n, nil
}

// propertiesOf are the properties of the JSON schema at the beginning of data, and its
// title.
func propertiesOf(data []byte) (title string, names []string) {
	type object struct {
		Title       string
		Properties  map[string]json.RawMessage
		Definitions map[string]struct{ Properties map[string]json.RawMessage }
	}
	var o object
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&o); err != nil {
		return "", nil
	}
	for name := range o.Properties {
		names = append(names, name)
	}
	for name, d := range o.Definitions {
		for property := range d.Properties {
			names = append(names, name+"."+property)
		}
	}
	return o.Title, names
}
