package truth_test

import (
	"slices"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/truth"
)

const replaced, asked, named, kept, same = "replaced", "asked about", "named", "kept", "same"

func outcome(j truth.Judgement) string {
	switch {
	case j.Verdict == truth.Same:
		return same
	case j.Verdict == truth.Update:
		return replaced
	case j.Ask:
		return asked
	case j.Name:
		return named
	}
	return kept
}

// Of several that may be replaced the likeliest is, and another only where the rules call it an
// update as well; where nothing is, up to two are asked about or named, the likeliest first.
// BM-TRU-02, BM-TRU-03, BM-TRU-20, BM-TRU-23.
func TestTheLikeliestIsReplaced(t *testing.T) {
	t.Parallel()
	const port, other, far = "The gateway listens on 9000", "The gateway's port is told by a variable", "Lunch is at noon"
	for _, c := range []struct {
		name  string
		older []string
		sure  []float64
		want  []string
	}{
		{"a likely one", []string{port, other}, []float64{0.95, 0.3}, []string{replaced, asked}},
		{"two, by the rules", []string{port, "The gateway listens on 9002"}, []float64{0.95, 0.9}, []string{replaced, replaced}},
		{"two, and the rules call one so", []string{port, other}, []float64{0.9, 0.95}, []string{replaced, replaced}},
		{"two, and the rules call the likelier one so", []string{other, port}, []float64{0.9, 0.95}, []string{asked, replaced}},
		{"one in doubt", []string{port, far}, []float64{0.5, 0.01}, []string{asked, kept}},
		{"one in doubt, others near", []string{port, other, far}, []float64{0.5, 0.1, 0.2}, []string{asked, kept, named}},
		{"none in doubt", []string{port, other, far}, []float64{0.1, 0.055, 0.2}, []string{named, kept, named}},
		{"none near", []string{port, far}, []float64{0.01, 0.01}, []string{kept, kept}},
		{"nothing new", []string{"The gateway listens on 9001", other}, []float64{0, 0.2}, []string{same, kept}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rivals := make([]truth.Rival, len(c.older))
			signs := make([][]float64, len(c.older))
			for i, text := range c.older {
				rivals[i] = truth.Rival{Text: text}
				if truth.Compare(text, "The gateway listens on 9001") != truth.Same {
					signs[i] = []float64{0}
				}
			}
			for i, j := range truth.AmongBy(rivals, signs, func(i int, _ []float64) float64 { return c.sure[i] }, "The gateway listens on 9001") {
				if have := outcome(j); have != c.want[i] {
					t.Errorf("%q is %s, want %s", rivals[i].Text, have, c.want[i])
				}
			}
		})
	}
}

// Beside others of its memory what is said of a thing anew replaces what was said of it, and
// nothing of another thing.
// BM-TRU-02, BM-TRU-03.
func TestAmong(t *testing.T) {
	t.Parallel()
	sense := newSense(t)
	for _, c := range []struct {
		name, newer string
		rivals      []truth.Rival
		many        int
		want        []string
	}{
		{"the same words", "The gateway listens on 9001", []truth.Rival{{Text: "The gateway listens on 9000", Score: 0.8, Shares: 0.7, Only: 0.5}}, 150, []string{replaced}},
		{"a change", "The crawlers were taken off Lambda and live on Fargate", []truth.Rival{{Text: "Crawlers run on Lambda", Score: 0.7, Shares: 0.3, Only: 0.8}, {Text: "Emails to customers are sent through SendGrid", Score: 0.1}}, 150, []string{replaced, kept}},
		{"another thing", "The notification service runs on port 7020", []truth.Rival{{Text: "The inventory service runs on port 7010", Score: 0.3, Shares: 0.4}}, 150, []string{kept}},
		{"nothing new", "the gateway listens on 9000", []truth.Rival{{Text: "The gateway listens on 9000", Score: 1, Shares: 1}}, 150, []string{same}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, j := range truth.Among(c.newer, c.rivals, c.many, sense) {
				if have := outcome(j); have != c.want[i] || j.Sure < 0 || j.Sure > 1 {
					t.Errorf("%q is %s (%.2f), want %s", c.rivals[i].Text, have, j.Sure, c.want[i])
				}
			}
		})
	}
}

// Short facts about things that are near to each other replace none of each other.
func TestLikenessAloneReplacesNothing(t *testing.T) {
	t.Parallel()
	sense := newSense(t)
	for _, pair := range [][2]string{
		{"The team drinks coffee.", "Tea is in the kitchen."}, {"Lunch is at noon.", "Dinner is on Fridays."}, {"The cat is called Miso.", "A dog lives downstairs."},
		{"Trains leave every hour.", "The bus stops at the gate."}, {"Our wiki is in Confluence.", "Drawings are kept in Figma."}, {"团队喝咖啡。", "茶在厨房。"},
	} {
		for _, p := range [][2]string{pair, {pair[1], pair[0]}} {
			t.Run(p[0]+" "+p[1], func(t *testing.T) {
				if truth.Confirms(p[0], p[1], sense) {
					t.Error("it is replaced if its author says so")
				}
				for _, m := range saves(t, []step{{"distinct", p[0], p[1]}}) {
					if list := truth.Among(m.text, m.rivals, m.many, sense); slices.ContainsFunc(list, func(j truth.Judgement) bool { return j.Verdict == truth.Update }) {
						t.Errorf("it is replaced: %+v", list)
					}
				}
			})
		}
	}
}

// What shares no word with a fact and has none that is known, or is not near it, is not asked about.
// BM-TRU-20.
func TestWhatHasNothingToDoWithAFactIsNotAskedAbout(t *testing.T) {
	t.Parallel()
	sense := newSense(t)
	for _, newer := range []string{"AKIAIOSFODNN7EXAMPLE", "Boots are sorted by size."} {
		for _, m := range saves(t, []step{{"distinct", "the demo is every Friday", newer}}) {
			if list := truth.Among(m.text, m.rivals, m.many, sense); slices.ContainsFunc(list, func(j truth.Judgement) bool { return j.Ask || j.Verdict == truth.Update }) {
				t.Errorf("%q: %+v", newer, list)
			}
		}
	}
}

// A wish, a guess or a plan replaces nothing: until it is decided, what there is stays.
// BM-TRU-03.
func TestWhatIsNotDecidedReplacesNothing(t *testing.T) {
	t.Parallel()
	for _, pair := range [][3]string{
		{"End-to-end tests are written in Cypress.", "Tobias would like to write the end-to-end tests in Playwright some day; nothing is decided.", "End-to-end tests are written in Playwright."},
		{"The API server listens on port 8080.", "Maybe the API server should listen on port 9000.", "The API server listens on port 9000."},
		{"部署用 Jenkins。", "部署在考虑换成 ArgoCD，还没定。", "部署换成 ArgoCD 了。"},
		{"Logs are kept for 30 days.", "We are thinking about keeping logs for 90 days.", "Logs are kept for 90 days now."},
	} {
		t.Run(pair[1], func(t *testing.T) {
			of := func(newer string) (updates int) {
				for _, m := range saves(t, []step{{"update", pair[0], newer}}) {
					for _, j := range truth.Among(m.text, m.rivals, m.many, newSense(t)) {
						if j.Verdict == truth.Update {
							updates++
						}
					}
				}
				return updates
			}
			if n := of(pair[1]); n > 0 {
				t.Errorf("%q takes its place", pair[1])
			}
			if n := of(pair[2]); n != 1 {
				t.Errorf("%q takes the place of %d", pair[2], n)
			}
		})
	}
}

// A wish takes the place of another one only if they are about things of one kind.
// BM-TRU-03.
func TestAWishReplacesOneOfItsKind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		older, newer string
		replaced     bool
	}{
		{"The user prefers dark mode", "The user prefers light mode", true},
		{"The user prefers tabs", "The user prefers spaces", true},
		{"The user prefers emacs", "The user now prefers vim", true},
		{"The user prefers dark mode", "The user prefers short answers", false},
		{"The user prefers pytest", "The user prefers vim", false},
		{"The user likes short commit messages", "The user likes green", false},
		{"用户喜欢深色主题", "用户喜欢简短的回答", false},
	} {
		t.Run(c.older+" "+c.newer, func(t *testing.T) {
			for _, m := range saves(t, []step{{"update", c.older, c.newer}}) {
				list := truth.Among(m.text, m.rivals, m.many, newSense(t))
				if got := slices.ContainsFunc(list, func(j truth.Judgement) bool { return j.Verdict == truth.Update }); got != c.replaced {
					t.Errorf("replaced: %t, want %t: %+v", got, c.replaced, list)
				}
			}
		})
	}
}

// That something is so now takes the place of nothing that was said of another thing, or that is of
// another kind, though the two are near and put alike.
// BM-TRU-03.
func TestWhatIsSoNowOfAnotherThingReplacesNothing(t *testing.T) {
	t.Parallel()
	sense := newSense(t)
	for _, c := range []struct {
		older, newer string
		replaced     bool
	}{
		{"Sprint planning is on Monday 10:00", "Retro is on Friday 15:00 now", false},
		{"Standup starts at 9:30", "The demo starts at 16:00 now", false},
		{"Backups run at 2", "Reports run at 5 now", false},
		{"周会在周二下午", "晨会现在在周一上午", false},
		{"the iOS app needs iOS 15", "iOS 端现在用 SwiftUI 写", false},
		{"安卓端最低支持 Android 9", "安卓端现在用 Kotlin 写", false},
		{"The Windows client needs Windows 10", "Windows 客户端现在用 Rust 写", false},
		{"Sprint planning is on Monday 10:00", "Sprint planning is on Tuesday 11:00 now", true},
		{"The standup is at 9:30", "The stand-up is at 10:00 now", true},
		{"The iOS app needs iOS 15", "The iOS app needs iOS 17 now", true},
		{"安卓端最低支持 Android 9", "安卓端现在最低支持 Android 11", true},
		{"提交信息用英文写。", "以后 commit message 全用中文,我自己看着方便。", true},
	} {
		t.Run(c.older+" "+c.newer, func(t *testing.T) {
			if rule := truth.Compare(c.older, c.newer); !c.replaced && rule == truth.Update {
				t.Error("by rules alone it is replaced")
			}
			for _, m := range saves(t, []step{{"distinct", c.older, c.newer}}) {
				list := truth.Among(m.text, m.rivals, m.many, sense)
				if got := slices.ContainsFunc(list, func(j truth.Judgement) bool { return j.Verdict == truth.Update }); got != c.replaced {
					t.Errorf("replaced: %t, want %t: %+v", got, c.replaced, list)
				}
			}
		})
	}
}
