package skills

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// A Timing is a checkpoint of an agent's loop at which prompts can be put into
// its messages.
type Timing string

// The five checkpoints, in the order of one request.
const (
	AfterUserInput   Timing = "after_user_input"   // the list was built; seen by the whole request
	BeforePlanning   Timing = "before_planning"    // seen by the planning call
	BeforeEachAgent  Timing = "before_each_agent"  // each round of the loop; seen by that round
	BeforeFirstAgent Timing = "before_first_agent" // the first round; seen by the whole loop
	AfterToolCall    Timing = "after_tool_call"    // a tool has run; seen by the next round
)

// Timings lists the checkpoints in the order of one request.
func Timings() []Timing {
	return []Timing{AfterUserInput, BeforePlanning, BeforeEachAgent, BeforeFirstAgent, AfterToolCall}
}

// Known reports whether t is one of the five.
func (t Timing) Known() bool {
	return slices.Contains(Timings(), t)
}

// A Role is whom a message is from.
type Role string

// The roles that a prompt may have.
const (
	System Role = "system"
	User   Role = "user"
)

// A Hook is one prompt of a skill, and when it is put into the messages: an
// entry of hooks.json with the text of its file.
type Hook struct {
	Skill string
	Name  string // unique within the skill

	Timing     Timing
	Role       Role
	Persistent bool     // stays in the list, and is handed to the caller to be stored
	Tools      []string // tool_filter: names, or expressions in slashes; none: every tool
	Invoked    bool     // when: "invoked": only where the skill was invoked
	Match      string   // searched for in what the person asked for; "": always
	MaxCopies  int      // most copies in the list at one time; 0: any number

	Content string // BOM, CRLF and the last line breaks are taken out
	File    string // where the text was read

	tools []expression // of Tools
	match expression   // of Match
}

// ID is what tells a hook from those of the same name in other skills.
func (h *Hook) ID() string { return h.Skill + "/" + h.Name }

// Wants reports whether the hook is for a tool, given one of its names or several.
// A tool goes by all names that agents have for it: read_file, Read and ReadFile are
// one. At a timing other than after_tool_call there is no filter, and the answer is
// true.
//
// A name is compared exactly. One in slashes is a regular expression that is
// searched for in each.
func (h *Hook) Wants(tool ...string) bool {
	if h.Timing != AfterToolCall || len(h.Tools) == 0 {
		return true
	}
	h.prepare()
	return slices.ContainsFunc(tool, func(name string) bool {
		return slices.ContainsFunc(agents.ToolNames(name), func(name string) bool {
			for i, want := range h.Tools {
				if h.tools[i].re == nil && want == name || h.tools[i].found(name) {
					return true
				}
			}
			return false
		})
	})
}

// Fits reports whether the hook is for what the person asked for.
func (h *Hook) Fits(input string) bool {
	if h.Match == "" {
		return true
	}
	h.prepare()
	return h.match.found(input)
}

// prepare compiles the expressions that are not compiled yet: the caller sets Tools and
// Match. What is compiled is shared with copies of the hook, and never changed. An
// expression that does not compile finds nothing; Scan refuses such a hook.
func (h *Hook) prepare() {
	if !slices.EqualFunc(h.Tools, h.tools, func(name string, e expression) bool {
		source, _ := slashed(name)
		return source == e.source
	}) {
		h.tools = make([]expression, len(h.Tools))
		for i, name := range h.Tools {
			if source, is := slashed(name); is {
				h.tools[i], _ = compile(source)
			}
		}
	}
	if h.Match != h.match.source {
		h.match, _ = compile(h.Match)
	}
}

// slashed is the expression of a name in slashes.
func slashed(name string) (source string, is bool) {
	if len(name) < 3 || name[0] != '/' || name[len(name)-1] != '/' {
		return "", false
	}
	return name[1 : len(name)-1], true
}

// clean is a text in the form in which a message carries it.
func clean(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	return strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
}
