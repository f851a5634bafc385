package hooks

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/habits"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/outside"
	"github.com/agents-hooks/agents-hooks/cmd/internal/requirements"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/team"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// inspected is what validate examines: folders of hooks, and settings files.
type inspected struct {
	folders  []string
	settings []string
	around   []discovery.Problem // problems outside the hooks themselves
	portable bool                // report what another runner may not know
}

// toInspect collects what the options ask for.
func toInspect(h host.Host, o validateOptions) (in inspected, err error) {
	for _, path := range o.paths {
		if err := in.add(path); err != nil {
			return in, fmt.Errorf("validate: %w", err)
		}
	}
	if len(o.paths) > 0 {
		return in, nil
	}
	roots := []string{h.Config}
	if project, _ := discovery.FindProject(o.from, h.Home); project != "" {
		roots = append(roots, filepath.Join(project, ".agents"))
	}
	for _, root := range roots {
		if hooks := filepath.Join(root, "hooks"); shell.IsFolder(hooks) {
			if err := in.add(hooks); err != nil {
				return in, fmt.Errorf("validate: %w", err)
			}
		} else {
			in.addSettings(filepath.Join(root, "hooks.toml"))
		}
	}
	for _, p := range hookset.Set(h, o.from).Problems {
		if slices.ContainsFunc(roots, func(root string) bool { return below(p.File, filepath.Join(root, "hooks")) }) {
			in.around = append(in.around, p)
		}
	}
	return in, nil
}

// below reports whether a path is inside a folder.
func below(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// add adds a path: a settings file, a hook, or a folder of hooks and the settings beside it.
func (in *inspected) add(path string) error {
	if strings.HasSuffix(path, ".toml") && !shell.IsFolder(path) {
		if _, err := os.Stat(path); err != nil {
			return err
		}
		in.addSettings(path)
		return nil
	}
	folders, err := hookset.HookFolders(path)
	if err != nil {
		return err
	}
	for _, f := range folders {
		if !slices.Contains(in.folders, f) {
			in.folders = append(in.folders, f)
		}
	}
	switch own := filepath.Join(path, ".agents"); {
	case hookset.HookFile(path) != "" || !shell.IsFolder(path):
	case shell.IsFolder(filepath.Join(own, "hooks")):
		in.addSettings(filepath.Join(own, "hooks.toml"))
	case len(folders) > 0 || filepath.Base(path) == "hooks":
		in.addSettings(filepath.Join(filepath.Dir(path), "hooks.toml"))
	}
	return nil
}

func (in *inspected) addSettings(path string) {
	if _, err := os.Lstat(path); err == nil && !slices.Contains(in.settings, path) {
		in.settings = append(in.settings, path)
	}
	if filepath.Base(path) == "hooks.toml" && filepath.Base(filepath.Dir(path)) == ".agents" { // and the team's manifest beside it
		in.addSettings(filepath.Join(filepath.Dir(path), filepath.Base(team.File)))
	}
}

// beside warns of what a project's hook runs or reads outside its folder, which approving the
// hook does not cover.
func beside(dir string) (problems []discovery.Problem) {
	if filepath.Base(filepath.Dir(filepath.Dir(dir))) != ".agents" {
		return nil
	}
	for _, ref := range outside.Of(dir) {
		problems = append(problems, discovery.Problem{File: filepath.Join(dir, filepath.FromSlash(ref.File)), Line: ref.Line, Severity: discovery.Warning,
			Message: fmt.Sprintf("%q %s: an approval of the hook does not cover that", ref.Text, ref.Why), Fix: "keep what the hook runs in its folder, if you can"})
	}
	return problems
}

// settingsLayer is the layer of a settings file, by its path.
func settingsLayer(h host.Host, path string) discovery.LayerName {
	dir := filepath.Dir(path)
	switch {
	case slices.Contains(h.System, dir):
		return discovery.SystemLayer
	case filepath.Base(dir) == ".agents":
		return discovery.ProjectLayer
	}
	return discovery.UserLayer
}

// inspect reads everything to be checked, and returns the problems, sorted by file and
// position. d is the agent that the hooks should work in, nil for none.
func (in *inspected) inspect(h host.Host, d *protocol.Dialect) (problems []discovery.Problem, foreign []string) {
	problems = append([]discovery.Problem{}, in.around...)
	byName := map[string]string{}
	for _, dir := range in.folders {
		hook := hookset.HookAt(h, dir)
		if hook.Status == discovery.Foreign {
			foreign = append(foreign, dir)
			continue
		}
		habits.Named(hook)
		for i := range hook.Problems {
			habits.At(&hook.Problems[i])
		}
		problems = append(problems, hook.Problems...)
		problems = append(problems, habits.Of(h, hook, in.portable)...)
		if in.portable {
			problems = append(problems, hook.Unportable()...)
		}
		twin := filepath.Dir(dir) + "\x00" + hook.Name
		if first, ok := byName[twin]; ok {
			problems = append(problems, discovery.Problem{File: hook.File, Field: "name", Severity: discovery.Error, Value: hook.Name,
				Message: fmt.Sprintf("%q is the name of the hook in %s too, which comes first and runs", hook.Name, filepath.Base(first)), Fix: "give it another name"})
		} else {
			byName[twin] = dir
		}
		problems = append(problems, beside(dir)...)
		if d != nil && hook.Status != discovery.Broken {
			problems = append(problems, requirements.Unmet(d, hook, protocol.UnsupportedDefault)...)
		}
	}
	for _, path := range in.settings {
		if project, ok := strings.CutSuffix(path, string(filepath.Separator)+filepath.FromSlash(team.File)); ok {
			problems = append(problems, team.Read(project).Problems...)
			continue
		}
		problems = append(problems, discovery.CheckSettings(path, settingsLayer(h, path), builtin.Known(h))...)
	}
	order.By(problems, func(a, b discovery.Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return problems, foreign
}
