package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Flag is a command's flag: an [Of], or something built around one.
type Flag interface {
	Names() []string
	About() string // the usage
	IsVisible() bool
	TakesValue() bool
	Default() string // as the help shows it, "" if it takes no value
	Offers() Words   // the possible values; nil: not declared

	offer(Words)
	start() any // a pointer to a value of its own
}

// Of is a flag whose value is a T. A word in back quotes in the usage is the help's
// name for the value.
type Of[T any] struct {
	Name    string
	Aliases []string
	Usage   string
	Value   T // if it is not given
	Hidden  bool

	offers Words
}

// The kinds of flags.
type (
	BoolFlag     = Of[bool]
	StringFlag   = Of[string]
	IntFlag      = Of[int]
	Int64Flag    = Of[int64]
	Uint64Flag   = Of[uint64]
	Float64Flag  = Of[float64]
	DurationFlag = Of[time.Duration]
	// StringSliceFlag may be given several times, with several words separated by
	// commas.
	StringSliceFlag = Of[commaWords]
	// ListFlag may be given several times; its words are sentences that may contain
	// commas.
	ListFlag = Of[words]
)

type (
	commaWords []string
	words      []string
)

// help is the flag that each command has.
var help Flag = &BoolFlag{Name: "help", Aliases: []string{"h"}, Usage: "show help"}

// Names are the name and the other names, without hyphens.
func (f *Of[T]) Names() []string { return append([]string{f.Name}, f.Aliases...) }

// About is the usage.
func (f *Of[T]) About() string { return f.Usage }

// IsVisible reports whether the help shows it.
func (f *Of[T]) IsVisible() bool { return !f.Hidden }

// TakesValue reports whether a value follows.
func (f *Of[T]) TakesValue() bool { _, is := any(f.Value).(bool); return !is }

// Default is the value if it is not given.
func (f *Of[T]) Default() string {
	switch v := any(f.Value).(type) {
	case bool, commaWords, words:
		return ""
	case string:
		return v
	default:
		if s := fmt.Sprint(v); s != "0" {
			return s
		}
		return ""
	}
}

// Offers are the words from [Offer].
func (f *Of[T]) Offers() Words { return f.offers }

func (f *Of[T]) offer(w Words) { f.offers = w }

func (f *Of[T]) start() any {
	v := f.Value
	return &v
}

// read sets a flag's value from a word of the command line.
func read(to any, word string) bool {
	var err error
	switch to := to.(type) {
	case *bool:
		*to, err = strconv.ParseBool(word)
	case *string:
		*to = word
	case *int:
		var n int64
		n, err = strconv.ParseInt(word, 0, strconv.IntSize)
		*to = int(n)
	case *int64:
		*to, err = strconv.ParseInt(word, 0, 64)
	case *uint64:
		*to, err = strconv.ParseUint(word, 0, 64)
	case *float64:
		*to, err = strconv.ParseFloat(word, 64)
	case *time.Duration:
		*to, err = time.ParseDuration(word)
	case *commaWords:
		for w := range strings.SplitSeq(word, ",") {
			*to = append(*to, strings.TrimSpace(w))
		}
	case *words:
		*to = append(*to, word)
	}
	return err == nil
}

// IsSet reports whether a flag was given.
func (c *Context) IsSet(name string) bool {
	for ; c != nil; c = c.parent {
		if _, has := c.given.values[name]; has {
			return c.given.typed[name] != ""
		}
	}
	return false
}

// value is the value of a flag of the command or of one above it.
func value[T any](c *Context, name string) (v T) {
	for ; c != nil; c = c.parent {
		if at, has := c.given.values[name]; has {
			return *at.(*T) // whoever asks has declared it
		}
	}
	return v
}

// Values of flags: what was given, or else their default Value; nothing if there is
// no flag of that name.
func (c *Context) Bool(name string) bool              { return value[bool](c, name) }
func (c *Context) String(name string) string          { return value[string](c, name) }
func (c *Context) Int(name string) int                { return value[int](c, name) }
func (c *Context) Int64(name string) int64            { return value[int64](c, name) }
func (c *Context) Uint64(name string) uint64          { return value[uint64](c, name) }
func (c *Context) Float64(name string) float64        { return value[float64](c, name) }
func (c *Context) Duration(name string) time.Duration { return value[time.Duration](c, name) }
func (c *Context) StringSlice(name string) []string   { return value[commaWords](c, name) }
func (c *Context) List(name string) []string          { return value[words](c, name) }
