package server

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
)

// A stored gene is a row of the table of genes, as seen by one person.
type stored struct {
	api.Row
	person, agent string
	created       int64
	updated       int64
}

// geneColumns are the columns of the table, in the order of schemas before the third.
const geneColumns = `id, person, agent, scope, category, title, description, signals, strategy, preconditions, constraints, visibility, parent, generation, forks, success, failure, last_used, created, updated`

// geneQuery reads genes as the person $1 sees them: with their own outcomes unchanged,
// and those of others by the weight of their voices.
const geneQuery = geneFields + ` FROM genes g ` + geneJoins

const geneFields = `SELECT g.id, g.person, g.agent, g.scope, g.category, g.title, g.description, g.signals, g.strategy, g.preconditions, g.constraints, g.visibility, g.parent,
	g.generation, g.forks, g.last_used, g.created, g.updated, g.held, g.more, coalesce(a.name, ''), coalesce(w.name, ''),
	coalesce(t.helped, 0), coalesce(t.failed, 0), coalesce(t.persons, 0), coalesce(t.projects, 0), coalesce(t.outcomes, 0),
	coalesce(m.success, 0), coalesce(m.failure, 0), coalesce(v.helped, 0), coalesce(v.failed, 0)`

const geneJoins = `LEFT JOIN persons a ON a.id = g.person LEFT JOIN persons w ON w.id = g.reviewed LEFT JOIN sums t ON t.gene = g.id AND t.signal = ''
	LEFT JOIN edges m ON m.gene = g.id AND m.signal = '' AND m.person = $1 LEFT JOIN voices v ON v.gene = g.id AND v.signal = '' AND v.person = $1`

// beyond contains, as stored, the fields of a gene that the original does not know.
type beyond struct {
	Cures        json.RawMessage      `json:"cures,omitempty"`
	When         *gene.When           `json:"when,omitempty"`
	Translations map[string]gene.Text `json:"translations,omitempty"`
	Platitude    bool                 `json:"platitude,omitempty"`
}

func scanGene(r *sql.Rows) (g stored, err error) {
	var signals, strategy, preconditions, constraints, more string
	var e gene.Evidence
	var good, bad, mineHelped, mineFailed float64
	err = r.Scan(&g.ID, &g.person, &g.agent, &g.Scope, &g.Category, &g.Title, &g.Description, &signals, &strategy, &preconditions, &constraints, &g.Visibility, &g.ParentGeneID,
		&g.Generation, &g.ForkCount, (*int64)(&g.LastUsedAt), &g.created, &g.updated, &g.HeldFor, &more, &g.Author, &g.ReviewedBy,
		&e.Helped, &e.Failed, &e.Persons, &e.Projects, &e.Outcomes, &good, &bad, &mineHelped, &mineFailed)
	if err != nil {
		return g, err
	}
	if e.Outcomes > 0 {
		g.Evidence = &e
	}
	g.SuccessCount = int(good) + int(math.Round(e.Helped-mineHelped))
	g.FailureCount = int(bad) + int(math.Round(e.Failed-mineFailed))
	g.QualityScore = selector.Quality(g.ForkCount, selector.Tally{Successes: e.Helped, Failures: e.Failed}.Rate())
	err = errors.Join(json.Unmarshal([]byte(signals), &g.SignalsMatch), json.Unmarshal([]byte(strategy), &g.StrategySteps),
		json.Unmarshal([]byte(preconditions), &g.Preconditions), json.Unmarshal([]byte(constraints), &g.Constraints))
	if more != "" {
		state, author, reviewed, held, evidence := g.State, g.Author, g.ReviewedBy, g.HeldFor, g.Evidence
		err = errors.Join(err, json.Unmarshal([]byte(more), &g.Beyond))
		g.State, g.Author, g.ReviewedBy, g.HeldFor, g.Evidence = state, author, reviewed, held, evidence
	}
	return g, err
}

// seen is the gene as a person sees it.
func (g stored) seen(by string) api.Row {
	mine := g.person == by
	g.Mine = &mine
	g.CreatedBy = g.agent
	if !mine {
		g.CreatedBy, g.Scope = "", api.Global // with which agent and where is nobody else's business
	}
	g.State, g.Visibility = g.Visibility, gene.Visibility(g.Visibility).Original()
	return g.Row
}

func (g stored) model(by string) api.Gene {
	r := g.seen(by)
	return api.Gene{Type: "Gene", ID: r.ID, Category: r.Category, Title: r.Title, Description: r.Description, Visibility: r.Visibility,
		SignalsMatch: r.SignalsMatch, Strategy: filled(r.StrategySteps), Preconditions: filled(r.Preconditions), Constraints: r.Constraints,
		SuccessCount: r.SuccessCount, FailureCount: r.FailureCount, LastUsedAt: int64(r.LastUsedAt), CreatedBy: r.CreatedBy, ParentGeneID: r.ParentGeneID,
		ForkCount: r.ForkCount, Generation: r.Generation, QualityScore: r.QualityScore, Mine: r.Mine, Beyond: r.Beyond}
}

func filled[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// public reports whether people other than its author may see a gene.
func public(state string) bool { return state == "trial" || state == "shared" || state == "seed" }

// usableBy reports whether a person may be offered a gene in a scope.
func (g *stored) usableBy(person, scope string) bool {
	if g.person == person && person != "" {
		return g.Visibility != "held" && (g.Scope == scope || g.Scope == api.Global)
	}
	return public(g.Visibility)
}

// geneOf is one gene as seen by a person; ok is false if there is none.
func geneOf(ctx context.Context, q asker, person, id string) (g stored, ok bool, err error) {
	list, err := all(ctx, q, scanGene, geneQuery+` WHERE g.id = $2`, person, id)
	if err != nil || len(list) == 0 {
		return g, false, err
	}
	return list[0], true, nil
}

// texts are the lists of a gene in the form of columns.
func texts(signals []api.Signal, strategy, preconditions []string, constraints api.Map) (a, b, c, d string, err error) {
	text := func(v any) string {
		b, merr := json.Marshal(v)
		err = errors.Join(err, merr)
		return string(b)
	}
	return text(signals), text(strategy), text(filled(preconditions)), text(constraints), err
}

var (
	errTaken     = errors.New("another person has a gene of this id")
	errUnknown   = errors.New("unknown gene")
	errForbidden = errors.New("no access to this gene")
	errGone      = errors.New("the gene was deleted")
)

// addGene stores a new gene. If the person already has one with this id, that is
// returned unchanged, and made is false. Only its author can bring back a deleted gene,
// and not if somebody else deleted it.
func (s *Store) addGene(ctx context.Context, c caller, scope string, in api.Gene) (g stored, made bool, err error) {
	signals, strategy, pre, constraints, err := texts(in.SignalsMatch, in.Strategy, in.Preconditions, in.Constraints)
	if err != nil {
		return g, false, err
	}
	more, err := kept(in)
	if err != nil {
		return g, false, err
	}
	state, opened := gene.State(in.Visibility), 0
	held := screened(&in)
	switch {
	case held != "":
		state = gene.Held
	case state == gene.Shared && !c.reviews():
		state = gene.Trial
	}
	if public(string(state)) {
		opened = 1
	}
	reviewed := ""
	if opened == 1 && c.reviews() {
		reviewed = c.person
	}
	err = s.transaction(ctx, func(tx *sql.Tx) error {
		n, err := s.tick(ctx, tx)
		if err != nil {
			return err
		}
		if in.ID == "" {
			in.ID = "gene_" + in.Category + "_" + strconv.FormatInt(n, 36)
		}
		g, made, err = geneOf(ctx, tx, c.person, in.ID)
		if err != nil || made && g.person == c.person {
			made = false
			return err
		}
		if made {
			made = false
			return errTaken
		}
		if err := s.revive(ctx, tx, c, in.ID); err != nil {
			return err
		}
		parent, ok, err := geneOf(ctx, tx, c.person, in.ParentGeneID)
		if err != nil {
			return err
		}
		if ok && (parent.person == c.person || public(parent.Visibility)) {
			in.Generation = parent.Generation + 1
			if _, err := tx.ExecContext(ctx, `UPDATE genes SET forks = forks + 1 WHERE id = $1`, parent.ID); err != nil {
				return err
			}
		} else {
			in.ParentGeneID, in.Generation = "", 0
		}
		made = true
		_, err = tx.ExecContext(ctx, `INSERT INTO genes (`+geneColumns+`, held, reviewed, more, opened) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 0, 0, 0, 0, $15, $16, $17, $18, $19, $20)`,
			in.ID, c.person, c.agent, scope, in.Category, in.Title, in.Description, signals, strategy, pre, constraints, string(state), in.ParentGeneID, in.Generation, s.now().UnixMilli(), n, held, reviewed, more, opened)
		if err != nil {
			return err
		}
		if err := s.index(ctx, tx, in.ID); err != nil {
			return err
		}
		if held != "" {
			if err := s.audit(ctx, tx, c, "gene held", in.ID, held); err != nil {
				return err
			}
		}
		g, _, err = geneOf(ctx, tx, c.person, in.ID)
		return err
	})
	return g, made, err
}

// revive lets an author bring back what they deleted themselves.
func (s *Store) revive(ctx context.Context, tx *sql.Tx, c caller, id string) error {
	var person, deleter string
	err := tx.QueryRowContext(ctx, `SELECT person, deleter FROM gone WHERE id = $1`, id).Scan(&person, &deleter)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return err
	case person != c.person || deleter != c.person:
		return errGone
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM gone WHERE id = $1`, id)
	return err
}

// kept are the fields of a gene that go into one column.
func kept(in api.Gene) (string, error) {
	if len(in.Cures) == 0 && in.When == nil && len(in.Translations) == 0 && !in.Platitude {
		return "", nil
	}
	cures, err := json.Marshal(in.Cures)
	if err != nil {
		return "", err
	}
	b := beyond{When: in.When, Translations: in.Translations, Platitude: in.Platitude}
	if len(in.Cures) > 0 {
		b.Cures = cures
	}
	text, err := json.Marshal(b)
	return string(text), err
}

// genesSince are up to limit genes that a person may use and that changed after one
// cursor and up to another, in the order of their changes; and those that are no longer
// public.
func (s *Store) genesSince(ctx context.Context, person, scope string, since, until int64, limit int) ([]stored, error) {
	// The page comes first, then what is known about each: joined before that,
	// everything that changed would be joined, however short the page. It is one
	// statement, so nothing changes in between.
	return all(ctx, s.db, scanGene, geneFields+` FROM (SELECT * FROM genes g
		WHERE (g.person = $1 AND (g.scope = $2 OR g.scope = 'global') OR g.visibility IN ('trial', 'shared', 'seed') OR g.opened = 1 AND CAST($3 AS BIGINT) > 0) AND g.updated > $3 AND g.updated <= $4
		ORDER BY g.updated LIMIT $5) g `+geneJoins+` ORDER BY g.updated`, person, scope, since, until, limit)
}

// best are up to n genes that a person may be offered: those that helped most.
func (s *Store) best(ctx context.Context, person, scope string, n int) ([]stored, error) {
	const usable = `(g.visibility <> 'held' AND g.person = $1 AND (g.scope = $2 OR g.scope = 'global') OR g.visibility IN ('trial', 'shared', 'seed'))`
	ids, err := all(ctx, s.db, func(r *sql.Rows) (id string, err error) { return id, r.Scan(&id) },
		`SELECT t.gene FROM sums t JOIN genes g ON g.id = t.gene WHERE t.signal = '' AND `+usable+` ORDER BY t.helped DESC, t.gene LIMIT $3`, person, scope, n)
	if err != nil {
		return nil, err
	}
	if len(ids) < n {
		rest, err := all(ctx, s.db, func(r *sql.Rows) (id string, err error) { return id, r.Scan(&id) },
			`SELECT g.id FROM genes g WHERE `+usable+` ORDER BY g.id LIMIT $3`, person, scope, n)
		if err != nil {
			return nil, err
		}
		for _, id := range rest {
			if len(ids) < n && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return s.genesOf(ctx, person, ids)
}

// genesOf are genes in the order of their ids.
func (s *Store) genesOf(ctx context.Context, person string, ids []string) ([]stored, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	in, args := list(2, ids)
	got, err := all(ctx, s.db, scanGene, geneQuery+` WHERE g.id IN (`+in+`)`, append([]any{person}, args...)...)
	at := map[string]int{}
	for i, id := range ids {
		at[id] = i
	}
	slices.SortFunc(got, func(a, b stored) int { return at[a.ID] - at[b.ID] })
	return got, err
}

// list are the placeholders of values in a statement, from the number n on.
func list(n int, values []string) (places string, args []any) {
	var out []string
	for i, v := range values {
		out, args = append(out, fmt.Sprintf("$%d", n+i)), append(args, v)
	}
	return strings.Join(out, ", "), args
}

// changeGene lets change do something with a gene, if there is one of that id, as the
// change n.
func (s *Store) changeGene(ctx context.Context, c caller, id string, change func(tx *sql.Tx, n int64, g stored, ok bool) error) error {
	return s.transaction(ctx, func(tx *sql.Tx) error {
		n, err := s.tick(ctx, tx)
		if err != nil {
			return err
		}
		g, ok, err := geneOf(ctx, tx, c.person, id)
		if err != nil {
			return err
		}
		return change(tx, n, g, ok)
	})
}

// setVisibility shares a person's gene, or withdraws it. A held gene stays held until a
// reviewer releases it; what a member shares is on trial until it is approved.
func (s *Store) setVisibility(ctx context.Context, c caller, id string, state gene.Visibility) (g stored, err error) {
	err = s.changeGene(ctx, c, id, func(tx *sql.Tx, n int64, was stored, ok bool) (err error) {
		if !ok {
			return errUnknown
		}
		if was.person != c.person {
			return errForbidden
		}
		from, reviewed, held := gene.Visibility(was.Visibility), was.ReviewedBy != "", was.HeldFor
		switch {
		case from == gene.Held && state != gene.Draft && state != gene.Held && !(c.reviews() || held == tookBack):
			state = gene.Held // it keeps waiting, with its reason
		case state == gene.Held:
			held = tookBack
		case from == gene.Held && state == gene.Draft && held != tookBack && !c.reviews():
			state = gene.Held
		case state == gene.Shared && !reviewed && !c.reviews():
			state = gene.Trial
		}
		if state != gene.Held {
			held = ""
		}
		opened := digit(public(string(state)))
		if _, err := tx.ExecContext(ctx, `UPDATE genes SET visibility = $1, held = $2, updated = $3, opened = CASE WHEN opened > $4 THEN opened ELSE $4 END,
			reviewed = CASE WHEN $5 = 1 THEN $6 ELSE reviewed END WHERE id = $7`, string(state), held, n, opened, digit(opened == 1 && c.reviews()), c.person, id); err != nil {
			return err
		}
		if err := s.index(ctx, tx, id); err != nil {
			return err
		}
		if public(string(state)) != public(string(from)) {
			if err := s.audit(ctx, tx, c, "gene "+string(state), id, ""); err != nil {
				return err
			}
		}
		g, _, err = geneOf(ctx, tx, c.person, id)
		return err
	})
	return g, err
}

// tookBack is why a gene is held that its author has withdrawn.
const tookBack = "its author took it back"
