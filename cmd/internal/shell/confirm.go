package shell

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// OnlyPerson refuses inside a hook, and where an agent may be typing: what lets
// somebody's code or text in, and what takes a guard away, is for a person to do. An
// agent can answer a question on a terminal as well as it can give a flag, so it is
// asked for before anything is shown or changed. what is the thing to be done, for
// messages.
func (sh *Shell) OnlyPerson(what string) error {
	for _, name := range ofHooks() {
		if sh.Host.Getenv(name) != "" {
			return WithHint(fmt.Errorf("%s: refused inside a hook (%s is set)", what, name), "run it in a terminal of your own")
		}
	}
	if name := agents.Marker(sh.Host.Env); name != "" {
		return WithHint(fmt.Errorf("%s: refused where an agent may have typed it (%s is set)", what, name), "run it in a terminal of your own")
	}
	return nil
}

// Confirm asks for a yes before somebody else's code is let in. What answers has
// to be a person ([Shell.OnlyPerson]), on a terminal, unless yes stands on the
// command line.
func (sh *Shell) Confirm(yes bool, question, what string) error {
	if err := sh.OnlyPerson(what); err != nil {
		return err
	}
	if yes {
		return nil
	}
	if sh.interrupted {
		return ErrInterrupted
	}
	if !IsTerminal(sh.In) {
		return WithHint(fmt.Errorf("%s: there is no terminal to ask on", what), "--yes, if you have looked at it")
	}
	answer, err := sh.answer(question)
	if err != nil && answer == "" {
		fmt.Fprintln(sh.Err)
		if sh.interrupted {
			return ErrInterrupted
		}
		return fmt.Errorf("%s: no answer", what)
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return ErrDeclined
}

// answer is the line that a person types to a question. A command that ends its work in
// order when it is interrupted would wait for the line all the same, so a question
// listens by itself, from before it can be read; the one after it is not asked any more.
func (sh *Shell) answer(question string) (string, error) {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	defer signal.Stop(stop)
	fmt.Fprintf(sh.Err, "%s [y/N] ", strings.ReplaceAll(protocol.Visible(question), "\n", "\n  "))
	typed := make(chan func() (string, error), 1)
	go func() {
		line, err := bufio.NewReader(sh.In).ReadString('\n')
		typed <- func() (string, error) { return line, err }
	}()
	select {
	case answer := <-typed:
		return answer()
	case <-stop:
		sh.interrupted = true
		return "", ErrInterrupted
	}
}

// ofHooks are variables that a hook's commands have.
func ofHooks() []string { return []string{"AGENTS_HOOKS_EVENT", "AGENTS_HOOKS_DEPTH"} }

// Person reports whether what is printed is read by a person, in a terminal of
// their own: not by an agent, nor by a hook or another program.
func (sh *Shell) Person() bool {
	for _, name := range ofHooks() {
		if sh.Host.Getenv(name) != "" {
			return false
		}
	}
	return agents.Marker(sh.Host.Env) == "" && IsTerminal(sh.Out)
}

// ErrDeclined says that the person said no; nothing was done.
var ErrDeclined = errors.New("not approved, nothing changed")

// ErrInterrupted says that the person pressed Ctrl-C at a question.
var ErrInterrupted = errors.New("interrupted at a question, which counts as no")
