package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// opensOutright is what may open, list or change files by their paths as they are,
// by file and function, and why that is no file of a project that a stranger may
// have filled. All else that can get a path below a project goes by
// internal/beneath.
var opensOutright = map[string]string{
	"cmd/internal/builtin/builtin.go last":                     "asks whether there is a marker; beneath says whether it counts",
	"builtin-hooks/builtin.go Export":                          "a new folder that the person named",
	"builtin-hooks/evolution/hooks/review.go waitingReview":    "the person's data, not a project",
	"builtin-hooks/evolution/hooks/session.go hasDatabase":     "the person's data, not a project",
	"builtin-hooks/evolution/hooks/web.go whole":               "the person's data, not a project",
	"builtin-hooks/evolution/journal/file.go sweep":            "the person's data, not a project",
	"builtin-hooks/evolution/journal/file.go write":            "the person's data, not a project",
	"builtin-hooks/evolution/place.go own":                     "the person's data, not a project",
	"builtin-hooks/evolution/remote/skills.go skill":           "the person's data, not a project",
	"builtin-hooks/evolution/scope/scope.go Of":                "asks whether there is a .git, and opens nothing",
	"builtin-hooks/evolution/serve/database.go openFile":       "the person's data, not a project",
	"builtin-hooks/evolution/store/db.go Exists":               "the person's data, not a project",
	"builtin-hooks/evolution/store/db.go Open":                 "the person's data, not a project",
	"builtin-hooks/evolution/store/db.go prepare":              "the person's data, not a project",
	"builtin-hooks/evolution/store/schema.go keepCopy":         "the person's data, not a project",
	"builtin-hooks/evolution/view/view.go journals":            "the person's data, not a project",
	"builtin-hooks/evolution/web/cache.go room":                "the person's data, not a project",
	"builtin-hooks/internal/behaviour/behaviour.go Names":      "the state directory",
	"builtin-hooks/internal/page/pagetest/pagetest.go Browser": "tests alone link it",
	"builtin-hooks/internal/page/pagetest/pagetest.go DOM":     "tests alone link it",
	"builtin-hooks/internal/session/spool.go Drain":            "the state directory",
	"builtin-hooks/memory/find/load_unix.go load":              "the index, which lies in the cache or in the person's own folder",
	"builtin-hooks/memory/find/load_windows.go load":           "the index, which lies in the cache or in the person's own folder",
	"builtin-hooks/memory/find/recall.go Keep":                 "the index, which lies in the cache or in the person's own folder",
	"builtin-hooks/memory/find/write.go Write":                 "the index, which lies in the cache or in the person's own folder",
	"builtin-hooks/memory/hooks/hot.go transcript":             "the size of the agent's own transcript",
	"builtin-hooks/memory/index/db.go Open":                    "the index, which lies in the cache or in the person's own folder",
	"builtin-hooks/memory/index/db.go exists":                  "the index, which lies in the cache or in the person's own folder",
	"builtin-hooks/memory/index/db.go prepare":                 "the index, which lies in the cache or in the person's own folder",
	"builtin-hooks/memory/ops/beside.go checklist":             "the state directory",
	"builtin-hooks/memory/ops/search.go Rebuild":               "the index, which lies in the cache or in the person's own folder",
	"builtin-hooks/memory/place.go isDir":                      "a git directory, which no clone carries",
	"builtin-hooks/skills/example/main.go show":                "an example with a folder of its own",
	"builtin-hooks/skills/hooks/shelf.go sameFolder":           "asks whether the project is the home directory",
	"builtin-hooks/workspace/desk/context.go known":            "asks whether a document is there that the caller named",
	"builtin-hooks/workspace/desk/git.go begin":                "a worktree in the state directory",
	"builtin-hooks/workspace/desk/git.go end":                  "a worktree in the state directory",
	"builtin-hooks/workspace/desk/space.go projectRoot":        "asks whether what the caller named is a folder",
	"builtin-hooks/workspace/index.go keepNewer":               "the person's index of workspaces",
	"cmd/internal/builtin/builtin.go Program":                  "our own program",
	"cmd/internal/dispatch/leave.go appendFile":                "a file that the agent names, for its environment",
	"cmd/internal/hookset/folder.go HookFile":                  "asks what is there, and opens nothing",
	"cmd/internal/hookset/folder.go HookFolders":               "a path that the person named",
	"cmd/internal/hookset/set.go LookFrom":                     "asks whether what the person named is a folder",
	"cmd/internal/requirements/requirements.go wantsOf":        "asks what an entry is; safefile reads it",
	"discovery/entry.go entryMode":                             "asks what it is; safefile follows its links",
	"discovery/entry.go handlerBeside":                         "the names in a folder whose links were resolved",
	"discovery/entry.go strays":                                "the names in a folder whose links were resolved",
	"discovery/load.go firstNested":                            "the names in folders, bounded, through no link",
	"discovery/set.go isHome":                                  "asks whether a folder is the home directory",
	"discovery/set.go realDir":                                 "where the agent works",
	"trust/copy.go begin":                                      "the state directory",
	"trust/copy.go drop":                                       "the state directory",
	"trust/copy.go file":                                       "the state directory",
	"trust/copy.go files":                                      "the state directory",
	"trust/copy.go find":                                       "the state directory",
	"trust/copy.go keep":                                       "the state directory",
	"trust/copy.go lastChange":                                 "the state directory",
	"trust/copy.go prune":                                      "the state directory",
	"trust/copy.go remove":                                     "the state directory",
	"trust/copy.go sweep":                                      "the state directory",
	"trust/item.go below":                                      "the project itself",
}

// The packages that can get a path below a project.
var belowProjects = []string{"builtin-hooks", "discovery", "trust", "cmd/internal/builtin", "cmd/internal/dispatch", "cmd/internal/hookset", "cmd/internal/requirements"}

var opening = map[string][]string{
	"os": {"Open", "OpenFile", "OpenRoot", "OpenInRoot", "ReadFile", "Create", "CreateTemp", "WriteFile", "ReadDir", "Stat", "Lstat", "Mkdir", "MkdirAll",
		"MkdirTemp", "Rename", "Remove", "RemoveAll", "Symlink", "Link", "Readlink", "Chmod", "Chtimes", "Truncate", "DirFS", "CopyFS", "Chown"},
	"filepath": {"Walk", "WalkDir", "Glob", "EvalSymlinks"},
	"ioutil":   {"ReadFile", "WriteFile", "ReadDir"},
	"unix":     {"Open", "Openat", "Openat2", "Stat", "Lstat", "Fstatat", "Mkdir", "Unlink", "Rename"},
	"syscall":  {"Open", "Stat", "Lstat", "Mkdir", "Unlink", "Rename"},
}

// TestProjectsAreOpenedBeneath walks the code for whatever opens a file below a
// project otherwise.
func TestProjectsAreOpenedBeneath(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	found := map[string]bool{}
	for _, dir := range belowProjects {
		err := filepath.WalkDir(filepath.Join(root, filepath.FromSlash(dir)), func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if e.IsDir() && e.Name() == "testdata" {
				return filepath.SkipDir
			}
			if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			rel, _ := filepath.Rel(root, path)
			for _, use := range outright(t, path) {
				found[filepath.ToSlash(rel)+" "+use] = true
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for use := range found {
		if opensOutright[use] == "" {
			t.Errorf("%s opens, lists or changes a file by its path alone: what may lie below a project goes by internal/beneath; what cannot, into the table of this test with the reason", use)
		}
	}
	for use := range opensOutright {
		if !found[use] {
			t.Errorf("%s does not need to be in the table any more", use)
		}
	}
}

// outright are the functions of a file that open something, by their names.
func outright(t *testing.T, path string) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	called := map[string]string{} // of a package in this file: what it is
	for _, s := range file.Imports {
		full := strings.Trim(s.Path.Value, `"`)
		base := full[strings.LastIndexByte(full, '/')+1:]
		if opening[base] == nil {
			continue
		}
		if s.Name != nil {
			called[s.Name.Name] = base
		} else {
			called[base] = base
		}
	}
	for _, d := range file.Decls {
		name := "(package)"
		if f, ok := d.(*ast.FuncDecl); ok {
			name = f.Name.Name
		}
		ast.Inspect(d, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := s.X.(*ast.Ident); ok && slices.Contains(opening[called[x.Name]], s.Sel.Name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
			return true
		})
	}
	return names
}
