// Package hooksh is the sh of a machine that has none, which is most of those with
// Windows: the interpreter of mvdan.cc/sh behind the arguments of sh.
//
//	agents-hooks __sh [-eux…] FILE [ARG …]
//	agents-hooks __sh -c LINE [NAME [ARG …]]
//
// The dispatcher starts it for a hook whose interpreter is sh, bash or dash where no
// program of that name is on the PATH. It is a process like any hook, so that time
// limits, job objects and the two streams are what they are for others.
//
// It brings the language and its builtins, and one program beside it: cat without
// options, because without that few scripts can take their event from stdin. Any other
// program has to be on the PATH. A script that starts sh itself gets this one.
//
// A script that cannot be read, or uses what the interpreter does not know, leaves with
// 1, never with 2: what this sh cannot do is no verdict of a hook.
package hooksh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"github.com/agents-hooks/agents-hooks/runner"
)

// FromProcess is Main for a process that was started with [runner.ShellVerb]; ok is
// false for every other.
func FromProcess() (exit int, ok bool) {
	if len(os.Args) < 2 || os.Args[1] != runner.ShellVerb {
		return 0, false
	}
	own, err := os.Executable()
	if err != nil {
		own = os.Args[0]
	}
	return Main([]string{own, runner.ShellVerb}, os.Args[2:], os.Stdin, os.Stdout, os.Stderr), true
}

// Main is what sh does with its arguments. own is how a process comes to be here, for
// scripts that start a sh.
func Main(own, args []string, stdin *os.File, stdout, stderr io.Writer) (exit int) {
	failed := func(err error) int {
		fmt.Fprintf(stderr, "agents-hooks sh: %v\n", err)
		return 1
	}
	s, err := read(args, stdin)
	if err != nil {
		return failed(err)
	}
	r, err := interp.New(interp.StdIO(stdin, stdout, stderr), interp.Params(s.params...), interp.CallHandler(adapted), interp.ExecHandlers(missing(own)))
	if err != nil {
		return failed(err)
	}
	err = r.Run(context.Background(), s.program)
	if status, ok := errors.AsType[interp.ExitStatus](err); ok {
		return int(status)
	}
	if err != nil {
		return failed(err)
	}
	return 0
}

// A script is what sh was told to run.
type script struct {
	program *syntax.File
	params  []string // options, and what $1 and the next ones are
}

// read takes the arguments of sh apart and reads the script.
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
				return s, fmt.Errorf("%s names no option", word)
			}
			s.params = append(s.params, word, args[0])
			args = args[1:]
			continue
		}
		line = line || word[0] == '-' && strings.Contains(word, "c")
		// Those of a login and of input from stdin are nothing here.
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
		text, name, args = f, args[0], args[1:]
	}
	s.params = append(append(s.params, "--"), args...)
	s.program, err = syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(text, name)
	return s, err
}

// missing stands in for the programs that a script without a machine of its own needs
// most, where they are not on the PATH.
func missing(own []string) func(interp.ExecHandlerFunc) interp.ExecHandlerFunc {
	return func(next interp.ExecHandlerFunc) interp.ExecHandlerFunc {
		return func(ctx context.Context, args []string) error {
			c := interp.HandlerCtx(ctx)
			if args[0] == ownPrintf {
				return statusOf(printf(c.Stdout, c.Stderr, args[1:]))
			}
			if _, err := interp.LookPathDir(c.Dir, c.Env, args[0]); err == nil {
				return next(ctx, args)
			}
			switch args[0] {
			case "cat":
				return cat(c, args[1:])
			case "sh", "bash", "dash", "/bin/sh", "/bin/bash", "/usr/bin/bash":
				return again(ctx, c, append(slices.Clone(own), args[1:]...))
			}
			return next(ctx, args)
		}
	}
}

func statusOf(n int) error {
	if n == 0 {
		return nil
	}
	return interp.ExitStatus(n)
}

// cat writes files, and its input where none is named.
func cat(c interp.HandlerContext, files []string) error {
	if len(files) == 0 {
		files = []string{"-"}
	}
	var failed error
	for _, file := range files {
		if err := copyFile(c, file); err != nil {
			fmt.Fprintf(c.Stderr, "cat: %v\n", err)
			failed = interp.ExitStatus(1)
		}
	}
	return failed
}

func copyFile(c interp.HandlerContext, file string) error {
	if file == "-" {
		_, err := io.Copy(c.Stdout, c.Stdin)
		return err
	}
	if strings.HasPrefix(file, "-") {
		return fmt.Errorf("%s: this cat has no options", file)
	}
	f, err := os.Open(within(c.Dir, file))
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(c.Stdout, f)
	return err
}

// again runs this sh for a script that starts one.
func again(ctx context.Context, c interp.HandlerContext, argv []string) error {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = c.Dir, exported(c.Env)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, c.Stdout, c.Stderr
	err := cmd.Run()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		if code := ended.ExitCode(); code >= 0 && code <= 255 {
			return interp.ExitStatus(code)
		}
		return interp.ExitStatus(1) // an exception of Windows, or a signal, which would lose its upper bits
	}
	if err != nil {
		fmt.Fprintln(c.Stderr, err)
		return interp.ExitStatus(126)
	}
	return nil
}

// exported are the variables that a script hands on.
func exported(env expand.Environ) (out []string) {
	for name, v := range env.Each {
		if v.Exported && v.Kind == expand.String {
			out = append(out, name+"="+v.Str)
		}
	}
	return out
}

// within is a path as it is from a folder.
func within(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
