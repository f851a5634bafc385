package hooks

import (
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/pagecache"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// mostPage is how many characters of a page a refusal contains; the rest is in a file
// that it names.
const mostPage = 16000

// webLoad is evolution-web-load: a hit refuses the fetch and gives the page. It is off
// by default; without a hit in time the page is fetched as usual.
func webLoad(c *behaviour.Call) error {
	if !c.Settings.Of("web_load").Bool || !c.Can("block") {
		return nil
	}
	address, err := pagecache.Public(c.Event.Sub("tool_input").Text("url"))
	if err != nil {
		return nil // not a public page: not for us to answer
	}
	page, ok := cacheOf(c).Load(address.String(), c.Now)
	if !ok && c.Settings.Of("web_load_remote").Bool && accountOf(c).Key != "" {
		if page, ok, err = remotePage(c, address.String()); err != nil {
			return err
		}
	}
	if !ok || strings.TrimSpace(page.Text) == "" {
		return nil
	}
	shown, rest := page.Text, ""
	if utf8.RuneCountInString(shown) > mostPage {
		shown = behaviour.Cut(shown, mostPage, "")
		if shown == "" {
			shown = text.Head(page.Text, mostPage)
		}
		if rest, err = whole(c, page); err != nil {
			return err
		}
	}
	c.Answer.Decision = protocol.Block
	c.Answer.Reason = keptPage(langOf(c), page, c.Now, shown, rest)
	return nil
}

// remotePage asks the server, which may charge for it.
func remotePage(c *behaviour.Call, url string) (pagecache.Page, bool, error) {
	left := 800 * time.Millisecond
	if last, ok := c.Ctx.Deadline(); ok {
		left = time.Until(last)
	}
	o, err := ask(c, nil, "web-load", "--deadline-ms", milliseconds(left), url)
	if err != nil || o.Text("text") == "" {
		return pagecache.Page{}, false, err
	}
	saved, err := time.Parse(time.RFC3339, o.Text("saved"))
	if err != nil {
		saved = c.Now
	}
	return pagecache.Page{URL: url, Text: o.Text("text"), Saved: saved}, true, nil
}

// whole writes the text of a page where the agent can read it.
func whole(c *behaviour.Call, p pagecache.Page) (string, error) {
	dir := filepath.Join(c.Runtime.Cache, "evolution", "read")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' {
			return r
		}
		return '-'
	}, p.URL)
	path := filepath.Join(dir, name[:min(len(name), 100)]+".txt")
	return path, os.WriteFile(path, []byte(p.Text), 0o600)
}

// webSave is evolution-web-save. It runs in parallel: nobody waits for it. Nothing
// leaves the machine without a key and web_share.
func webSave(c *behaviour.Call) error {
	if !c.Settings.Of("web_cache").Bool {
		return nil
	}
	page, err := pagecache.Of(c.Event, c.Now)
	if err != nil {
		return nil // not a page that may be kept
	}
	if page, err = pagecache.Clean(page); err != nil {
		return nil
	}
	if err := cacheOf(c).Save(page); err != nil {
		return err
	}
	if !c.Settings.Of("web_share").Bool || accountOf(c).Key == "" {
		return nil
	}
	var o protocol.Object
	o.SetText("url", page.URL)
	o.SetText("text", page.Text)
	o.SetText("saved", page.Saved.UTC().Format(time.RFC3339))
	_, err = ask(c, o.Raw(), "web-save")
	return err
}
