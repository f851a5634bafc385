package bring

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// maxScript is how much of a script is searched.
const maxScript = 256 << 10

// scriptsOf examines what a command runs: whether it exists, and whether it needs what only its own
// agent provides. Nothing is run.
func (f *finder) scriptsOf(h *Hook, e Entry) refusal {
	words := f.wordsOf(e)
	if line := e.command() + strings.Join(words, " "); strings.Contains(line, "${tool_input") {
		return "it is given parts of the call in its command (${tool_input…}): let it read them on stdin"
	}
	for _, name := range f.unset(e) {
		h.differs("%s is set by nobody here", name)
	}
	f.writes(h, e)
	texts := []string{e.command()}
	for i, word := range words {
		path, known := f.expand(word, e)
		if !known || !isPath(word) || i > 0 && !scriptName(path) {
			continue
		}
		in := f.inside(path, e)
		info, err := in.Stat(path)
		switch {
		case err != nil && (i == 0 || scriptName(path)) && mustBe(words, i):
			return refusal(fmt.Sprintf("%s is not there: %s", f.h.Short(path), beneath.Why(err)))
		case err != nil:
		case info.IsDir():
			if i == 0 {
				return refusal(fmt.Sprintf("%s is a folder, and no command", f.h.Short(path)))
			}
		default:
			if b, err := in.Read(path, maxScript); err == nil {
				texts = append(texts, string(b))
			}
			if mustBe(words, i) && f.fromWhereItRuns(word, e) {
				h.differs("%s is found from the project's root alone: in a folder below, where the session may be, it fails there as it will here%s", word, h.blocks(interpreterAt(words, i)))
			}
			if i == 0 && info.Mode().Perm()&0o111 == 0 && f.h.GOOS != "windows" {
				h.differs("%s is not executable, so it fails there as it will here: chmod +x it", f.h.Short(path))
			}
		}
	}
	if len(words) > 0 && !isPath(words[0]) && !f.onPath(words[0]) {
		h.differs("%s is not on your PATH", words[0])
	}
	if e.Agent != nil && e.Agent == h.Speaks && e.Agent.Custom.Misread != nil {
		for _, text := range texts {
			if why := e.Agent.Custom.Misread(text); why != "" {
				h.differs("%s", why)
			}
		}
	}
	return needsOwn(e, h.Speaks, texts)
}

// fromWhereItRuns reports whether a hook finds a file only from the folder that it runs in, which
// follows the session. A relative word that [finder.expand] knows is one of a project's.
func (f *finder) fromWhereItRuns(word string, e Entry) bool {
	if folder, _ := f.folderOf(e); folder != (place{}) {
		return false
	}
	return !filepath.IsAbs(word) && !strings.ContainsAny(word[:1], "~$/")
}

// writes reports files that a shell line writes to in folders that do not exist, such as the folder
// of an agent that is not installed. A line with mkdir is assumed to make its own folders.
func (f *finder) writes(h *Hook, e Entry) {
	if _, exec := e.args(); exec || hasWord(e.command(), "mkdir") {
		return
	}
	line := e.command()
	parsed, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		return
	}
	var told []string
	syntax.Walk(parsed, func(n syntax.Node) bool {
		r, ok := n.(*syntax.Redirect)
		if !ok || r.Word == nil || !slices.Contains([]syntax.RedirOperator{syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll}, r.Op) {
			return true
		}
		word := strings.NewReplacer(`"`, "", `'`, "").Replace(line[r.Word.Pos().Offset():r.Word.End().Offset()])
		path, known := f.expand(word, e)
		if !known || slices.Contains(told, path) {
			return true
		}
		if _, err := f.inside(path, e).Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
			told = append(told, path)
			h.differs("it writes to %s, whose folder is not there: make that (mkdir -p), or it fails", f.h.Short(path))
		}
		return true
	})
}

// unset are variables at the beginning of a path in the command that are set neither in it, nor for
// it, nor on this machine.
func (f *finder) unset(e Entry) (names []string) {
	for _, word := range f.wordsOf(e) {
		rest, ok := strings.CutPrefix(word, "$")
		if !ok || !strings.Contains(word, "/") {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(rest, "{"), "/")
		name = strings.TrimSuffix(name, "}")
		if _, known := f.expand("${"+name+"}/x", e); variable(name) && !known && f.h.Getenv(name) == "" && !strings.Contains(e.command(), name+"=") && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// mustBe reports whether the command cannot work without its i-th word: the program itself, or an
// interpreter's script.
func mustBe(words []string, i int) bool {
	if i == 0 {
		return true
	}
	for _, w := range words[1:i] {
		if !strings.HasPrefix(w, "-") && w != "run" {
			return false
		}
	}
	return interprets(filepath.Base(words[0]))
}

// interpreterAt is the program that a command gives its i-th word to, "" if that word is the program.
func interpreterAt(words []string, i int) string {
	if i == 0 {
		return ""
	}
	return filepath.Base(words[0])
}

func interprets(program string) bool {
	return slices.Contains([]string{"sh", "bash", "zsh", "dash", "python", "python3", "node", "bun", "deno", "ruby", "perl", "php", "uv", "tsx"}, program)
}

// wordsOf are the words of an entry's first simple command.
func (f *finder) wordsOf(e Entry) []string {
	if args, exec := e.args(); exec {
		return append([]string{e.command()}, args...)
	}
	words, err := install.Split(e.command(), protocol.QuoteSh)
	if err != nil {
		return nil
	}
	for i, w := range words {
		if slices.Contains([]string{"|", "||", "&&", ";", "&", ">", ">>", "2>", "2>&1", "<"}, w) || strings.HasPrefix(w, "2>") {
			words = words[:i]
			break
		}
		if strings.HasSuffix(w, ";") {
			words[i] = strings.TrimSuffix(w, ";")
			words = words[:i+1]
			break
		}
	}
	for len(words) > 0 && (assigns(words[0]) || slices.Contains([]string{"exec", "command", "env", "time", "nohup"}, words[0])) {
		words = words[1:]
	}
	if len(words) > 0 && (strings.ContainsAny(words[0], "(){}[]!`\"'") && !strings.HasPrefix(words[0], "${") || slices.Contains([]string{"if", "for", "while", "case", "cd", "test", "["}, words[0])) {
		return nil // more than a simple command
	}
	return words
}

func assigns(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && variable(name)
}

func isPath(word string) bool { return strings.Contains(word, "/") && !strings.Contains(word, "://") }

// scriptName reports whether a path has a script's extension.
func scriptName(path string) bool {
	return slices.Contains([]string{".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".rb", ".pl", ".php", ".ps1"}, filepath.Ext(path))
}

// expand replaces the known variables in a word, and makes it a path.
func (f *finder) expand(word string, e Entry) (string, bool) {
	vars := map[string]string{"HOME": f.h.Home}
	if f.project != "" {
		vars["PWD"] = f.project
		for _, d := range agentarg.Installable() {
			if d.Custom == nil || d.Custom.Project == "" {
				continue
			}
			vars[d.Custom.Project] = f.project
			for _, v := range d.Custom.Variables {
				vars[v.Name] = f.project
			}
		}
	}
	if d := e.speaks(); f.project != "" && d != nil {
		for _, kv := range d.Tongue.Env(protocol.Seat{Project: f.project}) {
			if name, v, ok := strings.Cut(kv, "="); ok {
				vars[name] = v
			}
		}
	}
	if e.Plugin != nil {
		vars[e.Agent.Custom.Plugins.Root] = e.Plugin.Dir
	}
	if rest, ok := strings.CutPrefix(word, "~/"); ok {
		word = filepath.Join(f.h.Home, rest)
	}
	word = strings.ReplaceAll(word, "$(git rev-parse --show-toplevel)", "${PWD}")
	known := !strings.ContainsAny(word, "`") && !strings.Contains(word, "$(")
	path := os.Expand(word, func(name string) string {
		name, _, _ = strings.Cut(name, ":-")
		v, ok := vars[name]
		known = known && ok
		return v
	})
	if !known || strings.ContainsAny(path, "*?`") {
		return "", false
	}
	if !filepath.IsAbs(path) {
		if folder, _ := f.folderOf(e); e.cwd() != "" && folder.path != "" {
			return filepath.Join(folder.path, path), true
		}
		if e.Plugin == nil && e.Scope == protocol.ProjectScope {
			return filepath.Join(f.project, path), true
		}
		return "", false // relative to where the agent is working
	}
	return filepath.Clean(path), true
}

// inside is the root that a path is opened in: the project or the plugin that contains it.
func (f *finder) inside(path string, e Entry) *beneath.Root {
	switch {
	case e.Plugin != nil && setup.Within(path, e.Plugin.Dir):
		return e.in
	case f.project != "" && setup.Within(path, f.project):
		return f.in
	}
	return nil
}

// onPath reports whether a program can be started by its name.
func (f *finder) onPath(name string) bool {
	if strings.ContainsAny(name, "$`") || slices.Contains([]string{"echo", "printf", "true", "false", "exit", "read", "set", "export", "source", ".", ":", "type", "[[", "{"}, name) {
		return true
	}
	for _, dir := range filepath.SplitList(f.h.Getenv("PATH")) {
		if filepath.IsAbs(dir) && setup.Starts(f.h, filepath.Join(dir, name)) {
			return true
		}
	}
	return f.h.GOOS == "windows"
}

// needsOwn finds something that a script compares or reads and only its own agent provides: a guard
// that waits for it would never act.
func needsOwn(e Entry, speaks *protocol.Dialect, texts []string) refusal {
	if e.Agent == nil || e.Agent == speaks {
		return ""
	}
	own := slices.Clone(e.Agent.Custom.Own)
	for _, tool := range e.Agent.Tools {
		if _, shared := speaks.Tools.Find(tool.Native); !shared && strings.ContainsAny(tool.Native, "_ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
			own = append(own, tool.Native)
		}
	}
	for _, t := range texts {
		for _, word := range own {
			if hasWord(t, word) {
				return refusal(fmt.Sprintf("its script speaks of %q, which is %s's own: it would wait for it in vain; let it take what %s says as well, and import it again", word, e.Agent.Name, speaks.Name))
			}
		}
	}
	return ""
}

// hasWord reports whether a text has a word on its own.
func hasWord(in, word string) bool {
	inner := func(s string, i int) bool {
		return i >= 0 && i < len(s) && (s[i] == '_' || s[i] >= '0' && s[i] <= '9' || s[i] >= 'A' && s[i] <= 'Z' || s[i] >= 'a' && s[i] <= 'z')
	}
	for from := 0; ; {
		i := strings.Index(in[from:], word)
		if i < 0 {
			return false
		}
		i += from
		if !inner(in, i-1) && !inner(in, i+len(word)) {
			return true
		}
		from = i + 1
	}
}
