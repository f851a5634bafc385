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

// OnlyPerson refuses inside a hook, and where an agent may be typing: what admits
// foreign code or text, or removes a guard, is for a person to do. An agent can
// answer a question on a terminal as well as it can give a flag, so this is checked
// before anything is shown or changed. what names the action, for messages.
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

// Confirm asks before foreign code is admitted. Only a person may answer
// ([Shell.OnlyPerson]), on a terminal, unless the command line already says yes.
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
	answer, err := sh.Asked(question, "y/N", what)
	if err != nil {
		return err
	}
	switch answer {
	case "y", "yes":
		return nil
	}
	return ErrDeclined
}

// Asked is what a user types in reply to a question with some answers, in lower case.
func (sh *Shell) Asked(question, answers, what string) (string, error) {
	answer, err := sh.answer(question, answers)
	if err != nil && answer == "" {
		fmt.Fprintln(sh.Err)
		if sh.interrupted {
			return "", ErrInterrupted
		}
		return "", fmt.Errorf("%s: %w", what, errNoAnswer)
	}
	return strings.ToLower(strings.TrimSpace(answer)), nil
}

// answer is the line that a user types in reply. A command that handles interrupts
// itself would still wait for the line, so a question listens for them, from before
// it can be read; after one, no further question is asked.
func (sh *Shell) answer(question, answers string) (string, error) {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	defer signal.Stop(stop)
	fmt.Fprintf(sh.Err, "%s [%s] ", strings.ReplaceAll(protocol.Visible(question), "\n", "\n  "), answers)
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

// ofHooks are variables that are set for a hook's commands.
func ofHooks() []string { return []string{"AGENTS_HOOKS_EVENT", "AGENTS_HOOKS_DEPTH"} }

// Person reports whether a person reads the output, in a terminal of their own: not
// an agent, a hook or another program.
func (sh *Shell) Person() bool {
	for _, name := range ofHooks() {
		if sh.Host.Getenv(name) != "" {
			return false
		}
	}
	return agents.Marker(sh.Host.Env) == "" && IsTerminal(sh.Out)
}

// ErrDeclined says that the user said no; nothing was done.
var ErrDeclined = errors.New("not approved, nothing changed")

var errNoAnswer = errors.New("no answer")

// ErrInterrupted says that the user pressed Ctrl-C at a question.
var ErrInterrupted = errors.New("interrupted at a question, which counts as no")
