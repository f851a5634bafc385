package workspace

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/compat"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Place is where the workspaces of a person lie.
type Place struct {
	Home string // of index.json and session-bindings.json
	// Theirs says that Home is the original's. A new workspace then goes where the
	// original looks for it as well.
	Theirs bool
	// Folder is the original's name for its folders, which it changes for its own
	// developers.
	Folder string
	// Zone is that of the times in Log.md.
	Zone *time.Location
	// Opener is how what lies below a project is opened; nil: as [beneath.At] does.
	Opener func(root string) *beneath.Root
	// Known is the ledger of a project; nil: everything is known.
	Known func(root string) *ledger.Ledger
	// Foreign is told what is found that is not the user's own; nil: nobody asks.
	Foreign *Foreign
}

// Below opens what lies below a project.
func (p Place) Below(root string) *beneath.Root {
	if p.Opener == nil {
		return beneath.At(root)
	}
	return p.Opener(root)
}

// Find is the Place of a person. home is the home directory, data the data
// directory (…/agents-hooks), dir what the settings say.
//
// Home is the one that is set; else the original's if there is one; else the
// folder "workspace" in data. The store of the original's developers counts only
// if its own variable says so: that it exists says nothing.
func Find(home, data, dir string, zone *time.Location, getenv func(string) string) Place {
	p := Place{Folder: compat.Workspace, Zone: zone}
	if zone == nil {
		p.Zone = time.UTC
	}
	if getenv(compat.WorkspaceDevEnv) == "true" {
		p.Folder = compat.WorkspaceDev
	}
	theirs := ""
	if home != "" {
		theirs = filepath.Join(home, p.Folder)
	}
	switch {
	case filepath.IsAbs(dir):
		p.Home = filepath.Clean(dir)
		p.Theirs = p.Home == theirs
	case theirs != "" && isDir(nil, theirs):
		p.Home, p.Theirs = theirs, true
	case data != "":
		p.Home = filepath.Join(data, "workspace")
	}
	return p
}

// Ours is the folder of workspaces in a project, where the original's is not.
const Ours = ".agents/workspace"

// ProjectDir is the folder for new workspaces of a project.
func (p Place) ProjectDir(root string) string {
	theirs := filepath.Join(root, p.Folder)
	if p.Theirs || isDir(p.Below(root), theirs) {
		return theirs
	}
	return filepath.Join(root, filepath.FromSlash(Ours))
}

// Dir is the folder of a workspace, as it is there: named by its dirName, by its
// id, or, if somebody renamed it, by anything that ends in its short id (BW-STO-03) and
// says inside whose it is; and if it is archived, in the archive. "" if there is none.
func (p Place) Dir(e Entry) string {
	in := p.Below(e.ProjectRoot)
	for _, base := range []string{filepath.Join(e.ProjectRoot, p.Folder), filepath.Join(e.ProjectRoot, filepath.FromSlash(Ours))} {
		if e.ProjectRoot == "" {
			break
		}
		folders := []string{base, filepath.Join(base, Archive)}
		if e.Status == Archived {
			folders[0], folders[1] = folders[1], folders[0]
		}
		for _, folder := range folders {
			if dir := named(in, folder, e.DirName, e.ID, ConfigFile); dir != "" && isFile(in, filepath.Join(dir, GraphFile)) {
				return dir
			}
		}
	}
	return ""
}

// named is the folder in parent that belongs to an id, "" if there is none. One that
// only ends in the short id may belong to another id of the same millisecond: about in
// it has to say that it is this one's.
func named(in *beneath.Root, parent, dirName, id, about string) string {
	for _, name := range []string{dirName, id} {
		if safe(name) {
			if dir := filepath.Join(parent, name); isDir(in, dir) {
				return dir
			}
		}
	}
	suffix := "_" + ShortID(id)
	if suffix == "_" {
		return ""
	}
	entries, _ := in.List(parent)
	for _, e := range entries {
		if dir := filepath.Join(parent, e.Name()); strings.HasSuffix(e.Name(), suffix) && isDir(in, dir) && owner(in, filepath.Join(dir, about)) == id {
			return dir
		}
	}
	return ""
}

// owner is the id that a page, or a workspace.json, says it is of; "" if none.
func owner(in *beneath.Root, path string) string {
	b, err := in.Read(path, 0)
	if err != nil {
		return ""
	}
	if filepath.Base(path) == ConfigFile {
		o, _ := protocol.ParseObject(b)
		return o.Text("id")
	}
	return ParsePage(b).Field("id")
}

// shorts are the short ids that the names of folders end in.
func shorts(in *beneath.Root, parent string, into map[string]bool) {
	entries, _ := in.List(parent)
	for _, e := range entries {
		name := e.Name()
		into[ShortID(name)] = true
		into[name[strings.LastIndexByte(name, '_')+1:]] = true
	}
}

// safe reports whether a name from a file is that of something directly below a folder,
// and not a way out of it.
func safe(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, `/\`) && filepath.IsLocal(name)
}

func isDir(in *beneath.Root, path string) bool {
	info, err := in.Stat(path)
	return err == nil && info.IsDir()
}

func isFile(in *beneath.Root, path string) bool {
	info, err := in.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
