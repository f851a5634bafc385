package store

import (
	"errors"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/redact"
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
