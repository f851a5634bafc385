package model2vec

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/static"
)

// mostTokens is how many tokens a tokenizer may have.
const mostTokens = 2 << 20

// A tokenizer is the content of tokenizer.json.
type tokenizer struct {
	Added []struct {
		ID         int    `json:"id"`
		Content    string `json:"content"`
		SingleWord bool   `json:"single_word"`
		LStrip     bool   `json:"lstrip"`
		RStrip     bool   `json:"rstrip"`
		Normalized bool   `json:"normalized"`
	} `json:"added_tokens"`
	Normalizer   json.RawMessage `json:"normalizer"`
	PreTokenizer json.RawMessage `json:"pre_tokenizer"`
	Model        json.RawMessage `json:"model"`
}

// A vocabulary has the tokens of a model, and how to find them.
type vocabulary struct {
	head   static.Head
	tokens []string
	own    []bool // the model's, not added
	scores []float32
	merges []static.Merge
	tables []map[string]string
}

func readTokenizer(b []byte) (*vocabulary, error) {
	var t tokenizer
	if err := json.Unmarshal(b, &t); err != nil {
		return nil, at(err)
	}
	v := &vocabulary{}
	var err error
	if v.head.Normal, err = v.normalizer(t.Normalizer, 0); err != nil {
		return nil, fmt.Errorf("normalizer: %w", err)
	}
	if v.head.Split, err = preTokenizer(t.PreTokenizer, 0); err != nil {
		return nil, fmt.Errorf("pre_tokenizer: %w", err)
	}
	if err := v.model(t.Model); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	for i, a := range t.Added {
		if a.ID < 0 || a.ID >= mostTokens || a.Content == "" {
			return nil, fmt.Errorf("added_tokens[%d]: the id %d of %q", i, a.ID, a.Content)
		}
		v.head.Added = append(v.head.Added, static.Added{Text: a.Content, ID: a.ID, Word: a.SingleWord, Left: a.LStrip, Right: a.RStrip, Normal: a.Normalized})
		if err := v.put(a.ID, a.Content, false); err != nil {
			return nil, fmt.Errorf("added_tokens[%d]: %w", i, err)
		}
	}
	const mostAdded = 4096
	if len(t.Added) > mostAdded {
		return nil, fmt.Errorf("added_tokens: there are %d, and at most %d are searched for", len(t.Added), mostAdded)
	}
	v.head.Tokens = len(v.tokens)
	return v, nil
}

// at says where JSON is invalid.
func at(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("byte %d: %w", syntax.Offset, err)
	case errors.As(err, &kind):
		return fmt.Errorf("byte %d: %w", kind.Offset, err)
	}
	return err
}

// put gives a token its number.
func (v *vocabulary) put(id int, text string, own bool) error {
	if id < 0 || id >= mostTokens {
		return fmt.Errorf("the token %.40q has the number %d: want 0 to %d", text, id, mostTokens-1)
	}
	for len(v.tokens) <= id {
		v.tokens = append(v.tokens, "")
		v.own = append(v.own, false)
	}
	if was := v.tokens[id]; was != "" && was != text {
		return fmt.Errorf("the tokens %.40q and %.40q have one number, %d", was, text, id)
	}
	v.tokens[id], v.own[id] = text, own || v.own[id]
	return nil
}

func (v *vocabulary) putAll(list map[string]int) error {
	if len(list) == 0 || len(list) > mostTokens {
		return fmt.Errorf("vocab: %d tokens: want 1 to %d", len(list), mostTokens)
	}
	most := 0
	for _, id := range list {
		most = max(most, id)
	}
	if most >= 2*len(list)+4096 {
		return fmt.Errorf("vocab: %d tokens, and one has the number %d", len(list), most)
	}
	for text, id := range list {
		if err := v.put(id, text, true); err != nil {
			return fmt.Errorf("vocab: %w", err)
		}
	}
	return nil
}

// model reads the part that produces pieces.
func (v *vocabulary) model(raw json.RawMessage) error {
	var m struct {
		Type         string          `json:"type"`
		Vocab        json.RawMessage `json:"vocab"`
		Merges       json.RawMessage `json:"merges"`
		UnkToken     *string         `json:"unk_token"`
		UnkID        *int            `json:"unk_id"`
		Prefix       *string         `json:"continuing_subword_prefix"`
		Suffix       *string         `json:"end_of_word_suffix"`
		MostWord     int             `json:"max_input_chars_per_word"`
		FuseUnk      bool            `json:"fuse_unk"`
		ByteFallback bool            `json:"byte_fallback"`
		IgnoreMerges bool            `json:"ignore_merges"`
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return err
	}
	if m.Type == "" && m.Merges != nil { // in old files
		m.Type = "BPE"
	}
	h := &v.head
	h.Model, h.Unknown, h.Bytes, h.Fuse, h.Whole, h.MostWord = m.Type, -1, m.ByteFallback, m.FuseUnk, m.IgnoreMerges, m.MostWord
	if m.Type == "Unigram" {
		h.Fuse = true
		return v.unigram(m.Vocab, m.UnkID)
	}
	if !slices.Contains([]string{"WordPiece", "BPE", "WordLevel"}, m.Type) {
		return fmt.Errorf("the type %.40q is not one that is read: want WordPiece, Unigram, BPE or WordLevel", m.Type)
	}
	var vocab map[string]int
	if err := json.Unmarshal(m.Vocab, &vocab); err != nil {
		return fmt.Errorf("vocab: %w", err)
	}
	if err := v.putAll(vocab); err != nil {
		return err
	}
	if m.UnkToken != nil {
		id, ok := vocab[*m.UnkToken]
		if !ok && (m.Type != "BPE" || *m.UnkToken != "") {
			return fmt.Errorf("unk_token: %.40q is not in vocab", *m.UnkToken)
		}
		if ok {
			h.Unknown, h.Drop = id, true
		}
	}
	if m.Type == "WordPiece" {
		h.Prefix = "##"
	}
	if m.Prefix != nil {
		h.Prefix = *m.Prefix
	}
	if m.Suffix != nil {
		h.Suffix = *m.Suffix
	}
	if m.Type == "BPE" {
		return v.pairs(m.Merges, vocab)
	}
	return nil
}

func (v *vocabulary) unigram(raw json.RawMessage, unknown *int) error {
	var list [][2]any
	if err := json.Unmarshal(raw, &list); err != nil {
		return fmt.Errorf("vocab: %w", err)
	}
	if len(list) == 0 || len(list) > mostTokens {
		return fmt.Errorf("vocab: %d tokens: want 1 to %d", len(list), mostTokens)
	}
	v.head.Least = math.Inf(1)
	for i, pair := range list {
		text, ok := pair[0].(string)
		score, is := pair[1].(float64)
		if !ok || !is || math.Abs(score) > 1e9 {
			return fmt.Errorf("vocab[%d]: %.60q: want a text and its score", i, fmt.Sprint(pair))
		}
		if err := v.put(i, text, true); err != nil {
			return err
		}
		v.scores = append(v.scores, float32(score))
		v.head.Least = min(v.head.Least, score)
	}
	if unknown != nil {
		if *unknown < 0 || *unknown >= len(list) {
			return fmt.Errorf("unk_id: %d, of %d tokens", *unknown, len(list))
		}
		v.head.Unknown = *unknown
	}
	return nil
}

// pairs reads what BPE joins: "a b", or ["a", "b"].
func (v *vocabulary) pairs(raw json.RawMessage, vocab map[string]int) error {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return fmt.Errorf("merges: %w", err)
	}
	if len(list) > mostTokens {
		return fmt.Errorf("merges: %d of them: want at most %d", len(list), mostTokens)
	}
	for i, r := range list {
		left, right, ok := pairOf(r)
		a, hasA := vocab[left]
		b, hasB := vocab[right]
		if !ok || !hasA || !hasB {
			return fmt.Errorf("merges[%d]: %.60q: want two tokens of vocab", i, string(r))
		}
		joined := left + right
		if p := v.head.Prefix; p != "" && len(right) >= len(p) && right[:len(p)] == p {
			joined = left + right[len(p):]
		}
		c, has := vocab[joined]
		if !has {
			return fmt.Errorf("merges[%d]: %.60q: %.60q is not in vocab", i, string(r), joined)
		}
		v.merges = append(v.merges, static.Merge{Left: uint32(a), Right: uint32(b), Rank: uint32(i), New: uint32(c)})
	}
	return nil
}

func pairOf(raw json.RawMessage) (left, right string, ok bool) {
	var pair []string
	if json.Unmarshal(raw, &pair) == nil && len(pair) == 2 {
		return pair[0], pair[1], true
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return "", "", false
	}
	for i := 1; i < len(text)-1; i++ {
		if text[i] == ' ' {
			return text[:i], text[i+1:], true
		}
	}
	return "", "", false
}
