package evolution

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
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/tools"
)

// evolutionShared are the commands of evolution that have to do with others, and
// those that a person looks at.
func evolutionShared(sh *shell.Shell) []*cli.Command {
	return []*cli.Command{evolutionSync(sh), evolutionWebLoad(sh), evolutionWebSave(sh), evolutionDoctor(sh), serveCommand(sh), evolutionView(sh)}
}

func sharedFlags(more ...cli.Flag) []cli.Flag {
	return append(more, &cli.StringFlag{Name: "scope", Usage: "`NAME` under which the project learns; default as the hooks find it"}, hookset.DirFlag(), shell.JSONFlag())
}

func deadlineFlag() cli.Flag {
	return &cli.IntFlag{Name: "deadline-ms", Usage: "end after `N` milliseconds, with what is there by then"}
}

// sharing is evolution in the folder that a command means.
func sharing(sh *shell.Shell, c *cli.Context) (builtinhooks.Evolution, string, error) {
	from, err := hookset.LookFrom(sh, c)
	if err != nil {
		return builtinhooks.Evolution{}, "", err
	}
	e := tools.EvolutionIn(sh, c.Context, from)
	if s := c.String("scope"); s != "" {
		e.Scope = s
	}
	return e, from, nil
}

// server is a client of the person's server, [remote.ErrNoKey] if there is none.
// Whoever sets the environment of an agent, a repository for example, may name a
// server; it does not get the key that lies in the person's own file.
func server(sh *shell.Shell, e builtinhooks.Evolution) (*remote.Client, error) {
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

func evolutionSync(sh *shell.Shell) *cli.Command {
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
		Action: func(c *cli.Context) error { return syncEvolution(sh, c) },
	}
}

func syncEvolution(sh *shell.Shell, c *cli.Context) error {
	if _, err := shell.Args(c, 0, 0, "flags only"); err != nil {
		return err
	}
	if c.Bool("start") && (c.Bool("end") || c.Bool("local")) {
		return shell.Usagef("sync: --start goes with neither --end nor --local")
	}
	e, from, err := sharing(sh, c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Context, patience(sh, c))
	defer cancel()
	st, err := store.Open(ctx, e.Dir)
	if err != nil {
		return fmt.Errorf("evolution sync: %w", err)
	}
	defer st.Close()
	session := c.String("session")
	noted, err := noteSession(sh, ctx, c, e, st, session)
	if err != nil {
		return fmt.Errorf("evolution sync: %w", err)
	}
	result := remote.NewResult()
	result.Scope = e.Scope
	if !c.Bool("local") {
		if err := exchange(sh, ctx, c, e, st, session, result); err != nil && !errors.Is(err, remote.ErrNoKey) {
			return fmt.Errorf("evolution sync: %w", err)
		}
	}
	if c.Bool("start") && c.IsSet("deadline-ms") && result.Key && !result.Done {
		// What is missing comes in the background, for the next time (EVO-6).
		if err := builtin.Standalone(sh.Host).Detach(from, sh.Host.Env, "evolution", "sync", "--start", "--session", session, "--dir", from, "--scope", e.Scope); err != nil {
			sh.Say("evolution sync: %v", err)
		}
	}
	if c.Bool("json") {
		return sh.JSON(result)
	}
	if noted > 0 {
		sh.Printf("%s of the session's journal noted\n", shell.Count(noted, "outcome"))
	}
	if c.Bool("local") {
		return nil
	}
	printSync(sh, result)
	if result.Key && !result.Done {
		return shell.ErrReported
	}
	return nil
}

// patience is how long a sync may take: the end of a session is not to be seen
// for more than five seconds (EVO-28).
func patience(sh *shell.Shell, c *cli.Context) time.Duration {
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
func noteSession(sh *shell.Shell, ctx context.Context, c *cli.Context, e builtinhooks.Evolution, st *store.Store, session string) (int, error) {
	if !c.Bool("end") || session == "" {
		return 0, nil
	}
	if !journal.Of(e.Dir, session).Read().Reviewed.IsZero() {
		if err := remote.Reviewed(e.Dir, session); err != nil {
			return 0, err
		}
	}
	return remote.Note(ctx, st, e.Dir, session, e.Scope, sh.Host.Getenv("AGENTS_HOOKS_AGENT"), sh.Host.Now())
}

// exchange is the part of a sync that asks the server.
func exchange(sh *shell.Shell, ctx context.Context, c *cli.Context, e builtinhooks.Evolution, st *store.Store, session string, r *remote.Result) error {
	client, err := server(sh, e)
	if err != nil {
		return err
	}
	s := &remote.Sync{
		Client: client, Store: st, Dir: e.Dir, Scope: e.Scope, Session: session, Now: sh.Host.Now,
		Log:             func(format string, args ...any) { sh.Say("evolution "+format, args...) },
		Team:            e.Settings.Of("team_genes").Text == "use",
		PushAfterReview: e.Settings.Of("push_after_review").Bool,
	}
	if !c.Bool("start") {
		s.End(ctx, r)
		return nil
	}
	beside := []func(context.Context, *remote.Result){s.Memory}
	if e.Settings.Of("skill_sync").Bool && sh.Host.Home != "" {
		dir := filepath.Join(sh.Host.Home, ".agents", "skills")
		beside = append(beside, func(ctx context.Context, r *remote.Result) { s.Skills(ctx, dir, r) })
	}
	s.Start(ctx, r, beside...)
	return nil
}

func printSync(sh *shell.Shell, r *remote.Result) {
	if !r.Key {
		sh.Printf("nothing left this machine: there is no key\n")
		return
	}
	sh.Printf("%s as %s\n", r.Server, r.Scope)
	sh.Printf("  pushed  %s", shell.Count(r.Pushed, "outcome"))
	if r.Queued > 0 {
		sh.Printf(", %d wait for the next time", r.Queued)
	}
	sh.Printf("\n  pulled  %d new, %d changed\n", r.Added, r.Updated)
	for _, s := range r.Skills {
		sh.Printf("  skill   %s\n", s)
	}
}

func evolutionWebLoad(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "web-load", Usage: "a page that is kept here or, if that is on, on the server", ArgsUsage: "URL",
		Description: "The server is asked only with a key and the setting web_load_remote, because\n" +
			"a page that it has to fetch may cost credits.",
		Flags: sharedFlags(deadlineFlag()),
		Action: func(c *cli.Context) error {
			list, err := shell.Args(c, 1, 1, "the address of a page")
			if err != nil {
				return err
			}
			e, _, err := sharing(sh, c)
			if err != nil {
				return err
			}
			p, where, err := pageOf(sh, c, e, list[0])
			if err != nil {
				return fmt.Errorf("evolution web-load: %w", err)
			}
			doc := map[string]any{"schema": 1, "hit": where != "", "from": where, "url": p.URL, "text": p.Text, "saved": ""}
			if where != "" {
				doc["saved"] = p.Saved.UTC().Format(time.RFC3339)
			}
			if c.Bool("json") {
				return sh.JSON(doc)
			}
			if where == "" {
				sh.Printf("it is not kept\n")
				return shell.ErrReported
			}
			sh.Printf("%s\n", p.Text)
			return nil
		},
	}
}

// pageOf looks for a page: here, then on the server.
func pageOf(sh *shell.Shell, c *cli.Context, e builtinhooks.Evolution, address string) (p web.Page, where string, err error) {
	a, err := web.Public(address)
	if err != nil {
		return p, "", err
	}
	p.URL = a.String()
	if kept, ok := webCache(sh, e).Load(address, sh.Host.Now()); ok {
		return kept, "here", nil
	}
	if !e.Settings.Of("web_load_remote").Bool {
		return p, "", nil
	}
	client, err := server(sh, e)
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
	got, ok, err := client.LoadPage(ctx, address, sh.Host.Now())
	if err != nil || !ok {
		return p, "", err
	}
	return got, "server", nil
}

func webCache(sh *shell.Shell, e builtinhooks.Evolution) web.Cache {
	return web.Cache{Dir: web.Dir(sh.Host.Cache), TTL: time.Duration(e.Settings.Of("web_cache_hours").Int) * time.Hour, Size: int64(e.Settings.Of("web_cache_mb").Int) << 20}
}

func evolutionWebSave(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "web-save", Usage: "keep a page here and, if that is on, on the server",
		Description: "Reads {\"url\", \"text\", \"saved\"} from stdin. The page goes to the server only\n" +
			"with a key and the setting web_share, if its host is of the public network.",
		Flags: sharedFlags(),
		Action: func(c *cli.Context) error {
			if _, err := shell.Args(c, 0, 0, "flags only; the page comes on stdin"); err != nil {
				return err
			}
			e, _, err := sharing(sh, c)
			if err != nil {
				return err
			}
			b, err := shell.ReadAll(sh.In, 8<<20)
			if err != nil {
				return fmt.Errorf("evolution web-save: %w", err)
			}
			shared, err := savePage(sh, c.Context, e, b)
			if err != nil {
				return fmt.Errorf("evolution web-save: %w", err)
			}
			if c.Bool("json") {
				return sh.JSON(map[string]any{"schema": 1, "kept": true, "shared": shared})
			}
			return nil
		},
	}
}

func savePage(sh *shell.Shell, ctx context.Context, e builtinhooks.Evolution, b []byte) (shared bool, err error) {
	var in struct{ URL, Text, Saved string }
	if err := json.Unmarshal(b, &in); err != nil {
		return false, fmt.Errorf("stdin: %w", err)
	}
	p := web.Page{URL: in.URL, Text: in.Text, Saved: sh.Host.Now()}
	if at, err := time.Parse(time.RFC3339, in.Saved); err == nil && at.Before(p.Saved) {
		p.Saved = at
	}
	if e.Settings.Of("web_cache").Bool {
		err = webCache(sh, e).Save(p)
	}
	if err != nil || !e.Settings.Of("web_share").Bool {
		return false, err
	}
	client, err := server(sh, e)
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
