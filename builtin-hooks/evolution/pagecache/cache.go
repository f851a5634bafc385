package pagecache

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// Default bounds of a cache.
const (
	pageMax   = 512 << 10 // bytes of one page; the rest is cut off
	leastText = 100       // characters; anything shorter is an error page or the like
)

// A Page is what an agent got for a URL.
type Page struct {
	URL   string    // from [Address.String], or prismer://search/…
	Text  string    // what the agent saw
	Saved time.Time // when it was cached
}

// Search reports that the page is the result of a search.
func (p Page) Search() bool { return strings.HasPrefix(p.URL, searchScheme) }

// Secret reports whether the URL of the page contains something that nobody else should
// see.
func (p Page) Secret() bool { return redact.Memory.Text(p.URL) != p.URL }

// A Cache is a folder of pages. Many processes may use it at once.
type Cache struct {
	Dir  string
	TTL  time.Duration
	Size int64 // bytes of all pages
}

// Dir is the folder of pages within the cache directory (…/agents-hooks).
func Dir(cache string) string { return filepath.Join(cache, "evolution", "web") }

const (
	magic  = "agents-hooks web page 1"
	ending = ".page"
	// lockWait bounds how long to wait for another process that is saving a page.
	lockWait = 2 * time.Second
)

// name is the file for a URL.
func (c Cache) name(url string) string {
	sum := sha256.Sum256([]byte(url))
	return filepath.Join(c.Dir, hex.EncodeToString(sum[:16])+ending)
}

// Clean is a page as it may be stored or sent: its text without secrets and <private>
// parts, and not too long. It is an error if neither is allowed.
func Clean(p Page) (Page, error) {
	if !p.Search() {
		a, err := Public(p.URL)
		if err != nil {
			return p, err
		}
		p.URL = a.String()
	}
	if p.Secret() {
		return p, errors.New("the address holds a secret")
	}
	p.Text = redact.Memory.Text(p.Text)
	p.Text = text.HeadBytes(p.Text, pageMax)
	if !longer(p.Text, leastText) {
		return p, fmt.Errorf("not more than %d characters", leastText)
	}
	return p, nil
}

// longer reports whether a text has more than most characters, without counting all of
// them.
func longer(text string, most int) bool {
	n := 0
	for range text {
		if n++; n > most {
			return true
		}
	}
	return false
}

// Save stores a page, cleaned; the oldest ones are removed if there is no room for it.
func (c Cache) Save(p Page) error {
	p, err := Clean(p)
	if err != nil {
		return err
	}
	release, err := statefile.Hold(filepath.Join(c.Dir, "pages"), lockWait)
	if err != nil {
		return fmt.Errorf("keeping %q: %w", p.URL, err)
	}
	defer release()
	text := magic + "\n" + p.URL + "\n" + strconv.FormatInt(p.Saved.UnixMilli(), 10) + "\n" + p.Text
	file := c.name(p.URL)
	if err := c.room(int64(len(text)), filepath.Base(file), p.Saved); err != nil {
		return fmt.Errorf("keeping %q: %w", p.URL, err)
	}
	return statefile.Update(file, lockWait, func([]byte) ([]byte, error) { return []byte(text), nil })
}

// room removes pages until there is room for size bytes: first the expired ones, then
// the oldest. The caller holds the lock.
func (c Cache) room(size int64, except string, now time.Time) error {
	type entry struct {
		name string
		size int64
		at   time.Time
	}
	var all []entry
	list, err := os.ReadDir(c.Dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		info, err := e.Info()
		if err != nil || !strings.HasSuffix(e.Name(), ending) || e.Name() == except {
			continue
		}
		all = append(all, entry{e.Name(), info.Size(), info.ModTime()})
		size += info.Size()
	}
	order.By(all, func(a, b entry) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.name, b.name)) })
	for _, e := range all {
		if size <= c.Size && now.Sub(e.at) < c.TTL {
			break
		}
		if err := os.Remove(filepath.Join(c.Dir, e.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		// The lock beside a page is only ever taken while holding the lock of all
		// pages.
		_ = os.Remove(filepath.Join(c.Dir, e.name+".lock"))
		size -= e.size
	}
	return nil
}

// Load returns the page of a public URL, if one is cached and not expired. A page that
// cannot be read does not count.
func (c Cache) Load(url string, now time.Time) (Page, bool) {
	a, err := Public(url)
	if err != nil {
		return Page{}, false
	}
	b, err := statefile.Read(c.name(a.String()))
	if err != nil || b == nil {
		return Page{}, false
	}
	p, ok := parse(string(b))
	age := now.Sub(p.Saved)
	if !ok || p.URL != a.String() || age < 0 || age >= c.TTL {
		return Page{}, false
	}
	return p, true
}

func parse(text string) (p Page, ok bool) {
	rest, ok := strings.CutPrefix(text, magic+"\n")
	if !ok {
		return p, false
	}
	url, rest, ok1 := strings.Cut(rest, "\n")
	at, body, ok2 := strings.Cut(rest, "\n")
	ms, err := strconv.ParseInt(at, 10, 64)
	if !ok1 || !ok2 || err != nil {
		return p, false
	}
	return Page{URL: url, Text: body, Saved: time.UnixMilli(ms)}, true
}
