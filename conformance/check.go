package conformance

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Problem is one thing that was not as wanted.
type Problem struct {
	Step int    `json:"step"` // from 1; 0: the case as a whole
	What string `json:"what"`
	Want string `json:"wanted"`
	Got  string `json:"got"`

	late bool // nothing but slow
}

// check looks at everything that is wanted of a step.
func (w *Want) check(c *Case, g got) []Problem {
	var out []Problem
	add := func(what, want, got string) { out = append(out, Problem{What: what, Want: want, Got: got}) }
	if g.overtime {
		out = append(out, Problem{What: "time", Want: "an end", Got: "none after " + g.time.Round(1e7).String(), late: w.Within > 0})
		return out
	}
	if w.Within > 0 && g.time > w.Within {
		out = append(out, Problem{What: "time", Want: "at most " + w.Within.String(), Got: g.time.Round(1e6).String(), late: true})
	}
	w.checkExit(g, add)
	if g.held {
		add("pipes", "the answer's pipes end with the subject", "a process that was left behind holds them")
	}
	w.checkStdout(c, g, add)
	w.checkTexts(g, add)
	w.checkLedger(g, add)
	for _, s := range w.Saw {
		s.check(g, add)
	}
	for _, f := range w.Files {
		f.check(g, add)
	}
	for _, line := range w.Log {
		if lines := logLines(g.place.home()); !logged(lines, g.place.expandJSON(line)) {
			add("run log", "a line like "+show(line), clip(strings.Join(lines, "\n"), 1000))
		}
	}
	for _, why := range g.place.broken(g.sealed) {
		add("what lies outside", "neither read nor written", why)
	}
	for _, text := range w.Nowhere {
		if file := findText(g.place.home(), g.place.expand(text, plainText)); file != "" {
			add("files of the subject", "none with "+strconv.Quote(text), file)
		}
	}
	return out
}

type report func(what, want, got string)

func (w *Want) checkExit(g got, add report) {
	want := cmp.Or(w.Exit, "0")
	have := strconv.Itoa(g.exit)
	if g.killed {
		have = "killed"
	} else if g.exit < 0 {
		have = "a signal"
	}
	if not, ok := strings.CutPrefix(want, "not "); ok && have != not || have == want {
		return
	}
	add("exit code", want, have)
}

func (w *Want) checkStdout(c *Case, g got, add report) {
	out := g.stdout
	switch {
	case g.killed:
	case w.Stdout == nil:
		// A subject that has nothing to say may say so with an empty object.
		if talks(c) && len(bytes.TrimSpace(out)) > 0 && string(bytes.TrimSpace(out)) != "{}" && !w.mentions("stdout") {
			add("stdout", "nothing", clip(string(out), 300))
		}
	case w.Stdout.any:
	case w.Stdout.exact != nil:
		if want := g.place.expand(string(w.Stdout.exact), insideJSON); want != string(out) {
			add("stdout", want, clip(string(out), 1000))
		}
	case w.Stdout.lines != nil:
		w.checkLines(g, add)
	case w.Stdout.json == nil:
		if len(out) > 0 {
			add("stdout", "nothing", clip(string(out), 300))
		}
	default:
		checkJSONText("stdout", out, w.Stdout.json, g, add)
	}
	if w.StderrNil && len(g.stderr) > 0 {
		add("stderr", "nothing", clip(string(g.stderr), 300))
	}
	for _, s := range []struct {
		name string
		max  int
		have int
	}{{"stdout", w.StdoutMax, len(out)}, {"stderr", w.StderrMax, len(g.stderr)}} {
		if s.max > 0 && s.have > s.max {
			add(s.name, fmt.Sprintf("at most %d bytes", s.max), fmt.Sprintf("%d bytes", s.have))
		}
	}
}

// checkLines compares a stream line by line.
func (w *Want) checkLines(g got, add report) {
	lines := strings.Split(strings.TrimSuffix(string(g.stdout), "\n"), "\n")
	if len(lines) != len(w.Stdout.lines) || !bytes.HasSuffix(g.stdout, []byte("\n")) {
		add("stdout", fmt.Sprintf("%d whole lines", len(w.Stdout.lines)), clip(string(g.stdout), 2000))
		return
	}
	for i, line := range lines {
		checkJSONText(fmt.Sprintf("line %d of stdout", i+1), []byte(line), w.Stdout.lines[i], g, add)
	}
}

// checkJSONText compares one JSON value with what it is wanted to hold.
func checkJSONText(what string, text []byte, want any, g got, add report) {
	v, err := decodeJSON(text)
	if err != nil {
		add(what, "one JSON value", fmt.Sprintf("%s (%v)", clip(string(text), 300), err))
	} else if diff := matchJSON("", g.place.expandJSON(want), v); diff != "" {
		want, have, _ := strings.Cut(diff, ", got ")
		add(what, want, have)
	}
}

// talks reports whether stdout is an answer, and not a list or a table.
func talks(c *Case) bool { return c.Profile != Parser && c.Profile != Validator }

func (w *Want) mentions(stream string) bool {
	is := func(t text) bool { return t.stream == stream }
	return slices.ContainsFunc(w.Has, is) || slices.ContainsFunc(w.Match, is) || slices.ContainsFunc(w.Lacks, is)
}

func (w *Want) checkTexts(g got, add report) {
	for _, t := range w.Has {
		if !g.holds(t) {
			add(t.stream, "a text with "+strconv.Quote(t.text), quoted(g.stream(t.stream)))
		}
	}
	for _, t := range w.Lacks {
		if g.holds(t) {
			add(t.stream, "no "+strconv.Quote(t.text), quoted(g.stream(t.stream)))
		}
	}
	for _, t := range w.Match {
		if !regexp.MustCompile(t.text).Match(g.stream(t.stream)) {
			add(t.stream, "a text like "+t.text, quoted(g.stream(t.stream)))
		}
	}
	for _, all := range w.Warns {
		if !warned(g, all) {
			add("stderr", "a line with "+sentence(all), quoted(g.stderr))
		}
	}
}

func quoted(b []byte) string {
	if len(b) == 0 {
		return "nothing"
	}
	return clip(strconv.Quote(string(b)), 1000)
}

// warned reports whether one line of stderr has all the words.
func warned(g got, all []text) bool {
	for _, line := range strings.Split(string(g.stderr), "\n") {
		has := true
		for _, t := range all {
			has = has && strings.Contains(line, g.place.expand(t.text, plainText))
		}
		if has {
			return true
		}
	}
	return false
}

func sentence(all []text) string {
	var parts []string
	for _, t := range all {
		parts = append(parts, strconv.Quote(t.text))
	}
	return strings.Join(parts, " and ")
}

// checkLedger compares the hooks that signed: those that are waited for in
// order, those that are not in any.
func (w *Want) checkLedger(g got, add report) {
	if w.Ran == nil && w.Later == nil {
		return
	}
	later := map[string]int{}
	for _, name := range w.Later {
		later[name]++
	}
	ran := []string{}
	for _, name := range g.ran {
		if later[name] > 0 {
			later[name]--
			continue
		}
		ran = append(ran, name)
	}
	for _, name := range w.Later {
		if later[name] > 0 {
			add("hooks that nobody waits for", strings.Join(w.Later, " "), "no signature of "+name)
			later[name] = 0
		}
	}
	if w.Ran != nil && !slices.Equal(ran, w.Ran) {
		add("hooks that ran, in order", list(w.Ran), list(ran))
	} else if w.Ran == nil && len(ran) > 0 {
		add("hooks that ran", list(w.Later), list(g.ran))
	}
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, " ")
}

func (s saw) check(g got, add report) {
	what := "stdin of " + s.hook
	data := g.stream(s.hook)
	switch {
	case s.exact != nil:
		if want := g.place.expand(string(s.exact), insideJSON); want != string(data) {
			add(what, want, clip(string(data), 1000))
		}
	case s.json != nil:
		v, err := decodeJSON(data)
		if err != nil {
			add(what, "one JSON object", fmt.Sprintf("%s (%v)", clip(string(data), 300), err))
		} else if diff := matchJSON("", g.place.expandJSON(s.json), v); diff != "" {
			want, have, _ := strings.Cut(diff, ", got ")
			add(what, want, have)
		}
	case s.has != "":
		if want := g.place.expand(s.has, insideJSON); !bytes.Contains(data, []byte(want)) {
			add(what, "a text with "+want, quoted(data))
		}
	case s.lacks != "":
		if want := g.place.expand(s.lacks, insideJSON); bytes.Contains(data, []byte(want)) {
			add(what, "no "+want, quoted(data))
		}
	}
}

func (f fileWant) check(g got, add report) {
	what := "file " + f.path
	data, err := os.ReadFile(g.place.at(f.path))
	switch {
	case f.gone:
		if err == nil {
			add(what, "not there", "there")
		}
	case err != nil:
		add(what, "there", "not there")
	case f.exact != nil:
		if want := g.place.expand(string(f.exact), plainText); want != string(data) {
			add(what, strconv.Quote(want), quoted(data))
		}
	case f.has != "":
		if want := g.place.expand(f.has, plainText); !bytes.Contains(data, []byte(want)) {
			add(what, "a text with "+strconv.Quote(want), quoted(data))
		}
	case f.lacks != "":
		if want := g.place.expand(f.lacks, plainText); bytes.Contains(data, []byte(want)) {
			add(what, "no "+strconv.Quote(want), quoted(data))
		}
	}
}

// findText is a file below the directories of the subject (configuration aside)
// that holds a text, "" if there is none.
func findText(home, text string) (found string) {
	for _, dir := range []string{".local", ".cache"} {
		_ = filepath.WalkDir(filepath.Join(home, dir), func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return nil
			}
			if data, err := os.ReadFile(path); err == nil && bytes.Contains(data, []byte(text)) {
				found = path
				return fs.SkipAll
			}
			return nil
		})
	}
	return found
}

// logLines are the lines of the run log: of every .jsonl file below the state
// directory.
func logLines(home string) (lines []string) {
	_ = filepath.WalkDir(filepath.Join(home, ".local", "state"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" {
			return nil
		}
		if data, err := os.ReadFile(path); err == nil {
			lines = append(lines, strings.Split(strings.TrimSpace(string(data)), "\n")...)
		}
		return nil
	})
	return lines
}

func logged(lines []string, want any) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		v, err := decodeJSON([]byte(line))
		return err == nil && matchJSON("", want, v) == ""
	})
}
