package ops

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/keeper"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
)

// SaveFact keeps the fact that a call tells of.
func (m Memory) SaveFact(c op.Call) (keeper.Saved, error) {
	return m.Save(memory.Fact{
		Kind: strings.ToUpper(cmp.Or(c.Args.Text("type"), "W")), Content: c.Args.Text("content"), Entities: c.Texts("entities"),
		Confidence: c.Number("confidence", 0.9), Session: m.session(c),
	}, c.Args.Text("topic_key"))
}

// SaveSummary keeps the summary that a call tells of. [memory.ErrSaved] says that
// the session has one.
func (m Memory) SaveSummary(c op.Call) (id string, err error) {
	return m.Summarize(memory.Summary{
		Session: c.Args.Text("session"), Topic: c.Args.Text("topic"), Text: c.Args.Text("summary"),
		Decisions: c.Texts("decisions"), Todos: c.Texts("todos"),
	}, m.Settings.Of("save_mode").Text == "smart")
}

// refusal is what a model can mend; other errors stay as they are.
func refusal(err error) error {
	var refused keeper.Refused
	if errors.As(err, &refused) {
		return op.Fail("REFUSED", "mend it and call again, or leave it", "%s", refused.Reason)
	}
	return err
}

func (m Memory) save(_ context.Context, c op.Call) (any, error) {
	saved, err := m.SaveFact(c)
	if err != nil {
		return nil, refusal(err)
	}
	return saved, nil
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

func (m Memory) forget(_ context.Context, c op.Call) (any, error) {
	ids := c.Texts("ids")
	n, err := m.Delete(ids)
	if errors.Is(err, keeper.ErrNoEntry) {
		return nil, op.Fail("NOT_FOUND", "facts and summaries can be forgotten, by their ids of memory_search; MEMORY.md with memory_distill", "%v", err)
	}
	if err != nil {
		return nil, err
	}
	return map[string]any{"status": "ok", "forgotten": n, "undo": "agents-hooks memory restore " + strings.Join(ids, " ")}, nil
}

func (m Memory) distill(_ context.Context, c op.Call) (any, error) {
	page, err := m.Distill(c.Args.Get("sections"), c.Args.Bool("force"))
	if err != nil {
		return nil, refusal(err)
	}
	return map[string]any{"status": "ok", "file": m.Path(memory.CoreFile), "page": page}, nil
}
