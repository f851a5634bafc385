package ledger

import "errors"

// An Item is what of a repository's texts is looked at and let in as one: its
// memory, a workspace.
type Item struct {
	Name  string // among what needs an approval
	Path  string // the folder
	Files []File // that hold something nobody has looked at
	InUse int    // pieces that were let in before
	Whose Whose  // what it is let in as

	of *Ledger
}

// Item is an Item of this ledger.
func (l *Ledger) Item(whose Whose, name, path string, files []File) Item {
	return Item{name, path, files, l.Count(whose), whose, l}
}

// Waits reports whether something waits.
func (i Item) Waits() bool { return len(i.Files) > 0 }

// Let lets in what waited when the item was listed: as the repository's, or as the
// person's own.
func (i Item) Let(own bool) error {
	if i.of == nil {
		return errors.New("nothing of " + i.Name + " needs an approval")
	}
	if own {
		return i.of.Let(Own, Keys(i.Files))
	}
	return i.of.Let(i.Whose, Keys(i.Files))
}

// Revoke takes back what was let in as the repository's, and returns how many
// pieces that were.
func (i Item) Revoke() (int, error) {
	if i.of == nil {
		return 0, nil
	}
	return i.of.Revoke(i.Whose)
}
