package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/toml"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Rule is what an administrator's file says of an agent's hooks.
type Rule struct {
	File string
	Off  string // why no entry of the person runs, "" if it does
	Only bool   // it is Off for the user's entries, and not for the administrator's
	Ours bool   // an entry of ours stands in it
	Bad  string // why the file cannot be read, "" if it can
}

// Rules are the files of an administrator that there are for an agent, in their
// order.
func Rules(d *protocol.Dialect, s protocol.Site) (rules []Rule) {
	m := d.Managed
	if m == nil {
		return nil
	}
	for _, path := range managedFiles(m, s) {
		b, err := s.Read(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		r := Rule{File: path}
		var settings protocol.Object
		if err == nil {
			settings, err = settingsOf(path, b, m.TOML)
		}
		switch {
		case err != nil:
			r.Bad = err.Error()
		case m.Off != nil:
			r.Off = m.Off(settings)
			r.Only = r.Off != "" && settings.Bool(m.Only)
			settings.Delete(m.Only)
			r.Only = r.Only && m.Off(settings) == ""
		}
		r.Ours = r.Bad == "" && bytes.Contains(b, []byte(" run --agent="+d.ID+" "))
		rules = append(rules, r)
	}
	return rules
}

// managedFiles are the files, including those in folders.
func managedFiles(m *protocol.Managed, s protocol.Site) (files []string) {
	for _, path := range m.Files(s.GOOS) {
		dir, all := strings.CutSuffix(path, "*")
		if !all {
			files = append(files, path)
			continue
		}
		if s.List == nil {
			continue
		}
		dir = strings.TrimRight(dir, `/\`)
		for _, name := range s.List(dir) {
			if strings.HasSuffix(name, ".json") && !strings.HasPrefix(name, ".") {
				files = append(files, s.Join(dir, name))
			}
		}
	}
	return files
}

// settingsOf reads a file of settings.
func settingsOf(path string, b []byte, isTOML bool) (protocol.Object, error) {
	if isTOML {
		doc, err := toml.Parse(string(b))
		if err != nil {
			return nil, err
		}
		return tomlObject(doc.Root), nil
	}
	doc, err := parseDocument(path, b)
	if err != nil {
		return nil, err
	}
	return plain(doc.root), nil
}

// tomlObject is a table as far as switches need it: texts, numbers, booleans and
// tables.
func tomlObject(t map[string]any) protocol.Object {
	o := protocol.Object{}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		switch v := t[name].(type) {
		case bool:
			o.Set(name, protocol.Raw(strconv.FormatBool(v)))
		case string:
			o.SetText(name, v)
		case int64:
			o.Set(name, protocol.Raw(fmt.Sprint(v)))
		case map[string]any:
			o.Set(name, tomlObject(v).Raw())
		}
	}
	return o
}
