package evolution

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"time"

	evolutionclient "github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/client"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/pagecache"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func webLoadCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "web-load", Usage: "a page cached here or, if that is on, on the server", ArgsUsage: "URL",
		Description: "The server is asked only with a key and the setting web_load_remote, because\n" +
			"a page that it has to fetch may cost credits.",
		Flags: flags(deadlineFlag()),
		Action: func(c *cli.Context) error {
			o, err := readLoad(sh, c)
			if err != nil {
				return err
			}
			p, where, err := load(c.Context, sh, o)
			if err != nil {
				return fmt.Errorf("evolution web-load: %w", err)
			}
			if o.json {
				return sh.JSON(loaded(p, where))
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

type loadOptions struct {
	placeOptions
	url      string
	deadline time.Duration // of the server
}

func readLoad(sh *shell.Shell, c *cli.Context) (o loadOptions, err error) {
	list, err := shell.Args(c, 1, 1, "the address of a page")
	if err != nil {
		return o, err
	}
	o.url, o.deadline = list[0], time.Second
	if ms := c.Int("deadline-ms"); ms > 0 {
		o.deadline = time.Duration(ms) * time.Millisecond
	}
	o.placeOptions, err = readPlace(sh, c)
	return o, err
}

// loaded is a page in the form of --json.
func loaded(p pagecache.Page, where string) map[string]any {
	doc := map[string]any{"schema": 1, "hit": where != "", "from": where, "url": p.URL, "text": p.Text, "saved": ""}
	if where != "" {
		doc["saved"] = p.Saved.UTC().Format(time.RFC3339)
	}
	return doc
}

// load looks for a page: here, then on the server.
func load(ctx context.Context, sh *shell.Shell, o loadOptions) (p pagecache.Page, where string, err error) {
	a, err := pagecache.Public(o.url)
	if err != nil {
		return p, "", err
	}
	p.URL = a.String()
	e := o.place(sh)
	if kept, ok := webCache(sh, e).Load(o.url, sh.Host.Now()); ok {
		return kept, "here", nil
	}
	if !e.Settings.Of("web_load_remote").Bool {
		return p, "", nil
	}
	client, err := server(sh, e)
	if errors.Is(err, evolutionclient.ErrNoKey) {
		return p, "", nil
	}
	if err != nil {
		return p, "", err
	}
	ctx, cancel := context.WithTimeout(ctx, o.deadline)
	defer cancel()
	got, ok, err := client.LoadPage(ctx, o.url, sh.Host.Now())
	if err != nil || !ok {
		return p, "", err
	}
	return got, "server", nil
}

func webCache(sh *shell.Shell, e ops.Place) pagecache.Cache {
	return pagecache.Cache{Dir: pagecache.Dir(sh.Host.Cache), TTL: time.Duration(e.Settings.Of("web_cache_hours").Int) * time.Hour, Size: int64(e.Settings.Of("web_cache_mb").Int) << 20}
}

func webSaveCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "web-save", Usage: "cache a page here and, if that is on, on the server",
		Description: "Reads {\"url\", \"text\", \"saved\"} from stdin. The page goes to the server only\n" +
			"with a key and the setting web_share, if its host is of the public network.",
		Flags: flags(),
		Action: func(c *cli.Context) error {
			o, err := readPlace(sh, c)
			if err != nil {
				return err
			}
			text, err := shell.ReadAll(sh.In, 8<<20)
			if err != nil {
				return fmt.Errorf("evolution web-save: %w", err)
			}
			e := o.place(sh)
			shared, err := save(c.Context, sh, e, text)
			if err != nil {
				return fmt.Errorf("evolution web-save: %w", err)
			}
			if o.json {
				return sh.JSON(map[string]any{"schema": 1, "kept": e.Settings.Of("web_cache").Bool, "shared": shared})
			}
			return nil
		},
	}
}

// save caches a page, and shares it if the settings say so.
func save(ctx context.Context, sh *shell.Shell, e ops.Place, text []byte) (shared bool, err error) {
	var in struct{ URL, Text, Saved string }
	if err := json.Unmarshal(text, &in); err != nil {
		return false, fmt.Errorf("stdin: %w", err)
	}
	p := pagecache.Page{URL: in.URL, Text: in.Text, Saved: sh.Host.Now()}
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
	if errors.Is(err, evolutionclient.ErrNoKey) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, 8*time.Second)
	defer cancel()
	return true, client.SavePage(ctx, net.DefaultResolver.LookupIPAddr, p)
}
