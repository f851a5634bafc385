package gene

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// Every seed has the form of a gene and passes its checks, in both
// languages; all signals and many ecosystems are covered.
func TestSeedsPass(t *testing.T) {
	seeds, err := Seeds()
	must.Do(t, err)
	if len(seeds) < 40 {
		t.Errorf("%d seeds, want at least 40", len(seeds))
	}
	steps := make([][][]string, len(seeds))
	for i := range seeds {
		for _, s := range seeds[i].Strategy {
			steps[i] = append(steps[i], wordsOf(s))
		}
	}
	ids, general, stacks := map[string]bool{}, map[string]int{}, map[string]int{}
	for i := range seeds {
		g := &seeds[i]
		if ids[g.ID] {
			t.Errorf("%s stands twice", g.ID)
		}
		ids[g.ID] = true
		for _, p := range Check(g, "agents-hooks") {
			t.Errorf("%s: %s", g.ID, p)
		}
		zh := g.Translations["zh"]
		if g.Title == "" || zh.Title == "" || len(zh.Strategy) != len(g.Strategy) || len(g.Strategy) < 2 || len(g.Strategy) > 6 {
			t.Errorf("%s: %d steps, %d in Chinese", g.ID, len(g.Strategy), len(zh.Strategy))
		}
		for j, s := range g.Strategy {
			if n := utf8.RuneCountInString(s); n < 30 || n > 300 || strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) }) || !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") {
				t.Errorf("%s: step %d has %d characters, or is no English sentence: %s", g.ID, j+1, n, s)
			}
			if j < len(zh.Strategy) && !strings.HasSuffix(zh.Strategy[j], "。") && !strings.HasSuffix(zh.Strategy[j], "？") {
				t.Errorf("%s: step %d in Chinese: %s", g.ID, j+1, zh.Strategy[j])
			}
		}
		for _, s := range g.SignalsMatch {
			if s.TechStack == "" && s.Stage == "" {
				general[s.Type]++
			} else {
				stacks[s.TechStack]++
			}
		}
		// As [Near] finds them, with the words of each taken once.
		for k := range i {
			if !slowtest.Part(i+k, 4) {
				continue
			}
			if cover, _ := Coverage(g.SignalsMatch, seeds[k].SignalsMatch); cover >= sameSignals && (best(steps[i], steps[k])+best(steps[k], steps[i]))/float64(len(steps[i])+len(steps[k])) >= sameSteps {
				t.Errorf("%s says the same as %s", g.ID, seeds[k].ID)
			}
		}
	}
	for _, key := range []string{"timeout", "oom", "permission_error", "not_found", "connection_refused", "port_in_use", "module_not_found", "build_failure", "deploy_failure", "test_failure", "prisma", "typescript", "generic"} {
		if general["error:"+key] == 0 {
			t.Errorf("no seed is for error:%s whatever the technology", key)
		}
	}
	for _, stack := range []string{"go", "node", "python", "rust", "java", "cpp", "docker", "kubernetes", "git", "postgres", "terraform"} {
		if stacks[stack] == 0 {
			t.Errorf("no seed is about %s", stack)
		}
	}
}

// Coverage, with values computed by hand.
func TestCoverage(t *testing.T) {
	for _, x := range []struct {
		name    string
		event   []Signal
		pattern []Signal
		want    float64
		layer   Layer
	}{
		{"the same", Signals("error:oom"), Signals("error:oom"), 1, Exact},
		{"the same with all fields", []Signal{{"error:oom", "aws", "build", "high", "go"}}, []Signal{{"error:oom", "aws", "build", "high", "go"}}, 1, Exact},
		{"2 of 3 fields", []Signal{{Type: "error:oom", Provider: "aws", Stage: "build"}}, []Signal{{Type: "error:oom", Provider: "aws"}}, 2.0 / 3, Exact},
		{"1 of 2 fields", []Signal{{Type: "error:oom", TechStack: "go"}}, Signals("error:oom"), 0.5, Exact},
		{"a narrower pattern", Signals("error:oom"), []Signal{{Type: "error:oom", TechStack: "go"}}, 1, Exact},
		{"another stack", []Signal{{Type: "error:oom", TechStack: "go"}}, []Signal{{Type: "error:oom", TechStack: "node"}}, 0.4, Prefix},
		{"the prefix", Signals("error:oom"), Signals("error:timeout"), 0.4, Prefix},
		{"the prefix and provider", []Signal{{Type: "error:oom", Provider: "aws"}}, []Signal{{Type: "error:timeout", Provider: "aws"}}, 0.5, Prefix},
		{"the prefix and all", []Signal{{Type: "error:oom", Provider: "aws", Stage: "build", Severity: "high"}}, []Signal{{Type: "error:timeout", Provider: "aws", Stage: "build", Severity: "high"}}, 0.65, Prefix},
		{"nothing", Signals("error:oom"), Signals("perf:slow_build"), 0, None},
		{"no prefix at all", Signals("oom"), Signals("timeout"), 0, None},
		{"one of two", Signals("error:oom", "perf:slow_build"), Signals("error:oom"), 0.5, Exact},
		{"exact and prefix", Signals("error:oom", "error:timeout"), Signals("error:oom"), 0.7, Exact},
		{"no event", nil, Signals("error:oom"), 0, None},
	} {
		t.Run(x.name, func(t *testing.T) {
			got, layer := Coverage(x.event, x.pattern)
			if diff := got - x.want; diff > 1e-9 || diff < -1e-9 || layer != x.layer {
				t.Errorf("%v by %v, want %v by %v", got, layer, x.want, x.layer)
			}
		})
	}
}

// What is found, and what is not although it looks like it. EV-FND-11.
func TestWhatAGeneMustHave(t *testing.T) {
	for text, kind := range map[string]string{
		"Open /home/ana/project/main.go.":                   "path",
		"Open ~/project/main.go.":                           "path",
		"Look into '/Users/ana/work'.":                      "path",
		"在 /opt/acme/bin 里查看。":                              "path",
		`Open C:\Users\ana and look.`:                       "path",
		"D:/work/main.c is wrong.":                          "path",
		`See \\server\share\x.`:                             "path",
		"Change line 42.":                                   "line",
		"Lines 3 to 7 are wrong.":                           "line",
		"修改第三行。":                                            "line",
		"parser.go:120 has it.":                             "line",
		"app.ts(12,5) has it.":                              "line",
		"See main.c#L99.":                                   "line",
		"Restart shop-api first.":                           "project",
		"Call Shop-API.":                                    "project",
		"export TOKEN=ghp_abcdefghijklmnopqrstuvwxyz012345": "secret",

		"Ask for /healthz by hand.":                      "",
		"Read /etc/hosts and /dev/null.":                 "",
		"Fetch https://example.com/a/b/c.":               "",
		"Choose either and/or both.":                     "",
		"Read the first line of the message.":            "",
		"Listen on 127.0.0.1:8080.":                      "",
		"Use port 8080, or 3:2.":                         "",
		"Restart the shop-apis.":                         "",
		"Use ~/.ssh-like places only.":                   "",
		"Go 1.26 and ES2022 differ.":                     "",
		"Set the token by the variable TOKEN=$TOKEN.":    "",
		"Give it a ratio of 10:1 and a limit of 10 s.":   "",
		"Run npm run build && npm test // in this order": "",
	} {
		t.Run(text, func(t *testing.T) {
			g := Gene{Category: Repair, SignalsMatch: Signals("error:oom"), Strategy: []string{text}}
			list := Check(&g, "", "acme/shop-api")
			found := ""
			for _, p := range list {
				found = p.Kind
			}
			if found != kind || len(list) > 1 {
				t.Errorf("%s: %v, want %q", text, list, kind)
			}
			if kind == "secret" && (strings.Contains(fmt.Sprint(list), "ghp_") || list[0].Forceable()) {
				t.Errorf("%v", list)
			}
		})
	}
	// Names that are words first say nothing.
	g := Gene{Category: Repair, SignalsMatch: Signals("error:oom"), Strategy: []string{"Restart the server of the project."}}
	if list := Check(&g, "server", "project", "git_1x2y3z", "x"); len(list) > 0 {
		t.Errorf("%v", list)
	}
	// A short name is one.
	g.Strategy = []string{"Restart pay."}
	if list := Check(&g, "acme/pay"); len(list) != 1 || list[0].Kind != "project" {
		t.Errorf("%v", list)
	}
	// The form.
	for field, bad := range map[string]Gene{
		"category":         {SignalsMatch: Signals("error:oom"), Strategy: []string{"x"}, Category: "magic"},
		"signals_match":    {Category: Repair, Strategy: []string{"x"}},
		"signals_match[0]": {Category: Repair, Strategy: []string{"x"}, SignalsMatch: Signals("Error: Acme!")},
		"strategy":         {Category: Repair, SignalsMatch: Signals("error:oom")},
		"strategy[0]":      {Category: Repair, SignalsMatch: Signals("error:oom"), Strategy: []string{strings.Repeat("x", 1001)}},
		"id":               {Category: Repair, SignalsMatch: Signals("error:oom"), Strategy: []string{"x"}, ID: "../../etc"},
	} {
		t.Run(field, func(t *testing.T) {
			if list := Check(&bad); len(list) != 1 || list[0].Field != field || list[0].Forceable() {
				t.Errorf("%s: %v", field, list)
			}
		})
	}
}

// What is too long is quoted by characters, not by bytes.
func TestQuotesWholeCharacters(t *testing.T) {
	g := Gene{Category: Repair, Title: strings.Repeat("长", 300), SignalsMatch: Signals("error:oom"), Strategy: []string{strings.Repeat("🚀", 1001)}}
	list := Check(&g)
	if len(list) != 2 || list[0].Value != strings.Repeat("长", 40) || list[1].Value != strings.Repeat("🚀", 40) {
		t.Errorf("%+v", list)
	}
}

// Which genes say the same. EV-FND-12.
func TestNearGenes(t *testing.T) {
	a := Gene{ID: "a", SignalsMatch: Signals("error:oom"), Strategy: []string{"Halve the input and look whether the peak halves.", "Raise the limit last."}}
	same := Gene{ID: "b", SignalsMatch: Signals("error:oom"), Strategy: []string{"First halve the input and look whether the peak halves too.", "Raise the limit last."}}
	part := Gene{ID: "c", SignalsMatch: Signals("error:oom"), Strategy: []string{"Raise the limit last.", "Do something quite different.", "Buy another machine.", "Ask the neighbours about it."}}
	other := Gene{ID: "d", SignalsMatch: Signals("error:timeout"), Strategy: a.Strategy}
	zh := Gene{ID: "e", SignalsMatch: Signals("error:oom"), Strategy: []string{"把输入减半，看峰值是否减半。"}}
	zhSame := Gene{ID: "f", SignalsMatch: Signals("error:oom"), Strategy: []string{"先把输入减半，看峰值是否也减半。"}}
	if got := Near(&a, []Gene{a, same, part, other, zh}); len(got) != 1 || got[0].ID != "b" || got[0].Coverage != 1 || got[0].Similarity < 0.7 {
		t.Errorf("%+v", got)
	}
	if got := Near(&zh, []Gene{a, zhSame}); len(got) != 1 || got[0].ID != "f" {
		t.Errorf("%+v", got)
	}
	// {halve the input}: 3 words each, 2 shared: 2·2/6.
	if got := Similarity([]string{"halve the input"}, []string{"halve the output"}); got != 2.0/3 {
		t.Errorf("%v", got)
	}
	merged := a
	Merge(&merged, &part)
	if len(merged.Strategy) != 5 || merged.Strategy[0] != a.Strategy[0] {
		t.Errorf("%q", merged.Strategy)
	}
}

// The original's form is read and written; members that are not known
// survive, and so does everything else.
func TestTheOriginalsForm(t *testing.T) {
	const text = `{"type":"Gene","id":"gene_repair_mf0abc","category":"repair","title":"A <b> & c","visibility":"private","signals_match":[{"type":"error:oom","techStack":"go"},"error:timeout"],"preconditions":["x"],"strategy":["one","two"],"constraints":{"max_credits":50,"max_retries":1,"required_capabilities":["shell"]},"success_count":3,"failure_count":1,"last_used_at":"2026-11-21T09:00:00Z","created_by":"ana","distilled_from":["g1"],"parentGeneId":"g0","forkCount":2,"generation":1,"qualityScore":0.5,"hyperedges":[1,2.50],"note":"kept"}`
	g, err := Parse([]byte(text))
	must.Do(t, err)
	if g.SignalsMatch[0].TechStack != "go" || g.SignalsMatch[1].Type != "error:timeout" || g.Constraints.MaxRetries != 1 || g.Forks != 2 || !g.LastUsed.Equal(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", g)
	}
	b, err := json.Marshal(g)
	if err != nil || !strings.HasSuffix(string(b), `"hyperedges":[1,2.50],"note":"kept"}`) {
		t.Fatalf("%s %v", b, err)
	}
	again, err := Parse(b)
	if twice, _ := json.Marshal(again); err != nil || string(twice) != string(b) {
		t.Errorf("%s\n%s", b, twice)
	}
	// A row of the service.
	row, err := Parse([]byte(`{"id":"r","title":"R","category":"optimize","signalsMatch":"[\"perf:slow_build\"]","strategySteps":"[\"a\",\"b\"]","preconditions":"","constraints":"{\"max_credits\":7}","successCount":4,"failureCount":0,"lastUsedAt":1700000000000,"distilledFrom":"g9","qualityScore":0.1}`))
	if err != nil || !slices.Equal(row.Strategy, []string{"a", "b"}) || row.Constraints.MaxCredits != 7 || row.Successes != 4 || row.DistilledFrom[0] != "g9" || row.LastUsed.Year() != 2023 {
		t.Errorf("%+v %v", row, err)
	}
}

// A gene is inert text. EV-FND-13.
func TestWhatActsIsRefused(t *testing.T) {
	for _, name := range forbidden {
		t.Run(name, func(t *testing.T) {
			if _, err := Parse([]byte(`{"id":"x","` + name + `":{}}`)); err == nil {
				t.Errorf("a gene with %q was taken", name)
			}
		})
	}
	for _, bad := range []string{``, `[]`, `{`, `{"type":"Hook"}`, `{"strategy":"not a list"}`, `{"success_count":"many"}`} {
		t.Run(fmt.Sprintf("%q", bad), func(t *testing.T) {
			if _, err := Parse([]byte(bad)); err == nil {
				t.Errorf("%s was taken", bad)
			}
		})
	}
	g, err := Parse([]byte(`{"title":"a\u001b[31mred\u001b[0m\u202e\n b","strategy":["x\u0000y","","\u0007"]}`))
	if err != nil || g.Title != "ared b" || !slices.Equal(g.Strategy, []string{"xy"}) {
		t.Errorf("%q %q %v", g.Title, g.Strategy, err)
	}
}

// A skill's front matter holds whatever a gene says.
func TestSkillOfAnyTitle(t *testing.T) {
	for title, want := range map[string]string{"Halve: the \"input\"\\": "halve-the-input", "把输入减半": "gene-repair-1", strings.Repeat("long ", 40): strings.Trim(strings.Repeat("long-", 40)[:64], "-")} {
		t.Run(fmt.Sprintf("%.80q", title), func(t *testing.T) {
			g := Gene{ID: "gene_repair_1", Title: title, SignalsMatch: Signals("error:oom"), Strategy: []string{"x"}}
			name, text := Skill(&g, "zh")
			if name != want || !strings.Contains(text, "1. x\n") || strings.Count(text, "\n---\n") != 1 {
				t.Errorf("%s: %s\n%s", title, name, text)
			}
		})
	}
}

// A skill has only the parts that its gene can fill.
func TestSkillSaysWhatItsGeneHas(t *testing.T) {
	g := Gene{ID: "gene_repair_1", Title: "Halve the input", SignalsMatch: Signals("error:oom"), Strategy: []string{"x"}}
	const whole = "---\nname: halve-the-input\ndescription: \"Halve the input (error:oom)\"\n---\n\n# Halve the input\n\n## When\n\n- `error:oom`\n\n## Steps\n\n1. x\n"
	if _, text := Skill(&g, "en"); text != whole {
		t.Errorf("got\n%s\nwant\n%s", text, whole)
	}
	g.Successes = 1
	if _, text := Skill(&g, "en"); text != whole+"\nIt helped 1 times of 1 (gene gene_repair_1).\n" {
		t.Error(text)
	}
	g.Preconditions = []string{"it runs"}
	if _, text := Skill(&g, "en"); !strings.Contains(text, "\n## What has to hold first\n\n- it runs\n") {
		t.Error(text)
	}
}

// What a gene remembers of a failure that it cured is what it has elsewhere too: not where it
// was, how often, or in whose words; and of each kind the last one.
func TestCuredRemembersTheKind(t *testing.T) {
	var g Gene
	f := failure.Of("make", "/srv/shop/cart.c:7:1: error: unknown type name 'foo'", 1)
	if f.Place != 7 || f.Count != 1 || f.Said == "" {
		t.Fatalf("%+v", f)
	}
	g.Cured(f)
	g.Cured(f)
	want := failure.Failure{Kind: f.Kind, Family: f.Family, Exit: 1, Code: f.Code, Symbols: f.Symbols, Text: f.Text}
	if !reflect.DeepEqual(g.Cures, []failure.Failure{want}) {
		t.Errorf("%+v\nwant %+v", g.Cures, want)
	}
	for i := range 2 * MostCures {
		f.Kind = fmt.Sprint("k", i)
		g.Cured(f)
	}
	if len(g.Cures) != MostCures || g.Cures[MostCures-1].Kind != f.Kind {
		t.Errorf("%d", len(g.Cures))
	}
}

// No text of a gene keeps a secret.
func TestEveryTextIsRedacted(t *testing.T) {
	const secret = "Give it ghp_abcdefghijklmnopqrstuvwxyz0123456789."
	g := Gene{Title: secret, Description: secret, Strategy: []string{secret}, Preconditions: []string{secret}, Translations: map[string]Text{"zh": {Title: secret, Strategy: []string{secret}}}}
	Redact(&g)
	if all := fmt.Sprintf("%+v", g); strings.Contains(all, "ghp_") || strings.Count(all, "Give it [REDACTED") != 6 {
		t.Error(all)
	}
}

func TestNewIDIsNotTaken(t *testing.T) {
	now := time.UnixMilli(1_700_000_000_000)
	first := NewID(Repair, now, func(string) bool { return false })
	second := NewID(Repair, now, func(id string) bool { return id == first })
	if first != "gene_repair_loyw3v28" || second == first {
		t.Errorf("%s %s", first, second)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"type":"Gene","id":"a","signals_match":["error:oom"],"strategy":["x"],"last_used_at":null,"z":{"a":[1]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := Parse(b)
		if err != nil {
			return
		}
		out, err := json.Marshal(g)
		must.Do(t, err)
		again, err := Parse(out)
		if err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		if twice, _ := json.Marshal(again); string(twice) != string(out) {
			t.Errorf("%s\n%s", out, twice)
		}
	})
}

// A step has the whole name of what the failure is about, and one that would have a hole in place
// of it is left out. EV-FND-16.
func TestStepsHaveWholeNames(t *testing.T) {
	t.Parallel()
	seeds, err := Seeds()
	must.Do(t, err)
	for _, c := range []struct{ name, seed, command, text, has, hasNot string }{
		{"the module that is missing", "perl_cpan", "perl a.pl", "Can't locate Text/Diff/Table.pm in @INC (you may need to install the Text::Diff::Table module) at a.pl line 1.", "cpanm Text::Diff::Table ", "cpanm NAME"},
		{"no name in the output, none in the steps", "perl_cpan", "perl a.pl", "syntax error at a.pl line 3, near \"= ;\"", "Global symbol", "cpanm NAME"},
		{"the distribution that is not found", "pip_no_distribution", "pip install reqests==9", "ERROR: No matching distribution found for reqests==9", "pip index versions reqests ", "NAME"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i := range seeds {
				g := &seeds[i]
				if g.ID != "seed_repair_"+c.seed {
					continue
				}
				f := failure.Of(c.command, c.text, 1)
				for _, language := range []string{"en", "zh"} {
					if len(g.For(language, &f).Strategy) == 0 || len(g.For("zh", &f).Strategy) != len(g.For("en", &f).Strategy) {
						t.Errorf("%s: %s: %q", c.text, language, g.For(language, &f).Strategy)
					}
				}
				if steps := strings.Join(g.For("en", &f).Strategy, "\n"); !strings.Contains(steps, c.has) || strings.Contains(steps, c.hasNot) {
					t.Errorf("%s: %s", c.text, steps)
				}
			}
		})
	}
}

// What was written and read again is what was shown, also where it has no list.
func TestTheMarkStaysWhenAGeneIsReadAgain(t *testing.T) {
	t.Parallel()
	g := Gene{ID: "x", Title: "Take the cache away", Strategy: []string{"Stop the daemon."}, Visibility: Held, Translations: map[string]Text{}}
	b, err := g.MarshalJSON()
	must.Do(t, err)
	again, err := Parse(b)
	must.Do(t, err)
	if Mark(&g) != Mark(&again) {
		t.Errorf("it is another: %+v", again)
	}
	again.Strategy = append(again.Strategy, "Start it.")
	if Mark(&g) == Mark(&again) {
		t.Error("its steps are not in it")
	}
}
