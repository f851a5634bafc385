package approval

import (
	"slices"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/trust"
)

// A Card is an item as a page shows it: everything that the user is told before
// approving.
type Card struct {
	Name     string         `json:"name"`
	Title    string         `json:"title"`
	Root     string         `json:"project_path"` // of its project, as [Found.Only] expects it
	Project  string         `json:"project"`      // the same, as people write it
	Path     string         `json:"path"`
	State    trust.State    `json:"state"`
	Hash     string         `json:"hash"`
	Approved string         `json:"approved"`
	Declined string         `json:"declined"`
	Problem  string         `json:"problem"`
	Notes    []string       `json:"notes"`
	Diff     string         `json:"diff"`
	Unseen   []trust.Unseen `json:"unseen"`
	Command  string         `json:"command"` // the command that approves it in a terminal
}

// Cards are the items for a page.
func (f Found) Cards(sh *shell.Shell) []Card {
	cards := []Card{}
	for _, i := range f.items {
		said := i.Declined
		i.Declined = "" // which a page says in its own way
		c := Card{
			Name: shell.Plain(i.Name), Title: title(i), Root: i.Project, Project: sh.Short(i.Project), Path: sh.Short(i.Path), State: i.State, Hash: i.Hash,
			Approved: i.Approved, Declined: said, Problem: i.Problem, Notes: append([]string{}, i.notes(sh)...), Diff: i.Diff, Unseen: i.Unseen,
			Command: "agents-hooks trust",
		}
		if i.pending() {
			c.Command += " " + sh.Word(i.Name)
		}
		cards = append(cards, c)
	}
	return cards
}

// Waiting is the number of items that wait for the user's decision: refused ones do
// not, until they change.
func (f Found) Waiting() (n int) {
	for _, i := range f.Pending() {
		if i.Declined == "" {
			n++
		}
	}
	return n
}

// Only reduces what was found to one item, as it was shown: to none if it is gone or
// in another state.
func (f Found) Only(project, name, hash string) (Found, bool) {
	f.items = slices.DeleteFunc(slices.Clone(f.items), func(i item) bool {
		return i.Project != project || i.Name != name || i.Hash != hash || !i.pending()
	})
	return f, len(f.items) == 1
}
