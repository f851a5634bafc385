package ops

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon/words"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// SaveFact saves the fact in a call.
func (m Memory) SaveFact(c op.Call) (store.Saved, error) {
	since, err := date(c, "since", 0, m.Now.Location(), time.Time{})
	if err != nil {
		return store.Saved{}, err
	}
	until, err := date(c, "until", 24*time.Hour, m.Now.Location(), time.Time{})
	if err != nil {
		return store.Saved{}, err
	}
	_ = lexicon.Lay(m.world.Cache, words.Unpack) // the next prompt may recall it
	return m.Save(memory.Fact{
		Kind: strings.ToUpper(cmp.Or(c.Args.Text("type"), "W")), Content: c.Args.Text("content"), Entities: c.Texts("entities"),
		Confidence: c.Number("confidence", 0.9), Session: m.session(c), From: memory.Source{At: c.Args.Text("at")}, Since: since, Until: until, Supersedes: c.Texts("replaces"), Beside: c.Texts("beside"),
	}, c.Args.Text("topic_key"))
}

// SaveSummary saves the summary in a call. It returns [memory.ErrSaved] if the session has one.
func (m Memory) SaveSummary(c op.Call) (id string, err error) {
	return m.Summarize(memory.Summary{
		Session: c.Args.Text("session"), Topic: c.Args.Text("topic"), Text: c.Args.Text("summary"),
		Decisions: c.Texts("decisions"), Todos: c.Texts("todos"),
	}, m.Settings.Of("save_mode").Text == "smart")
}

// Forget hides the entries that a call names or, with purge and a confirmation, removes them
// for good.
func (m Memory) Forget(c op.Call) (int, error) {
	ids, team := c.Texts("ids"), c.Args.Bool("team")
	if c.Args.Bool("purge") {
		if !c.Args.Bool("confirm") {
			return 0, Unconfirmed("--purge removes entries for good")
		}
		return m.purge(ids, team)
	}
	ended := 0
	if team {
		var err error
		if ended, err = m.endInRoom(ids, false, team); err != nil {
			return 0, err
		}
	}
	if here := m.here(ids); ended > 0 && len(here) > 0 {
		ids = here // the others are of the room alone
	}
	n, err := m.Delete(ids)
	return theRoomAlone(ended, n, err)
}

// here are those of some ids that are of entries of the folder.
func (m Memory) here(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return errors.Is(m.Present([]string{id}), store.ErrNoEntry) })
}

// theRoomAlone lets an operation succeed on entries that the room alone had: somebody removed their
// lines here.
func theRoomAlone(ended, n int, err error) (int, error) {
	if ended > 0 && errors.Is(err, store.ErrNoEntry) {
		return ended, nil
	}
	return n, err
}

// Unconfirmed names something that needs a confirmation, since it removes something.
type Unconfirmed string

func (u Unconfirmed) Error() string { return string(u) + ": want --confirm" }

// ImportMode is the mode of an import. A mode that removes something needs a confirmation.
func ImportMode(word string, confirmed bool) (store.Mode, error) {
	mode := store.Mode(word)
	switch mode {
	case store.Merge, store.Skip:
		return mode, nil
	case store.Replace:
		if !confirmed {
			return mode, Unconfirmed("--mode replace hides all that is there")
		}
		return mode, nil
	}
	return mode, &op.Wrong{Name: "mode", Value: strconv.Quote(word), Want: "merge, replace or skip"}
}

// CheckAge refuses an age, in days, that would include today's facts.
func CheckAge(days int) error {
	if days < 1 {
		return &op.Wrong{Name: "older_than", Value: strconv.Itoa(days), Want: "at least 1 day"}
	}
	return nil
}

// refusal turns a refusal into an error that a model can correct; other errors stay as they
// are.
func refusal(err error) error {
	var refused store.Refused
	if errors.As(err, &refused) {
		return op.Fail("REFUSED", cmp.Or(refused.Fix, "mend it and call again, or leave it"), "%s", refused.Reason)
	}
	return err
}

func (m Memory) save(_ context.Context, c op.Call) (any, error) {
	saved, err := m.SaveFact(c)
	if err != nil {
		return nil, unknown(refusal(err))
	}
	type answer struct {
		store.Saved
		Note string `json:"note,omitempty"`
		Ask  string `json:"ask,omitempty"`
		Hint string `json:"hint,omitempty"`
		Undo string `json:"undo,omitempty"`
		End  string `json:"end,omitempty"`
	}
	const again = "call memory_save again with the same content and "
	end := ""
	if saved.Unclear != "" {
		end = "No day was understood of \"" + saved.Unclear + "\". If the fact holds only until a day, " + again + "until: YYYY-MM-DD; if it begins on one, since."
	}
	out := answer{Saved: saved, Note: Noted(saved), End: end}
	switch of, id, ask := Replaceable(saved); {
	case ask:
		out.Ask = "If " + of + " is untrue now, " + again + "replaces: [" + id + "]. Otherwise " + again + "beside: [" + id + "]."
	case of != "":
		out.Hint = "If " + of + " is untrue now, " + again + "replaces: [" + id + "]. Otherwise go on."
	}
	if len(saved.Supersedes) > 0 {
		out.Undo = "If " + StillHolds(saved) + ", " + again + "beside: [" + strings.Join(saved.Supersedes, ", ") + "]."
	}
	return out, nil
}

// StillHolds is the case in which what a fact replaced holds beside it.
func StillHolds(s store.Saved) string {
	if s.StillUntil != "" {
		return "what is in before, which holds until " + s.StillUntil + ", holds after that, too"
	}
	return "what is in before still holds"
}

// Noted says of a save's answer what it has of others, "" if all of it is the user's.
func Noted(s store.Saved) string {
	all := slices.Concat(s.Before, s.Conflicts, s.Near, s.Nearest)
	if s.Repeats != nil {
		all = append(all, *s.Repeats)
	}
	if !slices.ContainsFunc(all, func(b store.Before) bool { return search.Theirs(b.Origin) }) {
		return ""
	}
	return note(all, func(b store.Before) string { return b.Origin })
}

// Replaceable names what of a save's answer the new fact may replace ("one of near"), and the
// id of that, or "ID" if there are several; ask says whether it should be answered: every review lists
// it until somebody does.
func Replaceable(s store.Saved) (of, id string, ask bool) {
	var lists []string
	var all []store.Before
	for _, l := range []struct {
		name string
		list []store.Before
	}{{"conflicts", s.Conflicts}, {"near", s.Near}, {"nearest", s.Nearest}} {
		if len(l.list) > 0 {
			lists, all = append(lists, l.name), append(all, l.list...)
		}
	}
	of = strings.Join(lists, " or ")
	switch len(all) {
	case 0:
		return "", "", false
	case 1:
		return "the fact in " + of, all[0].ID, len(s.Conflicts)+len(s.Near) > 0
	}
	return "one of " + of, "ID", len(s.Conflicts)+len(s.Near) > 0
}

func (m Memory) summary(_ context.Context, c op.Call) (any, error) {
	c.Args.SetText("session", m.session(c))
	id, err := m.SaveSummary(c)
	if errors.Is(err, memory.ErrSaved) {
		return map[string]any{"status": "skipped", "reason": memory.ErrSaved.Error()}, nil
	}
	if err != nil {
		return nil, refusal(err)
	}
	return map[string]any{"status": "ok", "id": id}, nil
}

func (m Memory) forget(ctx context.Context, c op.Call) (any, error) {
	ids := c.Texts("ids")
	var said []string
	if c.Args.Bool("purge") {
		said = m.Contents(ids)
	}
	n, err := m.Forget(c)
	if errors.Is(err, store.ErrNoEntry) {
		return nil, op.Fail("NOT_FOUND", "facts and summaries can be forgotten, by their ids of memory_search; MEMORY.md with memory_distill", "%v", err)
	}
	if err != nil {
		return nil, refusal(err)
	}
	answer := map[string]any{"status": "ok", "entries": n, "forgotten": n}
	if !c.Args.Bool("purge") {
		answer["undo"] = m.undo(ids)
	}
	m.Left(ctx, answer, said)
	return m.withPage(answer, ids), nil
}

// withPage adds to an answer about some facts the lines of MEMORY.md that no longer hold because of it.
func (m Memory) withPage(answer map[string]any, ids []string) map[string]any {
	if lines, _ := m.Strays(ids); len(lines) > 0 { // it is done even if the page cannot be read
		answer["page"] = lines
	}
	return answer
}

// undo is the command that brings entries back, from whatever folder a person runs it in.
func (m Memory) undo(ids []string) string {
	where := "--user "
	if m.Root != "" {
		where = "-C " + text.SystemWord(runtime.GOOS, m.Place.Tree) + " "
	}
	return "agents-hooks memory restore " + where + strings.Join(ids, " ")
}

func (m Memory) distill(_ context.Context, c op.Call) (any, error) {
	d, err := m.Distill(c.Args.Get("sections"), c.Args.Bool("force"), m.Language())
	if err != nil {
		return nil, refusal(err)
	}
	return map[string]any{"status": "ok", "file": m.Path(m.Core()), "page": d.Page, "before": d.Before, "diff": d.Changes}, nil
}
