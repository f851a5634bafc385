package model2vec

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/static"
)

// deepest is how deeply steps may be nested.
const deepest = 8

// written is a step of tokenizer.json, with the members of all kinds.
type written struct {
	Type         string            `json:"type"`
	Normalizers  []json.RawMessage `json:"normalizers"`
	PreTokens    []json.RawMessage `json:"pretokenizers"`
	Lowercase    *bool             `json:"lowercase"`
	StripAccents *bool             `json:"strip_accents"`
	CleanText    *bool             `json:"clean_text"`
	Chinese      *bool             `json:"handle_chinese_chars"`
	StripLeft    bool              `json:"strip_left"`
	StripRight   bool              `json:"strip_right"`
	Prepend      string            `json:"prepend"`
	Content      string            `json:"content"`
	Charsmap     *string           `json:"precompiled_charsmap"`
	Pattern      struct {
		String *string `json:"String"`
		Regex  *string `json:"Regex"`
	} `json:"pattern"`
	Behavior       string `json:"behavior"`
	Invert         bool   `json:"invert"`
	Individual     bool   `json:"individual_digits"`
	Replacement    string `json:"replacement"`
	PrependScheme  string `json:"prepend_scheme"`
	AddPrefixSpace *bool  `json:"add_prefix_space"`
	Split          *bool  `json:"split"`
	UseRegex       *bool  `json:"use_regex"`
	Delimiter      string `json:"delimiter"`
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func yes(b *bool) bool { return b == nil || *b }

// normalizer returns the steps of a normalizer.
func (v *vocabulary) normalizer(raw json.RawMessage, depth int) ([]static.Step, error) {
	if isNull(raw) {
		return nil, nil
	}
	if depth > deepest {
		return nil, fmt.Errorf("sequences stand in one another more than %d deep", deepest)
	}
	var w written
	if err := json.Unmarshal(raw, &w); err != nil {
		return nil, err
	}
	one := func(kind string) ([]static.Step, error) { return []static.Step{{Kind: kind}}, nil }
	switch w.Type {
	case "Sequence":
		return sequence(w.Normalizers, func(r json.RawMessage) ([]static.Step, error) { return v.normalizer(r, depth+1) })
	case "BertNormalizer":
		return v.bert(w), nil
	case "Lowercase":
		return one("lower")
	case "StripAccents":
		return one("allmarks")
	case "NFD", "NFC", "NFKD", "NFKC":
		return []static.Step{v.rewriting(form(w.Type))}, nil
	case "Replace":
		s, err := pattern("replace", w)
		s.With = w.Content
		return []static.Step{s}, err
	case "Prepend":
		return []static.Step{{Kind: "prepend", With: w.Prepend}}, nil
	case "Strip":
		return []static.Step{{Kind: "strip", Left: w.StripLeft, Right: w.StripRight}}, nil
	case "ByteLevel":
		return one("bytes")
	case "Precompiled":
		if w.Charsmap == nil || *w.Charsmap == "" {
			return nil, nil
		}
		b, err := base64.StdEncoding.DecodeString(*w.Charsmap)
		if err != nil {
			return nil, fmt.Errorf("precompiled_charsmap: %w", err)
		}
		table, err := charsmap(b)
		if err != nil {
			return nil, fmt.Errorf("precompiled_charsmap: %w", err)
		}
		return []static.Step{v.rewriting(table)}, nil
	}
	return nil, fmt.Errorf("the type %.40q is not one that is read", w.Type)
}

func sequence(list []json.RawMessage, of func(json.RawMessage) ([]static.Step, error)) (out []static.Step, err error) {
	for i, r := range list {
		steps, err := of(r)
		if err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
		out = append(out, steps...)
	}
	return out, nil
}

// bert are BERT's steps, in its order.
func (v *vocabulary) bert(w written) (out []static.Step) {
	lower := yes(w.Lowercase)
	if yes(w.CleanText) {
		out = append(out, static.Step{Kind: "clean"})
	}
	if yes(w.Chinese) {
		out = append(out, static.Step{Kind: "cjk"})
	}
	if w.StripAccents != nil && *w.StripAccents || w.StripAccents == nil && lower {
		out = append(out, v.rewriting(form("NFD")), static.Step{Kind: "marks"})
	}
	if lower {
		out = append(out, static.Step{Kind: "lower"})
	}
	return out
}

// rewriting is a step that uses a table.
func (v *vocabulary) rewriting(table map[string]string) static.Step {
	v.tables = append(v.tables, table)
	return static.Step{Kind: "rewrite", Table: len(v.tables) - 1}
}

func pattern(kind string, w written) (static.Step, error) {
	switch {
	case w.Pattern.String != nil:
		return static.Step{Kind: kind, Text: *w.Pattern.String}, nil
	case w.Pattern.Regex != nil:
		if _, err := static.Expression(*w.Pattern.Regex); err != nil {
			return static.Step{}, fmt.Errorf("pattern: %w", err)
		}
		return static.Step{Kind: kind, Text: *w.Pattern.Regex, Regexp: true}, nil
	}
	return static.Step{}, fmt.Errorf("pattern: want a String or a Regex")
}

// gpt2 is how ByteLevel splits a text.
const gpt2 = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

// preTokenizer returns the steps that split.
func preTokenizer(raw json.RawMessage, depth int) ([]static.Step, error) {
	if isNull(raw) {
		return nil, nil
	}
	if depth > deepest {
		return nil, fmt.Errorf("sequences stand in one another more than %d deep", deepest)
	}
	var w written
	if err := json.Unmarshal(raw, &w); err != nil {
		return nil, err
	}
	if err := behaves(w); err != nil {
		return nil, err
	}
	var s static.Step
	switch w.Type {
	case "Sequence":
		return sequence(w.PreTokens, func(r json.RawMessage) ([]static.Step, error) { return preTokenizer(r, depth+1) })
	case "BertPreTokenizer":
		s.Kind = "bert"
	case "Whitespace":
		s.Kind = "whitespace"
	case "WhitespaceSplit":
		s.Kind = "spaces"
	case "Punctuation":
		s = static.Step{Kind: "punctuation", Behavior: w.Behavior}
	case "Digits":
		s = static.Step{Kind: "digits", Behavior: "Contiguous"}
		if w.Individual {
			s.Behavior = "Isolated"
		}
	case "Metaspace":
		s = static.Step{Kind: "metaspace", Text: w.Replacement, With: w.PrependScheme, Left: yes(w.Split)}
		if s.Text == "" {
			s.Text = "▁"
		}
		if s.With == "" {
			s.With = "always"
			if !yes(w.AddPrefixSpace) {
				s.With = "never"
			}
		}
	case "Split":
		var err error
		if s, err = pattern("split", w); err != nil {
			return nil, err
		}
		s.Behavior, s.Invert = w.Behavior, w.Invert
	case "CharDelimiterSplit":
		s = static.Step{Kind: "split", Text: w.Delimiter, Behavior: "Removed"}
	case "ByteLevel":
		s = static.Step{Kind: "bytelevel", Left: yes(w.AddPrefixSpace)}
		if yes(w.UseRegex) {
			s.Text, s.Regexp = gpt2, true
		}
	default:
		return nil, fmt.Errorf("the type %.40q is not one that is read", w.Type)
	}
	return []static.Step{s}, nil
}

func behaves(w written) error {
	known := []string{"", "Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"}
	if !slices.Contains(known, w.Behavior) {
		return fmt.Errorf("behavior: %.40q: want %s", w.Behavior, strings.Join(known[1:], ", "))
	}
	return nil
}
