package shell

import (
	"slices"

	"github.com/urfave/cli/v2"
)

// A Suggestion is a word that a command line may go on with, and what it means.
type Suggestion struct{ Word, Text string }

// A Kind is what a shell completes by itself.
type Kind string

// What a shell completes.
const (
	FileNames   Kind = "files"
	FolderNames Kind = "folders"
)

// Words are what may stand in a place of a command line. Flags say theirs by
// [Offer], a command those of its arguments by [Arguments]: nothing else knows.
type Words func(Line) ([]Suggestion, Kind)

// A Line is what was typed before the word that is completed.
type Line struct {
	Args    []string          // without the command's own words
	Flags   map[string]string // as they were spelled, without hyphens
	command *cli.Command
	pending string // the flag that the next word is the value of
	ended   bool   // "--" was typed
}

// Flag is the value of a flag by any of its names, "" if it was not typed.
func (l Line) Flag(names ...string) string {
	for _, name := range names {
		if v := l.Flags[name]; v != "" {
			return v
		}
	}
	return ""
}

// Files leaves a place to the shell.
func Files(Line) ([]Suggestion, Kind) { return nil, FileNames }

// Folders is Files for folders alone.
func Folders(Line) ([]Suggestion, Kind) { return nil, FolderNames }

// Fixed are words that are always the same.
func Fixed(words ...string) Words {
	var list []Suggestion
	for _, w := range words {
		list = append(list, Suggestion{Word: w})
	}
	return func(Line) ([]Suggestion, Kind) { return slices.Clone(list), "" }
}

// Listed are words that are looked up when they are asked for.
func Listed(words func() []Suggestion) Words {
	return func(Line) ([]Suggestion, Kind) { return words(), "" }
}

// First are words for the first argument alone.
func First(words Words) Words {
	return func(l Line) ([]Suggestion, Kind) {
		if len(l.Args) > 0 {
			return nil, ""
		}
		return words(l)
	}
}

// Each are words that may each stand once.
func Each(words Words) Words {
	return func(l Line) ([]Suggestion, Kind) {
		list, kind := words(l)
		return slices.DeleteFunc(list, func(s Suggestion) bool { return slices.Contains(l.Args, s.Word) }), kind
	}
}

// offered is a flag that knows its words.
type offered struct {
	cli.Flag
	words Words
}

// Offer makes a flag say which values it may have.
func Offer(f cli.Flag, words Words) cli.Flag { return offered{f, words} }

// IsVisible is asked of a flag for the help.
func (o offered) IsVisible() bool {
	v, ok := o.Flag.(cli.VisibleFlag)
	return !ok || v.IsVisible()
}

// Bare is a flag as the library made it.
func Bare(f cli.Flag) cli.Flag {
	if o, ok := f.(offered); ok {
		return o.Flag
	}
	return f
}

// Arguments are the words of a command's arguments. They stand in the field that
// the library has for this; what is asked comes with the context.
func Arguments(words Words) cli.BashCompleteFunc {
	return func(c *cli.Context) {
		if a, ok := c.Context.Value(askingKey{}).(*asking); ok {
			a.list, a.kind = words(a.line)
		}
	}
}

// An asking is a question of Complete to a command, and its answer.
type asking struct {
	line Line
	list []Suggestion
	kind Kind
}

type askingKey struct{}
