package conformance

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/order"
)

// layers are the first words of the paths in a case, and where they lie below
// the root.
var layers = map[string]string{
	"user":    "home/.config/agents/hooks",
	"system":  "etc/agents/hooks",
	"project": "home/project/.agents/hooks",
	"tree":    "",
}

// settings are the hooks.toml of the layers.
var settings = map[string]string{
	"user.toml":    "home/.config/agents/hooks.toml",
	"system.toml":  "etc/agents/hooks.toml",
	"project.toml": "home/project/.agents/hooks.toml",
}

// steps sorts the files of the archive into the steps of the case.
func (c *Case) steps(a archive, shapes map[string]file) error {
	bySteps := map[int][]archived{}
	last := 1
	for _, f := range a.files {
		n, name := stepOf(f.name)
		last = max(last, n)
		bySteps[n] = append(bySteps[n], archived{name, f.data, f.line})
	}
	used := map[string]bool{}
	for n := 1; n <= last; n++ {
		s, err := c.step(n, bySteps[n], shapes, used)
		if err != nil {
			return fmt.Errorf("step %d: %w", n, err)
		}
		for before := n - 2; before >= 0 && s.Stdin == nil && s.Do.takesEvents(); before-- {
			s.Stdin = c.Steps[before].Stdin
		}
		if s.Stdin == nil && s.Do.takesEvents() && s.Do.Stdin != "closed" {
			return fmt.Errorf("step %d: no event.json", n)
		}
		c.Steps = append(c.Steps, s)
	}
	for name := range shapes {
		if !used[name] {
			return fmt.Errorf("the header names %q, which is not a file of this case", name)
		}
	}
	return nil
}

// stepOf takes the number of its step off a name: "2/want" is of step 2.
func stepOf(name string) (n int, rest string) {
	digits, rest, ok := strings.Cut(name, "/")
	if n, err := strconv.Atoi(digits); ok && err == nil && n > 0 {
		return n, rest
	}
	return 1, name
}

func (c *Case) step(n int, files []archived, shapes map[string]file, used map[string]bool) (Step, error) {
	s := Step{Do: Do{Call: defaultCall(c.Profile), Times: 1}}
	var wants bool
	for _, f := range files {
		at := func(err error) error { return fmt.Errorf("%s (line %d): %w", f.name, f.line, err) }
		shape, key := shapes[stepName(n, f.name, shapes)], stepName(n, f.name, shapes)
		used[key] = true
		data, raw, err := contents(f.data, shape)
		if err != nil {
			return s, at(err)
		}
		switch {
		case f.name == "event.json" || f.name == "stdin":
			if s.Stdin != nil {
				return s, at(fmt.Errorf("there already is a stdin"))
			}
			s.Stdin = append([]byte{}, data...)
			if f.name == "event.json" {
				if err := checkJSON(data); err != nil {
					return s, at(err)
				}
			}
		case f.name == "do":
			if err := eachPair(data, f.line+1, s.Do.set); err != nil {
				return s, at(err)
			}
		case f.name == "want" || strings.HasPrefix(f.name, "want."), strings.HasPrefix(f.name, "saw"), strings.HasPrefix(f.name, "out/"):
			wants = true
			if err := s.Want.parse(f.name, data, f.line+1); err != nil {
				return s, at(err)
			}
		default:
			t, err := treeFile(f.name, data, shape)
			if err != nil {
				return s, at(err)
			}
			t.raw = raw
			s.Files = append(s.Files, t)
		}
	}
	special, err := specials(n, shapes, used)
	s.Files = append(s.Files, special...)
	if err == nil && !wants {
		err = fmt.Errorf("the step wants nothing: a step that cannot fail checks nothing")
	}
	return s, err
}

// takesEvents reports whether the call reads what stands on its stdin.
func (d *Do) takesEvents() bool {
	return d.Call == "run" || d.Call == "json" || d.Call == "stream" || d.Call == "loop"
}

func defaultCall(p Profile) string {
	switch p {
	case Parser:
		return "parse"
	case Validator:
		return "validate"
	case AgentLoop:
		return "loop"
	}
	return "run"
}

// stepName is the name under which the header knows a file of a step.
func stepName(n int, name string, shapes map[string]file) string {
	long := strconv.Itoa(n) + "/" + name
	if _, ok := shapes[long]; ok || n > 1 {
		return long
	}
	return name
}

// contents is the data of a file, out of its quotes.
func contents(data []byte, shape file) (out []byte, raw bool, err error) {
	switch shape.target {
	case "quoted":
		var text string
		if err := json.Unmarshal(data, &text); err != nil {
			return nil, false, fmt.Errorf("want one JSON string: %w", err)
		}
		return []byte(text), false, nil
	case "base64":
		out, err := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(data)))
		return out, true, err
	}
	return data, false, nil
}

// checkJSON finds typing mistakes in an event; events that are meant to be
// wrong are written as stdin.
func checkJSON(data []byte) error {
	text := placeholder.ReplaceAllString(string(data), "x")
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return fmt.Errorf("an event.json is one JSON object (call it stdin if it is not meant to be one): %w", err)
	}
	return nil
}

// treeFile is an archived file at its place in the tree.
func treeFile(name string, data []byte, shape file) (file, error) {
	p, err := treePath(name)
	if err != nil {
		return file{}, err
	}
	f := file{path: p, data: data, mode: 0o644}
	if path.Base(path.Dir(name)) == "scripts" {
		f.mode = 0o755
		if _, err := script(data, ""); err != nil {
			return f, err
		}
	}
	if shape.mode&modeGiven != 0 {
		f.mode = shape.mode.Perm()
	}
	if shape.named != "" {
		f.path = path.Join(path.Dir(f.path), shape.named)
	}
	return f, nil
}

// treePath is where a name of the archive lies below the root.
func treePath(name string) (string, error) {
	if p, ok := settings[name]; ok {
		return p, nil
	}
	top, rest, _ := strings.Cut(name, "/")
	base, ok := layers[top]
	if !ok || rest == "" {
		return "", fmt.Errorf("%q: want event.json, stdin, do, want, want.json, want.lines, want.stdout, saw/…, saw.json/…, out/…, user.toml, system.toml, project.toml, or a path in user/, system/, project/ or tree/", name)
	}
	p := path.Join(base, rest)
	if !fs.ValidPath(p) || strings.HasPrefix(p, "out/") {
		return "", fmt.Errorf("%q leads out of the tree", name)
	}
	return p, nil
}

// specials are the links, pipes, folders and large files of a step, which only
// the header names, in order of their paths: a folder comes before what lies in
// it.
func specials(n int, shapes map[string]file, used map[string]bool) ([]file, error) {
	var out []file
	for name, f := range shapes {
		step, rest := stepOf(name)
		if f.kind == regular || step != n || used[name] {
			continue
		}
		used[name] = true
		var err error
		if f.path, err = treePath(rest); err != nil {
			return nil, err
		}
		if f.mode&modeGiven == 0 {
			f.mode = 0o755
		}
		f.mode = f.mode.Perm()
		if f.named != "" {
			f.path = path.Join(path.Dir(f.path), f.named)
		}
		out = append(out, f)
	}
	order.By(out, func(a, b file) int { return strings.Compare(a.path, b.path) })
	return out, nil
}

// set reads one line of a file "do". The keys are a closed set.
func (d *Do) set(key, value string) (err error) {
	switch key {
	case "call":
		d.Call = value
		return oneOf(value, "run", "json", "stream", "loop", "parse", "list", "validate", "approve")
	case "folder":
		d.Folder, err = treePath(value)
	case "event":
		d.Event = value
	case "agent":
		d.NoAgent = true
		return oneOf(value, "none")
	case "deadline":
		d.Deadline = value
		_, err = time.ParseDuration(value)
	case "cwd":
		d.Dir = value
	case "stdin":
		d.Stdin = value
		return oneOf(value, "held", "closed", "answered")
	case "stdout":
		d.Stdout = value
		return oneOf(value, "closed")
	case "kill":
		d.Kill = value
	case "after":
		d.KillTree = true
		return oneOf(value, "kill-group")
	case "release":
		d.Release = value
	case "remove":
		p, err := treePath(value)
		d.Remove = append(d.Remove, p)
		return err
	case "corrupt":
		p, err := treePath(value)
		d.Corrupt = append(d.Corrupt, p)
		return err
	case "swap":
		one, other, _ := strings.Cut(value, " ")
		a, err := treePath(one)
		b, berr := treePath(other)
		d.Swap = append(d.Swap, [2]string{a, b})
		return errors.Join(err, berr)
	case "grow":
		p, err := treePath(value)
		d.Grow = append(d.Grow, p)
		return err
	case "pause":
		d.Pause, err = time.ParseDuration(value)
	case "times":
		d.Times, err = strconv.Atoi(value)
		if err == nil && d.Times < 1 {
			err = fmt.Errorf("want a number from 1")
		}
	case "env":
		v, err := parseVariable(value)
		d.Env = append(d.Env, v)
		return err
	default:
		return fmt.Errorf("unknown key")
	}
	return err
}

func oneOf(value string, list ...string) error {
	if slices.Contains(list, value) {
		return nil
	}
	return fmt.Errorf("%q: want one of %s", value, strings.Join(list, ", "))
}
