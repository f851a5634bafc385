package hooksh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"

	"github.com/agents-hooks/agents-hooks/runner"
)

// Brings reports whether this sh can replace a program of that name, in its common
// form.
func Brings(name string) bool { return isShell(name) || program(name) != nil }

func isShell(name string) bool {
	return slices.Contains([]string{"sh", "bash", "dash", "/bin/sh", "/bin/bash", "/usr/bin/bash"}, name)
}

// program is the replacement for a program with which scripts read their event,
// handle their own files, or find the files beside them; nil for every other.
func program(name string) func(interp.HandlerContext, []string) error {
	switch name {
	case "cat":
		return cat
	case "basename":
		return func(c interp.HandlerContext, args []string) error {
			if len(args) == 0 || len(args) > 2 || strings.HasPrefix(args[0], "-") {
				return errors.New("needs a path, and the end that is cut off")
			}
			base := filepath.Base(args[0])
			if len(args) == 2 && args[1] != base {
				base = strings.TrimSuffix(base, args[1])
			}
			fmt.Fprintln(c.Stdout, base)
			return nil
		}
	case "date":
		return date
	case "dirname":
		return func(c interp.HandlerContext, args []string) error {
			if len(args) != 1 || strings.HasPrefix(args[0], "-") {
				return errors.New("needs a path")
			}
			fmt.Fprintln(c.Stdout, filepath.ToSlash(filepath.Dir(args[0])))
			return nil
		}
	case "mkdir":
		return func(c interp.HandlerContext, args []string) error {
			return each(c, args, "-p", func(path string, parents bool) error {
				if parents {
					return os.MkdirAll(path, 0o777)
				}
				return os.Mkdir(path, 0o777)
			})
		}
	case "mktemp":
		return func(c interp.HandlerContext, args []string) error {
			if len(args) > 0 {
				return errors.New("takes no arguments here")
			}
			f, err := os.CreateTemp("", "tmp.")
			if err != nil {
				return err
			}
			fmt.Fprintln(c.Stdout, filepath.ToSlash(f.Name()))
			return f.Close()
		}
	case "rm":
		return func(c interp.HandlerContext, args []string) error {
			return each(c, args, "-f", func(path string, force bool) error {
				info, err := os.Lstat(path)
				if force && errors.Is(err, fs.ErrNotExist) {
					return nil
				}
				if err == nil && info.IsDir() {
					err = fmt.Errorf("%s is a folder", path)
				}
				if err != nil {
					return err
				}
				return os.Remove(path)
			})
		}
	}
	return nil
}

// date prints the time, for scripts that write a log.
func date(c interp.HandlerContext, args []string) error {
	now := time.Now()
	if len(args) > 0 && args[0] == "-u" {
		now, args = now.UTC(), args[1:]
	}
	format := "+%a %b %e %T %Z %Y"
	if len(args) == 1 {
		format = args[0]
	}
	if len(args) > 1 || !strings.HasPrefix(format, "+") {
		return errors.New("takes -u and a +FORMAT here")
	}
	forms := map[byte]string{'Y': "2006", 'y': "06", 'm': "01", 'd': "02", 'e': "_2", 'H': "15", 'I': "03", 'M': "04", 'S': "05", 'p': "PM",
		'a': "Mon", 'A': "Monday", 'b': "Jan", 'B': "January", 'j': "002", 'z': "-0700", 'Z': "MST", 'F': "2006-01-02", 'T': "15:04:05", 'R': "15:04", 'D': "01/02/06"}
	var b strings.Builder
	for i := 1; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		switch form, known := forms[format[i]]; {
		case known:
			b.WriteString(now.Format(form))
		case format[i] == 's':
			fmt.Fprint(&b, now.Unix())
		case format[i] == 'N':
			fmt.Fprintf(&b, "%09d", now.Nanosecond())
		case format[i] == '%':
			b.WriteByte('%')
		default:
			return fmt.Errorf("%%%c is not supported here", format[i])
		}
	}
	fmt.Fprintln(c.Stdout, b.String())
	return nil
}

// each does something for each path in args, which may begin with one option.
func each(c interp.HandlerContext, args []string, option string, do func(path string, option bool) error) (err error) {
	given := len(args) > 0 && args[0] == option
	if given {
		args = args[1:]
	}
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	} else if len(args) > 0 && strings.HasPrefix(args[0], "-") {
		return fmt.Errorf("%s: only the option %s is supported here", args[0], option)
	}
	for _, path := range args {
		err = errors.Join(err, do(within(c.Dir, path), given))
	}
	return err
}

// cat prints files, or its input if no file is named.
func cat(c interp.HandlerContext, files []string) (err error) {
	if len(files) == 0 {
		files = []string{"-"}
	}
	for _, file := range files {
		err = errors.Join(err, copyFile(c, file))
	}
	return err
}

func copyFile(c interp.HandlerContext, file string) error {
	if file == "-" {
		file = "/dev/stdin"
	}
	if strings.HasPrefix(file, "-") {
		return fmt.Errorf("%s: this cat has no options", file)
	}
	f, err := open(c, file, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(c.Stdout, f)
	return err
}

// A run is the run of one script.
type run struct {
	own []string // the command that starts this process, for scripts that start a sh

	mu     sync.Mutex
	wanted []string // names of missing programs that it called
	files  []string // its own, deleted at its end
}

func (r *run) note(list *[]string, name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(*list, name) {
		*list = append(*list, name)
	}
}

// programs runs the programs that a script calls: from the PATH, else from this sh.
func (r *run) programs(next interp.ExecHandlerFunc) interp.ExecHandlerFunc {
	return func(ctx context.Context, args []string) error {
		c := interp.HandlerCtx(ctx)
		switch args[0] {
		case ownPrintf:
			return statusOf(printf(c.Stdout, c.Stderr, args[1:]))
		case ownFile:
			return r.file(c)
		}
		if path, err := interp.LookPathDir(c.Dir, c.Env, args[0]); err == nil && !namesake(path) {
			return next(ctx, args)
		}
		if isShell(args[0]) {
			return again(ctx, c, append(slices.Clone(r.own), args[1:]...))
		}
		if do := program(args[0]); do != nil {
			if err := do(c, args[1:]); err != nil {
				fmt.Fprintf(c.Stderr, "%s: %v\n", args[0], err)
				return interp.ExitStatus(1)
			}
			return nil
		}
		r.note(&r.wanted, args[0])
		fmt.Fprintf(c.Stderr, "%s: not found\n", args[0])
		return interp.ExitStatus(127)
	}
}

// namesake reports whether a program is a Windows one that has only its name in
// common with a Unix program.
func namesake(path string) bool {
	if runtime.GOOS != "windows" || !slices.Contains([]string{"bash", "find", "sort", "timeout"}, strings.ToLower(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))) {
		return false
	}
	return strings.EqualFold(filepath.Dir(path), filepath.Join(os.Getenv("SystemRoot"), "System32"))
}

func statusOf(n int) error {
	if n == 0 {
		return nil
	}
	return interp.ExitStatus(n)
}

// again runs this sh for a script that starts one.
func again(ctx context.Context, c interp.HandlerContext, argv []string) error {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = c.Dir, exported(c.Env)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, c.Stdout, c.Stderr
	err := cmd.Run()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		code := ended.ExitCode()
		if runtime.GOOS == "windows" {
			code = runner.OfOwnShell(code)
		}
		if code >= 0 && code <= 255 {
			return interp.ExitStatus(code)
		}
		return interp.ExitStatus(1) // a Windows exception, or a signal, which would lose its upper bits
	}
	if err != nil {
		fmt.Fprintln(c.Stderr, err)
		return interp.ExitStatus(126)
	}
	return nil
}

// exported are the variables that a script exports.
func exported(env expand.Environ) (out []string) {
	for name, v := range env.Each {
		if v.Exported && v.Kind == expand.String {
			out = append(out, name+"="+v.Str)
		}
	}
	return out
}

// opened opens a file for a script.
func opened(ctx context.Context, path string, flag int, perm os.FileMode) (io.ReadWriteCloser, error) {
	return open(interp.HandlerCtx(ctx), path, flag, perm)
}

// open knows the three standard streams by their Unix names.
func open(c interp.HandlerContext, path string, flag int, perm os.FileMode) (io.ReadWriteCloser, error) {
	switch path {
	case "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0":
		return stream{c.Stdin, io.Discard}, nil
	case "/dev/stdout", "/dev/fd/1":
		return stream{nil, c.Stdout}, nil
	case "/dev/stderr", "/dev/fd/2":
		return stream{nil, c.Stderr}, nil
	case "/dev/null", "NUL":
		return os.OpenFile(os.DevNull, flag&^os.O_TRUNC, perm)
	case "":
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return os.OpenFile(within(c.Dir, path), flag, perm)
}

// A stream is one of the script's own standard streams; closing it has no effect.
type stream struct {
	io.Reader
	io.Writer
}

func (stream) Close() error { return nil }

// within is a path relative to a folder. On Windows the temporary folder is
// elsewhere.
func within(dir, path string) string {
	if rest, below := strings.CutPrefix(path, "/tmp/"); below && runtime.GOOS == "windows" {
		return filepath.Join(os.TempDir(), rest)
	}
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
