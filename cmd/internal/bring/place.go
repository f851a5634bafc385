package bring

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	words "github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A place is a folder as a hook finds it on whichever machine it runs.
type place struct {
	variable string // that it is below: HOME, the one that names the project, or none
	below    string // with slashes; without a variable the whole path
	path     string // where it is on this machine, "" if that depends on the session
}

// cwd is the folder that an entry names, as written.
func (e *Entry) cwd() string { return cmp.Or(e.fields.str("cwd"), e.fields.str("working_directory")) }

// folderOf is the folder that an entry runs in, by its own word or by its agent's rule; the zero
// place if that is where the session is. A folder that leads nowhere would fail each call, so one
// whose meaning is not known is refused.
func (f *finder) folderOf(e Entry) (place, refusal) {
	var root place // that a relative one is below
	c := new(protocol.Custom)
	if e.Agent != nil && e.Agent.Custom != nil && e.Plugin == nil {
		c = e.Agent.Custom
	}
	switch {
	case e.Scope == protocol.ProjectScope && c.Project != "": // wherever in it the session is
		root = place{c.Project, "", f.project}
	case e.Scope != protocol.ProjectScope && c.Beside:
		root = f.atHome(filepath.Dir(e.Path))
	}
	dir := e.cwd()
	head, rest, _ := strings.Cut(filepath.ToSlash(dir), "/")
	name, named := strings.CutPrefix(head, "$")
	name = strings.TrimSuffix(strings.TrimPrefix(name, "{"), "}")
	switch {
	case dir == "" && c.Beside:
		return root, ""
	case dir == "":
		return place{}, ""
	case head == "~" || named && name == "HOME":
		return place{variable: "HOME", path: f.h.Home}.join(rest), ""
	case named && c.Project != "" && (name == c.Project || slices.ContainsFunc(c.Variables, func(v protocol.Renamed) bool { return v.Name == name })):
		in := place{variable: name}
		if e.Scope == protocol.ProjectScope { // else it is whichever project the session is in
			in.path = f.project
		}
		return in.join(rest), ""
	case strings.ContainsAny(dir[:1], "~$"):
		return place{}, refusal(fmt.Sprintf("its folder %q is not known here: write it as an absolute one, or below ~/, and import it again", dir))
	case filepath.IsAbs(dir):
		return place{below: filepath.ToSlash(dir), path: dir}, ""
	case root != place{}:
		return root.join(dir), ""
	case path.Clean(filepath.ToSlash(dir)) == ".":
		return place{}, ""
	}
	return place{}, refusal(fmt.Sprintf("its folder %q is relative, and would be another one wherever the session is: write it as an absolute one, or below ~/, and import it again", dir))
}

// join is a folder in a place; it leads nowhere out of it.
func (p place) join(dir string) place {
	if dir = path.Clean("/" + filepath.ToSlash(dir))[1:]; dir == "" {
		return p
	}
	if p.below == "" {
		p.below = dir
	} else {
		p.below += "/" + dir
	}
	if p.path != "" {
		p.path = filepath.Join(p.path, filepath.FromSlash(dir))
	}
	return p
}

// atHome is a path, relative to the user's home if it is inside it: a hook is copied from machine to
// machine.
func (f *finder) atHome(path string) place {
	rel, err := filepath.Rel(f.h.Home, path)
	if f.h.Home == "" || err != nil || !filepath.IsLocal(rel) {
		return place{below: path, path: path}
	}
	return place{variable: "HOME", path: f.h.Home}.join(rel)
}

// sh is the place as a word for sh.
func (p place) sh() string {
	var base string
	switch p.variable {
	case "":
		return words.ShellWord(p.below)
	case "HOME":
		base = `"$HOME"`
	default:
		base = `"${` + p.variable + `:-.}"`
	}
	if p.below == "" {
		return base
	}
	return base + "/" + words.ShellWord(p.below)
}

// powerShell is the place as a word for PowerShell.
func (p place) powerShell() string {
	base := "$HOME"
	switch p.variable {
	case "":
		return powerWord(p.below)
	case "HOME":
	default:
		base = "($env:" + p.variable + " ?? '.')"
	}
	if p.below == "" {
		return base
	}
	return "(" + base + " + " + powerWord("/"+p.below) + ")"
}

// powerWord is a text in single quotes for PowerShell, which takes curly ones for the same.
func powerWord(s string) string {
	return "'" + strings.NewReplacer("'", "''", "‘", "‘‘", "’", "’’", "‚", "‚‚", "‛", "‛‛").Replace(s) + "'"
}

// lostFolder tells of a folder that an entry names and that is not there.
func (f *finder) lostFolder(h *Hook, e Entry, p place) {
	if e.cwd() == "" || p.path == "" {
		return
	}
	if info, err := f.inside(p.path, e).Stat(p.path); err != nil || !info.IsDir() {
		h.differs("its folder %s is not there: until it is, it fails there as it will here%s", f.h.Short(p.path), h.blocks(""))
	}
}

// blocks says, after what fails, whether the failure of a hook blocks: a program that does not find
// its script ends with what blocks, or with something else.
func (h *Hook) blocks(program string) string {
	switch {
	case h.Speaks != nil && h.Speaks.Tongue.FailsClosed(h.Trigger) || h.closed():
		return ", and any failure blocks"
	case slices.Contains([]string{"python", "python3", "perl", "dash"}, program):
		return ", and " + program + " then ends with 2, which blocks"
	case program == "sh":
		return ", and sh, where it is dash, then ends with 2, which blocks"
	}
	return ""
}
