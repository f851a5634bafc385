// Package outside finds what a hook runs or reads outside its folder. The approval of
// the folder does not cover that: anyone who can write to the project can change it.
//
//	for _, ref := range outside.Of(dir) {
//		fmt.Printf("%s:%d: %s: %s\n", ref.File, ref.Line, ref.Text, ref.Why)
//	}
//
// Shell scripts are parsed ([shellRefs]): sourced files, programs and scripts that are
// named by a path, directories that are added to PATH and to the search paths of
// interpreters, and programs that execute what a file of the project says, such as
// make. Paths are resolved through quotes, simple assignments, dirname "$0" and the
// variables of the format. In Python, JavaScript, Ruby and Perl a text search finds the
// usual forms ([plainRefs]). The first line of each script is checked.
//
// It helps a person who reads a hook, but proves nothing: a hook can hide what it runs.
package outside

import (
	"bytes"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// A Ref is a place in a hook where something outside its folder is run or read.
type Ref struct {
	File string `json:"file"` // below the hook's folder, with slashes
	Line int    `json:"line"`
	Text string `json:"text"` // the text there
	Why  string `json:"why"`  // what it takes from elsewhere
}

const (
	maxFiles = 500
	maxFile  = 256 << 10
	maxRefs  = 100
	maxText  = 120 // of the part that is shown
)

// Of examines the scripts in a hook's folder, up to a limit. The folder may be a
// stranger's: nothing outside it is read, and nothing blocks.
func Of(dir string) (refs []Ref) {
	if beneath.IsLink(dir) {
		return nil // it is examined in its own place
	}
	n, in := 0, beneath.At(dir)
	_ = in.Walk(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil
		}
		if n++; n > maxFiles || len(refs) >= maxRefs {
			return filepath.SkipAll
		}
		content, err := in.Read(file, maxFile)
		if err != nil || bytes.IndexByte(content, 0) >= 0 {
			return nil
		}
		rel, err := filepath.Rel(dir, file)
		if err == nil {
			refs = append(refs, inFile(filepath.ToSlash(rel), string(content), dir)...)
		}
		return nil
	})
	return refs[:min(len(refs), maxRefs)]
}

// OfCommand examines the command in a HOOK.md: a line for a shell, or words in which
// ${NAME} stands for a variable. vars are the hook's variables besides the format's
// own, "NAME=value", with shell words as values.
func OfCommand(line string, words []string, dir string, vars []string) []Ref {
	for _, w := range words {
		if strings.Contains(w, "${") {
			w = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`").Replace(w) + `"`
		} else {
			w = text.ShellQuote(w)
		}
		line += " " + w
	}
	if strings.TrimSpace(line) == "" {
		return nil
	}
	for _, v := range vars {
		if name, value, ok := strings.Cut(v, "="); ok {
			line = name + `="` + value + `"; ` + line
		}
	}
	return shellRefs("HOOK.md", line, dir)
}

// inFile examines one file.
func inFile(name, content, dir string) (refs []Ref) {
	first, _, _ := strings.Cut(content, "\n")
	line, isScript := strings.CutPrefix(first, "#!")
	interpreter, refs := shebang(name, strings.TrimSpace(line), dir)
	if !isScript {
		interpreter, refs = "", nil
	}
	switch language(name, interpreter) {
	case "sh":
		return append(refs, shellRefs(name, content, dir)...)
	case "":
		return refs
	default:
		return append(refs, plainRefs(name, content, language(name, interpreter))...)
	}
}

// language is the language of a file, if it is known here.
func language(name, interpreter string) string {
	for _, l := range []struct {
		name, interpreters string
		exts               []string
	}{
		{"sh", "sh bash dash ash ksh mksh zsh busybox", []string{".sh", ".bash"}},
		{"python", "python python2 python3 pypy pypy3 uv", []string{".py"}},
		{"js", "node nodejs deno bun tsx ts-node", []string{".js", ".mjs", ".cjs", ".ts", ".mts"}},
		{"ruby", "ruby", []string{".rb"}},
		{"perl", "perl", []string{".pl", ".pm"}},
		{"awk", "awk gawk mawk nawk goawk", []string{".awk"}},
		{"php", "php", []string{".php"}},
		{"lua", "lua luajit texlua", []string{".lua"}},
	} {
		if slices.Contains(strings.Fields(l.interpreters), strings.TrimRight(interpreter, "0123456789.")) || slices.Contains(strings.Fields(l.interpreters), interpreter) ||
			interpreter == "" && slices.Contains(l.exts, path.Ext(name)) {
			return l.name
		}
	}
	if interpreter == "" && name == "scripts/run" {
		return "sh" // as started by a runner that knows no other interpreter
	}
	return ""
}

// shebang is the name of a script's interpreter without its folder, and what is wrong
// with the line that names it.
func shebang(name, line, dir string) (interpreter string, refs []Ref) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return "", nil
	}
	program := words[0]
	at := Ref{name, 1, "#!" + line, ""}
	if path.Base(program) == "env" {
		rest := slices.DeleteFunc(words[1:], func(w string) bool { return strings.HasPrefix(w, "-") })
		for len(rest) > 1 && strings.Contains(rest[0], "=") {
			if at.Why = variable(rest[0], dir); at.Why != "" {
				refs = append(refs, at)
			}
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return "", refs
		}
		program = rest[0]
		if !strings.Contains(program, "/") {
			return program, refs
		}
	}
	if at.Why = placeOf(program, dir).why("is started by a program"); at.Why != "" {
		refs = append(refs, at)
	}
	return path.Base(program), refs
}

// variable is what is wrong with "NAME=value" before a program.
func variable(assignment, dir string) string {
	name, value, _ := strings.Cut(assignment, "=")
	what, ok := loadsFrom[name]
	if !ok {
		return ""
	}
	for _, entry := range strings.Split(value, ":") {
		if entry == "" && name != "PATH" {
			continue
		}
		if p := placeOf(entry, dir); p != system && p != inside && !strings.HasPrefix(entry, "$") {
			return what
		}
	}
	return ""
}

// loadsFrom are variables that say where code is loaded from.
var loadsFrom = map[string]string{
	"PATH": "starts programs by their names from a directory that is not fixed", "PYTHONPATH": "imports from elsewhere",
	"PYTHONSAFEPATH": "lets Python import from the working directory", "PYTHONHOME": "imports from elsewhere", "NODE_PATH": "loads packages from elsewhere",
	"NODE_OPTIONS": "loads what the options name", "RUBYLIB": "loads from elsewhere", "RUBYOPT": "loads what the options name", "PERL5LIB": "loads from elsewhere",
	"PERL5OPT": "loads what the options name", "LD_PRELOAD": "loads a library of elsewhere", "LD_LIBRARY_PATH": "loads libraries of elsewhere",
	"DYLD_INSERT_LIBRARIES": "loads a library of elsewhere", "BASH_ENV": "sources a file of elsewhere", "ENV": "sources a file of elsewhere", "CDPATH": "changes into directories of elsewhere",
}

// A place is where a path leads, as seen from a hook.
type place int

const (
	byName   place = iota // not a path: a program on the PATH
	inside                // the hook's folder
	system                // where the system keeps programs, or the user's own files
	working               // below the working directory
	project               // the project, or the hook's folder in it
	leaving               // outside the hook's folder
	unknown               // a variable decides
	absolute              // anywhere else
)

// why says what is taken from there, "" if there is nothing to report.
func (p place) why(what string) string {
	switch p {
	case working:
		return what + " of the working directory"
	case project:
		return what + " of the project"
	case leaving:
		return what + " outside of the hook's folder, which is not there where the hook runs"
	case unknown:
		return what + " that cannot be told from the script"
	case absolute:
		return what + " outside of the hook's folder"
	}
	return ""
}

// Marks for the folders that a path may begin with.
const (
	hookMark    = "\x01hook"    // the hook's folder
	projectMark = "\x01project" // the project, or the working directory
	homeMark    = "\x01home"    // something of the user's
	anyMark     = "\x01any"     // unknown
)

// placeOf is where a path leads that is written in a hook in a folder.
func placeOf(p, dir string) place {
	switch {
	case strings.HasPrefix(p, hookMark):
		rest := path.Clean("x" + strings.TrimPrefix(p, hookMark))
		if strings.Contains(p, anyMark) && strings.Contains(p, "..") {
			return unknown
		}
		if rest == "x" || strings.HasPrefix(rest, "x/") {
			return inside
		}
		return leaving
	case strings.HasPrefix(p, projectMark):
		return project
	case strings.HasPrefix(p, homeMark), strings.HasPrefix(p, "~"):
		return system
	case strings.HasPrefix(p, anyMark):
		return unknown
	case !strings.Contains(p, "/") && p != "." && p != ".." && p != "":
		return byName
	case !strings.HasPrefix(p, "/"):
		return working
	}
	p = path.Clean(p)
	if hook := filepath.ToSlash(dir); p == hook || strings.HasPrefix(p, hook+"/") {
		return project // by its name there, not by the copy's
	}
	for _, top := range []string{"/bin", "/sbin", "/usr", "/opt", "/nix", "/lib", "/lib64", "/etc", "/System", "/Library", "/dev", "/snap", "/run/current-system"} {
		if p == top || strings.HasPrefix(p, top+"/") {
			return system
		}
	}
	return absolute
}

// shown is a place in a script as it is printed.
func shown(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + " …"
	}
	return text
}
