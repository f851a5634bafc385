package discovery

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// Home is the folder that the hook runs from.
func (h *Hook) Home() string {
	if h.Copy != "" {
		return h.Copy
	}
	return h.Dir
}

// entryNames are the names that a hook's entry may have, in the order in which they are
// tried (HM-FMT-41, HM-FMT-45).
func entryNames(goos string) []string {
	if goos == "windows" {
		return []string{"run.exe", "run.cmd", "run.ps1", "run", "run.sh", "run.py"}
	}
	return []string{"run", "run.sh", "run.py"}
}

// findEntry finds what to start for a hook. The hook is broken if there is nothing, or
// if it lies outside the hook's folder.
func (h *Hook) findEntry(goos string) {
	if h.Entry.Builtin || len(h.Entry.Argv) > 0 {
		return
	}
	if h.Command.Line != "" || h.Command.Words != nil {
		h.commandEntry(goos)
		return
	}
	var passed []Problem
	home := h.Home()
	for _, name := range entryNames(goos) {
		file := filepath.Join(home, "scripts", name)
		mode, real, err := entryMode(file, home)
		if errors.Is(err, fs.ErrNotExist) || beneath.NoFolder(err) {
			continue
		}
		at := Problem{File: filepath.Join(h.Dir, "scripts", name), Field: "entry", Severity: Warning}
		if err != nil {
			at.Severity, at.Fatal, at.Fix = Error, true, "put the file itself into the hook's folder"
			at.Message = "scripts/" + name + ": " + safefile.Reason(err)
			h.breakWith(at)
			return
		}
		argv, why := h.argvOf(name, real, mode, goos)
		if argv != nil {
			h.Entry = Entry{Path: real, Argv: argv}
			h.Problems = append(h.Problems, passed...)
			return
		}
		at.Message, at.Fix = "scripts/"+name+" "+why.what+"; the next entry is tried", strings.Replace(why.fix, home, h.Dir, 1)
		passed = append(passed, at)
	}
	h.noEntry(passed, goos)
}

// entryMode returns the mode of an entry and, if there are links in its path, the path
// without them. Leading out of the hook's folder is an error.
func entryMode(file, dir string) (mode fs.FileMode, real string, err error) {
	scripts, err := os.Lstat(filepath.Dir(file))
	if err != nil {
		return 0, "", err
	}
	info, err := os.Lstat(file)
	if err != nil {
		return 0, "", err
	}
	real = file
	if scripts.Mode()&fs.ModeSymlink != 0 || info.Mode()&fs.ModeSymlink != 0 {
		if real, err = safefile.Resolve(file, dir); err != nil {
			return 0, "", err
		}
		if info, err = os.Lstat(real); err != nil {
			return 0, "", err
		}
	}
	if !info.Mode().IsRegular() {
		return 0, "", safefile.Irregular(info.Mode())
	}
	return info.Mode(), real, nil
}

// whyNot says why a file cannot be an entry as it is.
type whyNot struct{ what, fix string }

// argvOf is the command line that starts an entry, nil if it cannot be started.
func (h *Hook) argvOf(name, file string, mode fs.FileMode, goos string) ([]string, whyNot) {
	executable := mode.Perm()&0o111 != 0
	ext := path.Ext(name)
	if goos == "windows" {
		return h.windowsArgv(ext, file)
	}
	if ext == "" {
		if !executable {
			return nil, whyNot{"is not executable", "chmod +x " + file}
		}
		return []string{file}, whyNot{}
	}
	if executable && h.shebang(file) != "" {
		return []string{file}, whyNot{}
	}
	if ext == ".py" {
		return []string{"python3", file}, whyNot{}
	}
	return []string{"sh", file}, whyNot{}
}

// windowsArgv is argvOf for systems without executable bits and #! lines: the
// interpreter of a #! line is looked up by its bare name.
func (h *Hook) windowsArgv(ext, file string) ([]string, whyNot) {
	switch ext {
	case ".exe", ".com", ".cmd", ".bat":
		return []string{file}, whyNot{}
	case ".ps1":
		return []string{"powershell", "-NoProfile", "-ExecutionPolicy", "Bypass", "-File", file}, whyNot{}
	}
	words := strings.Fields(h.shebang(file))
	if len(words) > 0 && path.Base(words[0]) == "env" {
		words = slices.DeleteFunc(words[1:], func(w string) bool { return w == "-S" })
	}
	switch {
	case len(words) > 0:
		words[0] = path.Base(words[0])
		if words[0] == "python3" {
			words[0] = "python"
		}
		return append(words, file), whyNot{}
	case ext == ".sh":
		return []string{"sh", file}, whyNot{}
	case ext == ".py":
		return []string{"python", file}, whyNot{}
	}
	return nil, whyNot{"has no #! line that tells its interpreter", "add one, or name it run.cmd, run.ps1 or run.exe"}
}

// shebang is what follows #! on the first line of a file, "" if there is no such line.
func (h *Hook) shebang(file string) string {
	f, err := h.below(file).Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	buf := make([]byte, 256)
	n, _ := f.Read(buf)
	line, _, _ := bytes.Cut(buf[:n], []byte("\n"))
	rest, ok := bytes.CutPrefix(line, []byte("#!"))
	if !ok {
		return ""
	}
	return strings.TrimSpace(string(rest))
}

// noEntry breaks a hook that has nothing to start, and says what was found in place of
// an entry.
func (h *Hook) noEntry(passed []Problem, goos string) {
	p := Problem{File: h.File, Field: "entry", Severity: Error, Fatal: true,
		Message: "there is no scripts/run, scripts/run.sh or scripts/run.py",
		Fix:     "add an executable file scripts/run"}
	if len(passed) > 0 {
		p.Message = strings.TrimSuffix(passed[0].Message, "; the next entry is tried") + ", and there is no other entry"
		p.Fix = passed[0].Fix
		h.breakWith(p)
		return
	}
	if have := strays(h.Dir, goos); len(have) > 0 {
		ext := path.Ext(have[0])
		if ext != ".py" && ext != ".sh" {
			ext = ""
		}
		p.Value = strings.Join(have, ", ")
		p.Message += fmt.Sprintf("; %s is no entry", p.Value)
		p.Fix = fmt.Sprintf("rename %s to scripts/run%s", have[0], ext)
	}
	h.breakWith(p)
}

// Within is the folder that the hook's files must not lead out of: the project of a
// project hook, "" for the user's own.
func (h *Hook) Within(file string) string {
	project := filepath.Dir(filepath.Dir(filepath.Dir(h.Dir)))
	if h.Layer != ProjectLayer || !safefile.Inside(file, project) {
		return ""
	}
	return project
}

// below is the root in which a file of the hook is opened.
func (h *Hook) below(file string) *beneath.Root {
	if project := h.Within(file); project != "" {
		return beneath.At(project)
	}
	return nil
}

// strays are files of a hook that its author may have taken for the entry: those in
// scripts, and those beside it that are named like an entry.
func strays(dir, goos string) []string {
	var out []string
	for _, sub := range []string{"scripts", ""} {
		entries, err := os.ReadDir(filepath.Join(dir, sub))
		if err != nil {
			continue
		}
		for _, e := range entries {
			ext := path.Ext(e.Name())
			script := ext == ".sh" || ext == ".py" || ext == "" || ext == ".js" || ext == ".rb"
			if e.Type().IsRegular() && (sub != "" && script || slices.Contains(entryNames(goos), e.Name())) && len(out) < 3 {
				out = append(out, path.Join(sub, e.Name()))
			}
		}
	}
	return out
}

// handlerBeside reports whether a folder has a file handler.*, the entry of another
// program's hooks.
func handlerBeside(dir string) bool {
	entries, _ := os.ReadDir(dir)
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return strings.HasPrefix(e.Name(), "handler.")
	})
}
