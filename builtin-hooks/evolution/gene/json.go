package gene

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

type member struct {
	name  string
	value json.RawMessage
}

// UnmarshalJSON reads a signal from an object, or from its type alone.
func (s *Signal) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		*s = Signal{}
		return json.Unmarshal(b, &s.Type)
	}
	type plain Signal
	return json.Unmarshal(b, (*plain)(s))
}

// wire is the JSON form, in written order.
type wire struct {
	Type          string            `json:"type"`
	ID            string            `json:"id"`
	Category      Category          `json:"category"`
	Title         string            `json:"title"`
	Description   string            `json:"description,omitempty"`
	Visibility    Visibility        `json:"visibility"`
	SignalsMatch  []Signal          `json:"signals_match"`
	Preconditions []string          `json:"preconditions"`
	Strategy      []string          `json:"strategy"`
	Constraints   Constraints       `json:"constraints"`
	Successes     int               `json:"success_count"`
	Failures      int               `json:"failure_count"`
	LastUsed      *string           `json:"last_used_at"`
	CreatedBy     string            `json:"created_by,omitempty"`
	DistilledFrom []string          `json:"distilled_from,omitempty"`
	Parent        string            `json:"parentGeneId,omitempty"`
	Forks         int               `json:"forkCount"`
	Generation    int               `json:"generation"`
	Quality       float64           `json:"qualityScore"`
	Scope         string            `json:"scope,omitempty"`
	Translations  map[string]Text   `json:"translations,omitempty"`
	When          *When             `json:"when,omitempty"`
	Cures         []failure.Failure `json:"cures,omitempty"`
	Platitude     bool              `json:"platitude,omitempty"`
	Author        string            `json:"author,omitempty"`
	Reviewed      string            `json:"reviewed_by,omitempty"`
	HeldFor       string            `json:"held_for,omitempty"`
	Evidence      *Evidence         `json:"evidence,omitempty"`
}

// MarshalJSON writes the form that [Parse] reads, unknown members last.
func (g Gene) MarshalJSON() ([]byte, error) {
	w := wire{
		Type: "Gene", ID: g.ID, Category: g.Category, Title: g.Title, Description: g.Description, Visibility: g.Visibility,
		SignalsMatch: orEmpty(g.SignalsMatch), Preconditions: orEmpty(g.Preconditions), Strategy: orEmpty(g.Strategy), Constraints: g.Constraints,
		Successes: g.Successes, Failures: g.Failures, CreatedBy: g.CreatedBy, DistilledFrom: g.DistilledFrom, Parent: g.Parent,
		Forks: g.Forks, Generation: g.Generation, Quality: g.Quality, Scope: g.Scope, Translations: g.Translations, Cures: g.Cures, Platitude: g.Platitude,
		Author: g.Author, Reviewed: g.Reviewed, HeldFor: g.HeldFor, Evidence: g.Evidence,
	}
	if len(g.When.Says) > 0 {
		w.When = &g.When
	}
	w.Constraints.Capabilities = orEmpty(w.Constraints.Capabilities)
	if !g.LastUsed.IsZero() {
		at := protocol.Timestamp(g.LastUsed)
		w.LastUsed = &at
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(w); err != nil {
		return nil, err
	}
	out := bytes.TrimSuffix(buf.Bytes(), []byte("}\n"))
	for _, m := range g.extra {
		out = append(append(append(append(out, ','), protocol.Quote(m.name)...), ':'), m.value...)
	}
	return append(out, '}'), nil
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// UnmarshalJSON is Parse.
func (g *Gene) UnmarshalJSON(b []byte) error {
	parsed, err := Parse(b)
	*g = parsed
	return err
}

// forbidden are members that would turn a gene into something that acts.
var forbidden = []string{"hook", "hooks", "hook_config", "hookConfig", "mcp", "mcpServers", "mcp_servers", "trigger", "matcher", "handler", "entry", "command", "commands", "script", "scripts", "run", "exec", "validation", "validation_commands", "env"}

// Refused says why a gene is not accepted at all.
type Refused struct{ Reason string }

func (r Refused) Error() string { return r.Reason }

// Parse reads a gene in either spelling. It refuses what is not a gene and what would
// act; control characters are removed from all texts. Unknown members are kept.
func Parse(b []byte) (g Gene, err error) {
	o, err := protocol.ParseObject(b)
	if err != nil {
		return g, Refused{fmt.Sprintf("not a JSON object: %v", err)}
	}
	if t := o.Text("type"); o.Has("type") && t != "Gene" {
		return g, Refused{fmt.Sprintf("type is %q, want Gene", t)}
	}
	g.Constraints = DefaultConstraints()
	for _, m := range o {
		if slices.Contains(forbidden, m.Name) {
			return g, Refused{fmt.Sprintf("member %q: a gene is text, it brings nothing that runs", m.Name)}
		}
		known, err := g.member(m.Name, m.Value)
		if err != nil {
			return g, Refused{fmt.Sprintf("member %q: %v", m.Name, err)}
		}
		if !known {
			g.extra = append(g.extra, member{m.Name, json.RawMessage(m.Value)})
		}
	}
	g.Clean()
	return g, nil
}

// member sets the field of a member. The second names are those of the service's rows,
// whose lists are JSON inside a text.
func (g *Gene) member(name string, raw protocol.Raw) (known bool, err error) {
	var to any
	switch name {
	case "type":
		return true, nil
	case "id":
		to = &g.ID
	case "category":
		to = &g.Category
	case "title":
		to = &g.Title
	case "description":
		to = &g.Description
	case "visibility":
		to = &g.Visibility
	case "signals_match", "signalsMatch":
		to = &g.SignalsMatch
	case "preconditions":
		to = &g.Preconditions
	case "strategy", "strategySteps", "strategy_steps":
		to = &g.Strategy
	case "constraints":
		to = &g.Constraints
	case "success_count", "successCount":
		to = &g.Successes
	case "failure_count", "failureCount":
		to = &g.Failures
	case "last_used_at", "lastUsedAt":
		return true, g.lastUsed(raw)
	case "created_by", "createdBy", "ownerAgentId":
		to = &g.CreatedBy
	case "distilled_from", "distilledFrom":
		return true, oneOrMore(raw, &g.DistilledFrom)
	case "parentGeneId", "parent_gene_id":
		to = &g.Parent
	case "forkCount", "fork_count":
		to = &g.Forks
	case "generation":
		to = &g.Generation
	case "qualityScore", "quality_score":
		to = &g.Quality
	case "scope":
		to = &g.Scope
	case "translations":
		to = &g.Translations
	case "when":
		to = &g.When
	case "cures":
		to = &g.Cures
	case "platitude":
		to = &g.Platitude
	case "author":
		to = &g.Author
	case "reviewed_by":
		to = &g.Reviewed
	case "held_for":
		to = &g.HeldFor
	case "evidence":
		to = &g.Evidence
	default:
		return false, nil
	}
	return true, decode(raw, to)
}

// decode reads a value, or JSON inside a text.
func decode(raw protocol.Raw, to any) error {
	err := json.Unmarshal(raw, to)
	var wrong *json.UnmarshalTypeError
	if err != nil && errors.As(err, &wrong) && wrong.Value == "string" {
		if text := protocol.TextOf(raw); text == "" {
			return nil
		} else if json.Unmarshal([]byte(text), to) == nil {
			return nil
		}
	}
	return err
}

func oneOrMore(raw protocol.Raw, to *[]string) error {
	if err := decode(raw, to); err == nil {
		return nil
	}
	if one := protocol.TextOf(raw); one != "" {
		*to = []string{one}
		return nil
	}
	return errors.New("want an id, or an array of ids")
}

// lastUsed reads a time: RFC 3339, or milliseconds, or nothing.
func (g *Gene) lastUsed(raw protocol.Raw) error {
	if string(raw) == "null" {
		return nil
	}
	var ms int64
	if json.Unmarshal(raw, &ms) == nil {
		g.LastUsed = time.UnixMilli(ms).UTC()
		return nil
	}
	text := protocol.TextOf(raw)
	if text == "" {
		return nil
	}
	at, err := time.Parse(time.RFC3339, text)
	g.LastUsed = at.UTC()
	return err
}

// Clean removes from all texts what is not text, and surrounding spaces.
func (g *Gene) Clean() {
	one := func(s string) string {
		return text.OneLine(strings.ToValidUTF8(protocol.Plain(s), ""))
	}
	all := func(list []string) []string {
		out := list[:0:0]
		for _, s := range list {
			if s = one(s); s != "" {
				out = append(out, s)
			}
		}
		return out
	}
	g.ID, g.Title, g.Description = one(g.ID), one(g.Title), one(g.Description)
	g.CreatedBy, g.Scope, g.Parent = one(g.CreatedBy), one(g.Scope), one(g.Parent)
	g.Author, g.Reviewed, g.HeldFor = one(g.Author), one(g.Reviewed), one(g.HeldFor)
	g.Strategy, g.Preconditions = all(g.Strategy), all(g.Preconditions)
	g.DistilledFrom, g.Constraints.Capabilities = all(g.DistilledFrom), all(g.Constraints.Capabilities)
	list := g.SignalsMatch[:0:0]
	for _, s := range g.SignalsMatch {
		s = Signal{one(s.Type), one(s.Provider), one(s.Stage), one(s.Severity), one(s.TechStack)}
		if s.Type != "" && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	g.SignalsMatch = list
	for language, t := range g.Translations {
		g.Translations[language] = Text{one(t.Title), all(t.Strategy)}
	}
}
