//go:build unix

package discovery

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

var steps = flag.Int("steps", 0, "edits that the index is held to; 100,000 take minutes")

// An editor changes a world at random, in the ways that people and programs do.
type editor struct {
	*world
	*rand.Rand
	indexes string
	made    int
	old     []byte // a file of the index as it was once
}

func (e *editor) layer() LayerName {
	if e.IntN(3) == 0 {
		return ProjectLayer
	}
	return UserLayer
}

// pick is a folder of hooks, or what may become one.
func (e *editor) pick() (layer LayerName, dir string) {
	layer = e.layer()
	entries, _ := os.ReadDir(e.hooksOf(layer))
	if len(entries) == 0 {
		return layer, e.hook(layer, "anew", preTool)
	}
	return layer, filepath.Join(e.hooksOf(layer), entries[e.IntN(len(entries))].Name())
}

func (e *editor) text(name string) string {
	trigger := []protocol.EventType{preTool, postTool, preTool, "pre-session", "before-tool"}[e.IntN(5)]
	tool := []string{"Shell|Bash", "^(ReadFile|EditFile)$", "Shell", "Sh(el)+", "WebFetch", "\\"}[e.IntN(6)]
	if e.IntN(8) == 0 {
		name = fmt.Sprint("u", e.IntN(40)) // another one's, mostly
	}
	return fmt.Sprintf("---\nname: %s\ndescription: \"Say \\\"no\\\" to %d\"\ntrigger: %s\nmatcher:\n  tool: '%s'\npriority: %d\n---\nText.\n", name, e.IntN(10), trigger, tool, 100+e.IntN(900))
}

// step makes one change. What fails changes nothing, which is as good.
func (e *editor) step() string {
	layer, dir := e.pick()
	name, file := filepath.Base(dir), filepath.Join(dir, "HOOK.md")
	kinds := []struct {
		what string
		do   func()
	}{
		{"is written in place", func() { _ = os.WriteFile(file, []byte(e.text(name)), 0o644) }},
		{"is written in place, its times put back", func() {
			info, err := os.Stat(file)
			_ = os.WriteFile(file, []byte(e.text(name)), 0o644)
			if err == nil {
				_ = os.Chtimes(file, info.ModTime(), info.ModTime())
			}
		}},
		{"is replaced", func() {
			_ = os.WriteFile(file+".new", []byte(e.text(name)), 0o644)
			_ = os.Rename(file+".new", file)
		}},
		{"changes places with another", func() {
			_, other := e.pick()
			_ = os.Rename(file, file+".away")
			_ = os.Rename(filepath.Join(other, "HOOK.md"), file)
			_ = os.Rename(file+".away", filepath.Join(other, "HOOK.md"))
		}},
		{"is removed", func() { _ = os.Remove(file) }},
		{"is spelt in small letters", func() { _ = os.Rename(file, filepath.Join(dir, "hook.md")) }},
		{"is broken", func() { _ = os.WriteFile(file, []byte("---\nname: [\n---\n"), 0o644) }},
		{"has a sandbox", func() {
			_ = os.WriteFile(file, []byte(strings.Replace(e.text(name), "---\nText", "metadata:\n  sandbox: true\n---\nText", 1)), 0o644)
		}},
		{"goes elsewhere, a link in its place", func() {
			away := filepath.Join(e.root, fmt.Sprint("away", e.made))
			e.made++
			_ = os.Rename(dir, away)
			_ = os.Symlink(away, dir)
		}},
		{"is a link to another", func() {
			_, other := e.pick()
			_ = os.Remove(file)
			_ = os.Symlink(filepath.Join(other, "HOOK.md"), file)
		}},
		{"has another folder name", func() { e.made++; _ = os.Rename(dir, fmt.Sprint(dir, "-", e.made)) }},
		{"goes, and another comes", func() {
			_ = os.RemoveAll(dir)
			e.made++
			e.hook(layer, fmt.Sprint("made-", e.made), preTool, "priority: 7")
		}},
		{"the folder of all has old times", func() {
			_ = os.Chtimes(filepath.Dir(dir), time.Unix(1e9, 5), time.Unix(1e9, 5))
		}},
		{"the index is damaged", e.damage},
	}
	k := kinds[e.IntN(len(kinds))]
	k.do()
	return string(layer) + " " + name + " " + k.what
}

// damage does something to a file of the index.
func (e *editor) damage() {
	files, _ := filepath.Glob(filepath.Join(e.indexes, "*"))
	if len(files) == 0 {
		return
	}
	file := files[e.IntN(len(files))]
	b, _ := os.ReadFile(file)
	switch n := len(b); e.IntN(6) {
	case 0: // an empty one, which the cases below may leave, takes a byte
		b = append(b, 0)[:max(n, 1)]
		b[e.IntN(len(b))] ^= byte(1 + e.IntN(255))
	case 1:
		b = b[:e.IntN(n+1)]
	case 2:
		b, e.old = e.old, b
	case 3:
		_ = os.Remove(file)
		return
	case 4: // cannot be written for a while
		_ = os.Chmod(e.indexes, 0o500)
		return
	default:
		_ = os.Chmod(e.indexes, 0o700)
		return
	}
	_ = os.WriteFile(file, b, 0o600)
}

// said is all that an event learns of hooks.
func said(s *Set) string {
	var b strings.Builder
	fmt.Fprintln(&b, s.Found, s.Problems)
	for _, h := range s.Hooks {
		fmt.Fprintln(&b, h.Layer, h.Name, h.Dir, h.File, h.Description, h.Trigger, h.Matcher, h.Timeout, h.Priority, h.Status, h.OverriddenBy, h.Problems, h.start, h.at, h.nameAt, h.given)
	}
	return b.String()
}

// run is all that becomes of an event: which hooks run, in order, and which cannot.
func run(s *Set, ev *protocol.Event) string {
	var b strings.Builder
	var budget Budget
	fmt.Fprintln(&b, s.Found)
	for h := range s.Due(ev.Type) {
		if h.Match(ev, &budget, false).OK || h.Status == Broken {
			fmt.Fprintln(&b, h.Layer, h.Name, h.Dir, h.Status, h.Problems)
		}
	}
	for _, h := range s.Untrusted(ev.Type) {
		fmt.Fprintln(&b, h.Name, "is not approved")
	}
	return b.String()
}

// However hooks are edited, an event learns the same of them with the index and without,
// and the same hooks run whether its tool is known before they are read or not.
func TestTheIndexSaysWhatTheFilesSay(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	w := newWorld(t)
	e := &editor{world: w, Rand: rand.New(rand.NewPCG(seed, 1)), indexes: filepath.Join(w.root, "cache", "hooks")}
	for i := range 40 {
		w.hook(UserLayer, fmt.Sprintf("u%d", i), preTool, "priority: 100")
		w.hook(ProjectLayer, fmt.Sprintf("p%d", i), postTool, "priority: 100")
	}
	w.approve()
	t.Cleanup(func() { _ = os.Chmod(e.indexes, 0o700) })
	programs := []string{os.Args[0], "/bin/sh"}
	asked, spared, aheads := 0, 0, 0
	many := slowtest.Count(40, 1000)
	if *steps > 0 {
		many = *steps
	}
	for i := range many {
		what := e.step()
		event := []protocol.EventType{preTool, postTool}[e.IntN(2)]
		w.src.TrustAlways = e.IntN(8) == 0
		ev := toolEvent(t, "Shell", "Bash", `{"command": "ls"}`)
		ev.Type = event
		w.src.Index, w.src.Tools = nil, nil
		all := run(w.event(event), ev)
		if e.IntN(4) > 0 {
			w.src.Tools = ToolNames(ev)
		}
		full := w.event(event)
		want := said(full)
		w.src.Index = &Index{Dir: e.indexes, Program: programs[min(e.IntN(8), 1)], worth: []int{0, 8}[e.IntN(2)]}
		set := w.event(event)
		if got := said(set); got != want {
			t.Fatalf("step %d, %s, %s:\nwith the index\n%s\nwithout\n%s", i, what, event, got, want)
		}
		if some := run(full, ev); some != all {
			t.Fatalf("step %d, %s, %s: where the tool is known, there run\n%s\nand else\n%s", i, what, event, some, all)
		}
		for _, c := range set.loader.catalogs {
			if c.ahead != nil {
				aheads++
			}
			asked += len(c.records)
			spared += max(0, len(c.records)-len(c.read))
		}
		set.KeepIndex()
	}
	if spared*4 < asked || asked == 0 {
		t.Errorf("the index spared %d of %d readings: too few to say that it was tried", spared, asked)
	}
	if aheads*4 < many && runtime.NumCPU() > 1 {
		t.Errorf("in %d of %d events several threads looked at files", aheads, many)
	}
	t.Logf("%d of %d readings were spared, and in %d of %d events several threads looked", spared, asked, aheads, many)
}

// indexed is a world with a crowd, whose index is written.
func indexed(t *testing.T, n int) (w *world, file string) {
	t.Helper()
	w = newWorld(t)
	for i := range n {
		w.hook(UserLayer, fmt.Sprintf("h%d", i), preTool)
	}
	w.src.Index = &Index{Dir: filepath.Join(w.root, "cache", "hooks"), Program: os.Args[0]}
	// What was written a moment ago is not kept, nor is an index written again for one
	// file of many: the first event comes when the last file can be kept.
	last := filepath.Join(w.hooksOf(UserLayer), fmt.Sprintf("h%d", n-1), "HOOK.md")
	for !beneath.StampAt(last).Settled(time.Now()) {
		time.Sleep(time.Millisecond)
	}
	for spared := false; !spared; {
		set := w.event(preTool)
		c := set.loader.catalogs[0]
		spared = n < leastIndexed || c.whole && len(c.read) == 0
		set.KeepIndex()
	}
	if files, _ := filepath.Glob(filepath.Join(w.src.Index.Dir, "*")); len(files) > 0 {
		file = files[0]
	}
	return w, file
}

// Threads that read what is new and threads that look at what is known find the same as
// one that reads all.
func TestManyComeToManyThatAreKnown(t *testing.T) {
	t.Parallel()
	w, _ := indexed(t, 60)
	w.src.Index.worth = 8
	for i := range 2*crowd + 60 {
		w.hook(UserLayer, fmt.Sprintf("new%d", i), preTool)
	}
	set := w.event(preTool)
	if c := set.loader.catalogs[0]; len(c.records) != 60 || len(set.Hooks) != 2*crowd+120 || c.ahead == nil && runtime.NumCPU() > 1 {
		t.Fatalf("%d known, %d hooks: it is no test of both", len(c.records), len(set.Hooks))
	}
	got := said(set)
	w.src.Index = nil
	if want := said(w.event(preTool)); got != want {
		t.Errorf("with the index\n%s\nwithout\n%s", got, want)
	}
}

func TestTheIndexIsOfCrowdsAlone(t *testing.T) {
	t.Parallel()
	if _, file := indexed(t, leastIndexed-1); file != "" {
		t.Errorf("few hooks have an index: %s", file)
	}
	w, file := indexed(t, leastIndexed)
	if file == "" {
		t.Fatal("many hooks have no index")
	}
	if info, err := os.Stat(file); err != nil || info.Mode() != 0o600 {
		t.Errorf("the file: %v, %v", info.Mode(), err)
	}
	// An event that finds all in it writes nothing.
	must.Do(t, os.Chtimes(file, time.Unix(1e9, 0), time.Unix(1e9, 0)))
	w.event(preTool).KeepIndex()
	if info, _ := os.Stat(file); !info.ModTime().Equal(time.Unix(1e9, 0)) {
		t.Error("it was written anew though nothing had changed")
	}
}

// What another program read does not count, were it an older one of ours: it may have
// read otherwise.
func TestTheIndexOfAnotherProgramIsNotRead(t *testing.T) {
	t.Parallel()
	w, file := indexed(t, 30)
	set := w.event(preTool)
	if c := set.loader.catalogs; len(c) != 1 || len(c[0].records) != 30 || !c[0].whole {
		t.Fatalf("its own is not read: %+v", c)
	}
	b, err := os.ReadFile(file)
	must.Do(t, err)
	w.src.Index.Program = "/bin/sh"
	c := w.src.Index.catalog(mustFolder(t, w.hooksOf(UserLayer)))
	if c.name == file {
		t.Fatal("two programs share a file")
	}
	must.Write(t, c.name, b)
	if c := w.src.Index.catalog(mustFolder(t, w.hooksOf(UserLayer))); len(c.records) != 0 {
		t.Error("the readings of another program count")
	}
}

func mustFolder(t *testing.T, dir string) *beneath.Folder {
	t.Helper()
	var everywhere *beneath.Root
	d, err := everywhere.Folder(dir)
	must.Do(t, err)
	t.Cleanup(d.Close)
	return d
}

// A file that is not what we wrote harms nothing, though its sum be right.
func FuzzIndex(f *testing.F) {
	c := &catalog{path: "/p", program: []byte("x"), read: map[string]fresh{}}
	read := readFront([]byte("---\nname: h\ndescription: \"a \\\" b\"\ntrigger: pre-tool-call\nmatcher:\n  tool: Shell\n---\n"))
	c.read["h"] = fresh{string(beneath.Stamp{}.Append(nil)), briefOf(&read, "h", nil), encode(&read, 100)}
	c.listed = []beneath.Child{{Name: "h"}, {Name: "i", Link: true}}
	written := c.bytes()
	head := int(binary.LittleEndian.Uint32(written[len(indexMark):]))
	f.Add(written[indexStart:indexStart+head], written[indexStart+head:])
	f.Fuzz(func(t *testing.T, head, body []byte) {
		c := &catalog{path: "/p", program: []byte("x"), tail: tail{size: len(body), whole: body}}
		start := binary.LittleEndian.AppendUint32([]byte(indexMark), uint32(len(head)))
		c.parse(binary.LittleEndian.AppendUint32(start, sum(head)), head)
		for _, r := range c.records {
			if r.stamp != "" {
				_ = c.briefs[r.brief]
			}
			c.tail.at(r.text)
		}
		for _, event := range []string{"", string(preTool), string(postTool)} {
			t.Run(fmt.Sprintf("%q", event), func(t *testing.T) {
				var f front
				if _, ok := decode(string(body), event, &f); !ok && f.block != "" {
					t.Errorf("%q is half read", body)
				}
			})
		}
	})
}

// What is kept of a front matter is all that was read of it.
func TestAReadingIsKeptWhole(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		benchHook("h", preTool),
		"---\nname: \"a\\\"b\"\ndescription: 'it''s'\ntrigger: before-tool\ntimeout: 12\nasync: true\n---\n",
		"---\nname: é\n# a comment\ntrigger: nothing-known\nmetadata:\n  openclaw: yes\n  on_error: block\n---\n",
		"---\r\nname: h\r\ntrigger: null\r\n---\r\n",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			want := readFront([]byte(text))
			if len(want.problems) > 0 {
				t.Fatalf("%q: %v", text, want.problems)
			}
			kept := encode(&want, 77)
			var got front
			if size, ok := decode(string(kept), "", &got); !ok || size != 77 || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%q\ncame back as %+v\nwant %+v", text, got, want)
			}
		})
	}
}

// Two edits within one tick of the clock leave the same stamp: what was read between
// them is not kept.
func TestWhatWasJustWrittenIsNotKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := filepath.Join(w.hook(UserLayer, "h", preTool), "HOOK.md")
	d := mustFolder(t, w.hooksOf(UserLayer))
	same, buf := 0, make([]byte, firstRead)
	for i := range 300 {
		text := fmt.Appendf(nil, "---\nname: h\ndescription: d\ntrigger: pre-tool-call\npriority: %d\n---\n", 100+i%7)
		must.Write(t, file, text)
		b, stamp, err := d.ReadStart("h", hookFile, buf)
		must.Do(t, err)
		read := readFront(b)
		kept := keepable(stamp, &read)
		text[len(text)-6] ^= 1
		must.Write(t, file, text)
		if d.Stamp("h", hookFile, false) == stamp {
			if same++; kept {
				t.Fatalf("edit %d: an edit is not seen", i)
			}
		}
	}
	t.Logf("%d edits of 300 left the stamp as it was", same)
}
