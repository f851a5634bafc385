// Package approval finds what in a project waits for the user's approval, shows what
// changed since the last one, asks, and records the answer. trust, setup and the page
// of ui use it.
package approval

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	skills "github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/habits"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/outside"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/texts"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/trust"
)

// An item is one thing that needs approval, as --json prints it.
type item struct {
	Name     string       `json:"name"`
	Project  string       `json:"project"` // that it comes with
	Path     string       `json:"path"`
	State    trust.State  `json:"state"`
	Hash     string       `json:"hash"`
	Approved string       `json:"approved"` // when it was approved, "" if never
	Replaced string       `json:"replaced"` // when this state, once approved, was replaced by another
	Also     []trust.Also `json:"also"`     // other approved states
	Problem  string       `json:"problem"`
	// Disguised warns of a name that may pass for another one, "" for all others.
	Disguised string `json:"disguised"`
	Declined  string `json:"declined"` // when the user refused it in this state, "" if never
	Diff      string `json:"diff"`     // since then; of a new item, everything
	// Sandbox is what a hook will be confined to, null for nothing, and for items
	// that are not hooks.
	Sandbox *hookset.Sandbox `json:"sandbox"`

	// Consequences of an approval that the diff does not show:
	Displaces []displaced    `json:"displaces"` // hooks that it would replace
	Outside   []outside.Ref  `json:"outside"`   // what it runs or reads outside its folder
	Unseen    []trust.Unseen `json:"unseen"`    // changed files that the diff does not show

	// Untrue is what is wrong in a hook's scripts, so that it does not do what it
	// says.
	Untrue []discovery.Problem `json:"untrue"`

	item trust.Item
	hook *discovery.Hook // nil for items that are not hooks, and for those that are gone
	// plugin are the hooks of an item that is a plugin.
	plugin []*discovery.Hook
	text   *ledger.Item // of texts for agents; nil for what is run or honoured
}

// empty is an item whose lists are empty, not null.
func (i item) empty() item {
	i.Also = append([]trust.Also{}, i.Also...)
	i.Displaces, i.Outside, i.Unseen, i.Untrue = []displaced{}, []outside.Ref{}, []trust.Unseen{}, []discovery.Problem{}
	return i
}

func (i item) pending() bool { return i.State == trust.New || i.State == trust.Changed }

// Found is what needs approval in a project and in the projects around it.
type Found struct {
	project string // the nearest, "" if there is none
	items   []item // of the nearest project first
	Unread  error  // why the record of approvals could not be read
}

// Names are the names of pending items.
func (f Found) Names() (names []string) {
	for _, i := range f.Pending() {
		names = append(names, i.Name)
	}
	return names
}

// Pending are the items that would be approved by a yes.
func (f Found) Pending() (list []item) {
	for _, i := range f.items {
		if i.pending() {
			list = append(list, i)
		}
	}
	return list
}

// Doc is its form for --json.
func (f Found) Doc(approved []string) any {
	if approved == nil {
		approved = []string{}
	}
	return map[string]any{"schema": 1, "project": f.project, "items": f.items, "approved": approved}
}

// ProjectsOf are the projects for which approvals of a folder are recorded, the
// nearest first; none if nothing there needs any.
func ProjectsOf(sh *shell.Shell, dir string, told []ledger.Item) []string {
	projects := discovery.Projects(dir, sh.Host.Home)
	if len(projects) == 0 {
		if _, root := discovery.FindProject(dir, sh.Host.Home); len(told) > 0 || len(skills.ToTrust(root, sh.Host.Config, sh.Host.Home)) > 0 {
			return []string{root}
		}
	}
	return projects
}

// TextItems are a project's texts that need or have an approval.
func TextItems(sh *shell.Shell, dir string) (list []ledger.Item, err error) {
	list, err = texts.Items(sh, dir)
	return slices.DeleteFunc(list, func(t ledger.Item) bool { return !t.Waits() && t.InUse == 0 }), err
}

// textItem is a text's item in the list.
func textItem(t ledger.Item, project string) item {
	i := item{Name: t.Name, Disguised: shell.Disguised("its name", t.Name), Project: project, Path: t.Path, State: trust.Trusted, Hash: ledger.Digest(t.Files), text: &t}.empty()
	switch {
	case t.Waits() && t.InUse > 0:
		i.State = trust.Changed
	case t.Waits():
		i.State = trust.New
	}
	if t.Waits() {
		i.Diff = texts.Diff(t)
	}
	return i
}

// NoProject is the error for a folder that is in no project with hooks.
func NoProject(command string) error {
	return shell.WithHint(fmt.Errorf("%s: no project here has hooks", command), "hooks of a project lie in its .agents/hooks; your own need no approval: agents-hooks list")
}

// Look finds what needs approval in the projects around a folder; only the named
// items, if there are names.
func Look(sh *shell.Shell, dir string, names []string) (Found, error) {
	f := Found{items: []item{}}
	told, err := TextItems(sh, dir)
	if err != nil {
		return f, fmt.Errorf("trust: %w", err)
	}
	projects := ProjectsOf(sh, dir, told)
	if len(projects) == 0 {
		if len(names) > 0 {
			return f, NoProject("trust")
		}
		return f, nil
	}
	f.project = projects[0]
	all := hookset.All(sh.Host, dir)
	for _, project := range projects {
		list, err := lookIn(sh, project, all)
		if _, unread := errors.AsType[*trust.Unreadable](err); unread {
			f.Unread = err
		} else if err != nil {
			return f, err
		}
		f.items = append(f.items, list...)
		if project == f.project {
			for _, t := range told {
				f.items = append(f.items, textItem(t, project))
			}
		}
	}
	are := make([]string, 0, len(f.items))
	said := trust.ReadNos(sh.Host.State)
	for i := range f.items {
		are = append(are, f.items[i].Name)
		if f.items[i].pending() {
			f.items[i].Declined = said.When(f.items[i].Project, f.items[i].Name, f.items[i].Hash)
		}
	}
	if len(names) > 0 {
		f.items = slices.DeleteFunc(f.items, func(i item) bool { return !slices.Contains(names, i.Name) })
	}
	for _, name := range names {
		if !slices.ContainsFunc(f.items, func(i item) bool { return i.Name == name }) {
			if h := hookset.HookNamed(all, name); h != nil && h.Layer != discovery.ProjectLayer {
				return f, shell.WithHint(fmt.Errorf("trust: %s is a hook of the %s layer, which needs no approval", name, h.Layer), "agents-hooks list "+name)
			}
			return f, shell.NotHere("trust", "hook folder", name, are, sh.Name+" trust --show")
		}
	}
	return f, nil
}

// lookIn finds what needs approval in one project.
func lookIn(sh *shell.Shell, project string, all *discovery.Set) (items []item, err error) {
	things, hooks := discovery.ToApprove(sh.Host.Sources(), project)
	for name, dir := range skills.ToTrust(project, sh.Host.Config, sh.Host.Home) {
		things = append(things, trust.Thing{ID: name, Path: dir})
	}
	list, unread := trust.List(sh.Host.State, project, things)
	for _, it := range list {
		i := item{Name: it.Name(), Project: project, Path: it.Path, State: it.State, Hash: it.Hash, Approved: it.Approved,
			Replaced: it.Replaced, Also: it.Also, Problem: it.Problem, item: it}.empty()
		if at := slices.IndexFunc(hooks, func(h *discovery.Hook) bool { return h.Dir == it.Path }); at >= 0 && hooks[at].Plugin != "" {
			i.plugin = slices.DeleteFunc(slices.Clone(hooks), func(h *discovery.Hook) bool { return h.Dir != it.Path })
			i.Sandbox = hookset.SandboxOf(hooks[at])
		} else if at >= 0 {
			i.hook = hooks[at]
			i.item.As = hooks[at].Name
			i.Sandbox = hookset.SandboxOf(i.hook)
		}
		if i.Disguised = shell.Disguised("its name", i.Name); i.hook != nil {
			i.Disguised = hookset.Disguised(i.hook)
		}
		if i.pending() {
			if err := i.look(sh, all); err != nil {
				return nil, fmt.Errorf("trust: %s: %w", i.Name, err)
			}
		}
		items = append(items, i)
	}
	return items, unread
}

// look finds what the user has to know about an item before approving it.
func (i *item) look(sh *shell.Shell, all *discovery.Set) (err error) {
	if i.Diff, err = i.item.Diff(sh.Host.State, i.Project); err != nil {
		return err
	}
	unseen, err := i.item.Unseen(sh.Host.State, i.Project)
	i.Unseen = append(i.Unseen, unseen...)
	if i.hook != nil {
		i.Displaces = append(i.Displaces, displacedBy(i.hook, all)...)
		i.Untrue = append(i.Untrue, habits.Untrue(sh.Host, i.hook)...)
		i.Outside = append(i.Outside, outside.OfCommand(i.hook.Command.Line, i.hook.Command.Words, i.Path, variables(i.hook))...)
	}
	for _, h := range i.plugin {
		i.Outside = append(i.Outside, outside.OfCommand(h.Command.Line, h.Command.Words, i.Path, variables(h))...)
	}
	if i.item.ID != trust.SettingsID {
		i.Outside = append(i.Outside, outside.Of(i.Path)...)
	}
	return err
}

// Options are how to approve.
type Options struct {
	Yes  bool // without asking
	Keep bool // earlier approvals are already listed
}

// Approve asks, and approves the pending items as they were shown. It returns their
// names.
func Approve(sh *shell.Shell, f Found, o Options) (names []string, err error) {
	pending := f.Pending()
	if len(pending) > 0 {
		if err := sh.Confirm(o.Yes, fmt.Sprintf("approve %s of %s as shown?", text.Count(len(pending), "item"), f.where(sh)), "trust"); err != nil {
			return nil, err
		}
	}
	asked := len(pending)
	if pending, err = seen(sh, pending, o.Yes); err != nil {
		return nil, err
	}
	for project, list := range byProject(pending) {
		approve := trust.Approve
		if o.Keep {
			approve = trust.ApproveBeside
		}
		kept, err := approve(sh.Host.State, project, list, sh.Host.Now())
		if kept != "" {
			sh.Say("trust: the record of approvals could not be read and is kept as %s; approvals of other projects are lost", sh.Short(kept))
		}
		if err != nil {
			return names, fmt.Errorf("trust: %w", err)
		}
		for _, it := range list {
			names = append(names, it.Name())
		}
	}
	for _, i := range pending {
		if i.text == nil {
			continue
		}
		if err := i.text.Let(false); err != nil {
			return names, fmt.Errorf("trust: %s: %w", i.Name, err)
		}
		names = append(names, i.Name)
	}
	if err := f.refused(sh); err != nil || len(pending) == asked {
		return names, err
	}
	return names, shell.ErrReported
}

// seen asks about each file that no diff shows, and leaves out items with a file that
// was refused. A yes on the command line covers all files; they are named.
func seen(sh *shell.Shell, pending []item, yes bool) (list []item, err error) {
	for _, i := range pending {
		agreed := true
		for _, u := range i.Unseen {
			what := fmt.Sprintf("%s: %s (%d bytes, %s) was not shown", shell.Plain(i.Name), trust.ShownPath(u.Path), u.Size, u.Why)
			if yes {
				sh.Say("trust: %s", what)
				continue
			}
			if err := sh.Confirm(false, what+"; approve it unseen?", "trust"); errors.Is(err, shell.ErrDeclined) {
				sh.Say("trust: %s is not approved", shell.Plain(i.Name))
				agreed = false
				break
			} else if err != nil {
				return nil, err
			}
		}
		if agreed {
			list = append(list, i)
		}
	}
	return list, nil
}

// where names the projects in which something was found.
func (f Found) where(sh *shell.Shell) string {
	var list []string
	for _, i := range f.Pending() {
		if name := shell.Plain(sh.Short(i.Project)); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return strings.Join(list, " and ")
}

// byProject groups items by their project.
func byProject(items []item) map[string][]trust.Item {
	all := map[string][]trust.Item{}
	for _, i := range items {
		if i.text == nil {
			all[i.Project] = append(all[i.Project], i.item)
		}
	}
	return all
}

// refused says what cannot be approved, which makes the command fail.
func (f Found) refused(sh *shell.Shell) (err error) {
	for _, i := range f.items {
		if i.State == trust.Refused {
			sh.Say("trust: %s is not approved: %s", shell.Plain(i.Name), shell.Plain(i.Problem))
			err = shell.ErrReported
		}
	}
	return err
}

// variables are those of the program that a hook was written for, replaced by the
// format's own.
func variables(h *discovery.Hook) []string {
	if h.Tongue == nil {
		return nil
	}
	return h.Tongue.Env(protocol.Seat{Project: "$AGENTS_HOOKS_PROJECT_DIR", Root: cmp.Or(h.PluginRoot, "$AGENTS_HOOKS_HOOK_DIR"), Data: "$AGENTS_HOOKS_STATE_DIR"})
}
