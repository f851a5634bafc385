package bring

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Plugin is a folder with hooks and their scripts.
type Plugin struct {
	Name, Dir string
	inline    value // the hooks that its manifest itself contains
}

// plugins are the sources of an agent's enabled plugins.
func (f *finder) plugins(d *protocol.Dialect) (list []Source) {
	if d.Custom == nil || d.Custom.Plugins == nil {
		return nil
	}
	user := setup.Site(f.h, protocol.UserScope, "")
	index := Source{Agent: d, Path: d.Custom.Plugins.Index(user)}
	if _, err := index.in.Stat(index.Path); err != nil {
		return nil
	}
	installed, ok := f.read(index)
	if !ok {
		return nil
	}
	on := f.switchedOn(d)
	for _, m := range installed.get("plugins").members {
		scope, ok := on[m.name]
		dir := placeOf(m.value, f.project)
		if !ok || dir == "" || !filepath.IsAbs(dir) {
			continue
		}
		list = append(list, f.plugin(d, dir, scope)...)
	}
	return list
}

// placeOf is the folder of an installed plugin: an installation for this project comes before one
// for all.
func placeOf(v value, project string) (dir string) {
	if v.kind == object {
		return v.str("installPath")
	}
	for _, e := range v.items {
		switch at := e.str("projectPath"); {
		case at != "" && at == project:
			return e.str("installPath")
		case at == "":
			dir = e.str("installPath")
		}
	}
	return dir
}

// switchedOn are the plugins that settings enable, with the scope of those settings.
func (f *finder) switchedOn(d *protocol.Dialect) map[string]protocol.Scope {
	on := map[string]protocol.Scope{}
	for _, scope := range []protocol.Scope{protocol.ProjectScope, protocol.UserScope} {
		if scope == protocol.ProjectScope && f.project == "" {
			continue
		}
		for _, path := range filesOf(d, setup.Site(f.h, scope, f.project)) {
			s := f.at(d, path, scope)
			b, err := s.in.Read(path, maxFile)
			if err != nil {
				continue // reported when its own entries are read
			}
			v, err := parse(path, b)
			if err != nil {
				continue
			}
			for _, m := range v.get(d.Custom.Plugins.Switch).members {
				if m.text == "true" {
					on[m.name] = scope
				}
			}
		}
	}
	return on
}

// plugin are the sources of a plugin: the files that its manifest names, and the hooks in the
// manifest itself.
func (f *finder) plugin(d *protocol.Dialect, dir string, scope protocol.Scope) (list []Source) {
	form := d.Custom.Plugins
	s := Source{Agent: d, Scope: scope, Plugin: &Plugin{Name: pluginName(dir), Dir: dir}, in: beneath.At(dir)}
	usual := filepath.Join(dir, filepath.FromSlash(form.Hooks))
	files := []string{usual}
	manifest := s
	manifest.Path = filepath.Join(dir, filepath.FromSlash(form.Manifest))
	if _, err := s.in.Stat(manifest.Path); err == nil {
		v, ok := f.read(manifest)
		if !ok {
			return nil
		}
		if name := v.str("name"); name != "" {
			s.Plugin.Name = name
		}
		hooks := v.get("hooks")
		for _, part := range append([]value{hooks}, hooks.items...) {
			switch part.kind {
			case text:
				files = append(files, filepath.Join(dir, filepath.FromSlash(part.text)))
			case object:
				one := s
				one.Path = manifest.Path
				one.Plugin = &Plugin{Name: s.Plugin.Name, Dir: dir, inline: part}
				list = append(list, one)
			}
		}
	}
	slices.Sort(files)
	for _, path := range slices.Compact(files) {
		s.Path = path
		if _, err := s.in.Stat(path); err == nil {
			list = append(list, s)
		} else if path != usual || !errors.Is(err, fs.ErrNotExist) {
			f.wrong(s, err)
		}
	}
	return list
}

// pluginName is the name of a plugin without a manifest: its folder's, but not if that is a
// version.
func pluginName(dir string) string {
	name := filepath.Base(dir)
	if strings.Trim(name, "0123456789.v") == "" || len(name) >= 12 && strings.Trim(name, "0123456789abcdef") == "" {
		name = filepath.Base(filepath.Dir(dir))
	}
	return name
}
