package log

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/agents-hooks/agents-hooks/cmd/internal/eventlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/runner"
)

// list prints the lines that f picks.
func list(sh *shell.Shell, f runlog.Filter, o logOptions) error {
	lines, more := chosen(sh.Host.State, f, o.last)
	show := eventlog.NewPrinter(sh).Print
	n, doc := 0, document{sh: sh}
	if o.json {
		show = doc.add
	}
	var errs []error
	for l, err := range lines {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		n++
		show(l)
	}
	if err := errors.Join(errs...); err != nil && n == 0 {
		return fmt.Errorf("log: %w", err)
	} else if err != nil {
		sh.Say("log: some of it could not be read: %v", err)
	}
	if n == 0 && o.last > 0 {
		if err := whyNothing(sh, o.pick, f); err != nil {
			return err
		}
	}
	if o.json {
		return doc.end(*more)
	}
	if *more && o.last == usual {
		sh.Hints([]string{"these are the newest 20: -n 100 shows more, -n all shows everything"})
	}
	return nil
}

// chosen are the newest lines that f picks, and whether there are more. If all are wanted, they
// are yielded as they are read, so that a log of any size needs the memory of one line.
func chosen(state string, f runlog.Filter, newest int) (seq iter.Seq2[runner.LogLine, error], more *bool) {
	more = new(bool)
	if newest == math.MaxInt {
		return runlog.Lines(state, f), more
	}
	return func(yield func(runner.LogLine, error) bool) {
		lines, others, err := runlog.Newest(state, f, newest)
		*more = others
		for _, l := range lines {
			if !yield(l, nil) {
				return
			}
		}
		if err != nil {
			yield(runner.LogLine{}, err)
		}
	}, more
}

// A document is the answer as JSON, with one line for each line of the log.
type document struct {
	sh  *shell.Shell
	n   int
	err error
}

func (d *document) add(l runner.LogLine) {
	before := ",\n    "
	if d.n++; d.n == 1 {
		before = "{\n  \"schema\": 1,\n  \"lines\": [\n    "
	}
	if d.err == nil {
		d.err = d.sh.RawJSON(append([]byte(before), bytes.TrimSuffix(l.Append(nil), []byte("\n"))...))
	}
}

func (d *document) end(more bool) error {
	text := fmt.Sprintf("\n  ],\n  \"more\": %t\n}\n", more)
	if d.n == 0 {
		text = fmt.Sprintf("{\n  \"schema\": 1,\n  \"lines\": [],\n  \"more\": %t\n}\n", more)
	}
	if d.err == nil {
		d.err = d.sh.RawJSON([]byte(text))
	}
	return d.err
}
