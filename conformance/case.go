package conformance

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/agents-hooks/agents-hooks/spec"
)

// A Profile is a part of the rules that a subject may claim.
type Profile string

const (
	Parser    Profile = "parser"     // reads a hook folder, prints what it understood
	Validator Profile = "validator"  // says what is wrong with a hook folder
	Runner    Profile = "runner"     // one event in, one answer out
	Trust     Profile = "trust"      // project hooks run once approved
	Config    Profile = "config"     // hooks.toml
	Deeds     Profile = "deeds"      // what a call does, told in the same words for all agents
	Sources   Profile = "sources"    // plugins of other programs as sources of hooks; claimed by name only
	Permits   Profile = "permits"    // events and answers beyond the format: permissions, notices, results
	Agent     Profile = "agent"      // an agent's payload in, the agent's answer out
	Hostile   Profile = "hostile"    // a runner in a project that a stranger filled
	Sandbox   Profile = "sandbox"    // hooks that may do less; claimed by name only
	Dialect   Profile = "dialect"    // hooks that were written for another program; claimed by name only
	Packs     Profile = "packs"      // hooks.lock; claimed by name only
	Runtime   Profile = "runtime"    // sessions in spec form, answers in JSON, streams; claimed by name only
	Stream    Profile = "stream"     // those cases of runtime that are about streams; claimed by name only
	AgentLoop Profile = "agent-loop" // an agent: which events it sends, and whether it obeys; claimed by name only
)

// Profiles lists all profiles.
func Profiles() []Profile {
	return []Profile{Parser, Validator, Runner, Trust, Config, Deeds, Permits, Sources, Agent, Hostile, Sandbox, Dialect, Packs, Runtime, Stream, AgentLoop}
}

// ByName reports whether nobody claims a profile unasked: it is no part of the format.
func (p Profile) ByName() bool {
	return slices.Contains([]Profile{Sandbox, Runtime, Stream, AgentLoop, Dialect, Packs, Sources}, p)
}

// ParseProfile is the profile of a name.
func ParseProfile(name string) (Profile, error) {
	for _, p := range Profiles() {
		if string(p) == name {
			return p, nil
		}
	}
	return "", fmt.Errorf("no profile %q, want one of %s", name, joinProfiles(Profiles()))
}

func joinProfiles(list []Profile) string {
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = string(p)
	}
	return strings.Join(names, ", ")
}

// A Case is one file of the suite.
type Case struct {
	ID       string   // its path without the suffix: "io/exit-2-blocks"
	Title    string   // one line: what holds
	Spec     []string // requirements, "HM-IO-15"
	Profile  Profile
	Agent    string   // profile agent: whose payload this is
	Needs    []string // what the machine must have
	Gaps     []int    // numbers of ERRATA.md
	Note     string
	Uncaught string // why no deliberately wrong runner fails this case
	Env      []variable
	Root     string // name of the throw-away directory
	Steps    []Step
	Source   string // the file
}

// A Step is one call of the subject.
type Step struct {
	Do    Do
	Stdin []byte // nil: none
	Files []file // written before the call
	Want  Want
}

// Do says how the subject is called.
type Do struct {
	Call     string        // run, json, stream, loop, parse, list, validate or approve
	Folder   string        // parse, validate: the hook folder
	Event    string        // profile agent: the event's name, where the payload has none
	NoAgent  bool          // profile agent: the subject is not told which agent it is
	Deadline string        // run: when the answer is due, "1s"
	Dir      string        // working directory
	Stdin    string        // "held": stays open; "closed": nothing is written; "answered": a line once that before is answered
	Stdout   string        // "closed": nobody reads it
	Kill     string        // hook at whose signature the subject is killed
	KillTree bool          // after its exit the subject's process group is killed
	Release  string        // file that is made in @OUT@ after the exit
	Remove   []string      // paths that are removed before the call
	Corrupt  []string      // directories whose files are overwritten with garbage
	Swap     [][2]string   // paths that change places, over and over, while the subject runs
	Grow     []string      // files that grow while the subject runs
	Pause    time.Duration // before the call
	Times    int           // how often the step is done
	Env      []variable
}

// A variable is one of the environment. unset takes it away.
type variable struct {
	name, value string
	unset       bool
}

// A file is one thing in the tree of a case.
type file struct {
	path   string // below the root
	kind   kind
	data   []byte
	mode   fs.FileMode
	target string // link, hardlink
	size   int64  // sparse, nest, maze, many
	named  string // the last element of its path, where the archive cannot show it
	raw    bool   // no placeholders: bytes as they are
}

type kind int

const (
	regular kind = iota
	folder
	link
	fifo
	sparse
	socket
	device
	hardlink // another name of a file
	nest     // folders in each other
	maze     // folders in each other, each with two links to the next
	many     // copies of a folder
)

// requirementIDs are the ids of SPEC.md, which is read once.
var requirementIDs = sync.OnceValue(func() map[string]bool {
	ids := map[string]bool{}
	for _, r := range spec.Requirements() {
		ids[r.ID] = true
	}
	return ids
})

var idPattern = regexp.MustCompile(`^HM-[A-Z]+-[0-9]{2}$`)

// parseCase reads one file of the suite. Every mistake is an error: a key that
// nobody reads would be a check that nobody makes.
func parseCase(id string, data []byte) (Case, error) {
	c := Case{ID: id}
	if err := c.parse(data); err != nil {
		return c, err
	}
	switch {
	case len(c.Spec) == 0:
		return c, fmt.Errorf("no spec: a case has to name the requirements that it checks")
	case c.Profile == "":
		return c, fmt.Errorf("no profile")
	case (c.Profile == Agent) != (c.Agent != ""):
		return c, fmt.Errorf("agent and profile agent need each other")
	}
	return c, nil
}

func (c *Case) parse(data []byte) error {
	c.Source = string(data)
	a, err := parseArchive(data)
	if err != nil {
		return err
	}
	pairs, err := parsePairs(a.comment, 1)
	if err != nil {
		return err
	}
	shapes := map[string]file{} // special files and modes, by archive name
	for _, p := range pairs {
		if err := c.header(p, shapes); err != nil {
			return fmt.Errorf("line %d: %s: %w", p.line, p.key, err)
		}
	}
	if c.Title == "" {
		return fmt.Errorf("no title")
	}
	if err := checkPlaceholders(c.Source); err != nil {
		return err
	}
	return c.steps(a, shapes)
}

// header reads one line of the header. The keys are a closed set.
func (c *Case) header(p pair, shapes map[string]file) error {
	once := func(dst *string) error {
		if *dst != "" {
			return fmt.Errorf("is given twice")
		}
		if *dst = p.value; p.value == "" {
			return fmt.Errorf("is empty")
		}
		return nil
	}
	switch p.key {
	case "title":
		return once(&c.Title)
	case "spec":
		return c.requirements(p.value)
	case "profile":
		var err error
		c.Profile, err = ParseProfile(p.value)
		return err
	case "agent":
		return once(&c.Agent)
	case "needs":
		c.Needs = append(c.Needs, words(p.value)...)
		return knownNeeds(c.Needs)
	case "gap":
		return c.gaps(p.value)
	case "note":
		return once(&c.Note)
	case "uncaught":
		return once(&c.Uncaught)
	case "root":
		return once(&c.Root)
	case "env":
		v, err := parseVariable(p.value)
		c.Env = append(c.Env, v)
		return err
	case "mode", "link", "hardlink", "fifo", "socket", "device", "dir", "size", "nest", "maze", "many", "named", "quoted", "base64":
		return shape(p, shapes)
	}
	return fmt.Errorf("unknown key")
}

func (c *Case) requirements(value string) error {
	for _, id := range words(value) {
		if !idPattern.MatchString(id) {
			return fmt.Errorf("%q is not a requirement id", id)
		}
		if !requirementIDs()[id] {
			return fmt.Errorf("SPEC.md has no %s", id)
		}
		c.Spec = append(c.Spec, id)
	}
	return nil
}

func (c *Case) gaps(value string) error {
	for _, w := range words(value) {
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is not a number in ERRATA.md", w)
		}
		c.Gaps = append(c.Gaps, n)
	}
	return nil
}

// words splits at blanks and commas.
func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
}

func parseVariable(s string) (variable, error) {
	name, value, set := strings.Cut(s, "=")
	if name == "" || strings.ContainsAny(name, " \t") {
		return variable{}, fmt.Errorf("want NAME=VALUE, or NAME to remove it, have %q", s)
	}
	return variable{name, value, !set}, nil
}

// shape reads a line about a file that text alone cannot describe.
func shape(p pair, shapes map[string]file) error {
	arg, rest, _ := strings.Cut(p.value, " ")
	rest = strings.TrimSpace(rest)
	f, name := file{}, arg
	var err error
	switch p.key {
	case "mode": // mode: 0644 user/guard/scripts/run
		name = rest
		var bits uint64
		bits, err = strconv.ParseUint(arg, 8, 9)
		f = shapes[name]
		f.mode = fs.FileMode(bits) | modeGiven
	case "link", "hardlink": // link: user/guard -> @ROOT@/elsewhere
		var ok bool
		f.kind = special[p.key]
		name, f.target, ok = strings.Cut(p.value, " -> ")
		if !ok || f.target == "" {
			err = fmt.Errorf("want PATH -> TARGET, have %q", p.value)
		}
	case "fifo", "socket", "device", "dir":
		f.kind, name = special[p.key], p.value
	case "size", "nest", "maze", "many": // size: user/guard/HOOK.md 1073741824
		f.kind = special[p.key]
		f.size, err = strconv.ParseInt(rest, 10, 64)
	case "named": // named: project/odd "\u001b"
		f = shapes[name]
		if f.named, err = unquote(rest); f.named == "" || strings.ContainsAny(f.named, "/\x00") {
			err = fmt.Errorf("want a name as a JSON string, have %q", rest)
		}
	case "quoted", "base64":
		name = p.value
		f = shapes[name]
		f.target = p.key
	}
	if err == nil && name == "" {
		err = fmt.Errorf("names no file")
	}
	shapes[name] = f
	return err
}

// special is what a line of the header makes.
var special = map[string]kind{
	"link": link, "hardlink": hardlink, "fifo": fifo, "socket": socket, "device": device, "dir": folder,
	"size": sparse, "nest": nest, "maze": maze, "many": many,
}

// modeGiven marks a mode that the header gives; without it scripts are 0755 and
// everything else is 0644.
const modeGiven = fs.ModeIrregular
