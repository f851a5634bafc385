package discovery

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// What metadata.sandbox says, and what is wrong with it: what is wrong leaves less,
// never more.
func TestSandboxOfAHook(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, lines string
		want        *Sandbox
		problems    []string
	}{
		{"says nothing", "  author: x", nil, nil},
		{"true", "  sandbox: true", &Sandbox{}, nil},
		{"empty", "  sandbox: {}", &Sandbox{}, nil},
		{"all of it", "  sandbox:\n    network: true\n    required: true\n    read: [src, ./go.mod]\n    write: [tmp]", &Sandbox{Network: true, Required: true, Only: []string{"src", "go.mod"}, NoState: true}, nil},
		{"nothing to read or write", "  sandbox: {read: [], write: []}", &Sandbox{Only: []string{}, NoState: true, NoTemp: true}, nil},
		{"an alias", "  x: &x {read: []}\n  sandbox: *x", &Sandbox{Only: []string{}}, []string{
			"warning 6:6: an anchor or a tag is YAML that other readers of this format may not know; write the value out",
			"warning 7:12: an alias is YAML that other readers of this format may not know; write the value out"}},
		{"out of it", "  sandbox: false", nil, []string{
			"error 6:12: metadata.sandbox: a hook cannot take itself out of the sandbox; remove it; sandbox = false stands in [[hooks.override]] of your own hooks.toml"}},
		{"a word", "  sandbox: strict", &Sandbox{}, []string{
			`error 6:12: metadata.sandbox: "strict" is neither true nor a mapping; true stands; write true, or network:, required:, read: or write: below it, indented`}},
		{"wrong values", "  sandbox:\n    network: maybe\n    required: 1\n    read: src\n    write: tmp", &Sandbox{Required: true, Only: []string{}, NoState: true, NoTemp: true}, []string{
			`error 7:14: metadata.sandbox.network: "maybe" is no boolean; false stands; write true or false`,
			`error 8:15: metadata.sandbox.required: "1" is no boolean; true stands; write true or false`,
			`error 9:11: metadata.sandbox.read: "src" is no list; an empty one stands; write a list of paths below the project: [src, go.mod]`,
			`error 10:12: metadata.sandbox.write: "tmp" is no list; an empty one stands; write a list of state and tmp, or []`}},
		{"more than there is", "  sandbox:\n    netwrok: true\n    read: [/etc/shadow, ../x, ~/.ssh, {a: b}]\n    write: [\".\", state]", &Sandbox{Only: []string{"~/.ssh"}, NoTemp: true}, []string{
			`error 7:5: metadata.sandbox.netwrok: unknown key "netwrok"; did you mean network?`,
			`error 8:12: metadata.sandbox.read: "/etc/shadow" lies not below the project and is left out: a hook can only narrow what it reads; write a path below the project, such as src`,
			`error 8:25: metadata.sandbox.read: "../x" lies not below the project and is left out: a hook can only narrow what it reads; write a path below the project, such as src`,
			`error 8:39: metadata.sandbox.read: a mapping lies not below the project and is left out: a hook can only narrow what it reads; write a path below the project, such as src`,
			`error 9:13: metadata.sandbox.write: "." is neither state nor tmp and is left out: a hook can only narrow what it writes; write state, tmp or both`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := Parse([]byte(ok+"metadata:\n"+tt.lines+"\n---\n"), "x", ProjectLayer)
			if h.Sandbox != nil {
				for i, dir := range h.Sandbox.Only {
					h.Sandbox.Only[i] = filepath.ToSlash(dir)
				}
			}
			if !reflect.DeepEqual(h.Sandbox, tt.want) || h.Status != Ready {
				t.Errorf("%+v, status %s", h.Sandbox, h.Status)
			}
			wantProblems(t, h.Problems, tt.problems...)
		})
	}
}

// A key that stands twice breaks the hook, and is told once.
func TestSandboxKeysStandOnce(t *testing.T) {
	t.Parallel()
	h := Parse([]byte(ok+"metadata:\n  sandbox:\n    read: []\n    read: [src]\n---\n"), "x", UserLayer)
	wantProblems(t, h.Problems, `fatal 8:5: metadata.sandbox.read: the key "read" stands twice, first on line 7; remove one of the two`)
}

// Which hooks are confined, by whose word.
func TestWhoIsConfined(t *testing.T) {
	t.Parallel()
	const asks = "metadata:\n  sandbox: {network: true}"
	for _, tt := range []struct {
		name, system, user, project string
		want                        string // the confined ones, with what they may
	}{
		{"nobody says anything", "", "", "", "asks+network"},
		{"the mode of projects", "", "[trust]\nsandbox = \"project\"", "", "asks+network p"},
		{"the mode of all", "", "[trust]\nsandbox = \"all\"", "", "asks+network p s u"},
		{"the user's over the system's", "[trust]\nsandbox = \"all\"", "[trust]\nsandbox = \"off\"", "", "asks+network"},
		{"the system's", "[trust]\nsandbox = \"all\"\nsandbox_required = true", "", "", "asks+network! p! s! u!"},
		{"a project's own is not asked", "", "", "[trust]\nsandbox = \"all\"", "asks+network"},
		{"a project cannot open it", "", "[trust]\nsandbox = \"project\"", "[trust]\nsandbox = \"off\"\nsandbox_read = [\"/\"]\nsandbox_network = true\n[[hooks.override]]\nname = \"p\"\nsandbox = false", "asks+network p"},
		{"a project closes one of its own", "", "", "[[hooks.override]]\nname = \"p\"\nsandbox = true\n[[hooks.override]]\nname = \"u\"\nsandbox = true", "asks+network p"},
		{"no network for anybody", "", "[trust]\nsandbox_network = false", "", "asks"},
		{"variables for all", "", "[trust]\nsandbox = \"project\"\nsandbox_env = true", "[trust]\nsandbox_env = false", "asks+network$ p$"},
		{"not by a project", "", "[trust]\nsandbox = \"project\"", "[trust]\nsandbox_env = true", "asks+network p"},
		{"by name", "", "[trust]\nsandbox = \"project\"\n[[hooks.override]]\nname = \"p\"\nsandbox = false\n[[hooks.override]]\nname = \"asks\"\nsandbox = false\n[[hooks.override]]\nname = \"u\"\nsandbox = true", "", "u"},
		{"more to read", "", "[trust]\nsandbox = \"project\"\nsandbox_read = [\"~/.x\", \"" + drive + "/y/\", \"z\"]\nsandbox_write = [\".\"]", "", "asks+network(HOME/.x," + drive + "/y,z|.) p(HOME/.x," + drive + "/y,z|.)"},
		{"what is wrong", "", "[trust]\nsandbox = \"yes\"\nsandbox_read = \"x\"\nsandbox_write = [\"../x\", 7]\nsandbox_required = 1", "", "asks+network"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.hook(SystemLayer, "s", preTool)
			w.hook(UserLayer, "u", preTool)
			w.hook(ProjectLayer, "p", preTool)
			w.hook(ProjectLayer, "asks", preTool, strings.Split(asks, "\n")...)
			for layer, text := range map[LayerName]string{SystemLayer: tt.system, UserLayer: tt.user, ProjectLayer: tt.project} {
				if text != "" {
					w.settings(layer, text+"\n")
				}
			}
			w.approve()
			for _, set := range []*Set{w.all(), w.event(preTool)} {
				var got []string
				for _, h := range set.Hooks {
					if h.Sandbox != nil {
						got = append(got, filepath.ToSlash(strings.ReplaceAll(shortSandbox(h), w.home, "HOME")))
					}
				}
				slices.Sort(got)
				if have := strings.Join(got, " "); have != tt.want {
					t.Errorf("%s, want %s", have, tt.want)
				}
			}
		})
	}
}

func shortSandbox(h *Hook) string {
	s, text := h.Sandbox, h.Name
	if s.Network {
		text += "+network"
	}
	if s.Env {
		text += "$"
	}
	if s.Required {
		text += "!"
	}
	if len(s.Read)+len(s.Write) > 0 {
		text += "(" + strings.Join(s.Read, ",") + "|" + strings.Join(s.Write, ",") + ")"
	}
	return text
}

// What asks for a sandbox can be looked up, and what it leaves can be read.
func TestSandboxIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(UserLayer, "u", preTool, "metadata:", "  sandbox: {read: [src], write: [state]}")
	w.hook(ProjectLayer, "p", preTool)
	w.settings(UserLayer, "[trust]\nsandbox = \"project\"\nsandbox_read = [\"~/.x\"]\n")
	w.approve()
	set := w.all()
	u, p := find1(t, set, UserLayer, "u").Sandbox, find1(t, set, ProjectLayer, "p").Sandbox
	if want := filepath.Join(w.user, "hooks", "u", "HOOK.md"); u.By != want {
		t.Errorf("by %s, want %s", u.By, want)
	}
	if want := filepath.Join(w.user, "hooks.toml") + ":2"; p.By != want {
		t.Errorf("by %s, want %s", p.By, want)
	}
	if want := "reads src of the project, and the system, " + filepath.Join(w.home, ".x") + "; writes its state; no network"; u.May() != want {
		t.Errorf("%q, want %q", u.May(), want)
	}
	lie := Sandbox{Only: []string{"src; writes nothing; no network\n", "ok/a-b.go"}, Network: true}
	if want := `reads "src; writes nothing; no network\n", ok/a-b.go of the project, and the system; writes its state and its temporary files; uses the network`; lie.May() != want {
		t.Errorf("%q, want %q", lie.May(), want)
	}
	if want := "reads the project and the system, " + filepath.Join(w.home, ".x") + "; writes its state and its temporary files; no network"; p.May() != want {
		t.Errorf("%q, want %q", p.May(), want)
	}
}
