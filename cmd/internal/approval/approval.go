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
	Approved string       `json:"approved"` // when, "" if never
	Replaced string       `json:"replaced"` // when this state, once approved, gave way to another
	Also     []trust.Also `json:"also"`     // other states that are approved
	Problem  string       `json:"problem"`
	Declined string       `json:"declined"` // when a person said no to it as it is, "" if nobody did
	Diff     string       `json:"diff"`     // since then; of a new item, all of it
	// Sandbox is what a hook will be held to, null for nothing, and for what is no hook.
	Sandbox *hookset.Sandbox `json:"sandbox"`

	// Of what a yes would approve, and the diff does not show:
	Displaces []displaced    `json:"displaces"` // hooks that it would run in place of
	Outside   []outside.Ref  `json:"outside"`   // what it runs or reads beside its folder
	Unseen    []trust.Unseen `json:"unseen"`    // changed files that the diff does not show

	// Untrue is what is wrong in the scripts of a hook so that it is not what it says.
	Untrue []discovery.Problem `json:"untrue"`

	item trust.Item
	hook *discovery.Hook // nil for what is no hook, and for what is gone
	// plugin are the hooks of an item that is a plugin.
	plugin []*discovery.Hook
	text   *ledger.Item // of what is told to agents; nil for what is run or honoured
}

// empty is the item with lists that are none.
func (i item) empty() item {
	i.Also = append([]trust.Also{}, i.Also...)
	i.Displaces, i.Outside, i.Unseen, i.Untrue = []displaced{}, []outside.Ref{}, []trust.Unseen{}, []discovery.Problem{}
	return i
}

func (i item) pending() bool { return i.State == trust.New || i.State == trust.Changed }

// Found is what there is in a project, and in those that it lies in: what needs approval.
type Found struct {
	project string // the nearest, "" if there is none
	items   []item // of the nearest first
	Unread  error  // why the record of approvals could not be read
}

// Names are those of what is pending.
func (f Found) Names() (names []string) {
	for _, i := range f.Pending() {
		names = append(names, i.Name)
	}
	return names
}

// Pending are the items that a yes would approve.
func (f Found) Pending() (list []item) {
	for _, i := range f.items {
		if i.pending() {
			list = append(list, i)
		}
	}
	return list
}

// Doc is it as --json prints it.
func (f Found) Doc(approved []string) any {
	if approved == nil {
		approved = []string{}
	}
	return map[string]any{"schema": 1, "project": f.project, "items": f.items, "approved": approved}
}

// ProjectsOf are the projects that approvals of a folder are recorded for, the
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

// TextItems are the texts of a project that wait for an approval, or have one.
func TextItems(sh *shell.Shell, dir string) (list []ledger.Item, err error) {
	list, err = texts.Items(sh, dir)
	return slices.DeleteFunc(list, func(t ledger.Item) bool { return !t.Waits() && t.InUse == 0 }), err
}

// textItem is one of them as it is listed.
func textItem(t ledger.Item, project string) item {
	i := item{Name: t.Name, Project: project, Path: t.Path, State: trust.Trusted, Hash: ledger.Digest(t.Files), text: &t}.empty()
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

// NoProject is the error about a folder that belongs to no project with hooks.
func NoProject(command string) error {
	return shell.WithHint(fmt.Errorf("%s: no project here has hooks", command), "hooks of a project lie in its .agents/hooks; your own need no approval: agents-hooks list")
}

// Look finds what needs approval in the projects that a folder belongs to; only
// what is named, if there are names.
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
			return f, shell.NotHere("trust", "hook folder", name, are, sh.Name+" trust --show")
		}
	}
	return f, nil
}

// lookIn is what needs approval in one project.
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
		if i.pending() {
			if err := i.look(sh, all); err != nil {
				return nil, fmt.Errorf("trust: %s: %w", i.Name, err)
			}
		}
		items = append(items, i)
	}
	return items, unread
}

// look finds what a person has to know of an item before a yes.
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

// Options are how it is approved.
type Options struct {
	Yes  bool // unasked
	Keep bool // what is approved already stands
}

// Approve asks, and approves what is pending as it was shown. It returns the
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

// seen asks for each file that no diff shows, and leaves out the items of which one
// was not agreed to. A yes on the command line is one to all; they are named.
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

// where names the projects of what was found.
func (f Found) where(sh *shell.Shell) string {
	var list []string
	for _, i := range f.Pending() {
		if name := shell.Plain(sh.Short(i.Project)); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return strings.Join(list, " and ")
}

// byProject are items by the project that they come with.
func byProject(items []item) map[string][]trust.Item {
	all := map[string][]trust.Item{}
	for _, i := range items {
		if i.text == nil {
			all[i.Project] = append(all[i.Project], i.item)
		}
	}
	return all
}

// refused says what can not be approved, which makes the command fail.
func (f Found) refused(sh *shell.Shell) (err error) {
	for _, i := range f.items {
		if i.State == trust.Refused {
			sh.Say("trust: %s is not approved: %s", shell.Plain(i.Name), shell.Plain(i.Problem))
			err = shell.ErrReported
		}
	}
	return err
}

// variables are those of the program that a hook was written for, told in the format's
// own.
func variables(h *discovery.Hook) []string {
	if h.Tongue == nil {
		return nil
	}
	return h.Tongue.Env(protocol.Seat{Project: "$AGENTS_HOOKS_PROJECT_DIR", Root: cmp.Or(h.PluginRoot, "$AGENTS_HOOKS_HOOK_DIR"), Data: "$AGENTS_HOOKS_STATE_DIR"})
}
