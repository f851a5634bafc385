package view

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/page/pagetest"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func written(t *testing.T, p Page) string {
	t.Helper()
	var b strings.Builder
	must.Do(t, p.Write(&b))
	return b.String()
}

// What is in the page: signals of journals, and of suggestions whose journal is
// gone; genes with their distribution; suggestions with what became of them.
func TestOf(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	st, err := store.Open(t.Context(), dir)
	must.Do(t, err)
	defer st.Close()
	row, err := st.Put(t.Context(), gene.Gene{Category: gene.Repair, Title: "A way", SignalsMatch: gene.Signals("error:oom"), Strategy: []string{"Do this"}, Constraints: gene.DefaultConstraints()}, "local", now)
	must.Do(t, err)
	// What is said of a suggestion takes the place of what was concluded.
	if _, err := st.Record(t.Context(), store.Observation{Gene: row.ID, Session: "s3", Success: false, Signals: gene.Signals("error:oom"), Summary: "concluded", At: now.Add(-8*time.Hour + time.Second)}); err != nil {
		t.Fatal(err)
	}
	no := false
	for i, c := range []struct {
		session  string
		success  bool
		explicit bool
		followed *bool
	}{{"s1", true, false, nil}, {"s2", false, true, nil}, {"s3", true, true, &no}, {"s4", false, false, nil}} {
		at := now.Add(time.Duration(i-10) * time.Hour)
		must.Do(t, st.Suggested(t.Context(), store.Suggestion{Gene: row.ID, Session: c.session, Signals: []string{"error:oom"}, Action: selector.Apply, Confidence: 0.5, At: at}))
		if c.session == "s4" {
			continue
		}
		must.Do(t, must.Err(st.Record(t.Context(), store.Observation{Gene: row.ID, Session: c.session, Success: c.success, Explicit: c.explicit, Followed: c.followed, Signals: gene.Signals("error:oom"), Summary: "why " + c.session, At: at.Add(time.Minute)})))
	}
	file, began := journal.Of(dir, "s1"), now.Add(-10*time.Hour)
	for _, r := range []struct {
		at   time.Time
		what journal.Record
	}{
		{began, journal.Record{Tool: "bash", Command: "make secret", Tagged: true, Signals: []signal.Key{"error:oom", "error:timeout"}}},
		{began.Add(23 * time.Hour), journal.Record{Tool: "bash", Command: "make", Signals: []signal.Key{"error:oom"}}},
	} {
		must.Do(t, must.Err(file.Add(r.what, r.at)))
	}
	p, err := Of(t.Context(), st, dir, now)
	must.Do(t, err)
	var ends []string
	for _, s := range p.Suggestions {
		ends = append(ends, fmt.Sprintf("%s:%s/%s/%v/%s", s.Session, s.Outcome, s.Followed, s.Judged, s.Summary))
	}
	if got, want := strings.Join(ends, " "), "s4://false/ s3:success/no/true/why s3 s2:failed//true/why s2 s1:success//false/why s1"; got != want {
		t.Errorf("suggestions %s\nwant %s", got, want)
	}
	var keys []string
	for _, s := range p.Signals {
		keys = append(keys, s.Time[5:16]+" "+s.Key)
	}
	if got, want := strings.Join(keys, ", "), "11-21T02:00 error:oom, 11-21T02:00 error:timeout, 11-21T03:00 error:oom, 11-21T04:00 error:oom, 11-21T05:00 error:oom, 11-22T01:00 error:oom"; got != want {
		t.Errorf("signals %s\nwant    %s", got, want)
	}
	if g := p.Genes[0]; g.ID != row.ID || g.Good != 1 || g.Bad != 1 || g.Alpha < 1.9 || g.Beta < 1.9 || g.Uses != 2 {
		t.Errorf("%+v", g)
	}
	if strings.Contains(written(t, p), "make secret") {
		t.Error("a command is in the page")
	}
}

// A journal has UTC, whatever the clock of the machine shows.
func TestSignalsHaveTheirTimeInEveryZone(t *testing.T) {
	zone := time.Local
	t.Cleanup(func() { time.Local = zone })
	for _, hours := range []int{-10, 0, 14} {
		t.Run(fmt.Sprint("UTC", hours), func(t *testing.T) {
			time.Local = time.FixedZone("", hours*3600)
			file, at := journal.Of(t.TempDir(), "s1"), time.Date(2026, 11, 20, 23, 59, 0, 0, time.UTC)
			var want string
			for range 3 {
				must.Do(t, must.Err(file.Add(journal.Record{Tool: "bash", Command: "make", Signals: []signal.Key{"error:oom"}}, at)))
				want += stamp(at) + " "
				at = at.Add(13 * time.Hour)
			}
			var got string
			for _, s := range signals(file.Read(), "s1") {
				got += s.Time + " "
			}
			if got != want {
				t.Errorf("%s\nwant %s", got, want)
			}
		})
	}
}

// example is a store as it may look after some weeks.
func example(n int) Page {
	p := Page{Language: "en", Name: "orders", Dir: "~/.local/share/agents-hooks/evolution", Made: stamp(now), Signals: []Signal{}, Genes: []Gene{}, Suggestions: []Suggestion{}}
	keys := []string{"error:build_failure", "error:test_failure", "error:typescript", "error:timeout", "error:module_not_found", "error:port_in_use", "error:prisma"}
	titles := []string{"Mend the first compiler error, then build again", "Run the one failing test alone, with its output", "Look at the type where it is declared", "See which proxy is set before trying again", "Install what the lock file names", "Find out who holds the port", "Apply pending migrations before generating"}
	zh := []string{"先改第一个编译错误，再重新构建", "单独运行失败的那个测试", "看类型声明处", "重试之前先看代理设置", "按锁文件安装依赖", "找出谁占用了端口", "生成之前先应用迁移"}
	for i := range n {
		at := now.Add(-time.Duration(i*i%(n*2+1)) * 6 * time.Hour)
		p.Signals = append(p.Signals, Signal{keys[(i*i+i/3)%len(keys)], stamp(at), fmt.Sprint("session-", i/5)})
	}
	for i := range p.Signals[:n/2] {
		p.Signals[i], p.Signals[n-1-i] = p.Signals[n-1-i], p.Signals[i]
	}
	for i, title := range titles {
		good, bad := float64(i*i%17), float64(i*3%5)
		if i == 4 || i == 5 { // a seed, and one from a server
			good, bad = 0, 0
		}
		g := Gene{ID: fmt.Sprint("gene_repair_", i), Title: title, Steps: []string{"Read the first error only: the others often follow from it.", "Mend it.", "Build again."}, Translations: map[string]gene.Text{"zh": {Title: zh[i], Strategy: []string{"只看第一个错误。", "改掉它。", "重新构建。"}}},
			Preconditions: []string{"a compiler"}, Category: []string{"repair", "diagnostic", "optimize"}[i%3], Visibility: []string{"draft", "seed", "shared", "held"}[i%4], Origin: []string{"local", "seed", "remote"}[i%3], Signals: []string{keys[i], keys[(i+1)%len(keys)]},
			Good: good, Bad: bad, Uses: int(good + bad), Alpha: good + 1, Beta: bad + 1}
		if good+bad > 0 {
			g.Last = stamp(now.AddDate(0, 0, -i))
		}
		p.Genes = append(p.Genes, g)
	}
	for i := range n / 3 {
		s := Suggestion{Gene: fmt.Sprint("gene_repair_", i%8), Session: fmt.Sprint("session-", i), Time: stamp(now.Add(-time.Duration(i*7) * time.Hour)), Signals: []string{keys[i%len(keys)]}, Confidence: float64(i%10) / 10, Outcome: []string{"success", "failed", ""}[i%3], Judged: i%2 == 0}
		if i%5 == 4 {
			s.Followed, s.Outcome, s.Judged = "no", "success", true
		}
		if s.Judged {
			s.Summary = "The first error was a missing import; the rest went away with it. 其余错误随之消失。"
		}
		p.Suggestions = append(p.Suggestions, s)
	}
	return p
}

// A page of hostile texts, in every place that holds somebody's words.
func hostilePage(address string) Page {
	p := Page{Language: "en", Made: stamp(now), Name: `</title><script>document.body.dataset.pwned="1"</script>`, Dir: `<b onclick=x>`, Signals: []Signal{}, Genes: []Gene{}, Suggestions: []Suggestion{}}
	for i, h := range pagetest.Hostile(address) {
		p.Signals = append(p.Signals, Signal{h, stamp(now), h})
		p.Genes = append(p.Genes, Gene{ID: h, Title: h, Steps: []string{h}, Description: h, Preconditions: []string{h}, Category: h, Visibility: h, Origin: h, Scope: h, Signals: []string{h}, Translations: map[string]gene.Text{"zh": {Title: h, Strategy: []string{h}}, h: {Title: h}}, Good: 1, Alpha: 2, Beta: 1, Last: stamp(now)})
		p.Suggestions = append(p.Suggestions, Suggestion{Gene: h, Session: h, Time: stamp(now), Signals: []string{h}, Outcome: []string{h, "success"}[i%2], Followed: h, Summary: h})
	}
	return p
}

// The page is made of its own elements whatever is in it, and its policy allows
// just these.
func TestWriteHostile(t *testing.T) {
	t.Parallel()
	data := pagetest.Harmless(t, written(t, hostilePage("http://127.0.0.1:9")))
	var back Page
	if err := json.Unmarshal([]byte(data), &back); err != nil || back.Genes[0].Title != pagetest.Hostile("http://127.0.0.1:9")[0] {
		t.Errorf("the data is not what was put in: %v", err)
	}
}

func TestTextsInBothLanguages(t *testing.T) {
	t.Parallel()
	pagetest.SameWords(t, script, "const categories")
}

// dom is a page in the browser, with its own drawings as other elements than
// those that a text might become.
func dom(t *testing.T, p Page, state url.Values) string {
	t.Helper()
	return strings.ReplaceAll(pagetest.DOM(t, written(t, p), state), `<svg class="`, `<drawing class="`)
}

// Signals over time, genes with a curve each, suggestions with their ends; in the
// language that is asked for.
func TestBrowser(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		state url.Values
		want  []string
		card  string
		cards int
	}{
		{"signals", nil, []string{"error:build_failure", `<drawing class="bars"`, "sessions with trouble", "of those with an outcome, helped"}, `<li class="card row`, 7},
		{"genes", url.Values{"view": {"genes"}, "lang": {"zh"}}, []string{"单独运行失败的那个测试", `<drawing class="plot"`, `<path class="area" d="M0 36L`, "九成把握", "搁置中"}, `<li class="card gene`, 6},
		{"genes nobody tried", url.Values{"view": {"genes"}, "untried": {"1"}}, []string{"nobody has tried it", "show untried"}, `<li class="card gene`, 7},
		{"a gene by its signal", url.Values{"view": {"genes"}, "q": {"port_in_use"}, "untried": {"1"}}, []string{"<mark>port_in_use</mark>"}, `<li class="card gene`, 2},
		{"suggestions not followed", url.Values{"view": {"suggestions"}, "kinds": {"unfollowed"}}, []string{"not followed", "6 of 33"}, `<li class="card unfollowed`, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := pagetest.Shown(t, dom(t, example(100), c.state))
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%.3000s", want, text)
				}
			}
			if n := strings.Count(text, c.card); n != c.cards {
				t.Errorf("%d cards, want %d", n, c.cards)
			}
		})
	}
}

// Nothing that a text says does anything, whichever way it is shown, and nobody
// is asked for anything.
func TestBrowserHostile(t *testing.T) {
	t.Parallel()
	pagetest.Browser(t)
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	for _, view := range []string{"genes", "suggestions", "signals"} {
		t.Run(view, func(t *testing.T) {
			page := dom(t, hostilePage(server.URL), url.Values{"view": {view}, "q": {"<"}})
			pagetest.Dead(t, page)
			if !strings.Contains(pagetest.Shown(t, page), "<mark>&lt;</mark>img src=x onerror=") {
				t.Errorf("%s: what was said is not shown:\n%.2000s", view, page)
			}
		})
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("%d requests left the page", n)
	}
}

// axe-core finds nothing in any view.
func TestBrowserAccessible(t *testing.T) {
	t.Parallel()
	pagetest.AccessibleViews(t, written(t, example(60)), "signals", "genes", "genes&untried=1", "suggestions")
}
