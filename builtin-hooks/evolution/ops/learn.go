package ops

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/draft"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/match"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/screen"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// outcome are the arguments of evolve_record.
type outcome struct {
	GeneID    string          `json:"gene_id" need:"1" help:"the gene" zh:"基因"`
	Signals   []gene.Signal   `json:"signals" need:"1" help:"what the problem showed, such as error:timeout" zh:"问题的信号，如 error:timeout"`
	Outcome   string          `json:"outcome" need:"1" words:"success failed failure" help:"how it went: success, failed" zh:"结果：success、failed"`
	Summary   string          `json:"summary" need:"1" help:"one sentence: what was done, and what came of it" zh:"一句话：做了什么，结果如何"`
	Score     *float64        `json:"score" help:"how well it went, from 0 to 1" zh:"效果评分，0 到 1"`
	Followed  *bool           `json:"followed" help:"whether the gene's steps were really followed; an outcome that was reached otherwise teaches nothing about it" zh:"是否真的照基因的步骤做了；否则结果与该基因无关"`
	Scope     string          `json:"scope" help:"of the project; default its name" zh:"项目的作用域，默认为项目名"`
	Session   string          `json:"session" help:"id of the agent's session" zh:"代理会话的 ID"`
	Reason    string          `json:"transition_reason" help:"why it went so" zh:"为何如此"`
	Cost      *float64        `json:"cost_credits" help:"what it cost" zh:"花费"`
	Metadata  json.RawMessage `json:"metadata" help:"anything else" zh:"其他任何内容"`
	Snapshot  json.RawMessage `json:"context_snapshot" help:"what the situation was" zh:"当时的情形"`
	ID        string          `json:"id" help:"id of the outcome: the same one is recorded once" zh:"结果的 ID：同一个只记录一次"`
	Worse     bool            `json:"worse" help:"there was more amiss after it than before" zh:"之后的问题比之前更多"`
	Concluded bool            `json:"concluded" help:"nobody looked: it was concluded from the next command" zh:"无人查看，由下一条命令推断"`
}

// A Recorded is the answer of evolve_record and evolve_report.
type Recorded struct {
	Schema       int      `json:"schema"`
	Status       string   `json:"status"` // ok, duplicate
	ID           string   `json:"id"`
	GeneID       string   `json:"gene_id"`
	EdgeUpdated  bool     `json:"edge_updated"`
	Weight       float64  `json:"weight"`
	Frozen       bool     `json:"frozen"`
	Replaces     []string `json:"replaces"`
	Reflection   string   `json:"reflection"` // what to think about, "" if nothing
	Remembered   bool     `json:"remembered"`
	DistillReady []string `json:"distill_ready"`
	Visibility   string   `json:"visibility"`
}

func (d *Operator) record(ctx context.Context, o outcome) (any, error) {
	if o.Score != nil && (*o.Score < 0 || *o.Score > 1) {
		return nil, &op.Error{Code: op.BadArgument, Message: fmt.Sprintf("score is %v: want 0 to 1", *o.Score)}
	}
	if o.Worse && o.Outcome == "success" {
		return nil, &op.Error{Code: op.BadArgument, Message: "worse and the outcome success: want one of them"}
	}
	more := map[string]any{}
	if o.Cost != nil {
		more["cost_credits"] = *o.Cost
	}
	if len(o.Metadata) > 0 {
		more["metadata"] = o.Metadata
	}
	if len(o.Snapshot) > 0 {
		more["context_snapshot"] = o.Snapshot
	}
	obs := store.Observation{
		ID: o.ID, Gene: o.GeneID, Session: cmp.Or(o.Session, d.Session), Scope: d.scopeOr(o.Scope), Agent: d.Agent, Signals: o.Signals,
		Success: o.Outcome == "success", Score: o.Score, Summary: o.Summary, Reason: o.Reason, Explicit: !o.Concluded, Followed: o.Followed, At: d.Now(),
	}
	if o.Worse {
		obs.Evidence = &store.Evidence{Worse: true}
	}
	if len(more) > 0 {
		var err error
		if obs.More, err = json.Marshal(more); err != nil {
			return nil, err
		}
	}
	return in(d, ctx, func(s *store.Store) (*Recorded, error) { return d.keep(ctx, s, obs) })
}

// keep records an observation and says what came of it.
func (d *Operator) keep(ctx context.Context, s *store.Store, o store.Observation) (*Recorded, error) {
	var g gene.Gene
	g.SignalsMatch = o.Signals
	g.Clean()
	o.Signals = g.SignalsMatch
	done, err := s.Record(ctx, o)
	if err != nil {
		return nil, err
	}
	out := &Recorded{
		Schema: 1, Status: "ok", ID: done.ID, GeneID: o.Gene, EdgeUpdated: done.Counted, Weight: done.Weight, Frozen: done.Frozen,
		Replaces: orEmpty(done.Replaces), DistillReady: orEmpty(done.Ripe), Visibility: string(done.Visibility),
	}
	switch {
	case done.Duplicate:
		out.Status = "duplicate"
	case done.Reflect:
		out.Reflection = cmp.Or(o.Reason, "what would have worked instead? If you know it in general terms, create a gene")
	case done.Remember && d.Remember != nil:
		out.Remembered = d.Remember(strings.TrimSpace(o.Summary+" ("+strings.Join(gene.Types(o.Signals), ", ")+")")) == nil
	}
	return out, nil
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// whole are the arguments of evolve_report.
type whole struct {
	RawContext  string   `json:"rawContext" need:"1" help:"what was seen: errors, the last output" zh:"看到的内容：错误、最后的输出"`
	Outcome     string   `json:"outcome" need:"1" words:"success failed failure" help:"how it went: success, failed" zh:"结果：success、failed"`
	TaskContext string   `json:"taskContext" help:"what was to be done" zh:"要完成的任务"`
	Score       *float64 `json:"score" help:"how well it went, from 0 to 1" zh:"效果评分，0 到 1"`
	Provider    string   `json:"provider" help:"of the signals" zh:"信号的属性"`
	Stage       string   `json:"stage" help:"of the signals" zh:"信号的属性"`
	Severity    string   `json:"severity" help:"of the signals" zh:"信号的属性"`
	GeneID      string   `json:"gene_id" help:"the gene that was used, if one was" zh:"使用过的基因（若有）"`
	Scope       string   `json:"scope" help:"of the project; default its name" zh:"项目的作用域，默认为项目名"`
	Session     string   `json:"session" help:"id of the agent's session" zh:"代理会话的 ID"`
	Signals     []string `json:"signals" help:"what it showed, if that is known; else it is found in rawContext" zh:"已知的信号；否则从 rawContext 中识别"`
}

func (d *Operator) report(ctx context.Context, w whole) (any, error) {
	types := w.Signals
	if len(types) == 0 && d.Signals != nil {
		types = d.Signals(w.RawContext)
	}
	if len(types) == 0 {
		types = []string{"session:end"}
	}
	list := gene.Signals(types...)
	for i := range list {
		list[i].Provider, list[i].Stage, list[i].Severity = w.Provider, w.Stage, w.Severity
	}
	const most = 2000 // characters that are kept of what was seen
	more, err := json.Marshal(map[string]string{"task": w.TaskContext, "context": text.Head(w.RawContext, most)})
	if err != nil {
		return nil, err
	}
	return in(d, ctx, func(s *store.Store) (*Recorded, error) {
		return d.keep(ctx, s, store.Observation{
			Gene: w.GeneID, Session: cmp.Or(w.Session, d.Session), Scope: d.scopeOr(w.Scope), Agent: d.Agent, Signals: list,
			Success: w.Outcome == "success", Score: w.Score, Summary: cmp.Or(w.TaskContext, "a report of the whole"), More: more, Explicit: true, At: d.Now(),
		})
	})
}

// making are the arguments of evolve_create_gene.
type making struct {
	Category      string          `json:"category" words:"repair optimize innovate diagnostic" help:"repair, optimize, innovate or diagnostic; default repair" zh:"repair、optimize、innovate 或 diagnostic，默认 repair"`
	SignalsMatch  []gene.Signal   `json:"signals_match" help:"the signals it is for, such as error:timeout; default those of the failures of the session, of which those that are over come first" zh:"适用的信号，如 error:timeout；默认取会话中的失败，已解决的优先"`
	Strategy      []string        `json:"strategy" need:"1" help:"the steps, in order, general enough for any project" zh:"按顺序的步骤，对任何项目都适用"`
	Title         string          `json:"title" help:"what it does, in a few words" zh:"用几个词说明作用"`
	Description   string          `json:"description" help:"when it helps, and when not" zh:"何时有用，何时无用"`
	Preconditions []string        `json:"preconditions" help:"what has to hold first" zh:"前提条件"`
	Constraints   json.RawMessage `json:"constraints" help:"max_credits, max_retries, required_capabilities" zh:"max_credits、max_retries、required_capabilities"`
	Session       string          `json:"session" help:"id of the agent's session: what the gene cured is taken from its journal" zh:"代理会话的 ID：从其日志读取该基因解决了什么"`
	Scope         string          `json:"scope" help:"for this project's scope only; default for all" zh:"仅用于此项目的作用域，默认适用于全部"`
	DistilledFrom []string        `json:"distilled_from" help:"genes that it was made of" zh:"由哪些基因提炼而成"`
	Force         bool            `json:"force" help:"keep it although it names paths, lines or the project, or is near another one" zh:"即使含路径、行号、项目名，或与已有基因相近，也保留"`
	MergeInto     string          `json:"merge_into" help:"id of a gene of yours that gets what is new in this one" zh:"你自己的基因 ID，新内容并入其中"`
}

// A Created is the answer of evolve_create_gene.
type Created struct {
	Schema   int              `json:"schema"`
	Status   string           `json:"status"` // created, merged, held, similar, refused
	GeneID   string           `json:"gene_id"`
	Gene     *gene.Gene       `json:"gene"`
	Problems []gene.Problem   `json:"problems"`
	Similar  []gene.Neighbour `json:"similar"`
}

func (d *Operator) create(ctx context.Context, m making) (any, error) {
	g := gene.Gene{
		Category: gene.Category(cmp.Or(m.Category, string(gene.Repair))), Title: m.Title, Description: m.Description, SignalsMatch: m.SignalsMatch, Strategy: m.Strategy,
		Preconditions: m.Preconditions, Constraints: gene.DefaultConstraints(), Visibility: gene.Draft, Scope: m.Scope, DistilledFrom: m.DistilledFrom, CreatedBy: cmp.Or(d.Agent, "local"),
	}
	if len(m.Constraints) > 0 {
		if err := json.Unmarshal(m.Constraints, &g.Constraints); err != nil {
			return nil, &op.Error{Code: op.BadArgument, Message: "constraints: " + err.Error()}
		}
	}
	g.Clean()
	for _, t := range gene.Types(g.SignalsMatch) {
		if strings.HasPrefix(t, "error:") && !slices.Contains(signal.Keys(), signal.Key(t)) {
			return nil, &op.Error{Code: op.BadArgument, Message: fmt.Sprintf("signals_match: nothing that fails has %q, so nobody would find it", t), Fix: "name one of " + signalNames() + ", or the session in which it failed"}
		}
	}
	if g.Title == "" && len(g.Strategy) > 0 {
		g.Title = title(g.Strategy[0])
	}
	d.cures(&g, cmp.Or(m.Session, d.Session))
	if len(g.SignalsMatch) == 0 {
		return nil, &op.Error{Code: op.BadArgument, Message: "signals_match is missing: name some, or a session in which something failed", Fix: "agents-hooks evolution create --signals-match error:timeout --strategy STEP"}
	}
	return in(d, ctx, func(s *store.Store) (*Created, error) {
		out, err := d.keepGene(ctx, s, g, m.Force, m.MergeInto)
		if err == nil && out.GeneID != "" {
			err = draft.Done(d.Dir, d.Scope, cmp.Or(m.Session, d.Session))
		}
		return out, err
	})
}

// signalNames lists all signals of failures.
func signalNames() string {
	var names []string
	for _, k := range signal.Keys() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// cures sets the failures that a gene cured, from its session's journal: those that
// ended, with the gene's signals if it has any; of several, those that its own words
// are about. A gene without signals gets theirs.
func (d *Operator) cures(g *gene.Gene, session string) {
	j := journal.Of(d.Dir, session).Read()
	list := j.Cured()
	about := func(c journal.Cure) bool {
		return slices.ContainsFunc(c.Signals, func(k signal.Key) bool { return slices.Contains(gene.Types(g.SignalsMatch), string(k)) })
	}
	if slices.ContainsFunc(list, about) {
		list = slices.DeleteFunc(list, func(c journal.Cure) bool { return !about(c) })
	}
	failures := make([]failure.Failure, len(list))
	for i := range list {
		failures[i] = list[i].Failure
	}
	for _, i := range match.About(g, failures) {
		g.Cured(match.Named(failures[i]))
		for _, k := range list[i].Signals {
			if s := (gene.Signal{Type: string(k)}); !about(list[i]) && !slices.Contains(g.SignalsMatch, s) {
				g.SignalsMatch = append(g.SignalsMatch, s)
			}
		}
	}
	if len(g.SignalsMatch) > 0 {
		return
	}
	// Nothing was solved: it is about what failed, and has cured nothing yet.
	for _, s := range j.Signals()[:min(len(j.Signals()), 3)] {
		g.SignalsMatch = append(g.SignalsMatch, gene.Signal{Type: string(s.Key)})
	}
}

// title is the first sentence of a step.
func title(step string) string {
	for _, end := range []string{". ", "; ", "。", "；"} {
		if head, _, ok := strings.Cut(step, end); ok {
			step = head
		}
	}
	return text.Clip(step, 80)
}

// keepGene checks a gene and stores it.
func (d *Operator) keepGene(ctx context.Context, s *store.Store, g gene.Gene, force bool, into string) (*Created, error) {
	out := &Created{Schema: 1, Status: "created", Problems: orEmpty(gene.Check(&g, d.Project, d.Scope)), Similar: []gene.Neighbour{}}
	for _, p := range out.Problems {
		if !force || !p.Forceable() {
			out.Status = "refused"
			return out, nil
		}
	}
	if len(out.Problems) > 0 {
		g.Scope = cmp.Or(g.Scope, d.Scope) // what was forced stays in this project
	}
	if into != "" {
		return d.merge(ctx, s, g, into, out)
	}
	rows, err := s.List(ctx, store.Filter{})
	if err != nil {
		return nil, err
	}
	var all []gene.Gene
	for i := range rows {
		if rows[i].Visibility.Usable() { // nobody has read the others yet
			all = append(all, rows[i].Gene)
		}
	}
	out.Similar = orEmpty(gene.Near(&g, all))
	if len(out.Similar) > 0 && !force {
		out.Status = "similar"
		return out, nil
	}
	if screened(&g) {
		out.Status = "held"
	}
	row, err := s.Put(ctx, g, "local", d.Now())
	out.GeneID, out.Gene = row.ID, &row.Gene
	return out, err
}

// screened holds a gene that could harm whoever follows it, until a person has read it.
func screened(g *gene.Gene) bool {
	why := screen.Reason(gene.Screen(g))
	if why == "" {
		return false
	}
	g.Visibility, g.HeldFor = gene.Held, why
	return true
}

// merge adds what is new to an existing gene. Somebody else's gene is forked first and
// stays unchanged.
func (d *Operator) merge(ctx context.Context, s *store.Store, g gene.Gene, into string, out *Created) (*Created, error) {
	row, err := s.Get(ctx, into)
	if err != nil {
		return nil, err
	}
	if row.Origin != "local" {
		return nil, &op.Error{Code: "REFUSED", Message: fmt.Sprintf("gene %q is not yours to change", into), Fix: "agents-hooks evolution import --fork --gene-id " + into}
	}
	gene.Merge(&row.Gene, &g)
	held := screened(&row.Gene)
	row.Successes, row.Failures, row.LastUsed = int(row.Elsewhere.Successes), int(row.Elsewhere.Failures), row.Elsewhere.Last
	merged, err := s.Put(ctx, row.Gene, "local", d.Now())
	out.Status, out.GeneID, out.Gene = "merged", merged.ID, &merged.Gene
	if held {
		out.Status = "held"
	}
	return out, err
}
