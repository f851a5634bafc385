package internal_test

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/fence"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What a model may read as its harness speaking, told by another reader than the
// one that is tested: entities and escapes are read, what is not seen is left out,
// letters are made narrow and small.
var asHarness = regexp.MustCompile(`<[\s/!|<-]*(system|sys\b|user[-_ ]|assistant|human|function|invoke|tool[-_ ]|hook[-_ ]|environment[-_ ]|permissions|command-|local-command|session_context|untrusted_context|tanmi|task-notification|state_snapshot|thinking|available_skills|from-repository|project-memory|start_of_turn|end_of_turn|\|?im_|\|?start_header|\|?eot)|\[/?inst\]|【system`)

func readAsAModel(text string) string {
	for range 3 {
		text = html.UnescapeString(text)
	}
	text = regexp.MustCompile(`\\u00([0-9a-f]{2})`).ReplaceAllStringFunc(text, func(e string) string { return map[string]string{"3c": "<", "3e": ">"}[e[4:]] })
	text = strings.NewReplacer("%3C", "<", "%3E", ">", "%2F", "/", "〈", "<", "〉", ">", "ѕ", "s", "е", "e").Replace(text)
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.In(r, unicode.Cf, unicode.Mn):
			return -1
		case r >= 0xff01 && r <= 0xff5e:
			r -= 0xfee0
		case r >= 0x1d400 && r <= 0x1d433:
			return 'a' + (r-0x1d400)%26
		}
		return unicode.ToLower(r)
	}, text)
}

func texts(t *testing.T, file string) []string {
	t.Helper()
	return strings.Split(strings.TrimSpace(must.Read(t, "fence/testdata/"+file)), "\n=====\n")
}

// Hostile texts, written after the code and tuned with by nobody: none of them
// leaves its fence, begins a line, or keeps a tag of a harness.
func TestHeldOutTags(t *testing.T) {
	t.Parallel()
	list := texts(t, "hostile.txt")
	tagged := 0
	for _, text := range list {
		if asHarness.MatchString(readAsAModel(text)) {
			tagged++
		}
		told := fence.Quoted(text)
		if found := asHarness.FindString(readAsAModel(told)); found != "" {
			t.Errorf("%q gets through in %q", found, told)
		}
		for line := range strings.Lines(told) {
			if !strings.HasPrefix(line, ">") {
				t.Errorf("%q stands free in %q", line, told)
			}
		}
	}
	if len(list) < 40 || tagged < 30 {
		t.Errorf("%d texts, of which the other reader takes %d for a harness: this proves nothing", len(list), tagged)
	}
}

// Innocent ones stay as they are, byte for byte.
func TestHeldOutInnocentTexts(t *testing.T) {
	t.Parallel()
	list := texts(t, "innocent.txt")
	for _, text := range list {
		if got := fence.Harmless(text); got != text {
			t.Errorf("%q\nbecame\n%q", text, got)
		}
	}
	if len(list) < 30 {
		t.Errorf("%d texts", len(list))
	}
}
