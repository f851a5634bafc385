package store

import (
	"errors"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A SummaryEdit is a change to a summary; nil members stay as they are.
type SummaryEdit struct {
	Topic, Text      *string
	Decisions, Todos []string
}

// EditSummary changes a summary in place. An automatic one counts as written once somebody
// corrects it.
func (k Keeper) EditSummary(id string, e SummaryEdit) error {
	var refused error
	_, err := k.each([]string{id}, func(o *protocol.Object) (bool, bool) {
		if _, fact := memory.ParseFact(*o); fact {
			refused = Refused{Reason: id + " is a fact, and no summary"}
			return false, true
		}
		s := memory.ParseSummary(*o)
		for _, f := range []struct {
			to   *string
			from *string
			most int
		}{{&s.Topic, e.Topic, topicMax}, {&s.Text, e.Text, summaryMax}} {
			if f.from == nil {
				continue
			}
			if refused = longer(*f.from, f.most); refused != nil {
				return false, true
			}
			*f.to = redact.Memory.Text(strings.TrimSpace(*f.from))
		}
		if s.Topic == "" && s.Text == "" {
			refused = Refused{Reason: emptySummary, Fix: sayIt}
			return false, true
		}
		for _, f := range []struct {
			to   *[]string
			from []string
		}{{&s.Decisions, e.Decisions}, {&s.Todos, e.Todos}} {
			if f.from == nil {
				continue
			}
			*f.to = []string{}
			for _, item := range f.from {
				if refused = longer(item, contentMax); refused != nil {
					return false, true
				}
				if item = redact.Memory.Text(strings.TrimSpace(item)); item != "" {
					*f.to = append(*f.to, item)
				}
			}
		}
		o.SetText("topic", s.Topic)
		o.SetText("summary", s.Text)
		o.Set("decisions", protocol.TextList(s.Decisions))
		o.Set("todos", protocol.TextList(s.Todos))
		o.Delete("auto_generated")
		o.SetText("updated_at", memory.Stamp(k.Now))
		return true, true
	})
	return errors.Join(refused, err)
}

// summaryOf is a summary as an entry, so that it can be deleted, restored and marked like a
// fact.
func summaryOf(o protocol.Object, file string) Entry {
	s := memory.ParseSummary(o)
	e := Entry{File: file}
	e.ID, e.Content, e.Deleted = s.ID, s.Topic+"\n"+s.Text, s.Deleted
	e.Entities = slices.Concat(s.Decisions, []string{""}, s.Todos)
	return e
}

// summaryEntries are the entries of the folder's summaries.
func (k Keeper) summaryEntries(place memory.Place) (out []Entry, err error) {
	for _, file := range place.SummaryFiles() {
		err = errors.Join(err, place.Lines(file, func(o protocol.Object, whose ledger.Whose) {
			e := summaryOf(o, file)
			e.Whose = whose
			out = append(out, e)
		}))
	}
	return out, err
}

// Summarize saves the summary of a session. If the session has one, it returns
// [memory.ErrSaved], unless again is set: then the later one counts.
func (k Keeper) Summarize(s memory.Summary, again bool) (string, error) {
	if s.Session = redact.Memory.Text(s.Session); s.Session == "" {
		s.Session = k.place().CurrentSession()
	}
	s.Topic, s.Text = text.Clip(redact.Memory.Text(withoutEcho(s.Topic)), topicMax), text.Clip(redact.Memory.Text(withoutEcho(s.Text)), summaryMax)
	if s.Topic == "" && s.Text == "" {
		return "", Refused{Reason: emptySummary, Fix: sayIt}
	}
	if err := says("summary", s.Topic+" "+s.Text); err != nil {
		return "", err
	}
	for _, list := range []*[]string{&s.Decisions, &s.Todos} {
		for i, item := range *list {
			(*list)[i] = text.Clip(redact.Memory.Text(strings.TrimSpace(item)), contentMax)
		}
		*list = slices.DeleteFunc(*list, func(t string) bool { return t == "" })
	}
	if k.From != nil {
		s.Author = k.From().Author
	}
	s.ID, s.Time = memory.NewID("sum", k.Now, k.Random()), k.Now
	if s.Source == "" {
		s.Source = "layer1_rules"
	}
	if err := k.place().Make(); err != nil {
		return "", err
	}
	return s.ID, k.place().KeepSummary(s, again)
}

// Summaries are the folder's summaries that are not deleted.
func (k Keeper) Summaries() ([]memory.Summary, error) {
	all, err := k.EverySummary()
	return slices.DeleteFunc(all, func(s memory.Summary) bool { return s.Deleted }), err
}

// EverySummary are all of the folder's summaries, including deleted ones.
func (k Keeper) EverySummary() ([]memory.Summary, error) {
	var out []memory.Summary
	for _, file := range k.place().SummaryFiles() {
		err := k.place().Lines(file, func(o protocol.Object, whose ledger.Whose) {
			s := memory.ParseSummary(o)
			s.Whose = whose
			out = append(out, s)
		})
		if err != nil {
			return nil, err
		}
	}
	order.By(out, func(a, b memory.Summary) int { return a.Time.Compare(b.Time) })
	return out, nil
}
