package hooks

import (
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/toolref"
)

// The markers by which an agent (or a rule that the user wrote for it) recognizes our requests.
// They are never translated.
const (
	flushMark = "[Memory Flush]"
	saveMark  = "[Session Save]"
)

// A request is the information that the texts below need.
type request struct {
	lang    locale.Language
	names   toolref.Names // the names of what the agent should call
	session string        // the session's id
	folder  string        // the memory folder
}

// factCommand is what an agent runs to save one fact (BM-ASK-12).
func (r request) factCommand(content string) string {
	return r.names.Call("memory_save", "memory save", toolref.Text("content", content), toolref.Word("type", "W"),
		toolref.List("entities", "…"), toolref.Number("confidence", 0.9), toolref.Word("session", r.session))
}

// flush asks for what matters while the agent can still save it.
func (r request) flush(now fill) string {
	kind, sure := r.names.Arg("memory_save", "type"), r.names.Arg("memory_save", "confidence")
	if r.lang == locale.Chinese {
		return flushMark + "\n\n" +
			"上下文快满了（" + now.say(r.lang) + "），满了就会被压缩。请现在回顾到目前为止的对话，把以后还用得上的内容存进 " + r.folder + "。\n\n" +
			"要提取的内容：\n" +
			"- 决定：技术选型、架构、配置的变更，连同理由\n" +
			"- 偏好：用户的编码风格、工具和沟通方式\n" +
			"- 里程碑：完成了什么，改动了什么重要的东西\n\n" +
			"每条事实运行一次：\n\n    " + r.factCommand("一句话，单独读也能懂") + "\n\n" +
			kind + " 的含义：W 客观事实，B 项目经历，O 用户偏好（务必给出 " + sure + "，0 到 1）。\n" +
			"最后用 " + kind + " S 存一条阶段小结：做到哪一步，接下来做什么。\n\n" +
			"没有值得记的就什么都不做。不要重复 MEMORY.md 里已有的内容。安静地做完，不要向用户报告，然后继续手头的工作。"
	}
	return flushMark + "\n\n" +
		"The context is nearly full (" + now.say(r.lang) + ") and will be compacted when it is. Now, while all of it is here, look back over this conversation and save what will still matter later, in " + r.folder + ".\n\n" +
		"What to extract:\n" +
		"- decisions: technical choices, architecture, changed configuration, each with its reason\n" +
		"- preferences: how this person likes code, tools and answers\n" +
		"- milestones: what was finished, what important thing changed\n\n" +
		"Run this once for each fact:\n\n    " + r.factCommand("one sentence that can be understood alone") + "\n\n" +
		kind + " is W for a fact about the world, B for what happened in this project, O for a preference (always with " + sure + ", from 0 to 1).\n" +
		"Then save one stage summary with " + kind + " S: how far you are, and what comes next.\n\n" +
		"If nothing is worth it, do nothing. Do not repeat what MEMORY.md says already. Stay silent: do not report this to the person; then go on with your work."
}

// say says how full a context is: as a percentage only if its window is known.
func (f fill) say(in locale.Language) string {
	tokens := strconv.FormatInt(f.tokens, 10)
	switch {
	case f.sure && f.window > 0:
		return in.Pick(strconv.Itoa(f.percent)+"% of "+strconv.FormatInt(f.window, 10)+" tokens", strconv.FormatInt(f.window, 10)+" 个 token 中已用 "+strconv.Itoa(f.percent)+"%")
	case f.sure:
		return in.Pick(strconv.Itoa(f.percent)+"% used", "已用 "+strconv.Itoa(f.percent)+"%")
	}
	return in.Pick(tokens+" tokens used", "已用 "+tokens+" 个 token")
}

// summarise asks whatever summarizes a context for compaction, and can do nothing else, to
// include what should be saved afterwards.
func (r request) summarise() string {
	return flushMark + " " + r.lang.Pick(
		"In the summary, keep word for word each decision, each preference of the person and each thing left to do that was not saved to memory yet. Call nothing: they are saved once the context is compacted.",
		"请在摘要中逐字保留尚未存入记忆的每个决定、用户的每个偏好和每件待办。现在不要调用任何工具：压缩完成之后再保存。")
}

// afterCompact is the short form, for when the context has been compacted (BM-LOD-19).
func (r request) afterCompact() string {
	return flushMark + " " + r.lang.Pick(
		"The context was compacted. If the summary above holds decisions or preferences that are not remembered yet, save each now, silently: ",
		"上下文刚压缩过。如果上面的摘要里有还没记住的决定或偏好，请现在安静地逐条保存：") + r.factCommand(r.lang.Pick("one fact", "一条事实"))
}

// compacting is what the user sees if only the user can be told (BM-ASK-10).
func (r request) compacting() string {
	return flushMark + " " + r.lang.Pick(
		"The context is being compacted; the agent will be asked next to save what matters.",
		"上下文正在压缩；接下来会请 Agent 保存重要的内容。")
}

// person asks the person to keep what matters, who may read it before the compaction or after it.
func (r request) person() string {
	return flushMark + " " + r.lang.Pick(
		"The context is full and is compacted, which loses details. If a decision, a preference or a milestone of this conversation is to be remembered, tell the agent to save it, or save it yourself: ",
		"上下文已满，正在压缩，细节会丢失。这次对话里如果有要记住的决定、偏好或里程碑，请让 Agent 保存，或者自己保存：") + r.factCommand(r.lang.Pick("one fact", "一条事实"))
}

// save asks for a summary of the session (BM-ASK-12).
func (r request) save(flushed bool) string {
	command := r.names.Call("memory_summary", "memory summary", toolref.Text("topic", r.lang.Pick("one sentence", "一句话")), toolref.Text("summary", "…"),
		toolref.Many("decisions", r.lang.Pick("one sentence", "一句话"), "…"), toolref.Many("todos", "…"), toolref.Word("session", r.session))
	var b strings.Builder
	b.WriteString(saveMark + "\n\n")
	if r.lang == locale.Chinese {
		b.WriteString("任务告一段落。请为这次会话写一份摘要，存进 " + r.folder + "：\n" +
			"- 主题：一句话\n- 摘要：100 到 200 字，做了什么，结果如何\n- 决定：列表，没有就省略\n- 待办：列表，没有就省略\n\n    " + command + "\n")
		if !flushed {
			b.WriteString("\n这次会话还没有提取过事实，请一并保存值得记住的，每条运行一次：\n\n    " + r.factCommand("一条事实") + "\n")
		}
		b.WriteString("\n内容太少就什么都不做。安静地做完，不要向用户报告。")
		return b.String()
	}
	b.WriteString("This piece of work is done. Write a summary of the session and save it in " + r.folder + ":\n" +
		"- topic: one sentence\n- summary: 100 to 200 characters, what was done and how it ended\n- decisions: a list, left out if there are none\n- todos: a list, left out if there are none\n\n    " + command + "\n")
	if !flushed {
		b.WriteString("\nNo facts of this session were saved yet. Save those worth remembering as well, one call each:\n\n    " + r.factCommand("one fact") + "\n")
	}
	b.WriteString("\nIf there is too little to say, do nothing. Stay silent: do not report this to the person.")
	return b.String()
}

// remember says how to save what the user wants to be remembered: without an installed guide,
// the agent cannot know.
func (r request) remember() string {
	call := r.names.Call("memory_save", "memory save", toolref.Text("content", r.lang.Pick("one sentence", "一句话")), toolref.Word("type", "O"))
	return r.lang.Pick("If asked to remember something (type W fact, B event, O preference): ", "用户要求记住时（类型 W 事实，B 经历，O 偏好）：") + call
}

// distil offers the agent sessions without a written summary, for when it has time.
func (r request) distil(list []memory.Summary) string {
	var ids, commands []string
	for _, s := range list {
		ids = append(ids, s.ID)
		commands = append(commands, r.names.Call("memory_summary", "memory summary", toolref.Text("topic", r.lang.Pick("one sentence", "一句话")), toolref.Text("summary", "…"), toolref.Word("session", s.Session)))
	}
	above, command, n := strings.Join(ids, ", "), strings.Join(commands, "\n"), strconv.Itoa(len(list))
	if len(list) == 1 {
		return r.lang.Pick(
			"One earlier session was only noted automatically (above, "+above+"). Once the person's request is done and nothing else is to do, save what of it will still matter, one call each: "+r.factCommand("one fact")+"\nand then, even if there was nothing: "+command+"\nNever instead of the person's request, and without reporting it.",
			"有一次会话只有自动记录（见上，"+above+"）。等用户的请求完成、没有别的事要做时，把其中以后还用得上的逐条保存："+r.factCommand("一条事实")+"\n最后（即使没有可存的）："+command+"\n不要因此耽误用户的请求，也不必报告。")
	}
	return r.lang.Pick(
		n+" earlier sessions were only noted automatically (above, "+above+"). Once the person's request is done and nothing else is to do, save what of them will still matter, one call each: "+r.factCommand("one fact")+"\nand then for each, even if there was nothing:\n"+command+"\nNever instead of the person's request, and without reporting it.",
		"有 "+n+" 次会话只有自动记录（见上，"+above+"）。等用户的请求完成、没有别的事要做时，把其中以后还用得上的逐条保存："+r.factCommand("一条事实")+"\n最后每次会话各运行一条（即使没有可存的）：\n"+command+"\n不要因此耽误用户的请求，也不必报告。")
}

// overridden tells the user about edits of theirs that do not hold.
func overridden(in locale.Language, n int) string {
	return in.Pick(
		"memory: you changed "+strconv.Itoa(n)+" of your shared facts here, and later on another machine, so that holds; what you wrote here is kept: agents-hooks memory review",
		"记忆：你共享的事实中有 "+strconv.Itoa(n)+" 条在本机修改后，又在另一台机器上被你修改，因此以后者为准；本机写下的内容仍保留：agents-hooks memory review")
}

// waiting tells the user about memories that are kept from agents.
func waiting(in locale.Language, n int, folder string) string {
	return in.Pick(
		"memory: "+strconv.Itoa(n)+" in "+folder+" not written by agents-hooks on this machine (others', by hand, or before this version), so no agent is told of them. Look at them and let them in: agents-hooks trust; or, if they are yours: agents-hooks memory accept",
		"记忆："+folder+" 中有 "+strconv.Itoa(n)+" 条不是 agents-hooks 在本机写下的（他人所写、手工编辑，或来自旧版本），因此不会告诉任何 Agent。查看并放行：agents-hooks trust；如果是你自己写的：agents-hooks memory accept")
}
