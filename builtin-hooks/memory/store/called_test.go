package store

import (
	"slices"
	"testing"
)

// What a number or a letter names is another thing than what another one names, and a value that
// changes is an update, wherever in the one the name of the other stands (called-3, called-4). called-1
// stood before the rule, the others were written after it.
// BM-TRU-02, BM-TRU-03, BM-TRU-35.
func TestThingsThatANumberOrALetterNames(t *testing.T) {
	t.Parallel()
	cache := withLexicon(t)
	for file, want := range map[string]played{"called-1.txt": {replaced: 29, kept: 30}, "called-2.txt": {replaced: 23, kept: 23}, "called-3.txt": {replaced: 19, kept: 20}, "called-4.txt": {replaced: 12, kept: 20}} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			var p played
			for _, l := range rows(t, "../truth/testdata/"+file) {
				one := play(t, cache, []saving{{"fact", l[1], l[1]}, {l[0], l[1], l[2]}})
				p.replaced, p.asked, p.silent, p.kept = p.replaced+one.replaced, p.asked+one.asked, p.silent+one.silent, p.kept+one.kept
			}
			t.Logf("%+v", p)
			if p.replaced < want.replaced || p.kept < want.kept {
				t.Errorf("want %+v, or better", want)
			}
		})
	}
}

// Of several such things the one that is named is updated, and one of which the same is said is no
// repetition.
// BM-TRU-01, BM-TRU-02, BM-TRU-03, BM-TRU-35.
func TestOfSeveralLabelledThingsTheNamedOneIsUpdated(t *testing.T) {
	t.Parallel()
	for _, lexicon := range []string{"", withLexicon(t)} {
		f := newFolder(t)
		f.Cache = lexicon
		of := map[string]string{}
		for _, text := range []string{"Gate A opens at 7:15.", "Gate I opens at 7:15.", "Gate B opens at 7:15.", "Sensor 8 is in hall 3.", "Sensor 9 is in hall 3.", "2号冰箱放疫苗。", "3号冰箱放疫苗。"} {
			s := f.save(text)
			if of[text] = s.ID; s.Status != "ok" || len(s.Supersedes) > 0 {
				t.Errorf("%q: %+v", text, s)
			}
		}
		for newer, older := range map[string]string{"Gate I opens at 8:15.": "Gate I opens at 7:15.", "Sensor 9 is in hall 5.": "Sensor 9 is in hall 3."} {
			if s := f.save(newer); !slices.Equal(s.Supersedes, []string{of[older]}) {
				t.Errorf("%q: %+v", newer, s)
			}
		}
	}
}

// Things that numbers or letters name are all kept, saved one after another, though the number of the
// one is a value of another: what names the thing is compared with what names the thing.
// BM-TRU-03, BM-TRU-35.
func TestAListOfLabelledThingsIsKeptWhole(t *testing.T) {
	t.Parallel()
	cache := withLexicon(t)
	for _, list := range [][]string{
		{"Rack 1 has 3 servers", "Rack 2 has 7 servers", "Rack 3 has 2 servers", "Rack 4 has 4 servers", "Rack 5 has 6 servers", "Rack 6 has 5 servers", "Rack 7 has 9 servers"},
		{"1 号机房有 3 个机柜", "2 号机房有 5 个机柜", "3 号机房有 2 个机柜", "4 号机房有 8 个机柜", "5 号机房有 4 个机柜"},
		{"Gate A leads to hall B", "Gate B leads to hall C", "Gate C leads to hall D", "Gate D leads to hall A"},
		{"depot A supplies depot B", "depot B supplies depot C", "depot C supplies depot A", "depot B supplies depot A"},
		{"A 服务调用 B 服务", "B 服务调用 C 服务", "B 服务调用 A 服务"},
		{"Customer 30 pays within 14 days", "Customer 14 pays within 30 days", "Customer 60 pays within 7 days", "Customer 7 pays within 60 days"},
		{"Node 2 listens on port 3", "Node 3 listens on port 4", "Node 4 listens on port 2"},
		{"The 4th floor has 7 printers", "The 7th floor has 9 printers", "The 9th floor has 4 printers"},
		{"三楼归二组打扫", "二楼归三组打扫"},
		{"Pump 4 and pump 7 deliver 9 litres", "Pump 9 delivers 4 litres", "Pumps 5 and 6 deliver 7 litres"},
		{"Gates A and B open at 7", "Gate C opens at 9", "Gate B opens at 9"},
		{"Rack four has seven servers", "Rack seven has nine servers"},
		{"10.0.0.4 forwards to 10.0.0.7", "10.0.0.7 forwards to 10.0.0.9"},
		{"R4 has 7 servers", "R7 has 4 servers"},
		{"svc-a calls svc-b", "svc-b calls svc-c", "svc-c calls svc-a"},
		{"Invoice 310 replaces invoice 309", "Invoice 311 replaces invoice 310"},
	} {
		for _, lexicon := range []string{"", cache} {
			f := newFolder(t)
			f.Cache = lexicon
			for _, text := range list {
				if s := f.save(text); s.Status != "ok" || len(s.Supersedes) > 0 {
					t.Errorf("%q: %+v", text, s)
				}
			}
		}
	}
}

// One that takes over from another named one takes the place of what was said of that.
// BM-TRU-02, BM-TRU-35.
func TestWhatTakesTheNamedOnesPlaceReplacesItsFact(t *testing.T) {
	t.Parallel()
	cache := withLexicon(t)
	for newer, older := range map[string]string{
		"Printer 7 replaces printer 4 on floor 9":                     "Printer 4 is on floor 7",
		"ADR-031: NATS JetStream carries all events. Supersedes 012.": "ADR-012: Events are published through RabbitMQ.",
		"Server 7 is the primary":                                     "Server 4 is the primary",
		"The primary is db-3, the replica db-2":                       "The primary is db-2, the replica db-3",
		"Server 7 is the primary, server 4 the standby":               "Server 4 is the primary, server 7 the standby",
		"The api listens on 5000 and talks to port 4000":              "The api listens on 4000 and talks to port 5000",
		"Postgres 16 on port 5432":                                    "Postgres 15 on port 5432",
	} {
		f := newFolder(t)
		f.Cache = cache
		of := f.save(older).ID
		if s := f.save(newer); !slices.Equal(s.Supersedes, []string{of}) {
			t.Errorf("%q: %+v", newer, s)
		}
	}
}
