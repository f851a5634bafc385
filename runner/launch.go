package runner

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// A launchError is why a hook could not be started, in words for its author.
type launchError struct{ msg string }

func (e *launchError) Error() string { return e.msg }

func launchErrorf(format string, args ...any) error {
	return &launchError{fmt.Sprintf(format, args...)}
}

// lookPath finds a program by name in the PATH of env, "" if there is none.
// Relative directories in a PATH are passed over: which program they mean would
// depend on the repository that the agent works in.
func lookPath(name string, env []string) string {
	for _, dir := range filepath.SplitList(variable(env, "PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		for _, ext := range executableExts(name, env) {
			path := filepath.Join(dir, name+ext)
			if info, err := os.Stat(path); err == nil && executable(path, info) {
				return path
			}
		}
	}
	return ""
}

// shell is the fallback for a text file without a #! line, as every shell has it: a
// guard must not vanish because of ENOEXEC.
func shell(path string, err error, env []string) []string {
	if !errors.Is(err, syscall.ENOEXEC) || bytes.IndexByte(head(path, entryHead), 0) >= 0 {
		return nil
	}
	if sh := lookPath("sh", env); sh != "" {
		return []string{sh, path}
	}
	return nil
}

// explain says why a program that is there could not be started.
func explain(argv []string, err error) error {
	path := argv[0]
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, serr := os.Stat(path); serr != nil {
			return launchErrorf("%q does not exist", path)
		}
		interpreter, _ := shebang(path)
		if strings.HasSuffix(interpreter, "\r") {
			return launchErrorf("%q has Windows line ends, so its first line names the interpreter %q; save it with LF", path, interpreter)
		}
		if interpreter != "" {
			return launchErrorf("interpreter %q, named by the first line of %q, does not exist", interpreter, path)
		}
		return launchErrorf("%q needs a loader or library that does not exist", path)
	case errors.Is(err, fs.ErrPermission):
		if interpreter, _ := shebang(path); interpreter != "" && mayExecute(path) {
			return launchErrorf("interpreter %q, named by the first line of %q, must not be executed (permission denied)", interpreter, path)
		}
		return launchErrorf("%q must not be executed: permission denied", path)
	case errors.Is(err, syscall.ENOEXEC):
		return launchErrorf("%q is not a program of this system and has no #! line", path)
	case errors.Is(err, syscall.E2BIG):
		return launchErrorf("the environment is too large for the system to start a program with it")
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.ENOMEM):
		return launchErrorf("the system can start no further process: %v", cause(err))
	case errors.Is(err, syscall.ETXTBSY):
		return launchErrorf("%q is open for writing", path)
	}
	return launchErrorf("%q cannot be started: %v", path, cause(err))
}

// missing finds out, after exit code 126 or 127, whether a script that asks env
// for its interpreter failed because there is none: then nothing of the hook
// ran.
func missing(path string, env []string) error {
	name := askedOfEnv(path)
	if name == "" || lookPath(name, env) != "" {
		return nil
	}
	return launchErrorf("interpreter %q, named by the first line of %q, was not found in PATH %q", name, path, variable(env, "PATH"))
}

// askedOfEnv is the interpreter that a script asks env for by its name, "" if it
// does not.
func askedOfEnv(path string) string {
	interpreter, arg := shebang(path)
	if filepath.Base(interpreter) != "env" || arg == "" {
		return ""
	}
	words := strings.Fields(arg)
	if words[0] == "-S" && len(words) > 1 {
		words = words[1:]
	}
	name := words[0]
	if strings.HasPrefix(name, "-") || strings.Contains(name, "=") || strings.ContainsAny(name, separators) {
		return ""
	}
	return name
}

// shebang reads the first line of a script: the interpreter, and what follows.
func shebang(path string) (interpreter, arg string) {
	line, _, _ := bytes.Cut(head(path, entryHead), []byte("\n"))
	rest, ok := bytes.CutPrefix(line, []byte("#!"))
	if !ok {
		return "", ""
	}
	interpreter, arg, _ = strings.Cut(strings.Trim(string(rest), " \t"), " ")
	return interpreter, strings.TrimSpace(arg)
}

// entryHead is how much of an entry is read for its first line.
const entryHead = 512

// head is how a file begins, nil if it cannot be read. It waits for nobody: the entry
// may have been replaced by a pipe by now.
func head(path string, most int64) []byte {
	f, err := safefile.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	b, _ := io.ReadAll(io.LimitReader(f, most))
	return b
}

// cause is what lies behind an error that names a path already.
func cause(err error) error {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno
	}
	return err
}
