package evolution

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/choose"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/desk"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/remote"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// server is a client of the person's server, [remote.ErrNoKey] if there is none.
// Whoever sets the environment of an agent, a repository for example, may name a
// server; it does not get the key that lies in the person's own file.
func server(sh *shell.Shell, e desk.Place) (*remote.Client, error) {
	if e.Account.Key == "" {
		return nil, remote.ErrNoKey
	}
	if e.Settings.Of("base_url").From == "environment" && e.Settings.Of("api_key").From != "environment" {
		if u, err := url.Parse(e.Account.URL); err != nil || !remote.Loopback(u.Hostname()) {
			return nil, shell.WithHint(fmt.Errorf("PRISMER_BASE_URL names the server %q, but the key is that of a file", e.Account.URL), "set PRISMER_API_KEY too, or write base_url into the file")
		}
	}
	transport := http.DefaultTransport.(*http.Transport).Clone() // with the proxies of the environment
	return remote.New(e.Account.URL, e.Account.Key, sh.Host.Getenv("AGENTS_HOOKS_AGENT"), transport)
}

// askLimit leaves the hook that waits for the answer, which has three seconds,
// time to say something without it: both requests together, where a server does
// not take the scope.
const askLimit = 1800 * time.Millisecond

// askServer completes an analysis that found nothing here by what the server
// suggests. Whatever goes wrong leaves the answer as it is.
func askServer(ctx context.Context, sh *shell.Shell, o placeOptions, a *desk.Analysis, given op.Object) {
	if a.GeneID != "" {
		return
	}
	o.scope = ""
	e := o.place(sh)
	client, err := server(sh, e)
	if err != nil {
		if !errors.Is(err, remote.ErrNoKey) {
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
	s := &remote.Sync{Client: client, Store: st, Dir: e.Dir, Scope: a.Scope, Now: sh.Host.Now, Team: e.Settings.Of("team_genes").Text == "use",
		Log: func(format string, args ...any) { sh.Say("evolution "+format, args...) }}
	event := gene.Signals(a.Signals...)
	stack, stage := desk.Situation(given.Text("command"))
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
	if session := given.Text("session"); session != "" {
		if err := st.Suggested(ctx, store.Suggestion{Gene: got.Gene.ID, Session: session, Scope: a.Scope, Signals: a.Signals, Action: choose.Apply, Confidence: got.Confidence, Coverage: got.Coverage, At: sh.Host.Now()}); err != nil {
			sh.Say("evolution analyze: %v", err)
		}
	}
}
