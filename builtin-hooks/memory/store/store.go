package store

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/truth"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Keeper works on one memory folder.
type Keeper struct {
	Dir    string
	Within *beneath.Root  // the root that contains the folder; nil: it is the user's own
	Ledger *ledger.Ledger // that project's
	Cache  string         // the cache directory, for what is derived from a project
	Root   string         // the project's
	Tree   string         // the working tree that it was found from
	Ask    memory.Asker
	// From is who writes here now; nil: unknown.
	From func() memory.Source
	// Waiting also lists unapproved entries.
	Waiting bool
	// Seen is what the user was shown of the entries to be changed: one that has changed since
	// stays as it is, which is an error ([Stale]); nil: nothing was shown.
	Seen   map[string]string
	Git    string // see memory.Place
	Now    time.Time
	Random func() uint64
}

// Read is the content of a file of the folder, nil if it does not exist.
func (k Keeper) Read(file string) ([]byte, error) { return k.place().Read(file) }

// place is the folder as package memory knows it.
func (k Keeper) place() memory.Place {
	return memory.Place{Root: k.Root, Tree: k.Tree, Dir: k.Dir, Within: k.Within, Ledger: k.Ledger, Waiting: k.Waiting, Ask: k.Ask, Git: k.Git}
}

// An Entry is a fact with its file.
type Entry struct {
	memory.Fact
	File     string // below the folder
	TopicKey string
	Seen     int       // how often it was saved
	SeenAt   time.Time // and when last
	// Confirmed is when somebody last said that it is still true; Confirms is how often.
	Confirmed time.Time
	Confirms  int
	Edited    string    // who last edited it; "" if that is not known, or nobody did
	Earlier   []Earlier // what it said before, the newest last
	Lost      *Earlier  // what it said here, see [memory.Overridden]
	Remover   string    // who deleted it; "" if that is not known
	Promoted  bool      // it is in MEMORY.md
	OnPage    string    // the item of it that it was put there as
	Declined  bool      // somebody said that it does not belong there
	Tidied    bool      // it was deleted by a cleanup of old facts, not for being wrong
}

// Facts are all facts of the folder, including deleted ones, in the order of the files.
func (k Keeper) Facts() ([]Entry, error) { return k.factsIn(k.place()) }

func (k Keeper) factsIn(place memory.Place) ([]Entry, error) {
	var out []Entry
	for _, file := range place.FactFiles() {
		err := place.Lines(file, func(o protocol.Object, whose ledger.Whose) {
			if e, ok := entryOf(o, file); ok {
				e.Whose = whose
				out = append(out, e)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func entryOf(o protocol.Object, file string) (Entry, bool) {
	f, ok := memory.ParseFact(o)
	e := Entry{Fact: f, File: file, TopicKey: o.Text("topic_key"), Seen: max(1, number(o.Get("seen_count"))), Confirms: number(o.Get("confirmed_count")), Promoted: o.Has("promoted_at"), Declined: o.Has("declined_at"), Tidied: o.Text("deleted_by") == byCleanup}
	e.Edited, e.Earlier = o.Text("updated_by"), earlierOf(o)
	if was := memory.Overridden(o); was != nil {
		e.Lost = &Earlier{was.Text("content"), was.Text("by"), was.Text("at")}
	}
	if by := o.Text("deleted_by"); f.Deleted && !slices.Contains(noPerson, by) {
		e.Remover = by
	}
	if e.Promoted {
		e.OnPage = cmp.Or(o.Text("promoted_as"), text.OneLine(f.Content))
	}
	e.SeenAt, _ = time.Parse(time.RFC3339, o.Text("last_seen_at"))
	e.Confirmed, _ = time.Parse(time.RFC3339, o.Text("confirmed_at"))
	return e, ok
}

// ended are the ids of entries that are deleted, or hold no longer.
func ended(all []Entry, now time.Time) map[string]bool {
	out := Deleted(all)
	for _, e := range all {
		if !e.Until.IsZero() && !now.Before(e.Until) {
			out[e.ID] = true
		}
	}
	return out
}

// Deleted are the ids of entries that are deleted, see [memory.Deleted].
func Deleted(all []Entry) map[string]bool { return memory.Deleted(facts(all)) }

func facts(all []Entry) []*memory.Fact {
	out := make([]*memory.Fact, len(all))
	for i := range all {
		out[i] = &all[i].Fact
	}
	return out
}

// Replaced are the ids of entries that others took the place of, each with the id of the one that
// did.
func Replaced(all []Entry, now time.Time) map[string]string {
	return memory.Replaced(facts(all), now)
}

// Living are the facts that hold at a time: not deleted, not ended, and not superseded by such
// a fact, in whatever order they are.
func Living(all []Entry, now time.Time) []Entry {
	gone := ended(all, now)
	for id := range Replaced(all, now) {
		gone[id] = true
	}
	// Of two lines with the same id in a file, as left by a merge, the one that was edited last
	// counts, and otherwise the later one.
	last, in := map[[2]string]int{}, map[string]string{}
	for i, e := range all {
		if at, have := last[[2]string{e.File, e.ID}]; !have || !e.Updated.Before(all[at].Updated) {
			last[[2]string{e.File, e.ID}] = i
		}
		if _, have := in[e.ID]; !have {
			in[e.ID] = e.File
		}
	}
	var out []Entry
	for i, e := range all {
		if !gone[e.ID] && !e.Deleted && (e.ID == "" || in[e.ID] == e.File && last[[2]string{e.File, e.ID}] == i) {
			out = append(out, e)
		}
	}
	return out
}

// Limits of what is saved.
const (
	contentMax = 800   // characters of a fact (BM-CMD-05)
	summaryMax = 2_000 // characters of a summary (resolution 5)
	topicMax   = 200
	nearMax    = 160 // of a fact that a save asks about, or names as the nearest
)

// Refused says why something is not saved; the caller can correct it.
type Refused struct {
	Reason string
	Fix    string // what to do instead, "" where the reason says all that is known
}

func (r Refused) Error() string {
	if r.Fix == "" {
		return r.Reason
	}
	return r.Reason + ": " + r.Fix
}

// Saved is the result of saving a fact.
type Saved struct {
	Status     string   `json:"status"` // ok, duplicate
	ID         string   `json:"id"`
	Repeats    *Before  `json:"repeats,omitempty"` // what a duplicate says again
	Supersedes []string `json:"supersedes,omitempty"`
	Before     []Before `json:"before,omitempty"`    // what those say
	Conflicts  []Before `json:"conflicts,omitempty"` // facts that it may contradict, which were left as they are
	// Near is about the same thing, in other words: whoever saves can tell whether the new fact
	// replaces it.
	Near []Before `json:"near,omitempty"`
	// Nearest is what comes nearest to it, where nothing is replaced: hardly anything that it
	// replaces, but whoever saves may know better.
	Nearest []Before `json:"nearest,omitempty"`
	// Since and Until are when it holds, and Holds says the same by the days of the person.
	Since string `json:"valid_from,omitempty"`
	Until string `json:"valid_until,omitempty"`
	Holds string `json:"holds,omitempty"`
	// StillUntil is the last day on which what it replaces holds, "" if that is not so until it begins.
	StillUntil string `json:"-"`
	// Unclear are words of the text that name a bound, of which no day is understood.
	Unclear string `json:"unclear,omitempty"`
	// Page are lines of MEMORY.md that it makes untrue.
	Page []PageLine `json:"page,omitempty"`
	// Redacted says that a secret or personal data was taken out of what is kept.
	Redacted bool `json:"redacted,omitempty"`
	// Cut says that the end of a text that was too long is not kept.
	Cut bool `json:"cut,omitempty"`
}

// A Before is an older fact that is related to a new one.
type Before struct {
	ID      string `json:"id"`
	Content string `json:"content"`
	Origin  string `json:"origin,omitempty"` // where it came from, if not from here
	Author  string `json:"author,omitempty"`
	Time    string `json:"timestamp"`
	Deleted bool   `json:"deleted,omitempty"` // of two versions: somebody deleted this one
}

// by is who wrote what it says.
func (e Entry) by() string {
	return text.OneLine(search.Harmless(cmp.Or(e.Edited, e.From.Author), e.origin()))
}

// origin is where it came from, as it is told.
func (e Entry) origin() string { return search.OriginOf(e.Whose, e.Origin) }

// said is what it says, as an agent is told it outside of a fence.
func (e Entry) said() string { return search.Harmless(e.Content, e.origin()) }

func (e Entry) before() Before {
	return Before{ID: e.ID, Content: e.said(), Origin: e.origin(), Author: e.by(), Time: memory.Stamp(e.Time), Deleted: e.Deleted}
}

// clipped are facts in the form in which a save reports them as near.
func clipped(list []Entry) (out []Before) {
	for _, e := range list {
		b := e.before()
		b.Content = text.Clip(b.Content, nearMax)
		out = append(out, b)
	}
	return out
}

// What is empty is refused with the same words wherever it comes from.
const (
	emptySummary = "topic and summary are empty, or hold nothing that may be kept"
	sayIt        = "say in a sentence what is to be remembered"
)

// endsFirst is why an empty period is refused.
const endsFirst = "it would end before it begins"

func reversed(f memory.Fact) bool {
	return !f.Since.IsZero() && !f.Until.IsZero() && !f.Since.Before(f.Until)
}

// Save saves a fact, unless it exists. It replaces an older one that it updates (see package
// truth), the one with its topic key, and those that it explicitly supersedes.
func (k Keeper) Save(f memory.Fact, topicKey string) (s Saved, err error) {
	given := [...]string{topicKey, f.Session, f.Origin, f.From.At}
	topicKey = redact.Memory.Text(topicKey)
	whole := redact.WithoutMarks(f.Content) == f.Content
	s.Cut = TooLong(withoutEcho(f.Content)) != nil
	if err := check(&f); err != nil {
		return s, err
	}
	s.Redacted = whole && redact.WithoutMarks(f.Content) != f.Content || given != [...]string{topicKey, f.Session, f.Origin, f.From.At}
	if reversed(f) {
		return s, Refused{Reason: endsFirst}
	}
	was := f
	if k.over(f.Until) {
		return s, Refused{Reason: "it was over on " + memory.LastDay(f.Until, k.Now.Location()) + ", and what does not hold any more is neither told nor found", Fix: "leave the end away to keep it as history"}
	}
	says := validity(f, k.Now)
	if f.Since.IsZero() {
		f.Since = says.Since
	}
	if f.Until.IsZero() {
		f.Until = says.Until
	}
	if f.Until.IsZero() && was.Since.IsZero() {
		s.Unclear = says.Unclear
	}
	if reversed(f) { // the period given beside the text counts
		f.Since, f.Until = was.Since, was.Until
	}
	err = k.place().Locked(func() error {
		if s.Before, err = k.Replaceable(f.Supersedes); err != nil {
			return err
		}
		if err := k.known(f.Beside); err != nil {
			return err
		}
		near, akin, err := k.relations(f, topicKey)
		if err != nil {
			return err
		}
		var later []Entry // that say something else from another day on
		for _, r := range near {
			if slices.Contains(f.Supersedes, r.ID) || slices.Contains(f.Beside, r.ID) {
				continue
			}
			switch r.verdict {
			case truth.Same:
				if start(r.Fact, k.Now).After(start(f, k.Now)) || apartInTime(f, r.Fact) {
					continue // it is so in another time, too
				}
				return k.repeated(r.Entry, f, &s)
			case truth.Update:
				if apartInTime(f, r.Fact) {
					continue
				}
				if start(r.Fact, k.Now).After(start(f, k.Now)) { // what is planned may still come
					later = append(later, r.Entry)
					continue
				}
				f.Supersedes = append(f.Supersedes, r.ID)
				s.Before = append(s.Before, r.before())
			case truth.Conflict:
				switch {
				case Together(f, r.Fact, k.Now):
					s.Conflicts = append(s.Conflicts, r.before())
				case !apartInTime(f, r.Fact):
					later = append(later, r.Entry)
				}
			}
		}
		later = append(later, k.planned(f, akin)...)
		s.Near = clipped(later)
		if len(f.Supersedes) == 0 { // otherwise the answer says what it replaces
			s.Near = clipped(slices.Concat(later, akin.asked))
			s.Nearest = clipped(akin.nearest)
		}
		f.Asked = s.asked()
		if k.From != nil {
			at := f.From.At
			f.From = k.From()
			f.From.At = at
		}
		f.ID, f.Time = memory.NewID("log", k.Now, k.Random()), k.Now
		s.Status, s.ID, s.Supersedes = "ok", f.ID, f.Supersedes
		s.during(f, k.Now)
		s.StillUntil = k.stillUntil(f)
		if err := k.place().KeepFact(f, topicKey); err != nil {
			return err
		}
		return k.plan(f, later)
	})
	if err != nil {
		return Saved{}, err
	}
	if s.Status == "ok" {
		err = k.place().Counted(f)
	}
	s.Page, _ = k.afterSave(f, s) // it is saved even if the page cannot be read
	return s, err
}

// repeated notes that a fact was said again, with what else was said of it.
func (k Keeper) repeated(e Entry, again memory.Fact, s *Saved) error {
	known := e.before()
	s.Status, s.ID, s.Repeats, s.Supersedes = "duplicate", e.ID, &known, again.Supersedes
	if err := k.bound(&e, again); err != nil {
		return err
	}
	s.during(e.Fact, k.Now)
	if len(again.Supersedes)+len(again.Beside) > 0 {
		_, err := k.Confirm([]string{e.ID}, again.Beside, again.Supersedes)
		return err
	}
	return k.seenAgain(e)
}

// check cleans a fact, and refuses an empty one.
func check(f *memory.Fact) error {
	if f.Kind == "" {
		f.Kind = "W"
	}
	if len(f.Kind) != 1 || !strings.Contains(memory.Types, f.Kind) {
		return Refused{Reason: fmt.Sprintf("type %q: want W, B, O or S", f.Kind)}
	}
	if f.Confidence < 0 || f.Confidence > 1 {
		return Refused{Reason: fmt.Sprintf("confidence %v: want 0 to 1", f.Confidence)}
	}
	f.Content = text.Clip(redact.Memory.Text(withoutEcho(f.Content)), contentMax)
	if err := says("content", f.Content); err != nil {
		return err
	}
	for i, e := range f.Entities {
		f.Entities[i] = redact.Memory.Text(strings.TrimSpace(e))
	}
	// The placeholder for a name in our request is not a name.
	f.Entities = slices.DeleteFunc(f.Entities, func(e string) bool { return strings.Trim(e, "….") == "" })
	// What stands beside the text is written and told like it.
	for _, s := range []*string{&f.Session, &f.Origin, &f.From.At} {
		*s = redact.Memory.Text(*s)
	}
	f.Beside = identifiers(f.Beside)
	return nil
}

// identifiers are those of a list that may be ids: one that has a secret in it is none.
func identifiers(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(id string) bool { return redact.Memory.Text(id) != id })
}

// says refuses a text that says nothing: a mark in place of a secret is no fact.
func says(what, content string) error {
	switch {
	case memory.Normal(content) == "":
		return Refused{Reason: what + " is empty, or holds nothing that may be kept", Fix: sayIt}
	case memory.Normal(redact.WithoutMarks(content)) == "":
		return Refused{Reason: what + " is nothing but a secret or personal data, which is not kept", Fix: "say what it is for, without it"}
	}
	return nil
}

// withoutEcho removes what an agent sometimes copies into the text: the command that it saves
// with.
func withoutEcho(text string) string {
	var kept []string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		bare := strings.TrimLeft(strings.TrimSpace(line), "$> ")
		if strings.HasPrefix(bare, "agents-hooks memory ") || strings.Contains(bare, "save_fact.py") || strings.Contains(bare, "save_summary.py") {
			continue
		}
		kept = append(kept, strings.TrimRight(line, "\r\n"))
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

// seenAgain records that a fact was saved once more.
func (k Keeper) seenAgain(e Entry) error {
	return k.place().Rewrite(e.File, func(o *protocol.Object) (bool, bool, error) {
		if f, ok := memory.ParseFact(*o); !ok || f.ID != e.ID || f.Content != e.Content {
			return false, true, nil
		}
		o.Set("seen_count", strconv.AppendInt(nil, int64(max(1, number(o.Get("seen_count")))+1), 10))
		o.SetText("last_seen_at", memory.Stamp(k.Now))
		return true, true, nil
	})
}
