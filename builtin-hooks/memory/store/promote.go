package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Promote adds a fact to MEMORY.md, which every session begins with, and records that in the
// fact. It stands in place of what the page says for a fact that this one replaced, or for this
// one before it was edited.
func (k Keeper) Promote(id, section string, in locale.Language) (Distilled, error) {
	if section != "" {
		var err error
		if section, err = heading(section); err != nil {
			return Distilled{}, err
		}
	}
	return k.promote(id, in, func(page, item string, e Entry, in locale.Language) (string, error) {
		if has, err := k.besideSays(item); has || err != nil {
			return page, err
		}
		return withItem(page, section, item, e, in), nil
	})
}

// besideSays reports whether a file of MEMORY.md that nothing is put on has an item already.
func (k Keeper) besideSays(item string) (bool, error) {
	pages, err := k.corePages()
	delete(pages, k.Core())
	_, line := lineOf(pages, item)
	return line > 0, err
}

// PromoteOver puts a fact in place of a line of MEMORY.md, which must be an item, and if mark is given,
// the one with that [LineMark].
func (k Keeper) PromoteOver(id string, line int, mark string, in locale.Language) (Distilled, error) {
	if want, is := k.Seen[memory.CoreFile]; is { // the line was one of the page that was shown
		b, err := k.Read(k.Core())
		if err == nil && want != PageMark(b) {
			err = Stale{[]string{memory.CoreFile}}
		}
		if err != nil {
			return Distilled{}, err
		}
	}
	return k.promote(id, in, func(page, item string, _ Entry, _ locale.Language) (string, error) {
		lines := strings.SplitAfter(page, "\n")
		if line < 1 || line > len(lines) || memory.PageItem(lines[line-1]) == "" {
			return "", Refused{Reason: fmt.Sprintf("line %d of %s is no item of a list", line, k.Core()), Fix: "agents-hooks memory review names the lines"}
		}
		if is := memory.PageItem(lines[line-1]); mark != "" && mark != LineMark(is) {
			return "", Refused{Reason: fmt.Sprintf("line %d of %s is another one by now: %q", line, k.Core(), text.Clip(is, nearMax)), Fix: "agents-hooks memory review names the lines"}
		}
		lines[line-1] = "- " + item + "\n"
		return strings.Join(lines, ""), nil
	})
}

// LineMark is a mark of an item of MEMORY.md, by which whoever was shown its line is known to mean it.
func LineMark(item string) string { return sign(item)[:8] }

func (k Keeper) promote(id string, in locale.Language, put func(page, item string, e Entry, in locale.Language) (string, error)) (d Distilled, err error) {
	all, err := k.Facts()
	if err != nil {
		return d, err
	}
	living := Living(all, k.Now)
	i := slices.IndexFunc(living, func(e Entry) bool { return e.ID == id })
	switch {
	case k.Seen != nil:
		_, err = k.held([]string{id})
	case i < 0:
		err = k.none(id)
	case living[i].Whose == ledger.Nobody:
		err = waits(id)
	}
	if err != nil {
		return d, err
	}
	if i < 0 {
		return d, Refused{Reason: id + " does not hold here: a later fact stands for it, or its time is over"}
	}
	if err := k.fitsPage(living[i]); err != nil {
		return d, err
	}
	strays, err := k.place().Strays(k.Now)
	if err != nil {
		return d, err
	}
	strays = slices.DeleteFunc(strays, func(s memory.Stray) bool { return s.By != id })
	item := text.OneLine(living[i].Content)
	d, err = k.rewrite(k.Core(), k.place().ReplacePage, func(old []byte) (string, error) {
		return put(instead(string(memory.Both(old)), item, strays), item, living[i], in)
	})
	var gone []string
	for _, s := range strays {
		gone = append(gone, s.Text)
	}
	if err == nil {
		err = k.offOthers(gone, &d)
	}
	if err != nil {
		return d, err
	}
	_, err = k.each([]string{id}, func(o *protocol.Object) (bool, bool) {
		o.SetText("promoted_at", memory.Stamp(k.Now))
		o.SetText("promoted_as", item)
		return true, true
	})
	return d, err
}

// fitsPage refuses a fact that does not belong on a page that every session begins with, on any
// branch and at any time: nothing takes a line off it when a time is over.
func (k Keeper) fitsPage(e Entry) error {
	id := e.ID
	switch {
	case e.Whose == ledger.Memory:
		return Refused{Reason: id + " is the repository's, and would become yours", Fix: "agents-hooks memory accept takes it as yours first"}
	case memory.Shared(e.Origin):
		return Refused{Reason: id + " is somebody else's", Fix: "what you save yourself can be promoted"}
	case k.Now.Before(e.Since):
		return Refused{Reason: id + " holds only from " + memory.FirstDay(e.Since, k.Now.Location()) + " on, and every session would begin with it until then", Fix: "promote it then; from today on it holds by agents-hooks memory edit " + id + " --since always"}
	case !e.Until.IsZero():
		return Refused{Reason: id + " holds only until " + memory.LastDay(e.Until, k.Now.Location()) + ", and every session would begin with it after that", Fix: "if it has no end: agents-hooks memory edit " + id + " --until always"}
	case memory.BranchOf(e.File) != "" && !k.place().Checkout().Main:
		return Refused{Reason: id + " waits for the branch " + memory.BranchOf(e.File) + " to be merged, and MEMORY.md is of all branches", Fix: "if it holds on all of them: agents-hooks memory confirm " + id}
	}
	return nil
}

// instead is a page with an item in place of what stands there for the facts that it replaces.
func instead(page, item string, strays []memory.Stray) string {
	if len(strays) == 0 {
		return page
	}
	var out strings.Builder
	done := false
	for line := range strings.Lines(page) {
		is := memory.PageItem(line)
		if is == "" || !slices.ContainsFunc(strays, func(s memory.Stray) bool { return s.Text == is }) {
			out.WriteString(line)
			continue
		}
		if !done {
			out.WriteString("- " + item + "\n")
		}
		done = true
	}
	return out.String()
}

// withItem is a page with a fact as an item of a section, which follows from the fact's type
// unless it is given.
func withItem(page, section, item string, e Entry, in locale.Language) string {
	in = memory.PageLanguage(page, in)
	if page == "" {
		page = memory.Template(in)
	}
	if section == "" {
		section = memory.Sections(in)[map[string]int{"O": 0, "W": 1, "B": 3}[e.Kind]]
	}
	section, item = memory.Section(in, section), "- "+item
	lines := strings.Split(strings.TrimRight(page, "\n"), "\n")
	if slices.Contains(lines, item) {
		return page
	}
	at := slices.IndexFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "## "+section })
	if at < 0 {
		return strings.Join(append(lines, "", "## "+section, item), "\n") + "\n"
	}
	end := at + 1
	for end < len(lines) && !strings.HasPrefix(lines[end], "#") {
		end++
	}
	for end > at+1 && strings.TrimSpace(lines[end-1]) == "" {
		end--
	}
	return strings.Join(slices.Insert(lines, end, item), "\n") + "\n"
}

// Demote takes off MEMORY.md what stands there for a fact, whether that holds or not.
func (k Keeper) Demote(id string) (d Distilled, err error) {
	if _, err = k.held([]string{id}); err != nil {
		return d, err
	}
	items, err := k.itemsOf([]string{id})
	if err != nil {
		return d, err
	}
	if len(items) == 0 {
		return d, Refused{Reason: id + " was not put on " + memory.CoreFile, Fix: "mend the page itself, or agents-hooks memory distill"}
	}
	d, err = k.offPage(k.Core(), items)
	if err == nil {
		err = k.offOthers(items, &d)
	}
	if err != nil {
		return d, err
	}
	_, err = k.each([]string{id}, func(o *protocol.Object) (bool, bool) {
		o.Delete("promoted_at")
		o.Delete("promoted_as")
		return true, true
	})
	return d, err
}

// offPage takes items off a file of MEMORY.md.
func (k Keeper) offPage(file string, items []string) (Distilled, error) {
	b, err := k.Read(file)
	if page := string(memory.Both(b)); err != nil || withoutItems(page, items) == page {
		return Distilled{Page: string(b)}, err
	}
	return k.rewrite(file, k.place().ReplacePage, func(old []byte) (string, error) {
		page := withoutItems(string(memory.Both(old)), items)
		if strings.TrimSpace(page) == "" {
			page = memory.Template(locale.English)
		}
		return page, nil
	})
}

// offOthers takes items off the files of MEMORY.md that nothing is put on, and adds that to what
// was done: git may track one of a memory that it ignores now.
func (k Keeper) offOthers(items []string, d *Distilled) error {
	for _, file := range memory.PageFiles(memory.CoreFile) {
		if file == k.Core() {
			continue
		}
		other, err := k.offPage(file, items)
		if err != nil {
			return err
		}
		if d.Changes == "" { // else that is what is undone
			d.Before = other.Before
		}
		d.Changes += other.Changes
	}
	return nil
}

// itemsOf are the items of MEMORY.md that some facts were put there as.
func (k Keeper) itemsOf(ids []string) (items []string, err error) {
	place := k.place()
	place.EveryBranch = true
	all, err := k.factsIn(place)
	found := false
	for _, e := range all {
		if slices.Contains(ids, e.ID) {
			if found = true; e.OnPage != "" && e.Whose != ledger.Nobody {
				items = append(items, e.OnPage)
			}
		}
	}
	if err == nil && !found {
		err = fmt.Errorf("%w: %s", ErrNoEntry, strings.Join(ids, ", "))
	}
	return items, err
}

func withoutItems(page string, items []string) string {
	var out strings.Builder
	for line := range strings.Lines(page) {
		if item := memory.PageItem(line); item == "" || !slices.Contains(items, item) {
			out.WriteString(line)
		}
	}
	return out.String()
}
