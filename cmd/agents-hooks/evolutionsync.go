package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/remote"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/web"
)

// evolutionShared are the commands of evolution that have to do with others, and
// those that a person looks at.
func (t *tool) evolutionShared() []*cli.Command {
	return []*cli.Command{t.evolutionSync(), t.evolutionWebLoad(), t.evolutionWebSave(), t.evolutionDoctor(), t.evolutionServe(), t.evolutionView()}
}

func sharedFlags(more ...cli.Flag) []cli.Flag {
	return append(more, &cli.StringFlag{Name: "scope", Usage: "`NAME` under which the project learns; default as the hooks find it"}, dirFlag(), jsonFlag())
}

func deadlineFlag() cli.Flag {
	return &cli.IntFlag{Name: "deadline-ms", Usage: "end after `N` milliseconds, with what is there by then"}
}

// sharing is evolution in the folder that a command means.
func (t *tool) sharing(c *cli.Context) (builtinhooks.Evolution, string, error) {
	from, err := t.lookFrom(c)
	if err != nil {
		return builtinhooks.Evolution{}, "", err
	}
	e := t.evolutionIn(c.Context, from)
	if s := c.String("scope"); s != "" {
		e.Scope = s
	}
	return e, from, nil
}

// server is a client of the person's server, [remote.ErrNoKey] if there is none.
// Whoever sets the environment of an agent, a repository for example, may name a
// server; it does not get the key that lies in the person's own file.
func (t *tool) server(e builtinhooks.Evolution) (*remote.Client, error) {
	if e.Account.Key == "" {
		return nil, remote.ErrNoKey
	}
	if e.Settings.Of("base_url").From == "environment" && e.Settings.Of("api_key").From != "environment" {
		if u, err := url.Parse(e.Account.URL); err != nil || !remote.Loopback(u.Hostname()) {
			return nil, withHint(fmt.Errorf("PRISMER_BASE_URL names the server %q, but the key is that of a file", e.Account.URL), "set PRISMER_API_KEY too, or write base_url into the file")
		}
	}
	transport := http.DefaultTransport.(*http.Transport).Clone() // with the proxies of the environment
	return remote.New(e.Account.URL, e.Account.Key, t.host.Getenv("AGENTS_HOOKS_AGENT"), transport)
}

func (t *tool) evolutionSync() *cli.Command {
	return &cli.Command{
		Name: "sync", Usage: "share with the person's other machines and the team",
		Description: "Without a key nothing leaves this machine. Pushes outcomes that the server\n" +
			"lacks and genes that were made here, and pulls what changed. The hooks call\n" +
			"it with --start and --end.",
		Flags: sharedFlags(
			&cli.BoolFlag{Name: "start", Usage: "what the start of a session wants: pull, retry, memory, skills"},
			&cli.BoolFlag{Name: "end", Usage: "what its end wants: note what the journal says, push, pull"},
			&cli.BoolFlag{Name: "local", Usage: "with --end: only note what the journal says"},
			&cli.StringFlag{Name: "session", Usage: "`ID` of the agent's session"},
			deadlineFlag(),
		),
		Action: t.syncEvolution,
	}
}

func (t *tool) syncEvolution(c *cli.Context) error {
	if _, err := args(c, 0, 0, "flags only"); err != nil {
		return err
	}
	if c.Bool("start") && (c.Bool("end") || c.Bool("local")) {
		return usagef("sync: --start goes with neither --end nor --local")
	}
	e, from, err := t.sharing(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Context, t.patience(c))
	defer cancel()
	st, err := store.Open(ctx, e.Dir)
	if err != nil {
		return fmt.Errorf("evolution sync: %w", err)
	}
	defer st.Close()
	session := c.String("session")
	noted, err := t.noteSession(ctx, c, e, st, session)
	if err != nil {
		return fmt.Errorf("evolution sync: %w", err)
	}
	result := remote.NewResult()
	result.Scope = e.Scope
	if !c.Bool("local") {
		if err := t.exchange(ctx, c, e, st, session, result); err != nil && !errors.Is(err, remote.ErrNoKey) {
			return fmt.Errorf("evolution sync: %w", err)
		}
	}
	if c.Bool("start") && c.IsSet("deadline-ms") && result.Key && !result.Done {
		// What is missing comes in the background, for the next time (EVO-6).
		if err := t.world().Detach(from, t.host.Env, "evolution", "sync", "--start", "--session", session, "--dir", from, "--scope", e.Scope); err != nil {
			t.say("evolution sync: %v", err)
		}
	}
	if c.Bool("json") {
		return t.json(result)
	}
	if noted > 0 {
		t.printf("%s of the session's journal noted\n", count(noted, "outcome"))
	}
	if c.Bool("local") {
		return nil
	}
	t.printSync(result)
	if result.Key && !result.Done {
		return errReported
	}
	return nil
}

// patience is how long a sync may take: the end of a session is not to be seen
// for more than five seconds (EVO-28).
func (t *tool) patience(c *cli.Context) time.Duration {
	switch {
	case c.Int("deadline-ms") > 0:
		return time.Duration(c.Int("deadline-ms")) * time.Millisecond
	case c.Bool("end"):
		return 5 * time.Second
	case c.Bool("start"):
		return 30 * time.Second
	}
	return 2 * time.Minute
}

// noteSession keeps what the journal of a session says became of suggestions.
func (t *tool) noteSession(ctx context.Context, c *cli.Context, e builtinhooks.Evolution, st *store.Store, session string) (int, error) {
	if !c.Bool("end") || session == "" {
		return 0, nil
	}
	if !journal.Of(e.Dir, session).Read().Reviewed.IsZero() {
		if err := remote.Reviewed(e.Dir, session); err != nil {
			return 0, err
		}
	}
	return remote.Note(ctx, st, e.Dir, session, e.Scope, t.host.Getenv("AGENTS_HOOKS_AGENT"), t.host.Now())
}

// exchange is the part of a sync that asks the server.
func (t *tool) exchange(ctx context.Context, c *cli.Context, e builtinhooks.Evolution, st *store.Store, session string, r *remote.Result) error {
	client, err := t.server(e)
	if err != nil {
		return err
	}
	s := &remote.Sync{
		Client: client, Store: st, Dir: e.Dir, Scope: e.Scope, Session: session, Now: t.host.Now,
		Log:             func(format string, args ...any) { t.say("evolution "+format, args...) },
		Team:            e.Settings.Of("team_genes").Text == "use",
		PushAfterReview: e.Settings.Of("push_after_review").Bool,
	}
	if !c.Bool("start") {
		s.End(ctx, r)
		return nil
	}
	beside := []func(context.Context, *remote.Result){s.Memory}
	if e.Settings.Of("skill_sync").Bool && t.host.Home != "" {
		dir := filepath.Join(t.host.Home, ".agents", "skills")
		beside = append(beside, func(ctx context.Context, r *remote.Result) { s.Skills(ctx, dir, r) })
	}
	s.Start(ctx, r, beside...)
	return nil
}

func (t *tool) printSync(r *remote.Result) {
	if !r.Key {
		t.printf("nothing left this machine: there is no key\n")
		return
	}
	t.printf("%s as %s\n", r.Server, r.Scope)
	t.printf("  pushed  %s", count(r.Pushed, "outcome"))
	if r.Queued > 0 {
		t.printf(", %d wait for the next time", r.Queued)
	}
	t.printf("\n  pulled  %d new, %d changed\n", r.Added, r.Updated)
	for _, s := range r.Skills {
		t.printf("  skill   %s\n", s)
	}
}

func (t *tool) evolutionWebLoad() *cli.Command {
	return &cli.Command{
		Name: "web-load", Usage: "a page that is kept here or, if that is on, on the server", ArgsUsage: "URL",
		Description: "The server is asked only with a key and the setting web_load_remote, because\n" +
			"a page that it has to fetch may cost credits.",
		Flags: sharedFlags(deadlineFlag()),
		Action: func(c *cli.Context) error {
			list, err := args(c, 1, 1, "the address of a page")
			if err != nil {
				return err
			}
			e, _, err := t.sharing(c)
			if err != nil {
				return err
			}
			p, where, err := t.pageOf(c, e, list[0])
			if err != nil {
				return fmt.Errorf("evolution web-load: %w", err)
			}
			doc := map[string]any{"schema": 1, "hit": where != "", "from": where, "url": p.URL, "text": p.Text, "saved": ""}
			if where != "" {
				doc["saved"] = p.Saved.UTC().Format(time.RFC3339)
			}
			if c.Bool("json") {
				return t.json(doc)
			}
			if where == "" {
				t.printf("it is not kept\n")
				return errReported
			}
			t.printf("%s\n", p.Text)
			return nil
		},
	}
}

// pageOf looks for a page: here, then on the server.
func (t *tool) pageOf(c *cli.Context, e builtinhooks.Evolution, address string) (p web.Page, where string, err error) {
	a, err := web.Public(address)
	if err != nil {
		return p, "", err
	}
	p.URL = a.String()
	if kept, ok := t.webCache(e).Load(address, t.host.Now()); ok {
		return kept, "here", nil
	}
	if !e.Settings.Of("web_load_remote").Bool {
		return p, "", nil
	}
	client, err := t.server(e)
	if errors.Is(err, remote.ErrNoKey) {
		return p, "", nil
	}
	if err != nil {
		return p, "", err
	}
	ctx, cancel := context.WithTimeout(c.Context, time.Second)
	if ms := c.Int("deadline-ms"); ms > 0 {
		ctx, cancel = context.WithTimeout(c.Context, time.Duration(ms)*time.Millisecond)
	}
	defer cancel()
	got, ok, err := client.LoadPage(ctx, address, t.host.Now())
	if err != nil || !ok {
		return p, "", err
	}
	return got, "server", nil
}

func (t *tool) webCache(e builtinhooks.Evolution) web.Cache {
	return web.Cache{Dir: web.Dir(t.host.Cache), TTL: time.Duration(e.Settings.Of("web_cache_hours").Int) * time.Hour, Size: int64(e.Settings.Of("web_cache_mb").Int) << 20}
}

func (t *tool) evolutionWebSave() *cli.Command {
	return &cli.Command{
		Name: "web-save", Usage: "keep a page here and, if that is on, on the server",
		Description: "Reads {\"url\", \"text\", \"saved\"} from stdin. The page goes to the server only\n" +
			"with a key and the setting web_share, if its host is of the public network.",
		Flags: sharedFlags(),
		Action: func(c *cli.Context) error {
			if _, err := args(c, 0, 0, "flags only; the page comes on stdin"); err != nil {
				return err
			}
			e, _, err := t.sharing(c)
			if err != nil {
				return err
			}
			b, err := readAll(t.in, 8<<20)
			if err != nil {
				return fmt.Errorf("evolution web-save: %w", err)
			}
			shared, err := t.savePage(c.Context, e, b)
			if err != nil {
				return fmt.Errorf("evolution web-save: %w", err)
			}
			if c.Bool("json") {
				return t.json(map[string]any{"schema": 1, "kept": true, "shared": shared})
			}
			return nil
		},
	}
}

func (t *tool) savePage(ctx context.Context, e builtinhooks.Evolution, b []byte) (shared bool, err error) {
	var in struct{ URL, Text, Saved string }
	if err := json.Unmarshal(b, &in); err != nil {
		return false, fmt.Errorf("stdin: %w", err)
	}
	p := web.Page{URL: in.URL, Text: in.Text, Saved: t.host.Now()}
	if at, err := time.Parse(time.RFC3339, in.Saved); err == nil && at.Before(p.Saved) {
		p.Saved = at
	}
	if e.Settings.Of("web_cache").Bool {
		err = t.webCache(e).Save(p)
	}
	if err != nil || !e.Settings.Of("web_share").Bool {
		return false, err
	}
	client, err := t.server(e)
	if errors.Is(err, remote.ErrNoKey) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, 8*time.Second)
	defer cancel()
	return true, client.SavePage(ctx, net.DefaultResolver.LookupIPAddr, p)
}
