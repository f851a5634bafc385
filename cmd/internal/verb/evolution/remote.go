package evolution

import (
	"context"
	"errors"
	"fmt"
	"time"

	evolutionclient "github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/client"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/keyring"
	"github.com/agents-hooks/agents-hooks/internal/outbound"
)

// server is a client of the user's server, [evolutionclient.ErrNoKey] if there is no key. The
// key is only sent to the server that it was given for: whoever sets an agent's environment, or
// edits a file, could name another one.
func server(sh *shell.Shell, e ops.Place) (*evolutionclient.Client, error) {
	if e.Account.Key == "" {
		return nil, evolutionclient.ErrNoKey
	}
	transport, err := outbound.Transport(e.Settings.Of("proxy").Text, e.Settings.Of("ca_file").Text, sh.Host.Getenv)
	if err != nil {
		return nil, fmt.Errorf("evolution: %w", err)
	}
	client, err := evolutionclient.New(e.Account.URL, e.Account.Key, sh.Host.Getenv("AGENTS_HOOKS_AGENT"), transport)
	if err != nil {
		return nil, err
	}
	strange := e.Settings.Of("base_url").From == "environment" && e.Settings.Of("api_key").From != "environment"
	if err := (keyring.Ring{State: sh.Host.State}).May(e.Account.Key, e.Account.URL, !strange); err != nil {
		return nil, shell.WithHint(err, "agents-hooks enable evolution: asks whether it is for that server, if that is what you want")
	}
	return client, nil
}

// askLimit is for both requests, if a server does not accept the scope. The hook that waits for
// the answer has three seconds, and needs some of them to say something without it.
const askLimit = 1800 * time.Millisecond

// askServer completes an analysis that found nothing here with what the server suggests. If
// anything goes wrong, the answer stays as it is.
func askServer(ctx context.Context, sh *shell.Shell, o placeOptions, a *ops.Analysis, given op.Object) {
	if a.GeneID != "" {
		return
	}
	o.scope = ""
	e := o.place(sh)
	client, err := server(sh, e)
	if err != nil {
		if !errors.Is(err, evolutionclient.ErrNoKey) {
			sh.Say("evolution analyze: %v", err)
		}
		return
	}
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	st, err := store.Open(ctx, e.Dir)
	if err != nil {
		sh.Say("evolution analyze: %v", err)
		return
	}
	defer st.Close()
	s := &evolutionclient.Sync{Client: client, Store: st, Dir: e.Dir, Scope: a.Scope, Now: sh.Host.Now, Team: evolutionclient.Team(e.Settings.Of("team_genes").Text),
		Log: func(format string, args ...any) { sh.Say("evolution "+format, args...) }}
	event := gene.Signals(a.Signals...)
	stack, stage := ops.Situation(given.Text("command"))
	for i := range event {
		event[i].TechStack, event[i].Stage = stack, stage
	}
	got, ok, err := s.Analyze(ctx, event)
	if err != nil {
		sh.Say("evolution analyze: the server: %v", err)
	}
	if err != nil || !ok || selector.OtherStack(event, got.Gene.SignalsMatch) {
		return
	}
	text := got.Gene.In(e.Language)
	a.Action, a.GeneID, a.Title, a.Strategy, a.Confidence, a.Coverage, a.Gene, a.Reason, a.Suggestion = selector.Apply, got.Gene.ID, text.Title, text.Strategy, got.Confidence, got.Coverage, &got.Gene, "from the server: "+got.Reason, nil
	if session := given.Text("session"); session != "" {
		if err := st.Suggested(ctx, store.Suggestion{Gene: got.Gene.ID, Session: session, Scope: a.Scope, Signals: a.Signals, Action: selector.Apply, Confidence: got.Confidence, Coverage: got.Coverage, At: sh.Host.Now()}); err != nil {
			sh.Say("evolution analyze: %v", err)
		}
	}
}
