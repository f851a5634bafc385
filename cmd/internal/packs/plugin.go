package packs

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/bring"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/pack"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/pack/store"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// read is a tree's pack. An agent's plugin becomes one: a hook folder for each
// command that it runs as a hook, with all its files, since it is not known which of
// them a command reads. temp is a temporary folder; notes name the parts of a plugin
// that do not become hooks.
func read(sh *shell.Shell, t pack.Tree, name, temp string) (p *pack.Pack, notes []string, err error) {
	p, err = pack.Read(t, folderName(name))
	if !errors.Is(err, pack.ErrNoHooks) {
		if slices.ContainsFunc(t, func(e pack.Entry) bool { return e.Path == "hooks/hooks.json" }) {
			notes = append(notes, "not taken: hooks/hooks.json, since it has hook folders")
		}
		return p, notes, err
	}
	if name = folderName(name); !lockfile.ValidName(name) {
		name = "plugin"
	}
	whole, bad := pack.Whole(t, name)
	if bad != nil {
		return nil, nil, bad
	}
	if err := store.Write(temp, whole.Folders); err != nil {
		return nil, nil, err
	}
	dir := filepath.Join(temp, name)
	hooks, problems := discovery.PluginHooks(sh.Host.Sources(), dir)
	if hooks == nil && problems == nil {
		return nil, nil, elsewhere(t, err)
	}
	within := func(d discovery.Problem) string {
		d.Fix, d.Message = "", strings.ReplaceAll(d.Message, strconv.Quote(dir), "it")
		d.File, _ = strings.CutPrefix(d.File, dir+string(filepath.Separator))
		return d.String()
	}
	for _, d := range problems {
		if d.Severity == discovery.Error {
			return nil, nil, fmt.Errorf("the plugin cannot be read completely: %s", within(d))
		}
		notes = append(notes, "not taken: "+within(d))
	}
	names, files := map[string]bool{}, whole.Folders[0].Files
	whole.Manifest = manifestOf(whole.Manifest, files)
	whole.Folders = nil
	for _, h := range hooks {
		if h.Status == discovery.Broken {
			for _, d := range h.Problems {
				if d.Fatal {
					notes = append(notes, "not taken: "+within(d))
				}
			}
			continue
		}
		h.Name = entryName(h, names)
		if h.Description = text.Clip(strings.Join(strings.Fields(shell.Plain(h.Description)), " "), 200); h.Description == "" {
			h.Description = h.Name
		}
		hook := pack.Entry{Path: "HOOK.md", Kind: pack.File, Data: []byte(bring.HookFile(h, nil, "A hook of the plugin "+h.Plugin+", whose files lie here with it. It speaks "+h.Dialect+"'s protocol."))}
		whole.Folders = append(whole.Folders, pack.Folder{Name: h.Name, Files: append(pack.Tree{hook}, files...)})
		whole.Name = cmp.Or(whole.Name, h.Plugin)
	}
	if len(whole.Folders) == 0 {
		return nil, nil, fmt.Errorf("%w: it is one agent's plugin, and none of its hooks can run in another: %s", pack.ErrNoHooks, strings.Join(notes, "; "))
	}
	shared := hooks[0].Tongue.Plugin.Data
	if len(whole.Folders) > 1 && slices.ContainsFunc(files, func(e pack.Entry) bool { return strings.Contains(string(e.Data), shared) }) {
		notes = append(notes, "it keeps data in "+shared+": each hook has a folder of its own for that; [[hooks.source]] runs the plugin with one for all")
	}
	return whole, notes, whole.Settle()
}

// manifestOf adds a plugin's description of itself to its pack.toml.
func manifestOf(m pack.Manifest, files pack.Tree) pack.Manifest {
	i := slices.IndexFunc(files, func(e pack.Entry) bool { return strings.HasSuffix(e.Path, "-plugin/plugin.json") })
	if i < 0 {
		return m
	}
	o, _ := protocol.ParseObject(files[i].Data)
	line := func(key string) string {
		return text.Clip(strings.Join(strings.Fields(shell.Plain(o.Text(key))), " "), 200)
	}
	m.Version, m.Description = cmp.Or(m.Version, line("version")), cmp.Or(m.Description, line("description"))
	return m
}

// elsewhere names the folders of a tree that have plugins, if any.
func elsewhere(t pack.Tree, err error) error {
	var dirs []string
	for _, e := range t {
		if dir, ok := strings.CutSuffix(e.Path, "/hooks/hooks.json"); ok && len(dirs) < 5 {
			dirs = append(dirs, "//"+shell.Plain(dir))
		}
	}
	if len(dirs) == 0 {
		return err
	}
	return fmt.Errorf("%w; there are plugins in %s", err, strings.Join(dirs, ", "))
}

// entryName is a folder name for a plugin's hook: its plugin and what it runs, and a
// number if that is taken.
func entryName(h *discovery.Hook, taken map[string]bool) string {
	plugin, what, _ := strings.Cut(h.Name, "/")
	what = strings.TrimPrefix(strings.TrimPrefix(what, string(h.Trigger)), "-")
	name := plugin
	if what != "" && what != plugin {
		name += "-" + strings.TrimPrefix(what, plugin+"-")
	}
	if len(name) > 58 {
		name = strings.TrimRight(name[:58], "-")
	}
	for n, base := 2, name; taken[name]; n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	taken[name] = true
	return name
}
