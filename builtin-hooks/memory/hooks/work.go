package hooks

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/purpose"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// note records what a call did: which files of the project it changed, and which command it
// ran. Commands that only look are not recorded.
func note(c *behaviour.Call) error {
	var record protocol.Object
	broken := failed(c.Event)
	if files := changed(c); len(files) > 0 && !(broken && c.Event.Text("tool_name") != "Shell") { // a command may have changed some before it failed
		record.Set("files", protocol.TextList(files))
	}
	if command, what := ran(c.Event); command != "" && !c.Stopped() {
		record.SetText("ran", short(redact.Memory.Text(command), 200))
		record.Set("purpose", strconv.AppendInt(nil, int64(what), 10))
		if broken {
			record.Set("failed", protocol.Raw("true"))
			record.PutText("why", why(redact.Memory.Text(ends(outputOf(c.Event)))))
		}
	}
	if len(record) == 0 {
		return nil
	}
	if !c.Begun() {
		record.SetText("project", c.Project())
	}
	return c.State.Spool(spoolName, c.Digest(), record)
}

// noteFiles is how many files one call records at most.
const noteFiles = 40

// changed are the files of the project that a call changes, by their paths in it.
func changed(c *behaviour.Call) (files []string) {
	private := func(string) bool { return false }
	if c.Event.Text("tool_name") == "Shell" {
		private = privateNames(c.Event.Sub("tool_input").Text("command"))
	}
	add := func(file string) {
		file, inside := inProject(c, file)
		if private(path.Base(file)) {
			return
		}
		if file = redact.Memory.Text(file); inside && file != "" && !ours(file) && !slices.Contains(files, file) && len(files) < noteFiles {
			files = append(files, file)
		}
	}
	for _, raw := range protocol.ElementsOf(c.Event.Get("changes")) {
		o := protocol.ObjectOf(raw)
		add(o.Text("path"))
		if to := o.Text("to"); to != "" {
			add(to)
		}
	}
	switch c.Event.Text("tool_name") {
	case "WriteFile", "EditFile":
		if file := c.Event.Sub("tool_input").Text("file_path"); file != "" {
			add(file)
		}
	}
	return files
}

// inProject is the path of a file in the project, if it lies there. The agent may name the project
// by another path than we do, with a link in it.
func inProject(c *behaviour.Call, file string) (string, bool) {
	root := c.Project()
	if !filepath.IsAbs(file) {
		file = filepath.Join(cmp.Or(c.WorkDir(), root), file)
	}
	rel, err := filepath.Rel(root, file)
	if err != nil || !filepath.IsLocal(rel) {
		real, rerr := filepath.EvalSymlinks(root)
		dir, derr := filepath.EvalSymlinks(filepath.Dir(file))
		if rerr != nil || derr != nil {
			return "", false
		}
		rel, err = filepath.Rel(real, filepath.Join(dir, filepath.Base(file)))
	}
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// privateNames reports, of a command, whether a name of a file is private or was never one: to a shell
// the tags of a private part are redirections, to the part and to the word behind it.
func privateNames(command string) func(name string) bool {
	open := redact.Private(command)
	if open == command {
		return func(string) bool { return false }
	}
	return func(name string) bool {
		if !strings.Contains(open, name) {
			return true
		}
		for _, part := range strings.Split(strings.ToLower(command), "</private>")[1:] {
			if strings.HasPrefix(strings.TrimLeft(part, " "), strings.ToLower(name)) {
				return true
			}
		}
		return false
	}
}

// ours reports files of a memory folder, which do not count as work.
func ours(file string) bool {
	return strings.Contains(file, "memory-data/") || strings.HasPrefix(file, ".git/")
}

// ran is the command that a call ran, "" if it ran none or only looked, and what for.
func ran(ev protocol.Object) (command string, what purpose.Purpose) {
	if ev.Text("tool_name") != "Shell" {
		return "", purpose.Looks
	}
	command = ev.Sub("tool_input").Text("command")
	list := protocol.ElementsOf(ev.Get("commands"))
	if list == nil {
		what = purpose.Of(strings.Fields(command))
	}
	first := ""
	for i, raw := range list {
		o := protocol.ObjectOf(raw)
		argv := protocol.TextsOf(o.Get("argv"))
		of := purpose.Acts // of what cannot be read
		if argv != nil {
			of = purpose.Of(argv)
		}
		if purpose.Wraps(argv) && i+1 < len(list) {
			continue // what it runs follows
		}
		if of > what {
			what = of
		}
		if of > purpose.Looks && first == "" {
			first = o.Text("text")
		}
	}
	if what == purpose.Looks {
		return "", what
	}
	return cmp.Or(command, first), what
}

// outputOf is what a call returned.
func outputOf(ev protocol.Object) string {
	return cmp.Or(ev.Sub("result").Text("text"), errorText(ev))
}

// whyRoom is how many characters are kept of why a command failed.
const whyRoom = 100

// why is the line of a failed command's output that says most: the first one that shows a failure
// by itself, or the last one.
func why(output string) string {
	says := func(failed bool) []signal.Told {
		return slices.DeleteFunc(signal.Telling(output, failed), func(t signal.Told) bool { return t.Summary })
	}
	list := says(true)
	switch {
	case len(list) == 0:
		return ""
	case len(says(false)) == 0: // they are but the last ones
		return text.Clip(list[len(list)-1].Text, whyRoom)
	}
	return text.Clip(list[0].Text, whyRoom)
}

// failed reports whether a call failed, according to the event.
func failed(ev protocol.Object) bool {
	if ev.Text("event_type") == string(protocol.PostToolCallFailure) {
		return true
	}
	result := ev.Sub("result")
	if exit := string(result.Get("exit_code")); exit != "" {
		return exit != "0"
	}
	if ok := string(result.Get("ok")); ok != "" {
		return ok == "false"
	}
	response := ev.Sub("tool_response")
	for _, name := range [...]string{"exit_code", "exitCode", "returncode", "code"} {
		if v := string(response.Get(name)); v != "" && v != "null" {
			return v != "0"
		}
	}
	return false
}

// work is what a session has done so far.
type work struct {
	turns     int
	writes    int
	ran       int
	decisions int
	wishes    int // prompts that only want something to be remembered
}

// beside is the work without the wishes that became facts: these say it already.
func (w work) beside(facts int) work {
	w.decisions += max(0, w.wishes-facts)
	return w
}

// worth reports whether there is something to summarize.
func (w work) worth() bool { return w.writes > 0 || w.turns >= 3 || w.decisions > 0 }

func workOf(c *behaviour.Call) work { return worked(c.State.Spooled(spoolName)) }

func worked(records []protocol.Object) (w work) {
	for _, o := range records {
		if o.Has("prompt") {
			w.turns++
		}
		switch {
		case o.Bool("wish"):
			w.wishes++
		case o.Bool("decided"):
			w.decisions++
		}
		if o.Has("files") {
			w.writes++
		}
		if o.Has("ran") {
			w.ran++
		}
	}
	return w
}

// treeName is the state with the project's files as the session found them.
const treeName = "memory-tree"

// keepTree saves what git says about the project at the beginning of a session.
func keepTree(c *behaviour.Call, t tree) error {
	if t.head == "" {
		return nil
	}
	return c.State.Update(treeName, func(o protocol.Object) protocol.Object {
		o = protocol.Object{}
		o.SetText("head", t.head)
		files := protocol.Object{}
		for _, f := range t.files {
			files.SetText(f, stampOf(c, f))
		}
		o.Set("files", files.Raw())
		return o
	})
}

// older reports whether the commit that the project is at was made before the session began: then
// the session only went there.
func older(c *behaviour.Call) bool {
	began, err := time.Parse(time.RFC3339Nano, c.State.Read(stateName).Text("began"))
	if err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(c.Ctx, treeTime)
	defer cancel()
	out, err := c.Runtime.Git(ctx, c.Project(), c.Env, "log", "-1", "--no-show-signature", "--format=%ct")
	at, bad := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	return err == nil && bad == nil && at < began.Unix()
}

// lookAtTree records the files that have changed since the session began, if nothing else
// showed any change: a program that it ran may have written them.
func lookAtTree(c *behaviour.Call) error {
	before := c.State.Read(treeName)
	if before == nil {
		return nil
	}
	t := treeOf(c)
	if t.head == "" {
		return nil
	}
	var files []string
	was := before.Sub("files")
	for _, f := range t.files {
		if !ours(f) && was.Text(f) != stampOf(c, f) && len(files) < noteFiles {
			files = append(files, redact.Memory.Text(f))
		}
	}
	for _, m := range was {
		if !slices.Contains(t.files, m.Name) && t.head == before.Text("head") && !ours(m.Name) && len(files) < noteFiles {
			files = append(files, redact.Memory.Text(m.Name)) // it was changed before, and is now as in the commit
		}
	}
	if len(files) == 0 && (t.head == before.Text("head") || older(c)) {
		return nil
	}
	var record protocol.Object
	record.Set("files", protocol.TextList(files))
	return c.State.Spool(spoolName, "tree-"+t.head+strings.Join(files, "\x00"), record)
}
