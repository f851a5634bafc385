// Package skills adds the prompts of skills to an agent's messages at the right moment, and
// removes them again. It is for programs that own the list of messages that they send to a
// model. Package skills/hooks gives the same prompts in a coding agent, which only lets text
// be added.
//
// # The files
//
// A skill is a folder. Its prompts are in its hooks folder:
//
//	skills/reader/hooks/hooks.json
//	skills/reader/hooks/truncated-content-hint.md
//
//	{"hooks": [{
//	  "name": "truncated-content-hint",
//	  "file": "truncated-content-hint.md",
//	  "timing": "after_tool_call",
//	  "role": "system",
//	  "persistent": false,
//	  "tool_filter": ["read_file", "/^search_/"]
//	}]}
//
// name, file, timing, role and persistent are required. tool_filter applies to
// after_tool_call: exact names, or regular expressions in slashes, matched against every
// name that agents have for the tool. Three members are ours: when ("always", or "invoked":
// only after the skill was invoked), match (a regular expression that is searched for in the
// user's request) and max_copies (of one prompt in the list at a time, 0 for any number).
//
// [Scan] reads the prompts of some skills, and reports each mistake with its place, the value
// and the fix. A mistake disables only its entry, broken JSON only its skill. Texts are UTF-8
// of at most 16 KiB, and must be in the hooks folder, even through links.
//
// # One request
//
// A [Manager] works on one list, for one request:
//
//	hooks, problems := skills.Scan([]string{"reader"}, "skills")
//	m := skills.NewManager(&messages, hooks, newMessage)
//	defer m.Close()
//	store(m.Inject(skills.AfterUserInput))
//	…
//
// A [Loop] makes these calls for a typical agent loop; the folder example has a complete
// program. The order:
//
//	after_user_input    put in once the list is built; stays
//	                    no tools: one call of the model, and the end
//	before_planning     put in, the planning prompt too; the model plans; both out
//	                    no tool needed: the end
//	each round:
//	  before_each_agent   that of the last round out, then in
//	  before_first_agent  in the first round, in
//	  the prompt of the step in, the model is called
//	  tools were called: they run; after_tool_call out, then in for each tool;
//	                    the prompt of the step out; next round
//	  no tool was called: the prompt of the step out; the loop is left
//	after the loop      before_first_agent, after_tool_call, before_each_agent out
//
// so that the model sees:
//
//	                    plan   round 1   round 2   round 3   afterwards
//	after_user_input     ●        ●         ●         ●         –
//	before_planning      ●        –         –         –         –
//	before_first_agent   –        ●         ●         ●         –
//	before_each_agent    –       own       own       own        –
//	after_tool_call      –        –       of 1      of 2        –
//
// A persistent prompt is never removed. Inject returns it, the caller stores it with its
// history, and the next request contains it as an ordinary message, plus another copy while
// the skill is enabled: nothing is de-duplicated, unless max_copies limits it.
//
// # No state
//
// A caller without state between calls stores the [Mark] of a message beside it and passes
// the marks to [Manager.Resume]. The command agents-hooks skills inject does that for
// programs in any language, and skills run drives a [Loop] for them, one line for each
// callback.
package skills
