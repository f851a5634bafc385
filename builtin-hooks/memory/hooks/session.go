package hooks

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/session"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/toolref"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// rememberKind is that of how to save, where there was no room for it.
const rememberKind = "memory-remember"

// load is memory-load: what is remembered, at the beginning of a session.
func load(c *behaviour.Call) error {
	place, source := storeOf(c), c.Event.Text("source")
	if plain(c) {
		place.Ask = memory.AskGit(c.Runtime.Git, c.Env)
	}
	compacted := source == "compact"
	r := requestOf(c)
	err := tellWaiting(c, place, r.lang)
	tellOverridden(c, place, r.lang)
	now := treeOf(c)
	if compacted {
		err = errors.Join(err, forgetTold(c))
	} else {
		err = errors.Join(err, keepTree(c, now), began(c), closeOthers(c, place))
		if source != "resume" && c.State.Read(toldName) != nil { // it begins with nothing of what was told before
			err = errors.Join(err, c.State.Update(toldName, func(protocol.Object) protocol.Object { return protocol.Object{} }))
		}
	}
	asks := compacted && c.Can("context") && c.Settings.Of("flush").Bool && !asksPerson(c)
	flush := ""
	switch {
	case asks && (planning(c) || !fits(c, r.afterCompact())):
		err = errors.Join(err, askAgain(c, r.afterCompact()))
	case asks:
		// The agent has lost what it may have been asked before.
		_ = c.State.Drop(flushKind)
		flush = r.afterCompact()
	}
	if c.Can("context") {
		text, bad := memories(c, place, now, compacted, flush)
		c.Say(text, "")
		c.Say(flush, "")
		err = errors.Join(err, bad, c.State.Drop(loadKind))
	} else {
		// The next event that can carry it tells what is remembered then: a text that waits would
		// still be told after it was deleted, or no longer let in.
		err = errors.Join(err, c.State.Defer(session.Item{Kind: loadKind, Text: source, Expires: c.Now.Add(loadLife)}))
	}
	if !asks {
		deliverOf(c, loadKind, flushKind) // how to save waits if there was no room for it
	}
	if !compacted {
		err = errors.Join(err, askTeam(c, place))
	}
	// If nothing can be written, reading still works.
	if source != "" && source != "startup" && place.Began(c.Session(), c.Now) {
		if source == "resume" {
			keeps(c, place)
		}
		return err
	}
	begun := place.Begin(memory.NewID("log", c.Now, c.Runtime.Random()), c.Session(), c.Now, r.lang)
	if begun == nil {
		keeps(c, place) // a line may fit where a file does not
	} else {
		tellUnkept(c, place, begun)
	}
	return errors.Join(err, begun)
}

// fits reports whether texts leave half of the budget to the memories that they are told with.
func fits(c *behaviour.Call, texts ...string) bool {
	return 2*taken(texts...) <= min(c.Runtime.TextBudget, c.Settings.Of("budget").Int)
}

// taken is how much of the budget texts take that are told beside the memories.
func taken(texts ...string) (n int) {
	for _, text := range texts {
		if text != "" {
			n += utf8.RuneCountInString(text) + 2
		}
	}
	return n
}

// memories is what is remembered now, as the agent is told it, and records that it is told. It
// leaves room for what is told beside it (BM-LOD-05).
func memories(c *behaviour.Call, place memory.Place, now tree, compacted bool, beside ...string) (string, error) {
	r := requestOf(c)
	remember := r.remember()
	l := memory.Loader{
		Place: place, Settings: c.Settings, Lang: r.lang, Now: c.Now, Branch: now.branch, Files: slices.DeleteFunc(slices.Clone(now.files), ours),
		Search: r.names.Call("memory_search", "memory search", toolref.Text("query", r.lang.Pick("words", "关键词")).As("-")),
		Below:  true,
		Room:   min(c.Runtime.TextBudget, c.Settings.Of("budget").Int) - taken(remember) - taken(beside...),
	}
	facts, searched := []memory.Fact(nil), false
	asked := false
	l.Find = func(last *memory.Summary, about *memory.Focus) ([]memory.Fact, bool) {
		if !asked { // once, if it is loaded again
			asked = true
			facts, searched = related(c, l, last, about)
		}
		return facts, searched
	}
	l.Hidden = func(facts []*memory.Fact) map[string]bool {
		return search.Hidden(search.Folders(c.Settings.Of("scope").Text, storeOf(c), c.Runtime.Cache), facts, c.Now)
	}
	loaded := l.Load()
	if loaded.Crowded || loaded.Left > 0 { // the last summary comes before all else, and then the work
		l.Room += taken(remember)
		if roomy := l.Load(); loaded.Crowded || roomy.Left < loaded.Left {
			defer c.State.Defer(session.Item{Kind: rememberKind, Text: remember, Expires: c.Now.Add(loadLife)})
			loaded, remember = roomy, ""
		} else {
			l.Room -= taken(remember)
		}
	}
	text := memory.Join(loaded.Text, remember)
	if !compacted {
		text = memory.Join(text, offered(c, place, loaded, r, l.Room-utf8.RuneCountInString(text)))
	}
	err := noteTold(c, loaded)
	if !searched {
		err = errors.Join(err, indexLater(c))
	}
	return text, err
}

// askTeam fetches what others shared, for the prompts of this session, in a process that
// nothing waits for. Whether the memory of the project is shared at all was decided by its
// user, in a file in the state directory.
func askTeam(c *behaviour.Call, place memory.Place) error {
	if c.Runtime.State == "" {
		return nil
	}
	if _, err := os.Stat(memory.ShareFile(c.Runtime.State, place.Root)); err != nil {
		return nil
	}
	return c.Runtime.Detach(c.Project(), c.Env, "memory", "sync", "--background", "--dir", c.Project())
}

// began records when the session began, or was resumed.
func began(c *behaviour.Call) error {
	return c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		o.SetText("began", c.Now.UTC().Format(time.RFC3339Nano))
		o.Delete("unkept")
		begunFrom(c, &o)
		return o
	})
}

// noteTold records what the agent was told at the beginning of the session, so that no prompt
// recalls it again.
func noteTold(c *behaviour.Call, loaded memory.Loaded) error {
	told := slices.Clone(loaded.Told)
	for _, text := range append(loaded.Pages, loaded.Facts...) {
		told = append(told, saidBy(text)...)
	}
	if len(told) == 0 {
		return nil
	}
	return c.State.Spool(spoolName, "loaded-"+strconv.FormatInt(c.Now.UnixNano(), 36), protocol.Object{{Name: "recalled", Value: protocol.TextList(told)}})
}

// openTodos is how many things that the last session left open are searched for, and workFacts how
// many facts are looked up by the words of the work.
const openTodos, workFacts = 2, 6

// related are facts from before the loaded days that share rare words with the present work, or
// that a search finds for it and for what the last session left open. It starts no process;
// searched is false if a large memory has no index yet.
func related(c *behaviour.Call, l memory.Loader, last *memory.Summary, about *memory.Focus) (facts []memory.Fact, searched bool) {
	if about.None() {
		return nil, true
	}
	before := c.Now.Add(-time.Duration(c.Settings.Of("load_days_max").Int) * 24 * time.Hour)
	have := map[string]bool{}
	add := func(found []memory.Fact) {
		for _, f := range found {
			if !have[f.ID] {
				have[f.ID] = true
				facts = append(facts, f)
			}
		}
	}
	searched = true
	ask := func(words string, most int) {
		if words == "" || !searched {
			return
		}
		found, ok, err := lookUp(c, search.Query{Text: words, Max: most, Method: search.Hybrid, Types: []string{"W", "B", "O"}, To: before, Now: c.Now}, false)
		searched = ok && err == nil
		add(found)
	}
	folders := search.Folders(c.Settings.Of("scope").Text, storeOf(c), c.Runtime.Cache)
	found, ok, err := search.About(folders, about, before, c.Now, workFacts)
	if !ok && err == nil && indexed(c, folders) {
		found, ok, err = search.About(folders, about, before, c.Now, workFacts)
	}
	if searched = ok && err == nil; !searched {
		return nil, false
	}
	for _, h := range found {
		add([]memory.Fact{factOf(h)})
	}
	if last != nil {
		for _, todo := range last.Todos[:min(len(last.Todos), openTodos)] {
			ask(short(todo, 200), 1)
		}
	}
	ask(l.Working(), 5)
	return facts, searched
}

// indexLater makes the index that a memory lacks which is too large for that now, so that the next
// session finds what this one did not.
func indexLater(c *behaviour.Call) error {
	if c.Runtime.Cache == "" {
		return nil
	}
	return c.Runtime.Detach(c.Project(), c.Env, "builtin", "worker", "memory", "--index", "--dir", c.Project())
}

// offerTimes is how often a session without a written summary is offered, and offerMost how many
// at once.
const offerTimes, offerMost = 2, 3

// offered is the request to make facts of such sessions, of those that the agent is told about the
// newest first, if nothing else waits for the agent.
func offered(c *behaviour.Call, place memory.Place, loaded memory.Loaded, r request, room int) string {
	if len(loaded.Auto) == 0 || c.State.Waiting() || c.Settings.Of("save_mode").Text == "off" {
		return ""
	}
	if !attended(c, c.Settings.Of("save_mode").Text) { // what it does then may become its last message, which is the run's result
		return ""
	}
	var due []memory.Summary
	for _, s := range slices.Backward(loaded.Auto) {
		if len(due) < offerMost && memory.Earlier(s.Session) != c.Session() && place.Offered(s.Session) < offerTimes {
			due = append(due, s)
		}
	}
	for ; len(due) > 0; due = due[:len(due)-1] {
		text := r.distil(due)
		if utf8.RuneCountInString(text) >= room {
			continue
		}
		for _, s := range due {
			if place.Offer(s.Session, c.Now) != nil {
				return "" // it would be offered again and again
			}
		}
		return text
	}
	return ""
}

// tellWaiting tells the user, and nobody else, that there are memories which this machine did
// not write: once, until there are others.
func tellWaiting(c *behaviour.Call, place memory.Place, in locale.Language) error {
	if c.Runtime.NoProject || !c.Can("message") {
		return nil
	}
	files, err := place.News(c.Now)
	if digest := ledger.Digest(files); digest != "" && place.Ledger.Once(memory.TrustName, digest) {
		c.Answer.UserMessage = waiting(in, ledger.Count(files), place.Folder())
	}
	return err
}

// tellOverridden tells the user, once, that edits of theirs hold no more because of later ones on
// another machine: whoever synced was a hook, to which nobody listens.
func tellOverridden(c *behaviour.Call, place memory.Place, in locale.Language) {
	if c.Runtime.NoProject || !c.Can("message") || len(place.SharedFiles()) == 0 {
		return
	}
	if ids := place.Overridden(); len(ids) > 0 && place.Ledger.Once("memory-overridden", strings.Join(ids, ",")) {
		c.Answer.UserMessage = memory.Join(c.Answer.UserMessage, overridden(in, len(ids)))
	}
}

// finish is memory-sync. An agent that exits soon kills its hooks, so slow work is done in a
// process of its own (BM-FBK-03).
func finish(c *behaviour.Call) error {
	reason := c.Event.Text("exit_reason")
	err := errors.Join(cutShort(c, c.State.Last(spoolName), reason), leave(c, storeOf(c), reason))
	args := []string{"builtin", "worker", "memory", "--dir", c.Project()}
	for _, f := range [][2]string{
		{"--session", c.Session()}, {"--reason", reason},
		{"--duration-ms", durationMS(c)}, {"--error", short(redact.Memory.Text(errorText(c.Event)), 300)},
	} {
		if f[1] != "" {
			args = append(args, f[0]+"="+f[1])
		}
	}
	return errors.Join(err, c.Runtime.Detach(c.Project(), c.Env, args...))
}

// durationMS is how long the session took, according to the agent or since it began.
func durationMS(c *behaviour.Call) string {
	if ms := string(c.Event.Get("duration_ms")); ms != "" && ms != "null" {
		return ms
	}
	if s, err := strconv.ParseFloat(string(c.Event.Get("duration_seconds")), 64); err == nil {
		return strconv.FormatInt(int64(s*1000), 10)
	}
	if at, err := time.Parse(time.RFC3339Nano, c.State.Read(stateName).Text("began")); err == nil {
		return strconv.FormatInt(max(c.Now.Sub(at), 0).Milliseconds(), 10)
	}
	return ""
}

// errorText is the error of an event, which is a text or contains one.
func errorText(ev protocol.Object) string {
	if text := ev.Text("error"); text != "" {
		return text
	}
	return ev.Sub("error").Text("message")
}
