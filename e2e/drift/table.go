package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
)

// A table is what the program of one agent said of itself in the version that the
// agent's dialect was proven with, and where that is found in its files.
type table struct {
	Agent   string `json:"agent"`
	Package string `json:"package"` // in the npm registry; {os} and {arch} as npm spells them

	// Announced is a package that names a version before the registry has its program;
	// "" where Package is what people install.
	Announced string `json:"announced,omitempty"`

	Version string `json:"version"` // that Says is of, and that the suite of real agents runs

	// Empty says why the package has nothing to look into; "" if it has.
	Empty string `json:"empty,omitempty"`

	// Unpack is a program below node_modules and arguments with which it lays its parts out
	// in its user's cache, where it carries them packed. Files lie there then.
	Unpack []string `json:"unpack,omitempty"`

	Files []string `json:"files,omitempty"` // below node_modules, with * in place of any name
	Looks []look   `json:"looks,omitempty"`

	// As has what the dialect calls an event where the program calls it otherwise, or in
	// more than one way.
	As map[string]string `json:"as,omitempty"`

	// Unsaid are events of the dialect that the files do not name in a way that can be
	// looked for.
	Unsaid []string `json:"unsaid,omitempty"`

	Says said `json:"says,omitempty"`
}

// What is said is sorted by what it is said of: "events", "payload of PreToolUse".
type said map[string][]string

// events is the key of said that dialects are held to as well.
const events = "events"

func (s said) add(of string, names ...string) {
	for _, name := range names {
		if i, there := slices.BinarySearch(s[of], name); !there {
			s[of] = slices.Insert(s[of], i, name)
		}
	}
}

//go:embed tables/*.json
var kept embed.FS

const tablesDir = "tables"

// readTables are all tables, sorted by agent.
func readTables() ([]*table, error) {
	files, err := kept.ReadDir(tablesDir)
	if err != nil {
		return nil, err
	}
	var list []*table
	for _, f := range files {
		b, err := kept.ReadFile(path.Join(tablesDir, f.Name()))
		if err != nil {
			return nil, err
		}
		t := &table{}
		d := json.NewDecoder(bytes.NewReader(b))
		d.DisallowUnknownFields()
		if err := d.Decode(t); err != nil {
			return nil, fmt.Errorf("reading %s/%s: %w", tablesDir, f.Name(), err)
		}
		list = append(list, t)
	}
	return list, nil
}

// write puts a table back to where it is kept, below the folder of this program.
func (t *table) write(dir string) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(t); err != nil {
		return err
	}
	return os.WriteFile(path.Join(dir, tablesDir, t.Agent+".json"), b.Bytes(), 0o644)
}

// here spells a name of the registry for this machine.
func here(name string) string {
	arch := runtime.GOARCH
	if arch == "amd64" {
		arch = "x64"
	}
	return strings.NewReplacer("{os}", runtime.GOOS, "{arch}", arch).Replace(name)
}
