package evolution

import (
	"context"
	"errors"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/choose"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/desk"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/remote"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/tools"
)

// askLimit leaves the hook that waits for the answer, which has three seconds,
// time to say something without it: both requests together, where a server does
// not take the scope (EVO-5).
const askLimit = 1800 * time.Millisecond

// askServer completes an analysis that found nothing here by what the server
// suggests (EVO-16). Whatever goes wrong leaves the answer as it is.
func askServer(sh *shell.Shell, c *cli.Context, a *desk.Analysis) {
	if a.GeneID != "" {
		return
	}
	from, err := hookset.LookFrom(sh, c)
	if err != nil {
		return
	}
	e := tools.EvolutionIn(sh, c.Context, from)
	client, err := server(sh, e)
	if err != nil {
		if !errors.Is(err, remote.ErrNoKey) {
			sh.Say("evolution analyze: %v", err)
		}
		return
	}
	ctx, cancel := context.WithTimeout(c.Context, askLimit)
	defer cancel()
	st, err := store.Open(ctx, e.Dir)
	if err != nil {
		sh.Say("evolution analyze: %v", err)
		return
	}
	defer st.Close()
	s := &remote.Sync{Client: client, Store: st, Dir: e.Dir, Scope: a.Scope, Now: sh.Host.Now, Team: e.Settings.Of("team_genes").Text == "use",
		Log: func(format string, args ...any) { sh.Say("evolution "+format, args...) }}
	event := gene.Signals(a.Signals...)
	stack, stage := desk.Situation(c.String("command"))
	for i := range event {
		event[i].TechStack, event[i].Stage = stack, stage
	}
	got, ok, err := s.Analyze(ctx, event)
	if err != nil {
		sh.Say("evolution analyze: the server: %v", err)
	}
	if err != nil || !ok || choose.OtherStack(event, got.Gene.SignalsMatch) {
		return
	}
	text := got.Gene.In(e.Language)
	a.Action, a.GeneID, a.Title, a.Strategy, a.Confidence, a.Coverage, a.Gene, a.Reason, a.Suggestion = choose.Apply, got.Gene.ID, text.Title, text.Strategy, got.Confidence, got.Coverage, &got.Gene, "from the server: "+got.Reason, nil
	if session := c.String("session"); session != "" {
		if err := st.Suggested(ctx, store.Suggestion{Gene: got.Gene.ID, Session: session, Scope: a.Scope, Signals: a.Signals, Action: choose.Apply, Confidence: got.Confidence, Coverage: got.Coverage, At: sh.Host.Now()}); err != nil {
			sh.Say("evolution analyze: %v", err)
		}
	}
}
