package ops

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
)

// reviewOps maintain the memories: what is worth a look, and what a user or an agent says about
// it.
func reviewOps() []row {
	return []row{
		{op.Op{Name: "memory_review", Command: "review", ReadOnly: true,
			People: op.Text{English: "list what is contradicted, undecided, over, old or proven", Chinese: "列出互相矛盾、未决定、过期、陈旧或已被证明的记忆"},
			Model: op.Text{English: "Facts that are worth a look, with what is proposed: contradicted, asked about and not decided, said twice, over, of a branch that is gone, proven (worth MEMORY.md), old, never used. Ask the person where it is not clear which one holds.",
				Chinese: "值得检查的事实及建议：互相矛盾、问过而未决定、重复、已过期、所属分支已消失、已被证明（值得写入 MEMORY.md）、陈旧、从未使用。无法判断哪条有效时请询问用户。"},
			Args: []op.Arg{
				{Name: "days", Kind: op.Int, Default: "90", Model: op.Text{English: "after how many days without use or confirmation a fact is old, default 90", Chinese: "多少天未使用或确认视为陈旧，默认 90"}, People: op.Text{English: "old is what nobody used or confirmed for `N` days", Chinese: "`N` 天未使用或确认即为陈旧"}},
				{Name: "limit", Kind: op.Int, Flags: []string{"limit", "n"}, Default: "20", Model: op.Text{English: "how many of each kind, default 20", Chinese: "每类最多列出几条，默认 20"}, People: op.Text{English: "at most `N` of each kind", Chinese: "每类最多 `N` 条"}},
				argUser(),
			}}, Memory.review},
		{op.Op{Name: "memory_confirm", Command: "confirm", Idempotent: true, Words: []string{"ids"}, Rest: true, Usage: "ID...", Wants: "ids of facts",
			People: op.Text{English: "say that facts are still true", Chinese: "确认事实仍然有效"},
			Model: op.Text{English: "Say that facts are still true. One that waits for a branch to be merged holds everywhere from then on.",
				Chinese: "确认事实仍然有效。等待分支合并的事实此后在各处有效。"},
			Args: []op.Arg{
				argIDs(),
				{Name: "beside", Kind: op.Texts, Split: true, Model: op.Text{English: "ids that they were shown to contradict, and do not", Chinese: "曾被判为矛盾、实际并不矛盾的 id"}, People: op.Text{English: "`IDS` that they do not contradict", Chinese: "并不矛盾的 `IDS`"}},
				argReplaces("ids of facts that they replace", "被它们取代的事实 id", "`IDS` of facts that they replace"),
				argUser(),
			}}, Memory.confirm},
		{op.Op{Name: "memory_promote", Command: "promote", Idempotent: true, Words: []string{"id"}, Usage: "ID", Wants: "the id of a fact",
			People: op.Text{English: "put a fact on MEMORY.md", Chinese: "把一条事实写入 MEMORY.md"},
			Model: op.Text{English: "Put a fact that has proven itself on MEMORY.md, which every session begins with, in place of what stands there for a fact that it replaced. The page before is kept, and the answer shows the difference.",
				Chinese: "把已被证明的事实写入每个会话开头的 MEMORY.md，代替页面上被它取代的内容。之前的页面会保留，回答中给出差异。"},
			Args: []op.Arg{
				{Name: "id", Required: true, Empty: true, NoFlag: true, Model: op.Text{English: "an id of memory_search or memory_review", Chinese: "memory_search 或 memory_review 给出的 id"}},
				{Name: "section", Model: op.Text{English: "a heading of MEMORY.md; default by what the fact is", Chinese: "MEMORY.md 的标题；默认按事实类型"}, People: op.Text{English: "below this `HEADING`; default by its type", Chinese: "写在此 `HEADING` 下；默认按类型"}},
				{Name: "remove", Kind: op.Bool, Model: op.Text{English: "take off what stands there for it instead", Chinese: "改为去掉页面上为它写的那一行"}, People: op.Text{English: "take off what stands there for it", Chinese: "去掉页面上为它写的那一行"}},
				{Name: "line", Kind: op.Int, Model: op.Text{English: "in place of this line of MEMORY.md, an item", Chinese: "代替 MEMORY.md 的这一行（列表项）"}, People: op.Text{English: "in place of line `N` of MEMORY.md", Chinese: "代替 MEMORY.md 的第 `N` 行"}},
				{Name: "mark", Model: op.Text{English: "the mark of that line, as memory_review gave it: refused if it is another one by now", Chinese: "该行的标记（由 memory_review 给出）：若该行已不同则拒绝"}, People: op.Text{English: "with --line: refuse if that line has not this `MARK` of review", Chinese: "与 --line 同用：该行的 `MARK` 已不同则拒绝"}},
				forPeople(op.Arg{Name: "decline", Kind: op.Bool}, "say that it does not belong there; review proposes it no more", "表示它不属于那里；review 不再建议"),
				argUser(),
			}}, Memory.promote},
	}
}

// Findings are the results of a review, and how many more there are.
func (m Memory) Findings(c op.Call) (list []store.Finding, left int, err error) {
	days, limit := c.Int("days", 90), c.Int("limit", 20)
	switch {
	case days < 1:
		return nil, 0, &op.Wrong{Name: "days", Value: strconv.Itoa(days), Want: "at least 1 day"}
	case limit < 1:
		return nil, 0, &op.Wrong{Name: "limit", Value: strconv.Itoa(limit), Want: "at least 1"}
	}
	list, left, err = m.Review(days, limit)
	if list == nil {
		list = []store.Finding{}
	}
	return list, left, err
}

func (m Memory) review(_ context.Context, c op.Call) (any, error) {
	list, left, err := m.Findings(c)
	if err != nil {
		return nil, err
	}
	return map[string]any{"note": Background, "findings": list, "total": len(list) + left}, nil
}

func (m Memory) confirm(_ context.Context, c op.Call) (any, error) {
	n, before, err := m.Confirmed(c)
	if err != nil {
		return nil, unknown(refusal(err))
	}
	out := map[string]any{"status": "ok", "entries": n, "confirmed": n}
	if len(before) > 0 {
		out["before"], out["undo"] = before, m.undo(c.Texts("replaces"))
	}
	return m.withPage(out, c.Texts("replaces")), nil
}

// Confirmed confirms facts: how many, and what they take the place of by that.
func (m Memory) Confirmed(c op.Call) (n int, before []store.Before, err error) {
	replaced := c.Texts("replaces")
	if before, err = m.Keeper.Replaceable(replaced); err != nil {
		return 0, nil, err
	}
	n, err = m.Confirm(c.Texts("ids"), c.Texts("beside"), replaced)
	return n, before, err
}

func (m Memory) promote(_ context.Context, c op.Call) (any, error) {
	d, err := m.Paged(c)
	if err != nil {
		return nil, unknown(refusal(err))
	}
	out := map[string]any{"status": "ok", "file": m.Path(m.Core()), "before": d.Before, "diff": d.Changes}
	if d.Changes != "" {
		out["undo"] = m.Unpage(c.Args.Text("id"), d)
	}
	return out, nil
}

// Paged puts the fact of a call on MEMORY.md, or takes off what stands there for it.
func (m Memory) Paged(c op.Call) (store.Distilled, error) {
	id, section, line, remove := c.Args.Text("id"), c.Args.Text("section"), c.Int("line", 0), c.Args.Bool("remove")
	switch {
	case remove && (section != "" || line != 0), section != "" && line != 0:
		return store.Distilled{}, store.Refused{Reason: "section, line and remove exclude each other", Fix: "give one of them"}
	case remove:
		return m.Demote(id)
	case line != 0:
		return m.PromoteOver(id, line, c.Args.Text("mark"), m.Language())
	case c.Args.Text("mark") != "":
		return store.Distilled{}, store.Refused{Reason: "mark says which text line has", Fix: "give it with line"}
	}
	return m.Promote(id, section, m.Language())
}

// Unpage is the command that undoes what was done to MEMORY.md for a fact: where the page said
// nothing before, there is none to bring back.
func (m Memory) Unpage(id string, d store.Distilled) string {
	if d.Before != "" {
		return m.undo([]string{d.Before})
	}
	return strings.Replace(m.undo([]string{id, "--remove"}), " restore ", " promote ", 1)
}

// unknown turns an unknown id into an error that a model can correct.
func unknown(err error) error {
	if errors.Is(err, store.ErrNoEntry) {
		return op.Fail("NOT_FOUND", "take an id of memory_search or memory_review", "%v", err)
	}
	return err
}
