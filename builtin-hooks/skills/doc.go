// Package skills puts the prompts of skills into an agent's messages at the right
// moment, and takes them out again. It is for programs that own the list of
// messages which they send to a model. What the same files do in a coding agent,
// which only lets text be added, is the matter of package skills/hooks.
//
// # The files
//
// A skill is a folder. Its prompts lie in its hooks folder:
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
// name, file, timing, role and persistent are needed. tool_filter counts at
// after_tool_call: exact names, or regular expressions in slashes, either tried on
// every name that agents have for the tool. Three members
// are ours: when ("always", or "invoked": only once the skill was invoked), match
// (a regular expression that is searched for in what the person asked for) and
// max_copies (of one prompt in the list at one time, 0 for any number).
//
// [Scan] reads the prompts of some skills, and tells each mistake with its place,
// the value and the fix. A mistake costs an entry, broken JSON a skill, nothing
// more. Texts are at most 16 KiB, UTF-8, and lie in the hooks folder, links too.
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
// A [Loop] makes its calls for an agent of the usual shape, of which the example in the
// folder example is a whole program. Their order:
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
// A persistent prompt is never taken out. Inject returns it, the caller stores it
// with its history, and the next request carries it as an ordinary message, and
// has it put in once more while the skill is enabled: nothing is ever
// de-duplicated (max_copies bounds it, for who wants that).
//
// # No state
//
// A caller that keeps nothing between two calls stores the [Mark] of a message
// beside it and hands the marks to [Manager.Resume]. The command agents-hooks
// skills inject does that for programs in any language, and skills run drives a
// [Loop] for them, a line for each callback.
package skills
