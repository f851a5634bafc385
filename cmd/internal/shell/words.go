package shell

import (
	"slices"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
)

// Files leaves completion to the shell.
func Files(cli.Line) ([]cli.Suggestion, cli.Kind) { return nil, cli.FileNames }

// Folders is Files for folders only.
func Folders(cli.Line) ([]cli.Suggestion, cli.Kind) { return nil, cli.FolderNames }

// Fixed are words that never change.
func Fixed(words ...string) cli.Words {
	var list []cli.Suggestion
	for _, w := range words {
		list = append(list, cli.Suggestion{Word: w})
	}
	return func(cli.Line) ([]cli.Suggestion, cli.Kind) { return slices.Clone(list), "" }
}

// Listed are words that are looked up when needed.
func Listed(words func() []cli.Suggestion) cli.Words {
	return func(cli.Line) ([]cli.Suggestion, cli.Kind) { return words(), "" }
}

// First are words for only the first argument.
func First(words cli.Words) cli.Words {
	return func(l cli.Line) ([]cli.Suggestion, cli.Kind) {
		if len(l.Args) > 0 {
			return nil, ""
		}
		return words(l)
	}
}

// Each are words that may each occur once.
func Each(words cli.Words) cli.Words {
	return func(l cli.Line) ([]cli.Suggestion, cli.Kind) {
		list, kind := words(l)
		return slices.DeleteFunc(list, func(s cli.Suggestion) bool { return slices.Contains(l.Args, s.Word) }), kind
	}
}
