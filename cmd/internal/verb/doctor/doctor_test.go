package doctor

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	skillops "github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/claude"
)

// said is rows as "status id", for short.
func said(list []check) string {
	var words []string
	for _, c := range list {
		words = append(words, string(c.Status)+" "+c.ID)
	}
	return strings.Join(words, ", ")
}

func TestAnAgentThatRunsTwoEntriesIsToldWhichToTakeOut(t *testing.T) {
	t.Parallel()
	one := &protocol.Dialect{ID: "one", Name: "One"}
	two := &protocol.Dialect{ID: "two", Name: "Two"}
	reader := &protocol.Dialect{ID: "reader", Name: "Reader", AlsoReads: []string{"one", "two"}}
	at := func(d *protocol.Dialect, scope protocol.Scope) setup.Standing {
		return setup.Standing{Agent: d, Scope: scope, Registered: protocol.Registered{File: "/" + d.ID + "/" + string(scope)}}
	}
	for _, tc := range []struct {
		name    string
		agent   *protocol.Dialect
		entries []setup.Standing
		want    string
		fix     string
	}{
		{"one entry", one, []setup.Standing{at(one, protocol.UserScope)}, "", ""},
		{"of another agent, not read", one, []setup.Standing{at(one, protocol.UserScope), at(two, protocol.UserScope)}, "", ""},
		{"in both scopes", one, []setup.Standing{at(one, protocol.UserScope), at(one, protocol.ProjectScope)}, "error twice", "agents-hooks uninstall one --project"},
		{"of its own and of one it reads", reader, []setup.Standing{at(reader, protocol.UserScope), at(one, protocol.UserScope)}, "error twice", "agents-hooks uninstall reader --user"},
		{"of one it reads, then its own", reader, []setup.Standing{at(one, protocol.UserScope), at(reader, protocol.UserScope)}, "error twice", "agents-hooks uninstall reader --user"},
		{"of two that it reads", reader, []setup.Standing{at(one, protocol.UserScope), at(two, protocol.ProjectScope)}, "warn twice", "agents-hooks uninstall two --project"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			list := twice(place{entries: tc.entries}, tc.agent)
			if got := said(list); got != tc.want {
				t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
			}
			if len(list) > 0 && list[0].Fix != tc.fix {
				t.Errorf("%s: fix %q, want %q", tc.name, list[0].Fix, tc.fix)
			}
		})
	}
}

// What a native event says of the event that it is in place of another counts, not
// what it says of the other.
func TestAFailureCannotBlockWhereTheDialectSaysSo(t *testing.T) {
	t.Parallel()
	agent := &protocol.Dialect{NativeEvents: []protocol.Native{{
		Name: "Start", MapsTo: []protocol.EventType{protocol.PreSession}, Instead: []protocol.EventType{protocol.PreSubagent},
		Can: protocol.CanBlock, Lacks: protocol.CanBlock,
	}}}
	hook := func(at protocol.EventType) *discovery.Set {
		return &discovery.Set{Hooks: []*discovery.Hook{{Name: "guard", Trigger: at, Status: discovery.Ready, Layer: discovery.UserLayer, OnError: discovery.OnErrorBlock, Async: true}}}
	}
	for at, want := range map[protocol.EventType]string{
		protocol.PreSession:  "",
		protocol.PreSubagent: "wants its failure to block",
		protocol.PreToolCall: "has no pre-tool-call",
	} {
		t.Run(string(at), func(t *testing.T) {
			list := wanted(hook(at), agent, carries(agent))
			found := slices.ContainsFunc(list, func(c check) bool { return want != "" && strings.Contains(c.Message, want) })
			if found != (want != "") || len(list) > 1 {
				t.Errorf("%s: %v, want %q", at, list, want)
			}
		})
	}
}

func TestHooksThatAreNotHeardAreNamed(t *testing.T) {
	t.Parallel()
	hooks := []*discovery.Hook{
		{Name: "load", Trigger: protocol.PreSession, Status: discovery.Ready},
		{Name: "nudge", Trigger: protocol.PreAgentTurnStop, Status: discovery.Ready},
		{Name: "end", Trigger: protocol.PostSession, Status: discovery.Ready, Async: true},
		{Name: "off", Trigger: protocol.PostToolCall, Status: discovery.Disabled},
	}
	context := protocol.CanContext
	for _, tc := range []struct {
		name                 string
		has                  map[protocol.EventType]protocol.Can
		heard, deaf, missing int
	}{
		{"everything", map[protocol.EventType]protocol.Can{protocol.PreSession: context, protocol.PreAgentTurnStop: protocol.CanContinue, protocol.PostSession: 0}, 2, 0, 0},
		{"a start that carries nothing", map[protocol.EventType]protocol.Can{protocol.PreSession: 0, protocol.PreAgentTurnStop: protocol.CanContinue, protocol.PostSession: 0}, 1, 1, 0},
		{"a start that carries nothing, and a prompt that does", map[protocol.EventType]protocol.Can{protocol.PreSession: 0, protocol.PreAgentTurn: context, protocol.PreAgentTurnStop: 0}, 1, 1, 1},
		{"nothing at all", nil, 0, 0, 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			heard, deaf, missing := hearing(hooks, tc.has)
			if len(heard) != tc.heard || len(deaf) != tc.deaf || len(missing) != tc.missing {
				t.Errorf("%s: heard %q, deaf %q, missing %q", tc.name, heard, deaf, missing)
			}
		})
	}
}

func TestHooksThatLieTooDeepAreFound(t *testing.T) {
	t.Parallel()
	machine := shelltest.New(t).Host
	dir := filepath.Join(machine.Home, "hooks")
	for _, path := range []string{
		"right/HOOK.md", "HOOK.md", "group/deep/hook.md", "a/b/c/d/HOOK.md",
		"node_modules/x/y/HOOK.md", ".git/x/HOOK.md", "right/references/notes.md",
	} {
		must.Write(t, filepath.Join(dir, filepath.FromSlash(path)), "x")
	}
	var found []string
	for _, c := range tooDeep(machine, &discovery.Set{Layers: []discovery.Layer{{Name: discovery.BuiltinLayer}, {Name: discovery.UserLayer, Dir: dir}}}) {
		found = append(found, strings.Fields(c.Message)[0])
	}
	slices.Sort(found)
	if want := []string{filepath.Join("~", "hooks", "HOOK.md"), filepath.Join("~", "hooks", "group", "deep", "hook.md")}; !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}

func TestAGuardThatIsNoneIsTold(t *testing.T) {
	t.Parallel()
	h := shelltest.New(t).Host
	dir := filepath.Join(h.Config, "hooks", "a-guard")
	must.Write(t, filepath.Join(dir, "HOOK.md"), "---\nname: a-guard\ndescription: a guard\ntrigger: pre-tool-call\n---\n")
	must.Script(t, filepath.Join(dir, "scripts", "run"), "#!/bin/sh\n[ \"$(jq -r .tool_name)\" = Bash ] && exit 2\nexit 0\n")
	for _, status := range []discovery.Status{discovery.Ready, discovery.Untrusted, discovery.Disabled} {
		hook := hookset.HookAt(h, dir)
		hook.Status = status
		told := slices.ContainsFunc(hooks(h, &discovery.Set{Hooks: []*discovery.Hook{hook}}), func(c check) bool {
			return strings.Contains(c.Message, "a-guard does not do what it says") && c.Fix == `compare with "Shell"`
		})
		if told != (status != discovery.Disabled) {
			t.Errorf("%s: told %t", status, told)
		}
	}
}

// Of an agent without calls it is said that there were none where it has hooks to call, and
// where nothing is recorded without hooks, that.
func TestAnAgentThatNeverCalledIsTold(t *testing.T) {
	t.Parallel()
	h := shelltest.New(t).Host
	agent := &protocol.Dialect{ID: "one", Name: "One"}
	for _, c := range []struct {
		hooks  int
		probe  bool
		want   string
		advice bool
	}{{0, false, "off alive", true}, {1, false, "warn alive", true}, {1, true, "warn alive", false}} {
		list := alive(place{Host: h, set: &discovery.Set{Hooks: make([]*discovery.Hook, c.hooks)}}, agent, nil, c.probe)
		if got := said(list); got != c.want || (list[0].Fix != "") != c.advice {
			t.Errorf("%d hooks, probe %t: %s, fix %q; want %s", c.hooks, c.probe, got, list[0].Fix, c.want)
		}
	}
}

// Where hooks are looked for is said, and how to make the first of a user's.
func TestWhereHooksAreLookedForIsTold(t *testing.T) {
	t.Parallel()
	h := shelltest.New(t).Host
	for _, c := range []struct {
		project, want, fix string
	}{{"", "off folder", "agents-hooks new NAME --user"}, {h.Home, "off folder, ok project", "agents-hooks new NAME --user"}} {
		if list := layers(h, &discovery.Set{Project: c.project}); said(list) != c.want || list[0].Fix != c.fix {
			t.Errorf("%+v", list)
		}
	}
	must.Write(t, filepath.Join(h.Config, "hooks", "h", "HOOK.md"), "x")
	if list := layers(h, &discovery.Set{}); said(list) != "ok folder" || list[0].Fix != "" || !strings.HasSuffix(list[0].Message, filepath.Join(".config", "agents", "hooks")) {
		t.Errorf("%+v", list)
	}
}

// How well an agent can be given the prompts of skills is said of the timings that they use.
func TestTimingsOfSkillsAreTold(t *testing.T) {
	t.Parallel()
	timings := skills.Timings()
	shelf := func(on bool, status string, used ...skills.Timing) skillops.Catalog {
		s := skillops.Skill{Status: status}
		for _, at := range used {
			s.Hooks = append(s.Hooks, skillops.Prompt{Timing: at})
		}
		return skillops.Catalog{On: on, Skills: []skillops.Skill{s}}
	}
	last := timings[len(timings)-1]
	for name, c := range map[string]struct {
		shelf skillops.Catalog
		told  []skills.Timing
	}{
		"the first and the last": {shelf(true, skillops.Ready, timings[0], last), []skills.Timing{timings[0], last}},
		"the last":               {shelf(true, skillops.Ready, last), []skills.Timing{last}},
		"of one that is off":     {shelf(true, "off", last), nil},
		"all are off":            {shelf(false, skillops.Ready, last), nil},
	} {
		t.Run(name, func(t *testing.T) {
			list := promptsIn(c.shelf, claude.Dialect)
			if (len(list) == 1) != (len(c.told) > 0) {
				t.Fatalf("%+v", list)
			}
			for _, at := range timings {
				if told := len(list) > 0 && strings.Contains(list[0].Message, string(at)+" "); told != slices.Contains(c.told, at) {
					t.Errorf("%s: told %t: %+v", at, told, list)
				}
			}
		})
	}
}

func TestAnEntryThatLooksElsewhereIsTold(t *testing.T) {
	t.Parallel()
	h := host.New([]string{"HOME=/h"}, "linux", "/h", "/bin/agents-hooks", time.Now)
	for _, tc := range []struct {
		argv []string
		want string
	}{
		{nil, ""},
		{append([]string{"agents-hooks", "run"}, h.Entry().Args()...), ""},
		{[]string{"agents-hooks", "run", "--config=" + h.Config, "--state=" + h.State}, "warn directories"},
		{[]string{"agents-hooks", "run", "--home=/h", "--config=/other", "--state=" + h.State}, "warn directories"},
		{[]string{"agents-hooks", "run", "--home=/h", "--config=/other", "--state=/other", "--trust=always"}, "warn directories, warn directories, warn directories"},
	} {
		t.Run(fmt.Sprintf("%q", tc.argv), func(t *testing.T) {
			if got := said(directories(h, tc.argv)); got != tc.want {
				t.Errorf("%q: %q, want %q", tc.argv, got, tc.want)
			}
		})
	}
}

func TestAgoIsHowAPersonSaysIt(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.Local)
	for since, want := range map[time.Duration]string{
		-time.Minute: "0 s ago", 59 * time.Second: "59 s ago", 3 * time.Minute: "3 min ago", 119 * time.Minute: "119 min ago",
		3 * time.Hour: "3 h ago", 72 * time.Hour: "2025-12-30 12:00:00",
	} {
		t.Run(since.String(), func(t *testing.T) {
			if got := ago(now, now.Add(-since)); got != want {
				t.Errorf("%s: %q, want %q", since, got, want)
			}
		})
	}
}
