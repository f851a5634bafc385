package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Subject is what is judged: commands, and what they claim. Its JSON form is
// the claim file.
type Subject struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	About   string `json:"about,omitempty"`

	// Run takes one event on stdin and answers by exit code, stdout and stderr.
	Run []string `json:"run,omitempty"`
	// Parse is given one hook folder as its last argument and prints the object
	// of spec/list.schema.json. List does the same for all hooks that an event
	// in its working directory would find.
	Parse []string `json:"parse,omitempty"`
	List  []string `json:"list,omitempty"`
	// Validate is given one hook folder as its last argument, prints the object
	// of spec/problems.schema.json and exits with 1 if there is an error.
	Validate []string `json:"validate,omitempty"`
	// Approve trusts all hooks of the project in its working directory.
	Approve []string `json:"approve,omitempty"`

	// Loop is an agent whose model, tools and person are a script on its stdin: see
	// docs/adopt.md.
	Loop []string `json:"loop,omitempty"`

	// Env is added to the environment of all its commands.
	Env map[string]string `json:"env,omitempty"`

	// Words that are added to Run: {agent}, {event} and {deadline} stand for the
	// agent's id, the native name of the event and a duration such as 1s.
	AgentArgs []string `json:"agent_args,omitempty"` // default --agent {agent}
	EventArgs []string `json:"event_args,omitempty"` // default --event {event}
	// Words that are added to Run for one answer in JSON, and for a line an event.
	JSONArgs   []string `json:"json_args,omitempty"`   // default --json
	StreamArgs []string `json:"stream_args,omitempty"` // default --stream
	// PlaceArgs are added in cases of an agent, as an entry has them: where the
	// person's directories are, since an agent's environment does not tell. @HOME@,
	// @CONFIG@ and @SYSTEM@ stand for those of the case.
	PlaceArgs    []string `json:"place_args,omitempty"`
	DeadlineArgs []string `json:"deadline_args,omitempty"` // default --deadline {deadline}

	// Profiles are the parts of the rules that are claimed; none: all that the
	// commands make possible. Agents are the agents whose payloads are read; with
	// AgentArgs and no Agents, all.
	Profiles []Profile `json:"profiles,omitempty"`
	Agents   []string  `json:"agents,omitempty"`
	// Without says what is not claimed, and why: a requirement ("HM-ASY-07"), or
	// cases by their path ("order/*"). Such cases are skipped and counted.
	Without map[string]string `json:"without,omitempty"`
}

// LoadSubject reads a claim file. Words of its commands that begin with ./ are
// paths beside that file.
func LoadSubject(file string) (Subject, error) {
	var s Subject
	data, err := os.ReadFile(file)
	if err != nil {
		return s, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil {
		return s, fmt.Errorf("%s: %w", file, err)
	}
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return s, err
	}
	for _, argv := range s.commands() {
		for i, w := range *argv {
			if rest, ok := strings.CutPrefix(w, "./"); ok {
				(*argv)[i] = filepath.Join(dir, filepath.FromSlash(rest))
			}
		}
	}
	return s, nil
}

func (s *Subject) commands() []*[]string {
	return []*[]string{&s.Run, &s.Parse, &s.List, &s.Validate, &s.Approve, &s.Loop}
}

// prepare checks a subject and finds its programs, since each case runs in a
// directory of its own.
func (s *Subject) prepare() error {
	any := false
	for _, argv := range s.commands() {
		if len(*argv) == 0 {
			continue
		}
		any = true
		program, err := exec.LookPath((*argv)[0])
		if err != nil {
			return fmt.Errorf("the subject's command: %w", err)
		}
		if program, err = filepath.Abs(program); err != nil {
			return err
		}
		*argv = append([]string{program}, (*argv)[1:]...)
	}
	if !any {
		return fmt.Errorf("the subject has no command")
	}
	if s.Name == "" {
		s.Name = filepath.Base(first(s.Run, s.Parse, s.Validate, s.Loop)[0])
	}
	for _, p := range s.Profiles {
		if _, err := ParseProfile(string(p)); err != nil {
			return err
		}
		if !s.able(p) {
			return fmt.Errorf("profile %s is claimed, but the subject does not say %s", p, wanting[p])
		}
	}
	return nil
}

// wanting is what a subject lacks that claims a profile in vain.
var wanting = map[Profile]string{
	Parser: "which command parses a folder", Validator: "which command validates a folder",
	Runner: "which command takes events", Config: "which command takes events", Deeds: "which command takes events", Permits: "which command takes events", Sources: "which command takes events", Runtime: "which command takes events", Stream: "which command takes events", AgentLoop: "which command is an agent that plays a script", Dialect: "which command takes events", Packs: "which command takes events",
	Trust: "which command approves project hooks", Hostile: "which command takes events", Sandbox: "which command approves project hooks", Agent: "whose agents' payloads it reads",
}

func first(lists ...[]string) []string {
	for _, l := range lists {
		if len(l) > 0 {
			return l
		}
	}
	return []string{"subject"}
}

// able reports whether a subject has the commands that a profile needs.
func (s *Subject) able(p Profile) bool {
	switch p {
	case Parser:
		return len(s.Parse) > 0
	case Validator:
		return len(s.Validate) > 0
	case Trust, Sandbox:
		return len(s.Run) > 0 && len(s.Approve) > 0
	case AgentLoop:
		return len(s.Loop) > 0
	case Agent:
		return len(s.Run) > 0 && len(s.Agents)+len(s.AgentArgs) > 0
	}
	return len(s.Run) > 0
}

// Claims lists the profiles that the subject claims.
func (s *Subject) Claims() []Profile {
	var out []Profile
	for _, p := range Profiles() {
		all := len(s.Profiles) == 0 && !p.ByName()
		if s.able(p) && (all || slices.Contains(s.Profiles, p)) {
			out = append(out, p)
		}
	}
	return out
}

// unclaimed says why a case is not for this subject, "" if it is.
func (s *Subject) unclaimed(c *Case) string {
	if claims := s.Claims(); !slices.Contains(claims, c.Profile) && !(c.streams() && slices.Contains(claims, Stream)) {
		return fmt.Sprintf("profile %s is not claimed", c.Profile)
	}
	if c.Profile == Agent && len(s.Agents) > 0 && !slices.Contains(s.Agents, c.Agent) {
		return fmt.Sprintf("agent %s is not claimed", c.Agent)
	}
	for _, key := range sortedKeys(s.Without) {
		why := s.Without[key]
		if slices.Contains(c.Spec, key) {
			return key + " is not claimed: " + why
		}
		if ok, _ := path.Match(key, c.ID); ok {
			return "not claimed: " + why
		}
	}
	for _, step := range c.Steps {
		if len(s.command(step.Do.Call)) == 0 {
			return fmt.Sprintf("the subject has no command to %s", step.Do.Call)
		}
	}
	return ""
}

// streams reports whether a case of runtime is about streams alone.
func (c *Case) streams() bool {
	return c.Profile == Runtime && !slices.ContainsFunc(c.Steps, func(step Step) bool { return step.Do.Call != "stream" })
}

// stale finds entries of Without that no case answers to: a claim must not rot.
func (s *Subject) stale(cases []Case) []string {
	var out []string
	for _, key := range sortedKeys(s.Without) {
		used := slices.ContainsFunc(cases, func(c Case) bool {
			ok, _ := path.Match(key, c.ID)
			return ok || slices.Contains(c.Spec, key)
		})
		if !used {
			out = append(out, key)
		}
	}
	return out
}

func (s *Subject) command(call string) []string {
	switch call {
	case "parse":
		return s.Parse
	case "list":
		return s.List
	case "validate":
		return s.Validate
	case "approve":
		return s.Approve
	case "loop":
		return s.Loop
	}
	return s.Run
}

// argv is the command of one step.
func (s *Subject) argv(c *Case, d Do, p place) []string {
	argv := slices.Clone(s.command(d.Call))
	switch d.Call {
	case "parse", "validate":
		return append(argv, p.at(d.Folder))
	case "json":
		return append(argv, fill(s.JSONArgs, "--json")...)
	case "stream":
		return append(argv, fill(s.StreamArgs, "--stream")...)
	case "run":
		if c.Agent != "" && !d.NoAgent {
			argv = append(argv, fill(s.AgentArgs, "--agent", "{agent}", c.Agent)...)
		}
		if c.Agent != "" {
			for _, w := range s.PlaceArgs {
				argv = append(argv, p.expand(w, plainText))
			}
		}
		if d.Event != "" {
			argv = append(argv, fill(s.EventArgs, "--event", "{event}", d.Event)...)
		}
		if d.Deadline != "" {
			argv = append(argv, fill(s.DeadlineArgs, "--deadline", "{deadline}", d.Deadline)...)
		}
	}
	return argv
}

// fill are the words of a subject, else our own: a flag, and its value if it has one.
func fill(args []string, flag string, named ...string) []string {
	if len(args) == 0 {
		return append([]string{flag}, named[min(1, len(named)):]...)
	}
	out := make([]string, len(args))
	for i, w := range args {
		out[i] = strings.NewReplacer(named...).Replace(w)
	}
	return out
}
