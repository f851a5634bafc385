package discovery

import (
	"fmt"
	"strings"
	"time"
)

// The following reads single values of a hooks.toml, or says what was expected.

func (r *settingsReader) boolean(path string, v any) setting[bool] {
	b, ok := v.(bool)
	if !ok {
		r.want(path, v, "true or false")
	}
	return setting[bool]{ok, b, r.at(path)}
}

// number reads an integer in a range; outside it, the nearer bound is used.
func (r *settingsReader) number(path string, v any, least, most int64) setting[int] {
	n, ok := v.(int64)
	what := fmt.Sprintf("a whole number from %d to %d", least, most)
	if !ok {
		r.want(path, v, what)
		return setting[int]{}
	}
	if bound := min(max(n, least), most); bound != n {
		r.problem(Error, path, display(v), "write "+what, "%d is out of range; %d stands", n, bound)
		n = bound
	}
	return setting[int]{true, int(n), r.at(path)}
}

func (r *settingsReader) milliseconds(path string, v any) setting[time.Duration] {
	s := r.number(path, v, int64(MinTimeout/time.Millisecond), int64(MaxTimeout/time.Millisecond))
	return setting[time.Duration]{s.ok, time.Duration(s.value) * time.Millisecond, s.at}
}

func (r *settingsReader) word(path string, v any, words ...string) setting[string] {
	s, _ := v.(string)
	for _, w := range words {
		if s == w {
			return setting[string]{true, w, r.at(path)}
		}
	}
	r.want(path, v, `"`+strings.Join(words, `" or "`)+`"`)
	return setting[string]{}
}

// policy reads "block" or a milder word; a project's file may only say "block"
// (HM-CFG-09).
func (r *settingsReader) policy(path string, v any, mild string) setting[string] {
	s := r.word(path, v, mild, "block")
	if r.layer == ProjectLayer && s.ok && s.value != "block" {
		r.problem(Warning, path, display(v), `write "block", or remove it`, "a project may only tighten; it is left out")
		return setting[string]{}
	}
	return s
}

// typed converts a word to its type.
func typed[T ~string](s setting[string]) setting[T] { return setting[T]{s.ok, T(s.value), s.at} }
