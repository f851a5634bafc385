// Package api is the contract between a client that shares what it learned and a
// service: the documents that they exchange, as the original's clients and servers
// spell them, and the allowed scopes.
//
// Packages client and server both use it, so they cannot diverge. Each also accepts
// what the original's counterpart writes: signals as plain strings, lists as JSON in a
// string, "failure" for "failed".
package api

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/compat"
)

// KeyPrefix begins every key; anything else does not count as a key.
const KeyPrefix = compat.KeyPrefix

// Global is the scope that everything belongs to.
const Global = "global"

// scopeMax is the longest scope on the wire.
const scopeMax = 80

// ValidScope reports whether a service accepts a scope unchanged: global, or ws_ and
// letters, digits, _ and -.
func ValidScope(s string) bool {
	rest, ok := strings.CutPrefix(s, "ws_")
	return s == Global || ok && rest != "" && len(s) <= scopeMax && rest == clean(rest)
}

// Scope converts a scope to its form on the wire.
func Scope(s string) string {
	switch {
	case s == "":
		return Global
	case ValidScope(s):
		return s
	}
	if s = clean(s); len(s) > scopeMax-len("ws_") {
		s = s[:scopeMax-len("ws_")]
	}
	return "ws_" + s
}

func clean(s string) string {
	b := []byte(s)
	for i, c := range b {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-') {
			b[i] = '_'
		}
	}
	return string(b)
}

// ValidSlug reports whether a name may be that of a skill's folder.
func ValidSlug(slug string) bool {
	return slug != "" && len(slug) <= 64 && !strings.ContainsFunc(slug, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-')
	})
}

// A Signal is what went wrong, or what is to be done.
type Signal struct {
	Type      string `json:"type"`
	Provider  string `json:"provider,omitempty"`
	Stage     string `json:"stage,omitempty"`
	Severity  string `json:"severity,omitempty"`
	TechStack string `json:"techStack,omitempty"`
}

// UnmarshalJSON also accepts a plain text, which is the type.
func (s *Signal) UnmarshalJSON(b []byte) error {
	if b = bytes.TrimSpace(b); bytes.HasPrefix(b, []byte{'"'}) {
		*s = Signal{}
		return json.Unmarshal(b, &s.Type)
	}
	type plain Signal
	return json.Unmarshal(b, (*plain)(s))
}

// A List is a list that may also be JSON in a text, as in raw rows of the original's
// database.
type List[T any] []T

// UnmarshalJSON accepts a list, a text that contains one, or nothing.
func (l *List[T]) UnmarshalJSON(b []byte) error {
	text, ok := inText(b)
	if !ok {
		return nil
	}
	return json.Unmarshal(text, (*[]T)(l))
}

// A Map is an object that may also be JSON in a text.
type Map map[string]any

// UnmarshalJSON accepts an object, a text that contains one, or nothing.
func (m *Map) UnmarshalJSON(b []byte) error {
	text, ok := inText(b)
	if !ok {
		return nil
	}
	return json.Unmarshal(text, (*map[string]any)(m))
}

func inText(b []byte) ([]byte, bool) {
	b = bytes.TrimSpace(b)
	if len(b) > 0 && b[0] == '"' {
		var text string
		if json.Unmarshal(b, &text) != nil || strings.TrimSpace(text) == "" {
			return nil, false
		}
		return []byte(text), true
	}
	return b, len(b) > 0 && !bytes.Equal(b, []byte("null"))
}

// An Outcome is how one use of a gene ended. OutcomeID makes it harmless to send it
// again: a service that already has one with this person and id answers as if it had
// just accepted it. The original's server ignores it.
type Outcome struct {
	GeneID      string   `json:"gene_id"`
	Signals     []Signal `json:"signals"`
	Outcome     string   `json:"outcome"` // success or failed
	Summary     string   `json:"summary"`
	Score       *float64 `json:"score,omitempty"`
	CostCredits *float64 `json:"cost_credits,omitempty"`
	Metadata    Map      `json:"metadata,omitempty"`
	OutcomeID   string   `json:"outcome_id,omitempty"`
	SessionID   string   `json:"session_id,omitempty"`
	Followed    *bool    `json:"followed,omitempty"`
	Explicit    bool     `json:"explicit,omitempty"` // somebody judged it; otherwise it was inferred from what happened
	At          int64    `json:"at,omitempty"`       // ms
}

// Known normalizes an outcome, "" if it is not one.
func Known(outcome string) string {
	switch outcome {
	case "success":
		return "success"
	case "failed", "failure":
		return "failed"
	}
	return ""
}

// SyncRequest is the body of POST /api/im/evolution/sync.
type SyncRequest struct {
	Push *Push `json:"push,omitempty"`
	Pull *Pull `json:"pull,omitempty"`
}

// Push contains outcomes for the service.
type Push struct {
	Outcomes []Outcome `json:"outcomes"`
	Scope    string    `json:"scope,omitempty"`
}

// Pull asks for what changed after a cursor.
type Pull struct {
	Since int64  `json:"since"`
	Scope string `json:"scope,omitempty"`
}

// SyncAnswer is the data of the answer.
type SyncAnswer struct {
	Pushed *Pushed `json:"pushed,omitempty"`
	Pulled *Pulled `json:"pulled,omitempty"`
	Role   string  `json:"role,omitempty"` // of the key's person
}

// Pushed says what happened to the outcomes.
type Pushed struct {
	Accepted int      `json:"accepted"`
	Rejected []string `json:"rejected"` // "outcome[i]: why"
}

// Pulled is what changed.
type Pulled struct {
	compat.Mark
	Genes       []Row            `json:"genes"`
	Edges       []Edge           `json:"edges"`
	GlobalPrior map[string]Prior `json:"globalPrior"`
	Promotions  []string         `json:"promotions"`     // ids of genes that were published
	Quarantines []string         `json:"quarantines"`    // ids of genes that must not be used
	More        bool             `json:"more,omitempty"` // there is more after this cursor
	Gone        []string         `json:"gone,omitempty"` // ids of genes that were deleted, for everybody
	// Reset says that the service never gave out this cursor (it is of another
	// database, or from before a restore) and began anew, at a lower one.
	Reset bool `json:"reset,omitempty"`
}

// A Prior is what all people together observed about a signal.
type Prior struct {
	Alpha float64 `json:"alpha"`
	Beta  float64 `json:"beta"`
}

// An Edge counts the results of a gene for a signal.
type Edge struct {
	GeneID       string `json:"geneId"`
	Signal       string `json:"signalKey"`
	SuccessCount int    `json:"successCount"`
	FailureCount int    `json:"failureCount"`
	LastUsedAt   int64  `json:"lastUsedAt"`
}

// A Row is a gene in a pull: a row of the database.
type Row struct {
	ID            string       `json:"id"`
	Title         string       `json:"title"`
	Category      string       `json:"category"`
	Description   string       `json:"description"`
	SignalsMatch  List[Signal] `json:"signalsMatch"`
	StrategySteps List[string] `json:"strategySteps"`
	Preconditions List[string] `json:"preconditions"`
	Constraints   Map          `json:"constraints"`
	Visibility    string       `json:"visibility"`
	SuccessCount  int          `json:"successCount"`
	FailureCount  int          `json:"failureCount"`
	LastUsedAt    Moment       `json:"lastUsedAt"`
	Scope         string       `json:"scope"`
	QualityScore  float64      `json:"qualityScore"`
	CreatedBy     string       `json:"createdBy"`
	ParentGeneID  string       `json:"parentGeneId,omitempty"`
	ForkCount     int          `json:"forkCount"`
	Generation    int          `json:"generation"`
	// Mine says that it belongs to the person who asks, whichever of their agents made
	// it. A service that does not say so has no others.
	Mine *bool `json:"mine,omitempty"`
	Beyond
}

// Beyond is what the original's services and clients do not know about a gene.
type Beyond struct {
	State        string               `json:"state,omitempty"`       // draft, trial, shared, held, seed: Visibility in our words
	Author       string               `json:"author,omitempty"`      // the person who shared it
	ReviewedBy   string               `json:"reviewed_by,omitempty"` // the person who approved it
	HeldFor      string               `json:"held_for,omitempty"`    // why it is held
	Evidence     *gene.Evidence       `json:"evidence,omitempty"`
	Cures        []failure.Failure    `json:"cures,omitempty"`
	When         *gene.When           `json:"when,omitempty"`
	Translations map[string]gene.Text `json:"translations,omitempty"`
	Platitude    bool                 `json:"platitude,omitempty"`
}

// MarshalJSON writes lists as JSON in texts, like the original's rows.
func (r Row) MarshalJSON() ([]byte, error) {
	type plain Row
	text := func(v any) (string, error) {
		b, err := json.Marshal(v)
		return string(b), err
	}
	steps, err := text([]string(r.StrategySteps))
	if err != nil {
		return nil, err
	}
	signals, err := text([]Signal(r.SignalsMatch))
	if err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		plain
		StrategySteps string `json:"strategySteps"`
		SignalsMatch  string `json:"signalsMatch"`
	}{plain(r), steps, signals})
}

// Gene is the body of POST /api/im/evolution/genes, and a gene in the answers to it and
// to analyze.
type Gene struct {
	Type          string   `json:"type,omitempty"` // "Gene"
	ID            string   `json:"id,omitempty"`
	Category      string   `json:"category"`
	Title         string   `json:"title,omitempty"`
	Description   string   `json:"description,omitempty"`
	Visibility    string   `json:"visibility,omitempty"`
	SignalsMatch  []Signal `json:"signals_match"`
	Strategy      []string `json:"strategy"`
	Preconditions []string `json:"preconditions"`
	Constraints   Map      `json:"constraints"`
	SuccessCount  int      `json:"success_count"`
	FailureCount  int      `json:"failure_count"`
	LastUsedAt    int64    `json:"last_used_at"`
	CreatedBy     string   `json:"created_by,omitempty"`
	ParentGeneID  string   `json:"parentGeneId,omitempty"`
	ForkCount     int      `json:"forkCount"`
	Generation    int      `json:"generation"`
	QualityScore  float64  `json:"qualityScore"`
	Mine          *bool    `json:"mine,omitempty"` // as in a Row
	Beyond
}

// Advice is the data of the answer to analyze, as far as a client uses it.
type Advice struct {
	Action     string  `json:"action"`
	GeneID     string  `json:"gene_id"`
	Gene       *Gene   `json:"gene"`
	Confidence float64 `json:"confidence"`
	Coverage   float64 `json:"coverageScore"`
	Reason     string  `json:"reason"`
}

// A Moment is a time in milliseconds; it is read from a number or a date.
type Moment int64
