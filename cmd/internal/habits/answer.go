package habits

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// An answer is what another program's hooks say on stdout, and what nothing here
// reads.
type answer struct {
	form  pattern
	fix   string
	stops bool // it would be a refusal there
}

// answers are those that other programs' hooks give, and the format's decision that
// is no refusal. Refusals come first: the first match decides about a line.
var answers = []answer{
	{patternOf(`\bpermissionDecision\b`), "refuse by exit 2 with the reason on stderr, ask by {\"decision\": \"ask\", \"reason\": …}", true},
	{patternOf(`\bdecision["'\\]*\s*(?:[:=]|=>)\s*["'\\]*(?:block|reject|deny)\b`), "refuse by exit 2 with the reason on stderr", true},
	{patternOf(`["'\\{,\s]continue["'\\]*\s*:\s*(?:false|False)\b`), "refuse by exit 2 with the reason on stderr", true},
	{patternOf(`\bupdatedInput\b`), "write modified_input, at the top of the object", false},
	{patternOf(`\badditionalContext\b`), "write additional_context, at the top of the object", false},
	{patternOf(`\bupdatedToolOutput\b`), "write modified_output, at the top of the object", false},
	{patternOf(`\bsystemMessage\b`), "write user_message", false},
	{patternOf(`\bhookSpecificOutput\b`), "put what stands in it at the top of the object, by the names of the format", false},
	{patternOf(`\bsuppressOutput\b`), "leave it out", false},
}

// answered finds answers in scripts that the runner does not read. One that is meant
// to refuse is an error if nothing else in the hook can.
func answered(hook *discovery.Hook, files []script, mayBlock string) (problems []discovery.Problem) {
	for _, f := range files {
		var found *discovery.Problem
		var also []string
		for _, a := range answers {
			line, word := f.find(a.form)
			switch {
			case word == "" || hook.DenyJSON && strings.Contains(word, "den"):
			case found != nil:
				also = append(also, word)
			default:
				severity := discovery.Warning
				if a.stops && mayBlock == "" && hook.Trigger.Prevents() {
					severity = discovery.Error
				}
				p := f.at(line, severity, a.fix, "%s is an answer that this runner does not read", word)
				p.Value, found = word, &p
			}
		}
		if found == nil {
			continue
		}
		if len(also) > 0 {
			found.Message += ", nor " + strings.Join(also, ", ")
		}
		if found.Message += ": nothing comes of it"; !deniesOnly().MatchString(found.Value) {
			found.Fix += "; or say whose protocol it speaks: metadata: {dialect: " + strings.Join(tongues(), " or ") + "}"
		}
		problems = append(problems, *found)
	}
	return problems
}

// tongues are the protocols that a hook may use besides the format's own.
func tongues() (ids []string) {
	for _, t := range agents.Tongues() {
		ids = append(ids, t.ID)
	}
	return ids
}

// deniesOnly is the format's own decision, which is an opinion and not a refusal.
var deniesOnly = patternOf(`^decision.*(?:deny|reject)$`)

// find is the first line, from 0, in which an expression matches, and the match.
func (s script) find(look pattern) (int, string) {
	for i, line := range s.lines {
		if word := look().FindString(line); word != "" {
			return i, strings.TrimSpace(strings.NewReplacer(`"`, "", `'`, "", `\`, "", "{", "", ",", "").Replace(word))
		}
	}
	return 0, ""
}
