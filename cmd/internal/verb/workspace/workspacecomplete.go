package workspace

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/desk"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// words completes an argument of an operation by its declaration: the words it
// is limited to, or the ids that there are.
func words(sh *shell.Shell, a desk.Arg) shell.Words {
	return func(l shell.Line) ([]shell.Suggestion, shell.Kind) { return workspaceArgWords(sh, l, a), "" }
}

// positionalWords completes the arguments that stand without a flag.
func positionalWords(sh *shell.Shell, op desk.Tool, names []string) shell.Words {
	return func(l shell.Line) ([]shell.Suggestion, shell.Kind) {
		if len(l.Args) >= len(names) {
			return nil, ""
		}
		a, _ := op.Arg(names[len(l.Args)])
		return words(sh, a)(l)
	}
}

func workspaceArgWords(sh *shell.Shell, line shell.Line, a desk.Arg) []shell.Suggestion {
	place := workspace.Find(sh.Host.Home, sh.Host.Data, sh.Host.Getenv("AGENTS_HOOKS_WORKSPACE_DIR"), sh.Host.Now().Location(), sh.Host.Getenv)
	switch {
	case a.Words != nil:
		return fixed(a.Words)
	case a.Name == "topic":
		return fixed(desk.TopicIDs())
	case a.Name == "workspaceId":
		entries, _ := place.Index()
		var list []shell.Suggestion
		for _, e := range entries {
			list = append(list, shell.Suggestion{Word: e.ID, Text: shell.Plain(e.Name)})
		}
		return list
	case strings.HasSuffix(a.Name, "odeId") || a.Name == "parentId" || a.Name == "newParentId" || a.Name == "rootId":
		return nodeWords(sh, line, place)
	case a.Name == "sessionId":
		var list []shell.Suggestion
		for _, b := range place.Bindings() {
			list = append(list, shell.Suggestion{Word: b.Session, Text: b.Workspace})
		}
		return list
	}
	return nil
}

// nodeWords are the nodes of the workspace that is named, or of the only one here.
func nodeWords(sh *shell.Shell, line shell.Line, place workspace.Place) []shell.Suggestion {
	id := line.Flag("workspace-id", "workspace", "workspaceId")
	if here := place.At(sh.Host.WorkDir); id == "" && len(here) == 1 {
		id = here[0].ID
	}
	s, err := place.Open(id)
	if err != nil {
		return nil
	}
	var list []shell.Suggestion
	for _, n := range s.Graph.Nodes() {
		list = append(list, shell.Suggestion{Word: n.ID(), Text: n.Status() + ": " + shell.Plain(s.Title(n))})
	}
	return list
}

func fixed(words []string) []shell.Suggestion {
	list, _ := shell.Fixed(words...)(shell.Line{})
	return list
}
