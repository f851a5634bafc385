package truth_test

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/truth"
)

// Beside others of its memory a statement is replaced that is nearest by far; of several as
// near the likeliest is, and the other asked about; and in a small memory more is asked.
// BM-TRU-02, BM-TRU-03, BM-TRU-20.
func TestAmong(t *testing.T) {
	t.Parallel()
	sense := newSense(t)
	const replaced, asked, named, kept = "replaced", "asked about", "named", "kept"
	mail := truth.Rival{Text: "Emails to customers are sent through SendGrid", Score: 0.44, Shares: 0.18, Only: 0.47}
	pods := truth.Rival{Text: "Crawlers run on Lambda", Score: 0.7, Shares: 0.3, Only: 0.8}
	for _, c := range []struct {
		name, newer string
		rivals      []truth.Rival
		many        int
		want        []string
	}{
		{"the same words", "The gateway listens on 9001", []truth.Rival{{Text: "The gateway listens on 9000", Score: 0.8, Shares: 0.7, Only: 0.5}}, 150, []string{replaced}},
		{"the same words, and no search finds it", "The gateway listens on 9001", []truth.Rival{{Text: "The gateway listens on 9000"}}, 150, []string{replaced}},
		{"a change", "The crawlers were taken off Lambda and live on Fargate", []truth.Rival{pods, mail}, 150, []string{replaced, kept}},
		{"two that may be meant", "The plugin's package.json asks for Node 18", []truth.Rival{{Text: "Node 4.3 is enough for the plugin", Score: 0.82, Shares: 0.25, Only: 0.9}, {Text: "Node 4.3 is enough for our plugin", Score: 0.85, Shares: 0.25, Only: 1}}, 150, []string{asked, replaced}},
		{"two that are the same but for a value", "The gateway listens on 9002", []truth.Rival{{Text: "The gateway listens on 9000", Score: 0.8}, {Text: "The gateway listens on 9001", Score: 0.8}}, 150, []string{replaced, replaced}},
		{"other words, in a small memory", "Outgoing mail to customers leaves through Amazon SES", []truth.Rival{mail}, 2, []string{asked}},
		{"other words, in a large one", "Outgoing mail to customers leaves through Amazon SES", []truth.Rival{mail, {Text: "Ticket 12 is about the e-mails to customers", Score: 0.3, Shares: 0.2}}, 150, []string{named, kept}},
		{"another thing", "The notification service runs on port 7020", []truth.Rival{{Text: "The inventory service runs on port 7010", Score: 0.3, Shares: 0.4}}, 150, []string{kept}},
		{"another thing that is near", "The notification service runs on port 7020", []truth.Rival{{Text: "The inventory service runs on port 7010", Score: 0.6, Shares: 0.4}}, 150, []string{named}},
		{"beside what is asked about one more is named", "The plugin's package.json asks for Node 18", []truth.Rival{{Text: "Node 4.3 is enough for the plugin", Score: 0.42, Shares: 0.25, Only: 0.4}, {Text: "Node 4.3 is enough for our plugin", Score: 0.40, Shares: 0.25, Only: 0.4}, {Text: "The plugin is written in Node", Score: 0.45}}, 150, []string{named, kept, asked}},
		{"a name that no search found", "greenguess is history, the package is foliocast", []truth.Rival{{Text: "The forecaster of leaves is called greenguess", Weak: true}, {Text: "Ulf reviews greenguess", Weak: true, Other: true}}, 150, []string{named, kept}},
		{"what a team calls by other names", "Skagvik Pilots have licensed pilotboard only", []truth.Rival{{Text: "Dunmarrow Towage has licensed tugdesk only", Score: 0.47, Shares: 0.32, Only: 0.98, Other: true}}, 150, []string{kept}},
		{"a change of what hardly shares a word", "Since May nobody has to join a call, everybody posts a note in the standup channel before ten", []truth.Rival{{Text: "The team holds its daily standup in the video room", Score: 0.38, Shares: 0.19}, {Text: "The office closes at ten", Score: 0.02}}, 150, []string{named, kept}},
		{"a word of change alone", "Now nobody has to join a call, everybody posts a note in the standup channel before ten", []truth.Rival{{Text: "The team holds its daily standup in the video room", Score: 0.52, Shares: 0.19}, {Text: "The office closes at ten", Score: 0.2}}, 150, []string{named, kept}},
		{"a word of an end, and none of change", "Puerto Kelmora backed out of the contract last week, so there will be no rollout for them", []truth.Rival{{Text: "Puerto Kelmora goes live with jetdesk on 15 September", Score: 0.5, Shares: 0.24, Only: 0.9}}, 150, []string{asked}},
		{"a word of a turn, and none of an end", "Warnings are sent automatically, the duty officer confirms nothing", []truth.Rival{{Text: "The duty officer has to confirm a warning first", Score: 0.1, Other: true}}, 150, []string{asked}},
		{"nothing new", "the gateway listens on 9000", []truth.Rival{{Text: "The gateway listens on 9000", Score: 1, Shares: 1}}, 150, []string{"same"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, j := range truth.Among(c.newer, c.rivals, c.many, sense) {
				have := kept
				switch {
				case j.Verdict == truth.Same:
					have = "same"
				case j.Verdict == truth.Update:
					have = replaced
				case j.Ask:
					have = asked
				case j.Name:
					have = named
				}
				if have != c.want[i] || j.Sure < 0 || j.Sure > 1 {
					t.Errorf("%q is %s (%.2f), want %s", c.rivals[i].Text, have, j.Sure, c.want[i])
				}
			}
		})
	}
}
