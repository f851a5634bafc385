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
// by file and function below the reason why that is no file of a project that a
// stranger may have filled. All else that can get a path below a project goes by
// internal/beneath.
const opensOutright = `
# asks where the file lies that the agent names, for its environment
cmd/internal/dispatch/leave.go keepEnvFile

# A script does what its author wrote, wherever: it runs as a program of its own, as any sh would.
cmd/internal/hooksh/hooksh.go read
cmd/internal/hooksh/programs.go open
cmd/internal/hooksh/programs.go program
# files of its own among the temporary ones
cmd/internal/hooksh/able.go file
cmd/internal/hooksh/hooksh.go Main

# for tests alone
internal/linktest/linktest.go Make

# a file that the person named
cmd/internal/eventarg/read.go bytes
cmd/internal/shell/input.go FileOrStdin
cmd/internal/verb/record/share.go writeNew

# a folder of its own among the temporary ones
cmd/internal/scratch/scratch.go CopyFiles
cmd/internal/scratch/scratch.go CopyFolder
cmd/internal/scratch/scratch.go RemoveAll
cmd/internal/scratch/scratch.go copyFile
cmd/internal/setup/probe.go Fire
cmd/internal/verb/demo/demo.go Command
cmd/internal/verb/demo/machine.go newMachine
cmd/internal/verb/demo/machine.go writeHooks
cmd/internal/verb/demo/machine.go wrote
cmd/internal/verb/doctor/selftest.go armSelfTest
cmd/internal/verb/doctor/selftest.go fileTime
cmd/internal/verb/doctor/selftest.go readHead
cmd/internal/verb/doctor/selftest.go selfTest
cmd/internal/verb/hooktest/bench.go newBench
cmd/internal/verb/hooktest/proof.go scenes
cmd/internal/verb/hooktest/trial.go trials

cmd/internal/packs/plan.go fetch
cmd/internal/packs/plan.go scratch
cmd/internal/packs/try.go boxed
pack/source/git.go clone
pack/source/git.go close
pack/source/git.go sizeOf

# a path that the person named, and asks what it is
pack/source/archive.go archive
pack/source/parse.go existing
pack/source/parse.go local

# asks where the home directory leads
cmd/internal/packs/place.go PlaceOf

# a link of a folder that somebody named: what it says, not where it leads
pack/source/folder.go folder
pack/source/folder.go names

# of the state directory
pack/store/journal.go drop
pack/store/journal.go unfinished
pack/store/prepare.go keep

# a git directory, which no clone carries
builtin-hooks/memory/place.go isDir

# a new folder that the person named
builtin-hooks/builtin.go Export

# a page of the person's own
cmd/internal/webpage/webpage.go viewFile
cmd/internal/verb/view/serve.go open
cmd/internal/webpage/webpage.go writePrivate
cmd/internal/webpage/webpage.go Temp

# whether a project is the home of the person
cmd/internal/setup/configfile.go OneFile

# a path that the person named
cmd/internal/shell/manual.go write
cmd/internal/hookset/folder.go HookFolders

# a program, not a project's
cmd/internal/build/build.go Of
cmd/internal/keep/file.go linkOrCopy
cmd/internal/keep/file.go moveAside
cmd/internal/keep/file.go remove
cmd/internal/keep/file.go replace
cmd/internal/keep/file.go sweep
cmd/internal/keep/keep.go Is
cmd/internal/keep/keep.go Read
cmd/internal/keep/keep.go Remove
cmd/internal/keep/keep.go beside
cmd/internal/keep/keep.go hold
cmd/internal/keep/keep.go isThere
cmd/internal/keep/keep.go makeCopy
cmd/internal/keep/keep.go makeDirs
cmd/internal/keep/keep.go removeEmpty
cmd/internal/keep/keep.go same
cmd/internal/keep/keep.go there
cmd/internal/keep/source.go FindLean
cmd/internal/keep/source.go checkout
cmd/internal/keep/source.go goBuild
cmd/internal/keep/source.go goTool
cmd/internal/setup/purge.go Purge
cmd/internal/setup/purge.go Purged
cmd/internal/setup/purge.go removeWithin
cmd/internal/setup/entry.go self
cmd/internal/setup/entry.go sameOnPath
cmd/internal/setup/presence.go PresenceOf
cmd/internal/setup/presence.go Starts
cmd/internal/setup/presence.go lookPath
cmd/internal/setup/version.go InstalledVersion
cmd/internal/setup/version.go packageVersion
cmd/internal/verb/doctor/entry.go programs
cmd/internal/verb/doctor/entry.go started
cmd/internal/verb/evolution/serve.go findServer
cmd/internal/verb/upgrade/command.go run
cmd/internal/verb/upgrade/way.go marked
cmd/internal/verb/upgrade/way.go ofCopy
cmd/internal/verb/upgrade/way.go ofNode
cmd/internal/habits/habits.go interpreter
runner/launch.go lookPath
runner/tool.go Detach

# a worktree in the state directory
builtin-hooks/workspace/ops/brought.go taken
builtin-hooks/workspace/ops/git.go drop
builtin-hooks/workspace/ops/git.go gone
builtin-hooks/workspace/ops/git.go keep
builtin-hooks/workspace/ops/git.go sign
builtin-hooks/workspace/ops/git.go tree
builtin-hooks/workspace/ops/home.go end

# an example with a folder of its own
builtin-hooks/skills/example/main.go show

# asks what is there, and opens nothing
cmd/internal/hookset/folder.go HookFile

# asks what it is; safefile follows its links
discovery/entry.go entryMode

# asks whether a document is there that the caller named
builtin-hooks/workspace/ops/context.go known

# asks where the links of the home directory and of a program lead
runner/confined.go real

# a name for a rule of Landlock: opens nothing, and leaves no project
internal/confine/landlock_linux.go landlock

# asks whether a folder is the home directory
discovery/set.go isHome

# asks whether a folder is there, and opens nothing
cmd/internal/setup/site.go RealPath
cmd/internal/shell/path.go IsFolder
cmd/internal/shell/path.go Folder
cmd/internal/verb/doctor/hooks.go foreignFile
cmd/internal/verb/doctor/machine.go readable
cmd/internal/verb/hooks/inspect.go add
cmd/internal/verb/hooks/inspect.go addSettings
cmd/internal/verb/hooktest/test.go hookToTest
runner/env.go firstDir

# asks whether there is a database of the person's

# asks whether the project is the home directory
builtin-hooks/skills/hooks/catalog.go sameFolder

# asks whether there is a .git, and opens nothing
builtin-hooks/evolution/scope/scope.go Of

# asks whether there is a marker; beneath says whether it counts
cmd/internal/builtin/builtin.go last

# asks whether what the caller named is a folder
builtin-hooks/workspace/ops/importer.go readPlan
builtin-hooks/workspace/ops/space.go projectRoot

# reads the plan that the caller named
cmd/internal/verb/workspace/from.go readPlan

# lists the folder in which what a person named is missing, to suggest a name
cmd/internal/shell/wrong.go nearPath

# of git, which no clone carries: regular, capped, never shown
builtin-hooks/evolution/scope/scope.go read
builtin-hooks/memory/place.go mainWorktree
builtin-hooks/workspace/create.go common
builtin-hooks/workspace/create.go linked
builtin-hooks/workspace/create.go repository
builtin-hooks/workspace/worktree.go linkedTree
builtin-hooks/workspace/worktree.go sameFile
builtin-hooks/workspace/worktree.go unlinked
runner/confined.go isDir
runner/confined.go isFile
runner/confined.go pathIn

# our own program
cmd/internal/builtin/builtin.go Program

# tests alone link it
internal/page/pagetest/axe.go Axe
internal/page/pagetest/axe.go fetchAxe
internal/page/pagetest/drive.go Shot
internal/page/pagetest/pagetest.go home
internal/page/pagetest/pagetest.go Browser
internal/page/pagetest/pagetest.go File
cmd/internal/shell/shelltest/shelltest.go Put
protocol/internal/dialecttest/dialecttest.go Payloads
protocol/internal/dialecttest/dialecttest.go golden
protocol/internal/dialecttest/rules.go ReadRules
protocol/internal/dialecttest/tongue.go page
protocol/internal/jsplugin/stage/stage.go Gone
protocol/internal/jsplugin/stage/stage.go New
protocol/internal/jsplugin/stage/stage.go Note
protocol/internal/jsplugin/stage/stage.go Play
protocol/internal/jsplugin/stage/stage.go Says
protocol/internal/jsplugin/stage/stage.go judge
protocol/internal/jsplugin/stage/stage.go stay

# the entry that discovery resolved
runner/exec.go program
runner/launch.go explain
runner/launch.go head

# the index, which lies in the cache or in the person's own folder
builtin-hooks/memory/search/load_unix.go load
builtin-hooks/memory/search/load_windows.go load
builtin-hooks/memory/chosen/chosen.go Kept
builtin-hooks/memory/chosen/chosen.go Ready
builtin-hooks/memory/chosen/chosen.go young
builtin-hooks/memory/endpoint/endpoint.go Fill
builtin-hooks/memory/endpoint/endpoint.go wasLate
builtin-hooks/memory/fill/fill.go write
builtin-hooks/memory/search/recall.go ClearOld
builtin-hooks/memory/search/recall.go ForgetPurged
builtin-hooks/memory/search/recall.go write
builtin-hooks/memory/search/recent.go addRecent
builtin-hooks/memory/search/write.go Write
builtin-hooks/memory/search/write.go replace
builtin-hooks/memory/lexicon/lexicon.go Lay
builtin-hooks/memory/lexicon/load_unix.go load
builtin-hooks/memory/lexicon/load_windows.go load
internal/mapped/mapped.go Open

# models of vectors, in the person's data directory
builtin-hooks/memory/chosen/chosen.go Read
builtin-hooks/memory/models/models.go Add
builtin-hooks/memory/models/models.go Choose
builtin-hooks/memory/models/models.go Get
builtin-hooks/memory/models/models.go List
builtin-hooks/memory/models/models.go Remove
builtin-hooks/memory/models/models.go Tidy
builtin-hooks/memory/models/models.go gone
builtin-hooks/memory/models/known.go Download
builtin-hooks/memory/models/known.go fetch

# a model that a person names: its own files alone, regular and capped
builtin-hooks/memory/model2vec/source.go folderOf
builtin-hooks/memory/model2vec/source.go open
cmd/internal/verb/memory/model.go added

# the links of the person's own folders
cmd/internal/setup/configfile.go followLinks

# the names in a folder whose links were resolved
discovery/entry.go handlerBeside
discovery/entry.go strays

# the names in folders, bounded, through no link
cmd/internal/verb/doctor/hooks.go tooDeep
discovery/nested.go firstNested

# the person's data, not a project
builtin-hooks/evolution/hooks/review.go waitingReview
builtin-hooks/evolution/hooks/web.go whole
builtin-hooks/evolution/journal/file.go sweep
builtin-hooks/evolution/journal/file.go write
builtin-hooks/evolution/place.go HasGenes
builtin-hooks/evolution/place.go own
builtin-hooks/evolution/client/skills.go skill
builtin-hooks/evolution/server/database.go openFile
builtin-hooks/evolution/server/database.go private
builtin-hooks/evolution/store/carry.go looks
builtin-hooks/evolution/store/log.go append
builtin-hooks/evolution/store/log.go refresh
builtin-hooks/evolution/store/store.go Check
builtin-hooks/evolution/store/store.go Open
builtin-hooks/evolution/view/view.go journals
builtin-hooks/evolution/pagecache/cache.go room


# the project itself
trust/item.go below
trust/tree.go owned

# the agent's own transcript, which the event names
cmd/internal/dispatch/usage.go openTranscript
cmd/internal/strange/late.go added

# the PATH, but for what of it lies in the project that git is asked about
cmd/internal/builtin/builtin.go git

# git's own directories, which may lie anywhere: safefile reads what is in them
trust/home.go Home
trust/home.go mainOf
trust/home.go pointsTo
trust/home.go samePlace
trust/home.go worktreeOf
builtin-hooks/memory/git.go Author
builtin-hooks/memory/git.go Checkout
builtin-hooks/memory/git.go born
builtin-hooks/memory/git.go mainBranch
builtin-hooks/memory/git.go ref
builtin-hooks/memory/git.go tracks

# the system's lists of users and groups
trust/owner_unix.go lines

# lists /etc, for what a hook in a sandbox of root's may read there
runner/confined_etc.go openToAll

# asks whose the places of an entry are, up to the root; opens nothing
trust/owner_unix.go Steered

# asks whether a worktree is there
trust/record.go stands

# where a sandbox leads to: what it is, and no more
internal/confine/landlock_linux.go landlock
runner/confined.go isDir
runner/confined.go isFile
runner/confined.go pathIn
runner/confined.go real

# the index of hooks, which lies in the cache
discovery/index.go catalog
discovery/index.go sweep

# the state directory
builtin-hooks/memory/hooks/session.go askTeam
builtin-hooks/memory/shared.go ShareFile
builtin-hooks/memory/team/state.go Off
builtin-hooks/memory/team/state.go hold
internal/ledger/file.go Look
internal/ledger/file.go Looked
internal/ledger/ledger.go At
internal/ledger/ledger.go Epoch
internal/ledger/ledger.go again
internal/ledger/ledger.go open
builtin-hooks/internal/behaviour/behaviour.go Names
builtin-hooks/internal/session/spool.go Drain
builtin-hooks/memory/ops/beside.go checklist
cmd/internal/strange/strange.go Agents
cmd/internal/verb/record/share.go eventsOf
cmd/internal/record/store.go Clear
runner/temp.go empty
runner/temp.go openDir
runner/temp.go removeTemps
runner/temp.go takeTemp
cmd/internal/record/store.go On
cmd/internal/record/store.go Projects
cmd/internal/record/store.go Start
cmd/internal/record/store.go Stop
cmd/internal/record/store.go bound
cmd/internal/record/store.go firstLine
cmd/internal/record/store.go keepNewest
cmd/internal/record/store.go project
cmd/internal/record/store.go size
cmd/internal/replay/state.go copyState
cmd/internal/replay/take.go takes
cmd/internal/setup/backup.go before
cmd/internal/setup/backup.go forget
cmd/internal/setup/backup.go save
cmd/internal/setup/receipts.go hasEntries
cmd/internal/verb/doctor/exports.go exports
cmd/internal/verb/doctor/machine.go stateDirectory
cmd/internal/wake/wake.go At
cmd/internal/wake/wake.go Due
cmd/internal/runlog/after.go after
cmd/internal/runlog/files.go files
cmd/internal/runlog/files.go open
cmd/internal/runlog/parts.go Parts
runner/detach_unix.go jobFile
runner/detach_unix.go tempFile
runner/detach_windows.go jobFile
runner/env.go newKey
runner/env.go of
runner/env.go readKey
runner/log.go AppendLog
runner/log.go cleanUp
runner/log.go newDay
runner/log.go newest
runner/tongue.go newEnvFile
runner/tongue.go readEnvFile
runner/tongue.go runOne
runner/session.go Kept
runner/session.go owe
runner/session.go owing
runner/session.go openClaim
runner/session.go stillAt
runner/session.go sweep
runner/supervise.go LiveAsync
runner/supervise.go detach
runner/supervise.go takeSlot
runner/session.go Roots
trust/copy.go begin
trust/copy.go drop
trust/copy.go file
trust/copy.go files
trust/copy.go find
trust/copy.go keep
trust/copy.go lastChange
trust/copy.go prune
trust/copy.go remove
trust/copy.go sweep

# what the kernel says of processes, or the system of accounts
cmd/internal/verb/hooktest/survivors_linux.go processesWith
internal/dirs/account_unix.go Account
runner/parent_linux.go parentOf

# a back-up, which whoever runs the server names
cmd/internal/verb/server/backup.go restoreCommand
cmd/internal/verb/server/backup.go written

# what the person's settings name, and their settings themselves
cmd/internal/takeover/takeover.go takeOver
cmd/internal/verb/export/point.go point
internal/outbound/outbound.go Transport

# where a place leads that is none of the project's, or is refused
cmd/internal/setup/unfit.go nearest

# what the system tells of processes
runner/strays_linux.go allDead
runner/strays_linux.go descendants
runner/strays_linux.go endStrays
runner/strays_linux.go statOf

# where a directory of the PATH leads
runner/env.go isLink
runner/env.go ofRepository

# where the agent works
discovery/set.go realDir

# where a path that a call names leads, without a look at what is there
discovery/rooted.go realPath
`

// The packages that can get a path below a project: all that is shipped. safefile
// is beneath's own, and the conformance suite makes hostile projects itself.
var belowProjects = []string{"builtin-hooks", "cmd", "discovery", "internal", "pack", "protocol", "runner", "trust"}

var opensItself = []string{"internal/beneath", "internal/safefile"}

var opening = map[string][]string{
	"os": {"Open", "OpenFile", "OpenRoot", "OpenInRoot", "ReadFile", "Create", "CreateTemp", "WriteFile", "ReadDir", "Stat", "Lstat", "Mkdir", "MkdirAll",
		"MkdirTemp", "Rename", "Remove", "RemoveAll", "Symlink", "Link", "Readlink", "Chmod", "Chtimes", "Truncate", "DirFS", "CopyFS", "Chown"},
	"filepath": {"Walk", "WalkDir", "Glob", "EvalSymlinks"},
	"safefile": {"Open", "Read"},
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
			rel, _ := filepath.Rel(root, path)
			if rel = filepath.ToSlash(rel); e.IsDir() && (e.Name() == "testdata" || slices.Contains(opensItself, rel)) {
				return filepath.SkipDir
			}
			if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			for _, use := range outright(t, path) {
				found[rel+" "+use] = true
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	known := map[string]string{} // the reason
	reason := ""
	for line := range strings.Lines(opensOutright) {
		line = strings.TrimSpace(line)
		if why, ok := strings.CutPrefix(line, "# "); ok {
			reason = why
		} else if line != "" {
			known[line] = reason
		}
	}
	for use := range found {
		if known[use] == "" {
			t.Errorf("%s opens, lists or changes a file by its path alone: what may lie below a project goes by internal/beneath; what cannot, into the table of this test with the reason", use)
		}
	}
	for use := range known {
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
