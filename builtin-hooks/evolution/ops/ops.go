package ops

import (
	"cmp"
	"context"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/match"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// An Operator works with genes for one user and project.
type Operator struct {
	Dir        string // of the store (evolution.Dir)
	Now        func() time.Time
	Random     *rand.Rand // nil: the selector is deterministic
	Creativity float64    // selector.Creativity unless set otherwise
	Scope      string     // of the project; "": global
	Project    string     // its name, which no gene should contain; "": taken from the scope
	Session    string     // of the calling agent, if any
	HoldOut    bool       // one failure in ten gets no suggestion
	Agent      string     // name of the agent
	Language   string     // en, zh

	// Signals finds the signals in a text, for callers that have only an error message;
	// nil: it is not needed.
	Signals func(text string) []string
	// Words opens memory's lexicon; nil: it is not needed.
	Words func() *match.Words
	// Remember notes a success in memory; nil if memory is off.
	Remember func(text string) error
}

// in runs a function with the open store.
func in[T any](d *Operator, ctx context.Context, do func(*store.Store) (T, error)) (T, error) {
	s, err := store.Open(ctx, d.Dir)
	if err != nil {
		var zero T
		return zero, err
	}
	defer s.Close()
	return do(s)
}

// told is an error in the form for callers.
func (d *Operator) told(err error) error {
	var known *op.Error
	var fault *op.Fault
	var newer *store.Newer
	var damaged *store.Damaged
	switch {
	case err == nil || errors.As(err, &known) || errors.As(err, &fault):
		return err
	case errors.Is(err, store.ErrNoGene):
		return &op.Error{Code: "NO_GENE", Message: err.Error(), Fix: "agents-hooks evolution list"}
	case errors.Is(err, store.ErrHeld):
		return &op.Error{Code: "HELD", Message: err.Error(), Fix: "agents-hooks evolution approve ID"}
	case errors.As(err, &newer), errors.As(err, &damaged):
		return &op.Error{Code: "STORE", Message: err.Error()}
	}
	return &op.Error{Code: "STORE", Message: err.Error(), Cause: err}
}

func (d *Operator) scopeOr(scope string) string {
	if scope != "" {
		return scope
	}
	if d.Scope != "" {
		return d.Scope
	}
	return "global"
}

// analysis are the arguments of evolve_analyze.
type analysis struct {
	Signals   []gene.Signal `json:"signals" help:"what the problem shows, such as error:timeout; or objects with type, provider, stage, severity, techStack" zh:"问题的信号，如 error:timeout；或含 type、provider、stage、severity、techStack 的对象"`
	Error     string        `json:"error" help:"the error's text, if no signals are known" zh:"错误文本（信号未知时）"`
	Tags      []string      `json:"tags" help:"more signals" zh:"更多信号"`
	Provider  string        `json:"provider" help:"of all signals that name none" zh:"未注明的信号的默认值"`
	Stage     string        `json:"stage" help:"of all signals that name none" zh:"未注明的信号的默认值"`
	Severity  string        `json:"severity" help:"of all signals that name none" zh:"未注明的信号的默认值"`
	TechStack string        `json:"tech_stack" help:"of all signals that name none: go, node, python …" zh:"未注明的信号的默认值：go、node、python …"`
	Command   string        `json:"command" help:"the command that fails, which tells tech_stack and stage where they are not given" zh:"失败的命令，用来推断未给出的 tech_stack 与 stage"`
	Scope     string        `json:"scope" help:"of the project; default its name" zh:"项目的作用域，默认为项目名"`
	Session   string        `json:"session" help:"id of the agent's session: the suggestion is noted for it" zh:"代理会话的 ID：建议会记在其名下"`
	Failure   string        `json:"failure" help:"the failure as a journal has it: its identity and message" zh:"日志中记录的失败：标识与消息"`
	Tried     bool          `json:"tried" help:"something was changed between two times of it: advice to look first comes too late" zh:"两次失败之间已有改动：不再给出先看错误之类的建议"`
	Offered   []string      `json:"offered" help:"genes that were offered just now: another one is better, if it has helped before" zh:"刚刚建议过的基因：若有其他有效的则换一个"`
	Greedy    bool          `json:"greedy" help:"choose by what is known alone, without chance" zh:"只按已知情况选择，不带随机"`
}

// event is the list of signals for an analysis.
func (d *Operator) event(in analysis) ([]gene.Signal, error) {
	list := in.Signals
	for _, t := range in.Tags {
		list = append(list, gene.Signal{Type: t})
	}
	if len(list) == 0 && in.Error != "" && d.Signals != nil {
		list = gene.Signals(d.Signals(in.Error)...)
	}
	var g gene.Gene
	g.SignalsMatch = list
	g.Clean()
	if len(g.SignalsMatch) == 0 {
		return nil, &op.Error{Code: op.BadArgument, Message: "there are no signals: name some, or give the error's text", Fix: "agents-hooks evolution analyze --signals error:timeout"}
	}
	stack, stage := Situation(in.Command)
	in.TechStack, in.Stage = cmp.Or(in.TechStack, stack), cmp.Or(in.Stage, stage)
	for i := range g.SignalsMatch {
		s := &g.SignalsMatch[i]
		s.Provider, s.Stage, s.Severity, s.TechStack = cmp.Or(s.Provider, in.Provider), cmp.Or(s.Stage, in.Stage), cmp.Or(s.Severity, in.Severity), cmp.Or(s.TechStack, in.TechStack)
	}
	return g.SignalsMatch, nil
}

// An Analysis is the answer of evolve_analyze.
type Analysis struct {
	Schema       int             `json:"schema"`
	Action       selector.Action `json:"action"`
	Signals      []string        `json:"signals"`
	Scope        string          `json:"scope"`
	GeneID       string          `json:"gene_id"`
	Title        string          `json:"title"`
	Strategy     []string        `json:"strategy"`
	Confidence   float64         `json:"confidence"`
	Runs         int             `json:"runs"`   // outcomes that count
	Helped       int             `json:"helped"` // how many of them succeeded
	Coverage     float64         `json:"coverageScore"`
	Gene         *gene.Gene      `json:"gene"`
	Alternatives []Ranked        `json:"alternatives"`
	Rank         []Ranked        `json:"rank"`
	Reason       string          `json:"reason"`
	Suggestion   *Suggestion     `json:"suggestion"`
	HeldOut      bool            `json:"held_out,omitempty"` // a gene fits but is not shown
}

// heldOut reports whether a session's failure is the one in ten that gets no
// suggestion.
func heldOut(session, failure string) bool {
	return failure != "" && crc32.ChecksumIEEE([]byte(session+" "+failure))%10 == 0
}

// A Ranked is a gene with the numbers behind its rank.
type Ranked struct {
	GeneID     string  `json:"gene_id"`
	Title      string  `json:"title"`
	Layer      string  `json:"layer"`
	Rank       float64 `json:"rank"`
	Coverage   float64 `json:"coverage"`
	Memory     float64 `json:"memory"`
	Confidence float64 `json:"confidence"`
	Context    float64 `json:"context"`
	Quality    float64 `json:"quality"`
	State      string  `json:"state"` // ready, banned, resting
}

// A Suggestion describes a gene that could be made, if there is none.
type Suggestion struct {
	Category     gene.Category `json:"category"`
	SignalsMatch []gene.Signal `json:"signals_match"`
	Title        string        `json:"title"`
	Description  string        `json:"description"`
	SimilarGenes []string      `json:"similar_genes"`
}

func (d *Operator) analyze(ctx context.Context, a analysis) (any, error) {
	event, err := d.event(a)
	if err != nil {
		return nil, err
	}
	scope, now := d.scopeOr(a.Scope), d.Now()
	return in(d, ctx, func(s *store.Store) (*Analysis, error) {
		candidates, err := s.Candidates(ctx, event, scope, d.Agent, now)
		if err != nil {
			return nil, err
		}
		o := selector.Options{Now: now, Random: d.Random, Creativity: d.Creativity}
		if a.Greedy {
			o.Random = nil
		}
		f := d.failure(a)
		c := d.choice(a, f, event, candidates, o)
		out := d.answer(event, f, scope, c)
		if out.GeneID != "" && !slices.Contains(a.Offered, out.GeneID) && cmp.Or(a.Session, d.Session) != "" {
			offer := store.Suggestion{Gene: out.GeneID, Failure: journal.ReadFailure(a.Failure).ID, Session: cmp.Or(a.Session, d.Session), Scope: scope, Signals: out.Signals, Action: out.Action, Confidence: out.Confidence, Coverage: out.Coverage, At: now}
			if offer.Held = d.HoldOut && heldOut(offer.Session, offer.Failure); offer.Held {
				out = d.answer(event, f, scope, selector.Choice{Action: selector.Nothing, Reason: "held out, to see how it goes without"})
				out.HeldOut = true
			}
			err = s.Suggested(ctx, offer)
		}
		return out, err
	})
}

// failure is what happened, if known: a failure from a journal, or the text of an
// error.
func (d *Operator) failure(a analysis) failure.Failure {
	f := journal.ReadFailure(a.Failure)
	if f.ID == "" && a.Error != "" {
		f = failure.Of(a.Command, a.Error, -1, d.Project, d.Scope)
	}
	return f
}

// choice is the gene for what happened or, if only signals are known, for these.
func (d *Operator) choice(a analysis, f failure.Failure, event []gene.Signal, candidates []selector.Candidate, o selector.Options) selector.Choice {
	if f.ID == "" {
		c := selector.Choose(event, candidates, o)
		c.Instead(event, a.Offered)
		return c
	}
	genes := make([]gene.Gene, len(candidates))
	for i := range candidates {
		genes[i] = candidates[i].Gene
	}
	words := d.words()
	defer words.Close()
	var fits []selector.Fit
	for _, m := range match.Rank(match.Case{Failure: f, Command: a.Command, Signals: gene.Types(event)}, genes, words) {
		if !slices.Contains(a.Offered, genes[m.Gene].ID) {
			fits = append(fits, selector.Fit{Candidate: candidates[m.Gene], Score: m.Score, Why: m.Why})
		}
	}
	switch {
	case len(fits) > 0:
	case a.Failure == "":
		return selector.Choose(event, candidates, o) // somebody asks: then genes for its class will do
	case !a.Tried && len(a.Offered) == 0:
		return selector.Platitudes(event, candidates, o)
	}
	return selector.Among(fits, o)
}

// words is memory's lexicon, nil if there is none: then words mean only themselves.
func (d *Operator) words() *match.Words {
	if d.Words == nil {
		return nil
	}
	return d.Words()
}

// answer is a choice in the form of the answer.
func (d *Operator) answer(event []gene.Signal, f failure.Failure, scope string, c selector.Choice) *Analysis {
	out := &Analysis{Schema: 1, Action: c.Action, Signals: gene.Types(event), Scope: scope, Reason: c.Reason, Strategy: []string{}, Alternatives: []Ranked{}, Rank: []Ranked{}}
	if g := c.Chosen(); g != nil {
		text := g.Gene.For(d.Language, &f)
		out.GeneID, out.Title, out.Strategy, out.Confidence, out.Coverage = g.Gene.ID, text.Title, text.Strategy, g.Confidence, g.Coverage
		out.Runs, out.Helped = int(g.Global.N()+0.5), int(g.Global.Successes+0.5)
		whole := g.Gene
		whole.Successes, whole.Failures, whole.LastUsed = int(g.Global.Successes+0.5), int(g.Global.Failures+0.5), g.Global.Last
		out.Gene = &whole
	}
	const most = 10
	for i, r := range append(slices.Clone(c.Ranked), c.Out...) {
		row := Ranked{r.Gene.ID, r.Gene.In(d.Language).Title, r.Layer.String(), r.Rank, r.Coverage, r.Memory, r.Confidence, r.Context, r.Quality, "ready"}
		switch {
		case r.Banned:
			row.State = "banned"
		case r.Resting:
			row.State = "resting"
		}
		if len(out.Rank) < most {
			out.Rank = append(out.Rank, row)
		}
		if i > 0 && row.State == "ready" && r.Layer == gene.Exact && len(out.Alternatives) < 3 {
			out.Alternatives = append(out.Alternatives, row)
		}
	}
	if c.Action == selector.Suggest {
		s := &Suggestion{Category: gene.Repair, SignalsMatch: event, Title: "Solving " + event[0].Type, Description: "No gene is about this yet. When it is solved in a way that would help elsewhere, create one.", SimilarGenes: []string{}}
		for _, r := range c.Ranked[:min(3, len(c.Ranked))] {
			s.SimilarGenes = append(s.SimilarGenes, r.Gene.ID)
		}
		out.Suggestion = s
	}
	return out
}

// at is a time as answers write it, nil if there is none.
func at(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := protocol.Timestamp(t)
	return &s
}
