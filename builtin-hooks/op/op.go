package op

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
)

// A Text is one text in the languages that we speak.
type Text struct{ English, Chinese string }

// In is the text in a language: English, where it is not there in Chinese.
func (t Text) In(chinese bool) string {
	if chinese && t.Chinese != "" {
		return t.Chinese
	}
	return t.English
}

// An Op is one operation.
type Op struct {
	Name    string // of the tool: node_create
	Command string // of the command, below that of its behaviour: "node create"; "" if there is none
	Near    string // the whole command that a model is told of, where that is not Command alone
	People  Text   // one line of help
	Model   Text   // what it does, for whoever chooses among tools, or wants to know more
	Args    []Arg
	// Words are the arguments that the command takes without a flag, in this
	// order.
	Words []string
	Rest  bool     // the last of them takes all that is left
	Usage string   // how they stand in the help, where it is not [NAME] for each
	Order []string // of the flags in the help, where it is not that of Args
	Wants string   // what the words are, in a message that asks for them

	ReadOnly    bool // changes nothing that is kept
	Destructive bool // takes something away
	Idempotent  bool // doing it twice is doing it once
	Core        bool // of the small set that a model is offered at once
	Person      bool // for people only: no tool is made of it
	Once        bool // a model is told the answer as text alone, with no structure beside it
	// ListsRequired is that the schema says what is required even where nothing is.
	ListsRequired bool

	Needs Needs
	// Do does it, with arguments that are as the table says; with OwnArgs it takes
	// them itself, because it knows some that a caller need not say.
	Do      func(ctx context.Context, c Call) (any, error)
	OwnArgs bool
	// Offer lists what an argument may be, by the From of its declaration; nil if
	// none has one. The arguments of the call are what was said already, unchecked.
	Offer func(from string, c Call) []Word
}

// Run does an operation. A *[Fault] says what is wrong with the arguments, an
// *[Error] what is wrong with the call; any other error is one of the machine.
func (o *Op) Run(ctx context.Context, c Call) (any, error) {
	if !o.OwnArgs {
		var err error
		if c.Args, err = o.Take(c.Args); err != nil {
			return nil, err
		}
	}
	return o.Do(ctx, c)
}

// Needs is what has to be there before an operation can be done. One that needs
// the network reaches beyond this machine, and a client is told so.
type Needs uint8

// Has reports whether all of some needs are among these.
func (n Needs) Has(some Needs) bool { return n&some == some }

const (
	Project Needs = 1 << iota // a folder that it is about
	Store                     // files of its behaviour
	Session                   // the id of an agent's session, said or known
	Network                   // a server
)

// A Call is one call of an operation.
type Call struct {
	Dir     string   // where it is called
	Project string   // the root of the project there, else Dir
	Session string   // of the agent, "" if nobody said
	Agent   string   // its id, "" if it is none
	Person  bool     // a person asks, in a terminal of their own
	Env     []string // of the caller, with the project
	Args    Object
}

// Getenv is a variable of the caller, "" if there is none.
func (c Call) Getenv(name string) string { return setting.Getenv(c.Env, name) }

// A Set is the operations of one behaviour.
type Set struct {
	Name  string
	About string // one line, for models
	Ops   []Op
	// InOrder is that what changes something takes a moment, and is done in the order in which
	// it is asked for, even if much comes at once.
	InOrder bool
}

// A Word is something that an argument may be, and what it means.
type Word struct{ Word, Text string }

// ForModels is the operation without the arguments that only people have.
func (o Op) ForModels() Op {
	o.Args = slices.DeleteFunc(slices.Clone(o.Args), func(a Arg) bool { return a.NoTool })
	return o
}

// Find is the operation of a name.
func Find(list []Op, name string) (Op, bool) {
	for _, o := range list {
		if o.Name == name {
			return o, true
		}
	}
	return Op{}, false
}

// Arg is the argument of a name; ok is false if there is none.
func (o *Op) Arg(name string) (Arg, bool) {
	for _, a := range o.Args {
		if a.Name == name {
			return a, true
		}
	}
	return Arg{}, false
}

// An Error is an operation that was refused, and what can be done about it. Its
// code is one that agents know: BAD_ARGUMENT, NOT_FOUND, or the behaviour's own.
type Error struct {
	Code    string
	Message string
	Fix     string // "" if nothing can be said
	Cause   error  // what failed, for callers that have words of their own for it; nil: it was refused
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }
func (e *Error) Unwrap() error { return e.Cause }

// Usage reports whether the call itself was wrong.
func (e *Error) Usage() bool { return e.Code == BadArgument || e.Code == InvalidParams }

// Codes of a call that was wrong.
const (
	BadArgument   = "BAD_ARGUMENT"
	InvalidParams = "INVALID_PARAMS" // as the original of workspaces calls it
)

// Fail makes an Error.
func Fail(code, fix, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Fix: fix}
}

// Kebab makes raw-context of rawContext, and gene-id of gene_id.
func Kebab(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case r >= 'A' && r <= 'Z':
			b.WriteByte('-')
			r += 'a' - 'A'
		case r == '_':
			r = '-'
		}
		b.WriteRune(r)
	}
	return b.String()
}
