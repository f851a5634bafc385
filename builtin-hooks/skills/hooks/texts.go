package hooks

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func languageOf(c *behaviour.Call) locale.Language {
	return locale.Of(c.Settings.Of("language").Text, c.Getenv)
}

// tag fences a prompt, so that an agent knows where it begins and ends, and whose
// it is. It is never translated.
const tag = "skill-prompt"

// block is a prompt as an agent reads it: an agent knows no roles here and takes
// nothing out again, so that the text says both itself.
func block(in locale.Language, h *skills.Hook) string {
	whose := in.Pick("Instruction of the skill "+word(h.Skill)+". ", "技能 "+word(h.Skill)+" 的指令。")
	if h.Role == skills.User {
		whose = in.Pick("What the person wants, kept by the skill "+word(h.Skill)+". ", "用户的要求，由技能 "+word(h.Skill)+" 代为说明。")
	}
	return "<" + tag + ` skill="` + word(h.Skill) + `" hook="` + word(h.Name) + `" timing="` + string(h.Timing) + "\">\n" +
		whose + scope(in, h) + "\n\n" + unfence(strings.TrimSpace(protocol.Plain(h.Content))) + "\n</" + tag + ">"
}

// scope says how long a prompt counts.
func scope(in locale.Language, h *skills.Hook) string {
	if h.Persistent {
		return in.Pick("It applies from now on.", "从现在起一直有效。")
	}
	switch h.Timing {
	case skills.AfterUserInput:
		return in.Pick("It applies to this request only.", "仅适用于这次请求。")
	case skills.BeforePlanning:
		return in.Pick("It applies to planning only.", "仅适用于规划阶段。")
	case skills.BeforeFirstAgent:
		return in.Pick("It applies until this turn ends.", "适用到本轮结束为止。")
	case skills.AfterToolCall:
		return in.Pick("It is about the tool's result above, and applies to the next step only.", "针对上面的工具结果，仅适用于下一步。")
	}
	return in.Pick("It applies to the next step only.", "仅适用于下一步。")
}

// word is a name on one line that can stand in quotes.
func word(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("\"<>&`\n\t", r) {
			return '_'
		}
		return r
	}, protocol.Plain(name))
}

// unfence keeps a text from closing the fence around it, or opening another, whatever
// is between a bracket or a slash and the tag that a reader may overlook.
func unfence(text string) string {
	var b strings.Builder
	done := 0
	for i := 0; i+len(tag) <= len(text); i++ {
		if !strings.EqualFold(text[i:i+len(tag)], tag) {
			continue
		}
		before := strings.TrimRightFunc(text[:i], func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) })
		if strings.HasSuffix(before, "<") || strings.HasSuffix(before, "/") {
			b.WriteString(text[done:i] + "_")
			done = i
		}
	}
	return b.String() + text[done:]
}

// The most that a notice says of skills, which may be many and have any names.
const (
	mostNames = 5
	longName  = 40
)

// notice tells the person of prompts that nobody approved.
func notice(in locale.Language, list []Found, project string) string {
	var names []string
	for _, f := range list {
		name := []rune(word(f.Name))
		if len(name) > longName {
			name = append(name[:longName], '…')
		}
		// One folder of skills is often a link to another.
		if !slices.Contains(names, string(name)) {
			names = append(names, string(name))
		}
	}
	more := len(names) - mostNames
	names = names[:min(len(names), mostNames)]
	all := strings.Join(names, ", ")
	if more > 0 {
		all += in.Pick(" and "+strconv.Itoa(more)+" more", " 等另外 "+strconv.Itoa(more)+" 个")
	}
	return in.Pick(
		"agents-hooks: prompts of this project's skills were left out, because nobody has approved them ("+all+"): run `agents-hooks trust` in "+protocol.Plain(project),
		"agents-hooks：本项目的技能提示未经批准，没有使用（"+all+"）：请在 "+protocol.Plain(project)+" 运行 `agents-hooks trust`")
}
