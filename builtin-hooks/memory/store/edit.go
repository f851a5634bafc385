package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// ErrNoEntry says that no entry has an id.
var ErrNoEntry = errors.New("no such entry")

// Present is an error if an id is of no entry, or of one that nobody let in: whoever names several
// has then changed none of them.
func (k Keeper) Present(ids []string) error {
	place := k.place()
	place.EveryBranch, place.Waiting = true, true
	known, waiting := map[string]bool{}, map[string]bool{}
	for _, file := range append(place.FactFiles(), place.SummaryFiles()...) {
		err := place.LinesOf(file, set(ids), func(o protocol.Object, whose ledger.Whose) {
			if whose == ledger.Nobody {
				waiting[memory.IDOf(o)] = true
			} else {
				known[memory.IDOf(o)] = true
			}
		})
		if err != nil {
			return err
		}
	}
	var unknown []string
	for _, id := range ids {
		if id == "" || !known[id] && !waiting[id] {
			unknown = append(unknown, id)
		}
	}
	if unknown != nil {
		return fmt.Errorf("%w: %s", ErrNoEntry, strings.Join(unknown, ", "))
	}
	for _, id := range ids {
		if !known[id] {
			return waits(id)
		}
	}
	return nil
}

// none is the error for ids of facts of which there are none here, or that wait.
func (k Keeper) none(ids ...string) error {
	if err := k.Present(ids); err != nil {
		return err
	}
	return fmt.Errorf("%w: %s", ErrNoEntry, strings.Join(ids, ", "))
}

// each calls change with the entries that have some ids, facts and summaries, and returns how
// many there were. Nothing is changed if one of the ids is of none.
func (k Keeper) each(ids []string, change func(o *protocol.Object) (changed, stays bool)) (n int, err error) {
	if k.Seen == nil { // else what was shown is what is there
		if err := k.Present(ids); err != nil {
			return 0, err
		}
	}
	return k.eachFound(ids, change)
}

// eachFound is each for those of the ids that are of entries, whoever wrote them.
func (k Keeper) eachFound(ids []string, change func(o *protocol.Object) (changed, stays bool)) (n int, err error) {
	place := k.place()
	place.EveryBranch = true
	held, err := k.held(ids)
	if err != nil {
		return 0, err
	}
	for _, file := range append(place.FactFiles(), place.SummaryFiles()...) {
		err := place.Rewrite(file, func(o *protocol.Object) (bool, bool, error) {
			id := memory.IDOf(*o)
			e, fact := entryOf(*o, file)
			if id == "" || !slices.Contains(ids, id) || !fact && !slices.Contains(place.SummaryFiles(), file) {
				return false, true, nil
			}
			if !fact {
				e = summaryOf(*o, file)
			}
			if may, err := held.may(e); !may || err != nil {
				return false, true, err
			}
			n++
			if o.Text("id") == "" {
				o.SetText("id", id) // another text must not make it another fact
			}
			changed, stays := change(o)
			return changed, stays, nil
		})
		if err != nil {
			return n, err
		}
	}
	if n == 0 {
		return 0, fmt.Errorf("%w: %s", ErrNoEntry, strings.Join(ids, ", "))
	}
	return n, nil
}

// Who marked an entry as deleted: the user or an agent, a cleanup of old facts, or the team.
const (
	byHand    = "agents-hooks"
	byCleanup = "cleanup"
	byTeam    = "team"
	byOther   = "elsewhere" // the user, on another machine
)

var noPerson = []string{"", byHand, byCleanup, byTeam, byOther}

// Tidied reports whether a cleanup marked an entry as deleted.
func Tidied(o protocol.Object) bool { return o.Text("deleted_by") == byCleanup }

// Delete hides entries: they stay in their files, marked, until they are purged.
func (k Keeper) Delete(ids []string) (int, error) { return k.hide(ids, byHand) }

// Withdrawn hides entries that somebody else removed from what the team shares.
func (k Keeper) Withdrawn(ids []string) (int, error) { return k.hide(ids, byTeam) }

// HideElsewhere hides entries that the user deleted on another machine.
func (k Keeper) HideElsewhere(ids []string) (int, error) { return k.hide(ids, byOther) }

// BackFromElsewhere takes back that the user deleted entries, here or on another machine, and nothing
// else that hides them.
func (k Keeper) BackFromElsewhere(ids []string) (int, error) {
	return k.each(ids, func(o *protocol.Object) (bool, bool) {
		if by := o.Text("deleted_by"); !o.Has("deleted_at") || by == byTeam || by == byCleanup {
			return false, true
		}
		o.Delete("deleted_at")
		o.Delete("deleted_by")
		return true, true
	})
}

func (k Keeper) hide(ids []string, by string) (int, error) {
	return k.each(ids, func(o *protocol.Object) (bool, bool) {
		if o.Text("deleted_at") != "" {
			return false, true
		}
		hide(o, k.name(by), k.Now)
		return true, true
	})
}

func hide(o *protocol.Object, by string, now time.Time) {
	o.SetText("deleted_at", memory.Stamp(now))
	o.SetText("deleted_by", by)
}

// Hide marks an entry as deleted, as Delete does, or as tidied as Cleanup does.
func Hide(o *protocol.Object, tidied bool, now time.Time) {
	if tidied {
		hide(o, byCleanup, now)
	} else {
		hide(o, byHand, now)
	}
}

// name is who does something here, or what is said where nobody is known.
func (k Keeper) name(by string) string {
	if by != byHand || k.From == nil {
		return by
	}
	if name := k.From().Author; !slices.Contains(noPerson, name) {
		return name
	}
	return by
}

// Restore restores deleted entries, and lets facts that others took the place of hold again
// beside those. An entry that is both becomes what it was before it was deleted: a replaced one.
// It returns how many were either.
func (k Keeper) Restore(ids []string) (n int, err error) {
	replaced := slices.Clone(ids)
	_, err = k.each(ids, func(o *protocol.Object) (bool, bool) {
		had := o.Text("deleted_at") != ""
		if id := memory.IDOf(*o); had {
			n++
			replaced = slices.DeleteFunc(replaced, func(of string) bool { return of == id })
		}
		o.Delete("deleted_at")
		o.Delete("deleted_by")
		return had, true
	})
	if err != nil {
		return n, err
	}
	all, err := k.Facts()
	if err != nil {
		return n, err
	}
	k.Seen = nil // who restores a fact was not shown what took its place
	again := map[string]bool{}
	for _, e := range all {
		of := slices.DeleteFunc(slices.Clone(e.Supersedes), func(id string) bool { return !slices.Contains(replaced, id) })
		if len(of) == 0 || e.Deleted {
			continue
		}
		if _, err := k.eachFound([]string{e.ID}, func(o *protocol.Object) (bool, bool) { apart(o, of); return true, true }); err != nil {
			return n, err
		}
		for _, id := range of {
			again[id] = true
		}
	}
	return n + len(again), nil
}

// An Edit is a change to a fact; nil members stay as they are.
type Edit struct {
	Content    *string
	Type       *string
	Confidence *float64
	Entities   []string
	Since      *time.Time // when it begins to hold; zero: always
	Until      *time.Time // when it ends; zero: never
	NoUndo     bool       // keep nothing of what it said
}

// Edit changes a fact in place, and keeps with it what it said, who edits it and when.
func (k Keeper) Edit(id string, e Edit) error {
	var refused error
	_, err := k.each([]string{id}, func(o *protocol.Object) (bool, bool) {
		fact, ok := memory.ParseFact(*o)
		f := edited{fact}
		if !ok {
			refused = Refused{Reason: id + " is a summary", Fix: "save another one for its session"}
			return false, true
		}
		if refused = k.mayEdit(fact); refused != nil {
			return false, true
		}
		if e.Content != nil {
			if refused = TooLong(*e.Content); refused != nil {
				return false, true
			}
			f.renew(*e.Content, k)
		}
		if e.Type != nil {
			f.Kind = *e.Type
		}
		if e.Confidence != nil {
			f.Confidence = *e.Confidence
		}
		if e.Entities != nil {
			f.Entities = e.Entities
		}
		if e.Since != nil {
			f.Since = *e.Since
		}
		if e.Until != nil {
			f.Until = *e.Until
		}
		if reversed(f.Fact) {
			refused = Refused{Reason: endsFirst}
			return false, true
		}
		if refused = check(&f.Fact); refused != nil {
			return false, true
		}
		was := o.Clone()
		if e.Content != nil { // else it stays, even if it is longer than what is saved here
			o.SetText("content", f.Content)
		}
		name := "memory_type"
		if o.Text("type") != "fact" && !o.Has("memory_type") {
			name = "type"
		}
		o.SetText(name, f.Kind)
		raw, _ := json.Marshal(f.Confidence)
		o.Set("confidence", raw)
		o.Set("entities", protocol.TextList(f.Entities))
		stampAs(o, "valid_from", fact.Since, f.Since)
		stampAs(o, "valid_until", fact.Until, f.Until)
		if e.NoUndo {
			o.Delete("earlier")
		}
		return k.edited(o, was, !e.NoUndo) || e.NoUndo, true
	})
	return errors.Join(refused, err)
}

// An edited fact.
type edited struct{ memory.Fact }

// renew changes its text. A period that the old text stated is replaced by the new text's.
func (f *edited) renew(content string, k Keeper) {
	was := validity(f.Fact, k.said(f.Fact))
	f.Content = content
	if was.Since.Equal(f.Since) && was.Until.Equal(f.Until) {
		is := validity(f.Fact, k.Now)
		f.Since, f.Until = is.Since, is.Until
	}
}

// TooLong refuses a text that would be cut.
func TooLong(content string) error { return longer(content, contentMax) }

func longer(content string, most int) error {
	if n := utf8.RuneCountInString(strings.TrimSpace(content)); n > most {
		return Refused{Reason: fmt.Sprintf("the text has %d characters: want at most %d", n, most)}
	}
	return nil
}

func stampAs(o *protocol.Object, name string, was, is time.Time) {
	switch {
	case is.Equal(was):
	case is.IsZero():
		o.Delete(name)
	default:
		o.SetText(name, memory.Stamp(is))
	}
}

// Cleanup hides facts that are older than some days, except for preferences (type O), and
// returns their ids. With dry it only returns them.
func (k Keeper) Cleanup(days int, dry bool) ([]string, error) {
	all, err := k.Facts()
	if err != nil {
		return nil, err
	}
	oldest := k.Now.AddDate(0, 0, -days)
	var ids []string
	for _, e := range Living(all, k.Now) {
		if e.ID != "" && e.Kind != "O" && !e.Time.IsZero() && e.Time.Before(oldest) && e.Since.Before(oldest) {
			ids = append(ids, e.ID)
		}
	}
	if dry || len(ids) == 0 {
		return ids, nil
	}
	if err := k.Backup(); err != nil {
		return nil, err
	}
	_, err = k.hide(ids, byCleanup)
	return ids, err
}

const (
	backupDir  = "backups"
	backupDays = 30 // how long a copy is kept
)

// Backup copies the folder's files to backups/TIME, and removes copies that are too old.
func (k Keeper) Backup() error {
	to := filepath.Join(k.Dir, backupDir, k.Now.UTC().Format("20060102-150405.000"))
	place := k.place()
	place.EveryBranch = true
	others := place.SharedFiles() // the room has these, and a copy would outlive what is taken out of it
	for _, file := range append(append(place.FactFiles(), place.SummaryFiles()...), memory.Pages()...) {
		if slices.Contains(others, file) {
			continue
		}
		b, err := place.Read(file)
		if err != nil {
			return err
		}
		if b == nil {
			continue
		}
		if err := k.Within.MkdirAll(filepath.Dir(filepath.Join(to, file)), 0o700); err != nil {
			return err
		}
		if err := k.Within.Write(filepath.Join(to, file), b, 0o600); err != nil {
			return err
		}
	}
	return k.sweep(filepath.Join(k.Dir, backupDir), k.Now.AddDate(0, 0, -backupDays))
}

func (k Keeper) sweep(dir string, oldest time.Time) error {
	entries, err := k.Within.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		at, bad := time.Parse("20060102-150405.000", e.Name())
		if bad == nil && at.Before(oldest.UTC()) {
			err = errors.Join(err, k.Within.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}
