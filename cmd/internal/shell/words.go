package shell

import (
	"slices"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
)

// Files leaves a place to the shell.
func Files(cli.Line) ([]cli.Suggestion, cli.Kind) { return nil, cli.FileNames }

// Folders is Files for folders alone.
func Folders(cli.Line) ([]cli.Suggestion, cli.Kind) { return nil, cli.FolderNames }

// Fixed are words that are always the same.
func Fixed(words ...string) cli.Words {
	var list []cli.Suggestion
	for _, w := range words {
		list = append(list, cli.Suggestion{Word: w})
	}
	return func(cli.Line) ([]cli.Suggestion, cli.Kind) { return slices.Clone(list), "" }
}

// Listed are words that are looked up when they are asked for.
func Listed(words func() []cli.Suggestion) cli.Words {
	return func(cli.Line) ([]cli.Suggestion, cli.Kind) { return words(), "" }
}

// First are words for the first argument alone.
func First(words cli.Words) cli.Words {
	return func(l cli.Line) ([]cli.Suggestion, cli.Kind) {
		if len(l.Args) > 0 {
			return nil, ""
		}
		return words(l)
	}
}

// Each are words that may each stand once.
func Each(words cli.Words) cli.Words {
	return func(l cli.Line) ([]cli.Suggestion, cli.Kind) {
		list, kind := words(l)
		return slices.DeleteFunc(list, func(s cli.Suggestion) bool { return slices.Contains(l.Args, s.Word) }), kind
	}
}
