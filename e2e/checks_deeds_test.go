//go:build e2e && unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

// What a guard says once for all agents: command, path and content of a matcher,
// tried on what each agent's own tools run, write, edit and move.

// A line is read as a shell reads it, in whatever tool it comes.
func proveCommandGuard(l *Lab) {
	l.refuses(`command: '^touch .*forbidden'`, l.Agent.Shell("cd '"+l.Project+"'; echo touch forbidden > fine; touch free"),
		l.Agent.Shell("true;touch "+l.at("list.forbidden")),
		l.Agent.Shell("bash -c \"touch '"+l.at("nested.forbidden")+"'\""),
		l.Agent.Shell("x=touch; (env A=b \"$x\" \\\n '"+l.at("quoted.forbidden")+"')"))
	l.wantGone("project/*.forbidden")
	l.wantText("fine", "touch forbidden\n")
	l.wantText("free", "")
}

// A file is one and the same, written, edited or moved.
func provePathGuard(l *Lab) {
	l.write(l.at("kept.secret"), "as it was\n", 0o644)
	l.write(l.at("plain.txt"), "as it was\n", 0o644)
	forbidden := []model.Call{l.Agent.Shell("cd " + l.Project + " && mv plain.txt moved.secret"), l.Agent.Shell("cp " + l.at("plain.txt") + " " + l.at("copied.secret"))}
	if l.Agent.Write != nil {
		forbidden = append(forbidden, l.Agent.Write(l.at("new.secret"), "x"))
	}
	if l.Agent.Edit != nil {
		forbidden = append(forbidden, l.Agent.Edit(l.at("kept.secret"), "as it was", "changed"))
	}
	l.refuses(`path: '\.secret$'`, l.Agent.Shell("cat "+l.at("kept.secret")+" > "+l.at("fine.txt")), forbidden...)
	l.wantText("kept.secret", "as it was\n")
	l.wantText("plain.txt", "as it was\n")
	l.wantText("fine.txt", "as it was\n")
	l.wantGone("project/[^k]*.secret")
}

// A text is one and the same, in a whole file, an edit or a patch.
func proveContentGuard(l *Lab) {
	const banned = "banned-4711"
	l.write(l.at("kept.txt"), "as it was\n", 0o644)
	forbidden := []model.Call{l.Agent.Shell("echo " + banned + " > " + l.at("shell.txt"))}
	if l.Agent.Write != nil {
		forbidden = append(forbidden, l.Agent.Write(l.at("new.txt"), "a "+banned))
	}
	if l.Agent.Edit != nil {
		forbidden = append(forbidden, l.Agent.Edit(l.at("kept.txt"), "as it was", "is "+banned))
	}
	l.refuses(`content: 'banned-\d+'`, l.Agent.Shell("echo ban > "+l.at("fine.txt")), forbidden...)
	l.wantText("kept.txt", "as it was\n")
	l.wantText("fine.txt", "ban\n")
	l.wantGone("project/new.txt")
	l.wantGone("project/shell.txt")
}

// refuses has a guard with one key of a matcher, and a model that makes a harmless
// call and then each forbidden one. Each is answered with the guard's reason; where
// a block ends the run, each has one of its own.
func (l *Lab) refuses(matcher string, fine model.Call, forbidden ...model.Call) {
	l.t.Helper()
	const reason = "DEED-REASON-63"
	l.userHook(Hook{Name: "deeds", Trigger: "pre-tool-call", Matter: "matcher:\n  " + matcher, Script: `echo "` + reason + `" >&2; exit 2`})
	l.install()
	if l.Agent.BlockEnds {
		l.run(model.Play(calls(fine), says("all is well"))).well().wantTurns(2)
		for _, call := range forbidden {
			turns := 1
			if call.Name == l.Agent.ShellTool {
				turns = 2
			}
			l.run(model.Play(calls(call), says("all is well"))).well().wantTurns(turns)
		}
		return
	}
	turns := []model.Turn{calls(fine)}
	for _, call := range forbidden {
		turns = append(turns, calls(call))
	}
	r := l.run(model.Play(append(turns, says("all is well"))...)).well()
	r.wantTurns(len(turns) + 1)
	r.wantFirst(reason, 2)
	if len(r.Turns) > len(turns) {
		told := 0
		for _, text := range r.Turns[len(turns)].Texts() {
			told += strings.Count(text, reason)
		}
		if told < len(forbidden) {
			r.errorf("%d of %d calls were answered with the reason", told, len(forbidden))
		}
	}
}

func (l *Lab) at(name string) string { return filepath.Join(l.Project, name) }

func (l *Lab) wantText(name, want string) {
	l.t.Helper()
	if b, err := os.ReadFile(l.at(name)); string(b) != want {
		l.t.Errorf("%s holds %q (%v), want %q", name, b, err, want)
	}
}

// wantGone wants no file of a name, with wildcards, below the lab's folder.
func (l *Lab) wantGone(pattern string) {
	l.t.Helper()
	if found, err := filepath.Glob(l.mark(pattern)); err != nil || len(found) > 0 {
		l.t.Errorf("%q are there, %v", found, err)
	}
}
