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

// A table is what the program of one agent says in the version that its dialect was
// proven with, and where that is found in its files.
type table struct {
	Agent   string `json:"agent"`
	Package string `json:"package"` // in the npm registry; {os} and {arch} in npm's spelling

	// Announced is a package that has a new version before the registry has its
	// program; "" if people install Package.
	Announced string `json:"announced,omitempty"`

	// Module is the Go module of the program, if that has versions which npm's registry
	// does not have yet; "" if it has none.
	Module string `json:"module,omitempty"`

	Version string `json:"version"` // the version of Says, and the one that the suite of real agents runs

	// Empty says why the package has nothing to read; "" if it has.
	Empty string `json:"empty,omitempty"`

	// Unpack is a program below node_modules, with arguments, that unpacks its parts
	// into its user's cache, if it carries them packed. Files are then relative to
	// that.
	Unpack []string `json:"unpack,omitempty"`

	Files []string `json:"files,omitempty"` // below node_modules, with * for any name
	Looks []look   `json:"looks,omitempty"`

	// As maps an event of the dialect to the program's name for it, if that differs or
	// there are several.
	As map[string]string `json:"as,omitempty"`

	// Unsaid are events of the dialect that the files do not name in any way that can
	// be found.
	Unsaid []string `json:"unsaid,omitempty"`

	Says said `json:"says,omitempty"`
}

// said maps subjects to sorted names: "events", "payload of PreToolUse".
type said map[string][]string

// events is the key of said that dialects are also compared with.
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

// readTables returns all tables, sorted by agent.
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

// write writes a table back to its place below the folder of this program.
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

// here fills in this machine's parts in a package name.
func here(name string) string {
	arch := runtime.GOARCH
	if arch == "amd64" {
		arch = "x64"
	}
	return strings.NewReplacer("{os}", runtime.GOOS, "{arch}", arch).Replace(name)
}
