package ops

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
)

// A Proof is the answer of evolve_prove: what somebody who doubts a gene can check.
type Proof struct {
	Schema   int            `json:"schema"`
	GeneID   string         `json:"gene_id"`
	Title    string         `json:"title"`
	Steps    []string       `json:"strategy"`
	Hashes   Hashes         `json:"hashes"`
	From     Provenance     `json:"from"`
	About    []Cured        `json:"cured"`    // the failures that ended after its steps were followed
	Outcomes []ProofOutcome `json:"outcomes"` // all that are known here, the oldest first
	Sums     Sums           `json:"sums"`     // what they add up to
	Team     *gene.Evidence `json:"team"`     // as counted by a server, null if none did
	Check    []string       `json:"check"`    // how to check it
}

// Hashes are SHA-256 sums: of the steps, joined by line feeds; of the gene as JSON; of
// the outcomes, each including the sum before it.
type Hashes struct {
	Steps    string `json:"steps"`
	Gene     string `json:"gene"`
	Outcomes string `json:"outcomes"`
}

// Provenance is where a gene comes from, and who approved it.
type Provenance struct {
	Origin     string          `json:"origin"`
	Author     string          `json:"author"`
	CreatedBy  string          `json:"created_by"`
	Created    *string         `json:"created"`
	Visibility gene.Visibility `json:"visibility"`
	ReviewedBy string          `json:"reviewed_by"`
	HeldFor    string          `json:"held_for"`
	Parent     string          `json:"parent"`
	Distilled  []string        `json:"distilled_from"`
}

// Cured is a failure that a gene cured.
type Cured struct {
	Kind    string   `json:"kind"`
	Family  string   `json:"family"`
	Code    string   `json:"code"`
	Symbols []string `json:"symbols"`
	Text    string   `json:"text"`
}

// A ProofOutcome is an outcome in the chain of sums.
type ProofOutcome struct {
	Outcome
	SHA256 string `json:"sha256"` // of the previous sum and of the outcome without this member
}

// Sums count outcomes by their basis. Elsewhere is what the gene's origin reported,
// which nobody here can check.
type Sums struct {
	Said      int     `json:"said"`      // by somebody who looked
	Concluded int     `json:"concluded"` // inferred from the failed command being run again
	Rested    int     `json:"rested"`    // of these, those that say what was different at the success
	Replaced  int     `json:"replaced"`
	Ignored   int     `json:"ignored"` // not counted
	Here      Count   `json:"here"`
	Elsewhere Count   `json:"elsewhere"`
	Worse     int     `json:"worse"`
	Mean      float64 `json:"mean"`
	Banned    bool    `json:"banned"`
}

func (d *Operator) prove(ctx context.Context, a showing) (any, error) {
	return in(d, ctx, func(s *store.Store) (*Proof, error) {
		r, err := s.Get(ctx, a.GeneID)
		if err != nil {
			return nil, err
		}
		list, err := s.Observations(ctx, store.Search{Gene: r.ID})
		if err != nil {
			return nil, err
		}
		return d.proof(&r, list)
	})
}

func (d *Operator) proof(r *store.Row, list []store.Observation) (*Proof, error) {
	doc, err := json.Marshal(r.Gene)
	if err != nil {
		return nil, err
	}
	text := r.Gene.In(d.Language)
	b := selector.Posterior(r.All(), d.Now())
	p := &Proof{
		Schema: 1, GeneID: r.ID, Title: text.Title, Steps: text.Strategy, Team: r.Evidence, About: []Cured{}, Outcomes: []ProofOutcome{},
		From: Provenance{r.Origin, r.Author, r.CreatedBy, at(r.Created), r.Visibility, r.Reviewed, r.HeldFor, r.Parent, orEmpty(r.DistilledFrom)},
		Sums: Sums{
			Here: Count{r.Here.Successes, r.Here.Failures}, Elsewhere: Count{r.Elsewhere.Successes, r.Elsewhere.Failures},
			Worse: r.Worse, Mean: b.Mean(), Banned: selector.Banned(r.All(), selector.BanLimit),
		},
		Check: d.checks(r),
	}
	for _, f := range r.Cures {
		p.About = append(p.About, Cured{f.Kind, f.Family, f.Code, orEmpty(f.Symbols), f.Text})
	}
	for i, o := range outcomesOf(list) {
		line, err := json.Marshal(o)
		if err != nil {
			return nil, err
		}
		p.Hashes.Outcomes = sum(p.Hashes.Outcomes + string(line))
		p.Outcomes = append(p.Outcomes, ProofOutcome{o, p.Hashes.Outcomes})
		p.Sums.add(&list[i])
	}
	p.Hashes.Outcomes = cmp.Or(p.Hashes.Outcomes, sum(""))
	p.Hashes.Steps, p.Hashes.Gene = sum(strings.Join(r.Strategy, "\n")), sum(string(doc))
	return p, nil
}

func (s *Sums) add(o *store.Observation) {
	switch {
	case o.Replaced != "":
		s.Replaced++
		return
	case !o.Counted:
		s.Ignored++
	}
	if o.Explicit {
		s.Said++
		return
	}
	s.Concluded++
	if o.Evidence != nil && o.Evidence.Proof != "" {
		s.Rested++
	}
}

// checks are what somebody who believes none of it can do.
func (d *Operator) checks(r *store.Row) []string {
	list := []string{d.pick("hashes.steps is the SHA-256 sum of the English steps, joined by a line feed; the sum of an outcome is of the sum before it and of the outcome as it stands", "hashes.steps 是英文步骤以换行连接后的 SHA-256；每个结果的哈希由前一个哈希与该结果本身得出")}
	switch r.Origin {
	case "seed":
		list = append(list, d.pick("the gene came with the program, and nobody has vouched for it but its authors", "该基因随程序提供，除作者外无人担保"))
	case "local":
		list = append(list, d.pick("each outcome names its session, whose journal tells which command failed and which proved it", "每个结果都注明会话，其日志记录了失败与验证的命令"))
	default:
		list = append(list, d.pick("GET /api/im/evolution/genes/"+r.ID+"/proof at its server gives each voice and its weight", "向其服务器请求 GET /api/im/evolution/genes/"+r.ID+"/proof 可得每个意见及其权重"))
	}
	if !slices.ContainsFunc(r.Cures, func(f failure.Failure) bool { return f.Kind != "" }) {
		list = append(list, d.pick("no failure is known that it cured", "尚无已知由其解决的失败"))
	}
	return list
}

func (d *Operator) pick(english, chinese string) string {
	if d.Language == "zh" {
		return chinese
	}
	return english
}

func sum(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}
