package packs

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/habits"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/outside"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/pack/store"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/trust"
)

// What happens to a folder.
const (
	isNew     = "new"
	isChanged = "changed"
	isSame    = "same"
	isGone    = "gone"
)

// A Hook is one of a pack's. Its JSON form is stable.
type hook struct {
	Folder   string             `json:"folder"`
	Name     string             `json:"name"`
	About    string             `json:"description"`
	Change   string             `json:"change"` // new, changed, same, gone
	Hash     string             `json:"hash"`   // "" if it is removed
	Trigger  protocol.EventType `json:"trigger"`
	Matcher  hookset.RowMatcher `json:"matcher"`
	Runs     []string           `json:"runs"` // what is started
	Async    bool               `json:"async"`
	Sandbox  *hookset.Sandbox   `json:"sandbox"`
	Replaces []string           `json:"replaces"` // hooks that it would replace
	Outside  []outside.Ref      `json:"outside"`  // what it runs or reads outside its folder
	Warnings []string           `json:"warnings"`
	Unseen   []trust.Unseen     `json:"unseen"` // files that the diff does not show
	Diff     string             `json:"diff"`
	Tests    *tests             `json:"tests"`  // null: they were not run
	Edited   bool               `json:"edited"` // somebody changed it here since it was added

	installed string // the existing folder, "" if there is none
}

// look adds to a plan what its hooks will do, compared with what exists now.
func (pl *Plan) look(ctx context.Context, sh *shell.Shell, p PlaceOptions, was *lockfile.Pack) error {
	set := hookset.All(sh.Host, p.From)
	names := map[string]string{}
	for _, f := range pl.pack.Folders {
		h := hook{Folder: f.Name, Hash: f.Hash(), Change: isNew, Runs: []string{}, Replaces: []string{}, Outside: []outside.Ref{}, Warnings: []string{}, Unseen: []trust.Unseen{}}
		if was != nil && was.Hooks[f.Name] != "" {
			is, err := p.Hash(ctx, f.Name)
			switch {
			case err == nil && is == f.Pin(p.Bare):
				h.Change = isSame
			case err != nil || is != "":
				h.Change, h.installed = isChanged, filepath.Join(p.Hooks(), f.Name)
			}
			if h.Change == isSame && was.Hooks[f.Name] != h.Hash {
				h.Change = isChanged // the lock has to be updated
			}
			h.Edited = h.installed != "" && (err != nil || is != was.Pin(f.Name, p.Bare))
		}
		dir := filepath.Join(pl.staged, f.Name)
		read := hookset.HookAt(sh.Host, dir)
		if err := h.read(sh, read, dir); err != nil {
			return err
		}
		if twin := names[h.Name]; twin != "" {
			return &store.Clash{Folder: f.Name, Why: fmt.Sprintf("goes by the name %q, as %s does", h.Name, twin)}
		}
		names[h.Name] = f.Name
		if err := h.beside(sh, p, set, was); err != nil {
			return err
		}
		if h.Change != isSame {
			var err error
			if h.Diff, h.Unseen, err = trust.DiffFolders(ctx, h.installed, dir); err != nil {
				return err
			}
			h.Unseen = append([]trust.Unseen{}, h.Unseen...)
		}
		pl.Hooks = append(pl.Hooks, h)
	}
	if was != nil {
		return pl.lookGone(ctx, p, was)
	}
	return nil
}

// lookGone adds the hooks that the pack no longer has.
func (pl *Plan) lookGone(ctx context.Context, p PlaceOptions, was *lockfile.Pack) error {
	for _, folder := range was.Folders() {
		if pl.pin.Hooks[folder] != "" {
			continue
		}
		h := hook{Folder: folder, Name: folder, Change: isGone, Runs: []string{}, Replaces: []string{}, Outside: []outside.Ref{}, Warnings: []string{}, Unseen: []trust.Unseen{}}
		if is, err := p.Hash(ctx, folder); err != nil || is != "" {
			h.installed = filepath.Join(p.Hooks(), folder)
			h.Diff, _, _ = trust.DiffFolders(ctx, h.installed, "")
		}
		pl.Hooks = append(pl.Hooks, h)
	}
	return nil
}

// read copies what discovery says about a hook. One that does not run is refused.
func (h *hook) read(sh *shell.Shell, d *discovery.Hook, dir string) error {
	h.Name, h.About, h.Trigger, h.Matcher, h.Async, h.Sandbox = d.Name, d.Description, d.Trigger, hookset.RowMatcher(d.Matcher), d.Async, hookset.SandboxOf(d)
	within := func(s string) string { return strings.ReplaceAll(s, dir+string(filepath.Separator), "") }
	if d.Status == discovery.Foreign {
		return fmt.Errorf("%s is a hook for another program, without a HOOK.md", h.Folder)
	}
	for _, p := range append(d.Problems, habits.Of(sh.Host, d, false)...) {
		place := within(p.File)
		if p.Line > 0 {
			place = fmt.Sprintf("%s:%d", place, p.Line)
		}
		text := fmt.Sprintf("%s: %s; %s", place, p.Message, p.Fix)
		if d.Status == discovery.Broken && p.Fatal {
			return fmt.Errorf("%s is broken and would not run: %s", h.Folder, within(text))
		}
		if p.Field == "script" && p.Severity == discovery.Error {
			text = "it does not do what it says: " + text
		}
		h.Warnings = append(h.Warnings, within(text))
	}
	if w := hookset.Disguised(d); w != "" {
		h.Warnings = append(h.Warnings, w)
	}
	if d.Status == discovery.Broken {
		return fmt.Errorf("%s is broken and would not run", h.Folder)
	}
	for _, word := range d.Entry.Argv {
		h.Runs = append(h.Runs, within(word))
	}
	h.Outside = append(h.Outside, outside.Of(dir)...)
	return nil
}

// beside examines existing hooks: one of the same name in the same layer is in the
// way, one in another layer may be replaced.
func (h *hook) beside(sh *shell.Shell, p PlaceOptions, set *discovery.Set, was *lockfile.Pack) error {
	for _, other := range set.Hooks {
		if other.Name != h.Name || other.Status == discovery.Foreign {
			continue
		}
		ours := filepath.Dir(other.Dir) == p.Hooks()
		folder := filepath.Base(other.Dir)
		switch {
		case ours && (folder == h.Folder || was != nil && was.Hooks[folder] != ""):
		case ours:
			return &store.Clash{Folder: h.Folder, Why: fmt.Sprintf("goes by the name %q, as the hook in %s does", h.Name, sh.Short(other.Dir))}
		case p.User && other.Layer == discovery.ProjectLayer:
		case other.Status == discovery.Ready || other.Status == discovery.Overridden || other.Status == discovery.Disabled:
			what := fmt.Sprintf("the %s hook %s", other.Layer, other.Name)
			if at := set.LockOn(other.Name); at != "" {
				what += ", which " + sh.Short(at) + " keeps in its place"
			}
			h.Replaces = append(h.Replaces, what)
		}
	}
	return nil
}
