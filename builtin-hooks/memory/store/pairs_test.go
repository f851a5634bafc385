package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon/words"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What a save asked about is listed until somebody answers, or changes one of the two, whichever way; what
// it did not ask about is not.
// BM-TRU-43, BM-TRU-10.
func TestWhatASaveAskedAboutIsListedUntilItIsDecided(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		answer func(f *folder, old, newer string) error
		listed bool
	}{
		{"nobody answers", func(*folder, string, string) error { return nil }, true},
		{"the new one is confirmed, which says nothing of the other", func(f *folder, _, newer string) error { return must.Err(f.Confirm([]string{newer}, nil, nil)) }, true},
		{"it is said again", func(f *folder, _, newer string) error {
			return must.Err(f.Save(memory.Fact{Content: "No client calls the v1 API"}, ""))
		}, true},
		{"both hold", func(f *folder, old, newer string) error {
			return must.Err(f.Confirm([]string{newer}, []string{old}, nil))
		}, false},
		{"both hold, the other way round", func(f *folder, old, newer string) error {
			return must.Err(f.Confirm([]string{old}, []string{newer}, nil))
		}, false},
		{"it replaces the other", func(f *folder, old, newer string) error {
			return must.Err(f.Confirm([]string{newer}, nil, []string{old}))
		}, false},
		{"it is said again with the answer", func(f *folder, old, newer string) error {
			return must.Err(f.Save(memory.Fact{Content: "No client calls the v1 API", Beside: []string{old}}, ""))
		}, false},
		{"replaced, and restored beside it", func(f *folder, old, newer string) error {
			return errors.Join(must.Err(f.Confirm([]string{newer}, nil, []string{old})), must.Err(f.Restore([]string{old})))
		}, false},
		{"the new one is deleted", func(f *folder, _, newer string) error { return must.Err(f.Delete([]string{newer})) }, false},
		{"the new one is deleted, and restored", func(f *folder, _, newer string) error {
			return errors.Join(must.Err(f.Delete([]string{newer})), must.Err(f.Restore([]string{newer})))
		}, true},
		{"the older one is deleted", func(f *folder, old, _ string) error { return must.Err(f.Delete([]string{old})) }, false},
		{"the older one is edited", func(f *folder, old, _ string) error {
			said := "The v1 API has a page of its own"
			return f.Edit(old, Edit{Content: &said})
		}, false},
		{"the new one is edited", func(f *folder, _, newer string) error {
			said := "The v1 API is called by no client of ours"
			return f.Edit(newer, Edit{Content: &said})
		}, false},
		{"they are merged", func(f *folder, old, newer string) error {
			return must.Err(f.Merge([]string{old, newer}, memory.Fact{Content: "The v1 API goes in May"}))
		}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := newFolder(t)
			old := f.save("The kiosks still need v1").ID
			f.Now = now.Add(time.Hour)
			must.Do(t, f.place().KeepFact(memory.Fact{ID: "newer", Kind: "W", Content: "No client calls the v1 API", Time: f.Now, Asked: []string{old}}, ""))
			f.Now = now.Add(2 * time.Hour)
			must.Do(t, row.answer(f, old, "newer"))
			list, _, err := f.Review(90, 20)
			must.Do(t, err)
			if !row.listed {
				if len(list) > 0 {
					t.Errorf("%+v", list)
				}
				return
			}
			want := []string{"agents-hooks memory confirm newer --replaces " + old, "agents-hooks memory confirm newer --beside " + old, "agents-hooks memory delete newer", "agents-hooks memory merge " + old + " newer --content TEXT"}
			if len(list) != 1 || list[0].Why != Undecided || list[0].ID != "newer" || list[0].Other.ID != old || !slices.Equal(list[0].Proposed, want) {
				t.Errorf("%+v", list)
			}
		})
	}
}

// Two that say the same are proposed for merging, and are no contradiction, however they came about.
// BM-TRU-44.
func TestTwoThatSayTheSameAreNoContradiction(t *testing.T) {
	t.Parallel()
	line := func(id, text, more string) string {
		return `{"id": "` + id + `", "type": "fact", "memory_type": "W", "content": "` + text + `", "timestamp": "` + memory.Stamp(now) + `"` + more + "}\n"
	}
	for name, row := range map[string]struct{ lines, want string }{
		"both in place of others":     {line("a", "Keeper Odd, foghorn in May", `, "supersedes": ["x", "y"]`) + line("b", "Keeper Odd, foghorn in May", `, "supersedes": ["x", "y"]`), "repeated"},
		"by two people":               {line("a", "The wiki is in Notion", "") + line("b", "The wiki is in Notion", ""), "repeated"},
		"with another point":          {line("a", "The wiki is in Notion", "") + line("b", "The wiki is in Notion.", ""), "repeated"},
		"of two topics":               {line("a", "The wiki is in Notion", `, "topic_key": "one"`) + line("b", "The wiki is in Notion", `, "topic_key": "two"`), ""},
		"of two people in the team":   {line("a", "The wiki is in Notion", "") + line("b", "The wiki is in Notion", `, "source": {"origin": "Bob, shared"}`), ""},
		"somebody said that both may": {line("a", "The wiki is in Notion", `, "beside": ["b"]`) + line("b", "The wiki is in Notion", ""), ""},
		"otherwise":                   {line("a", "The wiki is in Notion", "") + line("b", "The wiki is in Confluence", ""), "contradicted"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t)
			f.write("daily/2026-11-20.jsonl", row.lines)
			list, _, err := f.Review(90, 20)
			must.Do(t, err)
			why := ""
			for _, x := range list {
				why += x.Why
			}
			if why != row.want {
				t.Errorf("%q, want %q", why, row.want)
			}
			if row.want == "repeated" && !slices.Equal(list[0].Proposed, []string{"agents-hooks memory delete b", "agents-hooks memory merge a b --content TEXT", "agents-hooks memory confirm b --beside a"}) {
				t.Errorf("%q", list[0].Proposed)
			}
		})
	}
}

// Two that only share words are no contradiction, where a save would have named neither; two that it would have
// named are.
// BM-TRU-47.
func TestAReviewCallsNoContradictionWhatASaveDoesNotName(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	must.Do(t, lexicon.Lay(cache, words.Unpack))
	for name, row := range map[string]struct {
		older, newer string
		listed       bool
	}{
		"the same in other words": {"密码用 bcrypt 存", "用户密码的哈希算法是 bcrypt", false},
		"another thing":           {"map tiles: self-hosted with tileserver-gl as of sprint 41, Mapbox contract cancelled", "self-hosted runner 全下线了,CI 用 GitHub hosted 的", false},
		"another place":           {"The wiki is in Confluence", "The wiki is in Notion", true},
		"another number":          {"The web port of the gateway is 8080", "The web port of the gateway is 8081", true},
		"in Chinese":              {"压测环境在阿里云杭州", "压测环境在上海机房", true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t)
			f.Cache = cache
			var lines strings.Builder
			for i, text := range []string{row.older, row.newer} { // as git brings them together
				fmt.Fprintf(&lines, `{"id": "l%d", "type": "fact", "content": %q, "timestamp": "2026-11-20T0%d:00:00Z"}`+"\n", i, text, i)
			}
			f.write("daily/2026-11-20.jsonl", lines.String())
			list, _, err := f.Review(90, 20)
			must.Do(t, err)
			if listed := slices.ContainsFunc(list, func(x Finding) bool { return x.Why == Contradicted }); listed != row.listed {
				t.Errorf("listed: %v, want %v: %+v", listed, row.listed, list)
			}
		})
	}
}
