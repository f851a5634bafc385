// Package hooksh is a sh for machines without one, which is mostly Windows: the
// interpreter of mvdan.cc/sh with the arguments of sh.
//
//	agents-hooks __sh [-eux…] FILE [ARG …]
//	agents-hooks __sh -c LINE [NAME [ARG …]]
//
// The dispatcher starts it for a hook whose interpreter is sh, bash or dash if no such
// program is on the PATH. It is a process like any hook, so time limits, job objects
// and the two streams work as for others.
//
// It provides the language, its builtins, and the few programs that most scripts need:
// [Brings]. Any other program must be on the PATH; a script that called a missing one,
// and otherwise succeeds, exits with 127. A script that starts sh itself gets this one.
//
// A script that cannot be parsed, or uses what the interpreter does not support, exits
// with 1, never with 2: a limitation of this sh is not a verdict of a hook.
package hooksh

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"github.com/agents-hooks/agents-hooks/runner"
)

// FromProcess is Main for a process that was started with [runner.ShellVerb]; ok is
// false for every other. If the interpreter crashes in a goroutine of its own, the
// process exits with 2 like any Go program: so on Windows, which this sh is for, a
// script's own exit with 2 is reported by another number.
func FromProcess() (exit int, ok bool) {
	if len(os.Args) < 2 || os.Args[1] != runner.ShellVerb {
		return 0, false
	}
	own, err := os.Executable()
	if err != nil {
		own = os.Args[0]
	}
	debug.SetMaxStack(16 << 20) // of a function that calls itself endlessly
	exit = Main([]string{own, runner.ShellVerb}, os.Args[2:], os.Stdin, os.Stdout, os.Stderr)
	if exit == 2 && runtime.GOOS == "windows" {
		exit = runner.ShellBlocks
	}
	return exit, true
}

// Main does what sh does with its arguments. own is the command that starts this
// process, for scripts that start a sh.
func Main(own, args []string, stdin *os.File, stdout, stderr io.Writer) (exit int) {
	failed := func(err error) int {
		fmt.Fprintf(stderr, "agents-hooks sh: %v\n", err)
		return 1
	}
	s, err := read(args, stdin)
	if err != nil {
		return failed(err)
	}
	r := run{own: own}
	defer func() {
		for _, file := range r.files {
			os.Remove(file)
		}
		if fault := recover(); fault != nil {
			exit = failed(fmt.Errorf("an internal error, in a script that it cannot run: %v", fault))
		}
	}()
	i, err := interp.New(interp.StdIO(stdin, stdout, stderr), interp.Params(s.params...), interp.Env(expand.ListEnviron(append(os.Environ(), "BASH_SOURCE="+s.file)...)), interp.CallHandler(adapted), interp.ExecHandlers(r.programs), interp.OpenHandler(opened))
	if err != nil {
		return failed(err)
	}
	err = i.Run(context.Background(), s.program)
	if status, ok := errors.AsType[interp.ExitStatus](err); ok {
		exit = int(status)
	} else if err != nil {
		return failed(err)
	}
	return r.end(exit, stderr)
}

// end is the exit status of a script that called a missing program. To an if, a
// missing grep is false, and a guard lets through what it never looked at: so the
// script failed, unless it blocked.
func (r *run) end(exit int, stderr io.Writer) int {
	if len(r.wanted) == 0 || exit == 2 {
		return exit
	}
	slices.Sort(r.wanted) // in a pipe it may be any of them that is first
	fmt.Fprintf(stderr, "agents-hooks sh: the script called what is not installed here: %s\n", strings.Join(r.wanted, ", "))
	exit = cmp.Or(exit, 127)
	return exit
}

// A Script is what sh was told to run.
type script struct {
	program *syntax.File
	params  []string // options, then $1 and so on
	file    string   // that it stands in
}

// read parses sh's arguments and reads the script.
func read(args []string, stdin io.Reader) (s script, err error) {
	line := false
	for len(args) > 0 && len(args[0]) > 1 && (args[0][0] == '-' || args[0][0] == '+') {
		word := args[0]
		args = args[1:]
		if word == "--" {
			break
		}
		if word == "-o" || word == "+o" {
			if len(args) == 0 {
				return s, fmt.Errorf("%s is not an option", word)
			}
			s.params = append(s.params, word, args[0])
			args = args[1:]
			continue
		}
		line = line || word[0] == '-' && strings.Contains(word, "c")
		// Options for a login shell and for input from stdin mean nothing here.
		if word = word[:1] + strings.Map(func(r rune) rune {
			if strings.ContainsRune("cls", r) {
				return -1
			}
			return r
		}, word[1:]); len(word) > 1 {
			s.params = append(s.params, word)
		}
	}
	var text io.Reader
	name := "sh"
	switch {
	case line && len(args) == 0:
		return s, errors.New("-c needs a line")
	case line:
		text = strings.NewReader(args[0])
		if args = args[1:]; len(args) > 0 {
			name, args = args[0], args[1:]
		}
	case len(args) == 0:
		text = stdin
	default:
		f, err := os.Open(args[0])
		if err != nil {
			return s, err
		}
		defer f.Close()
		name = filepath.ToSlash(args[0]) // scripts cut it at the /
		text, s.file, args = f, name, args[1:]
	}
	s.params = append(append(s.params, "--"), args...)
	if s.program, err = syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(text, name); err != nil {
		return s, err
	}
	return s, able(name, s.program)
}
