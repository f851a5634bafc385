package ops

import (
	"context"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
)

// Ops are the memory operations for models: first rows, then what surrounds one, then the full
// text. Those with a Command are also commands.
func Ops(w *behaviour.Runtime) []op.Op {
	list := append(append(readOps(), writeOps()...), reviewOps()...)
	for i := range list {
		list[i].Needs |= op.Project | op.Store
	}
	return at(w, list)
}

// A doing is what an operation does with a memory.
type doing = func(Memory, context.Context, op.Call) (any, error)

// at binds the operations to the memory of each call.
func at(w *behaviour.Runtime, list []row) []op.Op {
	out := make([]op.Op, len(list))
	for i, r := range list {
		out[i] = r.Op
		out[i].Do = func(ctx context.Context, c op.Call) (_ any, err error) {
			m := At(w, OfSession(w, c, c.Args.Text("session")))
			if c.Args.Bool("user") {
				if m, err = m.OfPerson(); err != nil {
					return nil, err
				}
			}
			return r.do(m, ctx, c)
		}
	}
	return out
}

type row struct {
	op.Op
	do doing
}

func argIDs() op.Arg {
	return op.Arg{Name: "ids", Kind: op.Texts, Required: true, Empty: true, NoFlag: true, Model: op.Text{English: "ids of memory_search or memory_timeline", Chinese: "memory_search 或 memory_timeline 给出的 id"}}
}

// forPeople is an argument that only commands have.
func forPeople(a op.Arg, english, chinese string) op.Arg {
	a.NoTool, a.People = true, op.Text{English: english, Chinese: chinese}
	return a
}

func argUser() op.Arg {
	return op.Arg{Name: "user", Kind: op.Bool, Model: op.Text{English: "in the person's own memory, which all projects share", Chinese: "使用个人记忆（所有项目共享）"},
		People: op.Text{English: "your own memory, for all projects", Chinese: "你自己的记忆，适用于所有项目"}}
}

func argReplaces(english, chinese, people string) op.Arg {
	return op.Arg{Name: "replaces", Kind: op.Texts, Split: true, Model: op.Text{English: english, Chinese: chinese}, People: op.Text{English: people, Chinese: strings.Replace(chinese, "id", "`IDS`", 1)}}
}

func argSession(people string) op.Arg {
	return op.Arg{Name: "session", Model: op.Text{English: "id of the session, if you know it", Chinese: "会话 id（已知时）"},
		People: op.Text{English: people, Chinese: "代理会话的 `ID`"}}
}

func readOps() []row {
	return []row{
		{op.Op{Name: "memory_search", Command: "search", ReadOnly: true, Core: true, Words: []string{"query"}, Rest: true, Usage: "QUERY", Wants: "what to look for",
			Order:  []string{"max_results", "days", "from", "to", "type", "entities", "include_stage", "include_replaced", "method", "fusion", "mmr", "wait", "user"},
			People: op.Text{English: "find what is remembered", Chinese: "查找记忆"},
			Model: op.Text{English: "Find what is remembered of this project. Returns rows with ids; read the ones that matter with memory_get, and what stood around one with memory_timeline.",
				Chinese: "查找此项目的记忆。返回带 id 的条目；用 memory_get 阅读重要的，用 memory_timeline 查看某条前后的内容。"},
			Args: []op.Arg{
				{Name: "query", Required: true, Empty: true, NoFlag: true, Model: op.Text{English: "what to look for, in any language", Chinese: "要查找的内容，语言不限"}},
				{Name: "max_results", Kind: op.Int, Flags: []string{"max-results", "n", "limit"}, Default: "5", Model: op.Text{English: "1 to 50, default 10", Chinese: "1 到 50，默认 10"}, People: op.Text{English: "at most `N` hits", Chinese: "最多 `N` 条"}},
				{Name: "days", Kind: op.Int, Model: op.Text{English: "of the last days only", Chinese: "仅最近若干天"}, People: op.Text{English: "of the last `N` days", Chinese: "最近 `N` 天"}},
				{Name: "type", Kind: op.Texts, Split: true, Known: []string{"W", "B", "O", "S"}, Model: op.Text{English: "of W, B, O or S only", Chinese: "仅 W、B、O 或 S"}, People: op.Text{English: "only `TYPE` W, B, O or S", Chinese: "仅 `TYPE` W、B、O 或 S"}},
				{Name: "entities", Kind: op.Texts, Split: true, Flags: []string{"entity"}, Model: op.Text{English: "about these names only", Chinese: "仅关于这些名称"}, People: op.Text{English: "only about `NAME`", Chinese: "仅关于 `NAME`"}},
				{Name: "include_stage", Kind: op.Bool, Flags: []string{"include-stage"}, Model: op.Text{English: "stages of sessions (S) too", Chinese: "也包括会话阶段（S）"}, People: op.Text{English: "stage summaries (S) too", Chinese: "也包括阶段总结（S）"}},
				forPeople(op.Arg{Name: "from", Kind: op.Day}, "not before `DATE`, such as 2026-02-17", "不早于 `DATE`，如 2026-02-17"),
				forPeople(op.Arg{Name: "to", Kind: op.Day}, "not after `DATE`", "不晚于 `DATE`"),
				forPeople(op.Arg{Name: "include_replaced", Kind: op.Bool, Flags: []string{"include-replaced"}}, "facts too that a later one stands for", "也包括已被取代的事实"),
				forPeople(op.Arg{Name: "method", Words: methods(), Default: methods()[0]}, "`METHOD`: hybrid, fts, vector", "`METHOD`：hybrid、fts、vector"),
				forPeople(op.Arg{Name: "fusion", Words: fusions(), Default: fusions()[0]}, "`WAY` to put the two together: rrf, weighted", "合并二者的 `WAY`：rrf、weighted"),
				forPeople(op.Arg{Name: "mmr", Kind: op.Bool}, "prefer hits that differ", "优先不同的结果"),
				forPeople(op.Arg{Name: "wait", Kind: op.Int, Default: "300"}, "at most `MS` for the vectors of an endpoint", "等待端点向量最多 `MS` 毫秒"),
				forPeople(op.Arg{Name: "user", Kind: op.Bool}, "your own memory, for all projects", "你自己的记忆，适用于所有项目"),
			}}, Memory.search},
		{op.Op{Name: "memory_timeline", ReadOnly: true, Core: true, Near: "memory list",
			Model: op.Text{English: "What was remembered before and after one entry, as rows in the order of time.", Chinese: "按时间顺序列出某条记忆前后的内容。"},
			Args: []op.Arg{
				{Name: "id", Required: true, Empty: true, Model: op.Text{English: "an id of memory_search", Chinese: "memory_search 给出的 id"}},
				{Name: "before", Kind: op.Int, Model: op.Text{English: "how many before, default 3", Chinese: "之前的条数，默认 3"}},
				{Name: "after", Kind: op.Int, Model: op.Text{English: "how many after, default 3", Chinese: "之后的条数，默认 3"}},
			}}, Memory.timeline},
		{op.Op{Name: "memory_get", ReadOnly: true, Core: true, Near: "memory list --json",
			Model: op.Text{English: "The full text of entries, by id.", Chinese: "按 id 给出条目全文。"},
			Args:  []op.Arg{argIDs()}}, Memory.get},
	}
}

func writeOps() []row {
	return []row{
		{op.Op{Name: "memory_save", Command: "save", Core: true, Idempotent: true, Words: []string{"content"}, Usage: "[TEXT]", Wants: "the text, here or as --content",
			Order:  []string{"content", "type", "entities", "confidence", "session", "topic_key", "replaces", "beside", "at", "since", "until", "user"},
			People: op.Text{English: "keep one fact", Chinese: "保存一条事实"},
			Model: op.Text{English: "Keep one fact that will still matter in later sessions: a decision with its reason, a preference, a milestone. One sentence that can be understood alone. Secrets are taken out first; what is known already is not kept twice.",
				Chinese: "保存一条以后仍然重要的事实：带理由的决定、偏好、里程碑。一句能独立理解的话。机密会先被移除，已知内容不会重复保存。"},
			Args: []op.Arg{
				{Name: "content", Required: true, Empty: true, Model: op.Text{English: "the fact, at most 800 characters", Chinese: "事实，最多 800 字"}, People: op.Text{English: "the `TEXT`, one sentence; - reads stdin", Chinese: "`TEXT`，一句话；- 读取标准输入"}},
				{Name: "type", Words: []string{"W", "B", "O", "S"}, Default: "W", Model: op.Text{English: "W a fact about the world (default), B what happened in this project, O a preference, S a stage of this session", Chinese: "W 客观事实（默认），B 项目中发生的事，O 偏好，S 本会话的阶段"},
					People: op.Text{English: "`TYPE`: W the world, B what happened, O a preference, S a stage", Chinese: "`TYPE`：W 客观事实，B 发生的事，O 偏好，S 阶段"}},
				{Name: "entities", Kind: op.Texts, Split: true, Flags: []string{"entities", "entity"}, Model: op.Text{English: "names that it is about: redis, auth", Chinese: "涉及的名称：redis、auth"},
					People: op.Text{English: "`NAMES` that it is about; repeats, splits at commas", Chinese: "涉及的 `NAMES`；可重复，逗号分隔"}},
				{Name: "confidence", Kind: op.Number, Default: "0.9", Model: op.Text{English: "0 to 1, default 0.9", Chinese: "0 到 1，默认 0.9"}, People: op.Text{English: "`NUMBER` from 0 to 1", Chinese: "0 到 1 的 `NUMBER`"}},
				{Name: "topic_key", Flags: []string{"topic-key"}, Model: op.Text{English: "replaces what was saved under the same key", Chinese: "替换以相同键保存的内容"}, People: op.Text{English: "replaces what was saved under the same `KEY`", Chinese: "替换以相同 `KEY` 保存的内容"}},
				argReplaces("ids of facts that this one replaces", "被此事实取代的事实 id", "`IDS` of facts that it replaces"),
				{Name: "beside", Kind: op.Texts, Split: true, Model: op.Text{English: "ids of facts that hold beside this one", Chinese: "与此事实同时成立的事实 id"}, People: op.Text{English: "`IDS` of facts that hold beside it", Chinese: "与它同时成立的事实 `IDS`"}},
				{Name: "at", Flags: []string{"at"}, Model: op.Text{English: "file:line that it is about, if there is one", Chinese: "涉及的文件:行号（如有）"}, People: op.Text{English: "`FILE:LINE` that it is about", Chinese: "涉及的 `FILE:LINE`"}},
				{Name: "since", Kind: op.Day, Model: op.Text{English: "it holds from this date on", Chinese: "从此日期起有效"}, People: op.Text{English: "it holds from `DATE` on", Chinese: "从 `DATE` 起有效"}},
				{Name: "until", Kind: op.Day, Model: op.Text{English: "it holds until this date, and is told no longer after it", Chinese: "有效至此日期，之后不再提示"}, People: op.Text{English: "it holds until `DATE`, which is its last day", Chinese: "有效至 `DATE`（含当日）"}},
				argSession("`ID` of the agent's session"), argUser(),
			}}, Memory.save},
		{op.Op{Name: "memory_summary", Command: "summary", Core: true, Idempotent: true,
			People: op.Text{English: "keep the summary of a session", Chinese: "保存会话总结"},
			Model:  op.Text{English: "Keep the summary of this session: what was done and how it ended. One a session.", Chinese: "保存本会话的总结：做了什么，结果如何。每个会话一份。"},
			Args: []op.Arg{
				{Name: "topic", Required: true, Empty: true, Model: op.Text{English: "one sentence", Chinese: "一句话"}, People: op.Text{English: "one `SENTENCE`", Chinese: "一句话（`SENTENCE`）"}},
				{Name: "summary", Required: true, Empty: true, Model: op.Text{English: "100 to 200 characters", Chinese: "100 到 200 字"}, People: op.Text{English: "the `TEXT`, 100 to 200 characters", Chinese: "`TEXT`，100 到 200 字"}},
				{Name: "decisions", Kind: op.Texts, Flags: []string{"decisions", "decision"}, People: op.Text{English: "what was decided, one `SENTENCE`; repeats", Chinese: "所做的决定，每次一句（`SENTENCE`）；可重复"}}, // which may contain commas
				{Name: "todos", Kind: op.Texts, Flags: []string{"todos", "todo"}, Model: op.Text{English: "what is left to do", Chinese: "待办事项"}, People: op.Text{English: "what is left to do, one `SENTENCE`; repeats", Chinese: "待办事项，每次一句（`SENTENCE`）；可重复"}},
				argSession("`ID` of the agent's session; default the last that began here"),
				forPeople(op.Arg{Name: "user", Kind: op.Bool}, "your own memory, for all projects", "你自己的记忆，适用于所有项目"),
			}}, Memory.summary},
		{op.Op{Name: "memory_forget", Command: "delete", Core: true, Destructive: true, Idempotent: true, Near: "memory delete --confirm",
			Words: []string{"ids"}, Rest: true, Usage: "ID...", Wants: "ids of entries",
			People: op.Text{English: "hide entries; restore brings them back", Chinese: "隐藏条目；restore 可恢复"},
			Model:  op.Text{English: "Forget facts that are wrong or out of date. agents-hooks memory restore brings them back.", Chinese: "忘记错误或过时的事实。agents-hooks memory restore 可恢复。"},
			Args: []op.Arg{
				argIDs(),
				forPeople(op.Arg{Name: "purge", Kind: op.Bool}, "remove them for good; wants --confirm", "彻底删除；需要 --confirm"),
				forPeople(op.Arg{Name: "confirm", Kind: op.Bool}, "do it, not only list it", "确认执行"),
				forPeople(op.Arg{Name: "team", Kind: op.Bool}, "for the whole team, what others shared too", "对整个团队删除，包括他人共享的条目"),
				argUser(),
			}}, Memory.forget},
		{op.Op{Name: "memory_distill", Command: "distill", Core: true, Destructive: true, Idempotent: true, Usage: "[FILE]",
			People: op.Text{English: "rewrite MEMORY.md from sections of items", Chinese: "用分节的条目重写 MEMORY.md"},
			Model: op.Text{English: "Rewrite MEMORY.md, which every session begins with, from sections of items. Read it first (memory_search, then memory_get of the core ids): what is not in sections is gone from it. The page before is kept, and the answer shows the difference.",
				Chinese: "用分节的条目重写 MEMORY.md（每个会话的开头）。请先阅读（memory_search，再 memory_get 核心 id）：sections 中没有的内容会从页面消失。之前的页面会保留，回答中给出差异。"},
			Args: []op.Arg{
				{Name: "sections", Kind: op.JSON, Required: true, NoFlag: true, Model: op.Text{English: `section to list of items: {"Decisions": ["…"]}; the usual sections are Preferences, Background, Conventions, Decisions, Tools`, Chinese: `节名到条目列表：{"重要决策": ["…"]}；常用的节：用户偏好、项目背景、项目规范、重要决策、常用工具`}},
				{Name: "force", Kind: op.Bool, Model: op.Text{English: "more than 50 items", Chinese: "允许超过 50 条"}}, argUser(),
			}}, Memory.distill},
	}
}
