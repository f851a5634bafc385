package internal_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func TestOneLineAndFirstLine(t *testing.T) {
	for _, tc := range []struct{ in, one, first string }{
		{"", "", ""},
		{" \n\t", "", ""},
		{"a  b", "a b", "a  b"},
		{"\n\n  first \r\nsecond\n", "first second", "first"},
		{"只有一行", "只有一行", "只有一行"},
	} {
		t.Run(fmt.Sprintf("%q", tc.in), func(t *testing.T) {
			if got := text.OneLine(tc.in); got != tc.one {
				t.Errorf("OneLine(%q) = %q, want %q", tc.in, got, tc.one)
			}
			if got := text.FirstLine(tc.in); got != tc.first {
				t.Errorf("FirstLine(%q) = %q, want %q", tc.in, got, tc.first)
			}
		})
	}
}

func TestClipCountsItsOwnSign(t *testing.T) {
	for _, tc := range []struct {
		in   string
		most int
		want string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"数据库迁移", 5, "数据库迁移"},
		{"数据库迁移", 4, "数据库…"},
		{"one two", 5, "one…"},
		{"abc", 1, "…"},
		{"abc", 0, ""},
		{"", 0, ""},
	} {
		t.Run(fmt.Sprintf("in %q, most %v", tc.in, tc.most), func(t *testing.T) {
			if got := text.Clip(tc.in, tc.most); got != tc.want || utf8.RuneCountInString(got) > tc.most {
				t.Errorf("Clip(%q, %d) = %q, want %q", tc.in, tc.most, got, tc.want)
			}
		})
	}
}

func TestHeadsOfTexts(t *testing.T) {
	for _, tc := range []struct {
		in          string
		most        int
		runes, byte string
	}{
		{"héllo", 2, "hé", "h"},
		{"héllo", 3, "hél", "hé"},
		{"héllo", 6, "héllo", "héllo"},
		{"abc", 0, "", ""},
		{"abc", -1, "", ""},
		{"数据", 4, "数据", "数"},
	} {
		t.Run(fmt.Sprintf("%s, most %v", tc.in, tc.most), func(t *testing.T) {
			if got := text.Head(tc.in, tc.most); got != tc.runes {
				t.Errorf("Head(%q, %d) = %q, want %q", tc.in, tc.most, got, tc.runes)
			}
			if got := text.HeadBytes(tc.in, tc.most); got != tc.byte {
				t.Errorf("HeadBytes(%q, %d) = %q, want %q", tc.in, tc.most, got, tc.byte)
			}
		})
	}
}

func TestWidthIsInColumns(t *testing.T) {
	for s, want := range map[string]int{"abc": 3, "数据": 4, "e\u0301": 1, "ａ": 2, "🙂": 2, "…": 1, "": 0, "\x1b": 0, "한글": 4} {
		t.Run(fmt.Sprintf("%q", s), func(t *testing.T) {
			if got := text.Width(s); got != want {
				t.Errorf("Width(%q) = %d, want %d", s, got, want)
			}
		})
	}
	for _, tc := range []struct {
		in    string
		width int
		want  string
	}{
		{"数据库", 6, "数据库"}, {"数据库", 5, "数据…"}, {"数据库", 4, "数…"}, {"one two", 5, "one…"}, {"abc", 3, "abc"},
	} {
		t.Run(fmt.Sprintf("%s, width %v", tc.in, tc.width), func(t *testing.T) {
			if got := text.Fit(tc.in, tc.width); got != tc.want || text.Width(got) > tc.width {
				t.Errorf("Fit(%q, %d) = %q, want %q", tc.in, tc.width, got, tc.want)
			}
		})
	}
}

// The first and the last sign of each range have its width, and their neighbours have none or
// another.
func TestWidthsOfRanges(t *testing.T) {
	for _, c := range []struct{ first, last, width rune }{
		{0x00, 0x1f, 0}, {0x20, 0x7e, 1}, {0x7f, 0x9f, 0}, {0xa0, 0x2ff, 1}, {0x300, 0x36f, 0}, {0x370, 0x10ff, 1}, {0x1100, 0x115f, 2}, {0x1160, 0x200a, 1},
		{0x200b, 0x200f, 0}, {0x2010, 0x2e7f, 1}, {0x2e80, 0x303e, 2}, {0x303f, 0x3040, 1}, {0x3041, 0xa4cf, 2}, {0xa4d0, 0xabff, 1}, {0xac00, 0xd7a3, 2}, {0xd7a4, 0xd7ff, 1},
		{0xf900, 0xfaff, 2}, {0xfb00, 0xfdff, 1}, {0xfe00, 0xfe0f, 0}, {0xfe10, 0xfe2f, 1}, {0xfe30, 0xfe6f, 2}, {0xfe70, 0xfeff, 1}, {0xff00, 0xff60, 2}, {0xff61, 0xffdf, 1},
		{0xffe0, 0xffe6, 2}, {0xffe7, 0x1f2ff, 1}, {0x1f300, 0x1f64f, 2}, {0x1f650, 0x1f67f, 1}, {0x1f680, 0x1f6ff, 2}, {0x1f700, 0x1f8ff, 1}, {0x1f900, 0x1f9ff, 2},
		{0x1fa00, 0x1ffff, 1}, {0x20000, 0x3fffd, 2}, {0x3fffe, 0x3fffe, 1},
	} {
		for _, r := range []rune{c.first, c.last} {
			if got := text.Width(string(r)); got != int(c.width) {
				t.Errorf("%U is %d wide, want %d", r, got, c.width)
			}
		}
	}
}

func TestPadIsInColumns(t *testing.T) {
	for s, want := range map[string]string{"ab": "ab  ", "数": "数  ", "数据": "数据", "数据库": "数据库", "": "    "} {
		t.Run(fmt.Sprintf("%q", s), func(t *testing.T) {
			if got := text.Pad(s, 4); got != want {
				t.Errorf("Pad(%q, 4) = %q, want %q", s, got, want)
			}
		})
	}
}

func TestCountOfWords(t *testing.T) {
	for want, got := range map[string]string{
		"1 call": text.Count(1, "call"), "0 calls": text.Count(0, "call"), "2 entries": text.Count(2, "entry"), "1 entry": text.Count(1, "entry"),
		"3 successes": text.Count(3, "success"), "2 matches": text.Count(2, "match"), "2 days": text.Count(2, "day"), "4 summaries": text.Count(4, "summary"), "2 other spellings": text.Count(2, "other spelling"),
	} {
		t.Run(want, func(t *testing.T) {
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestTextIsWrapped(t *testing.T) {
	for _, tc := range []struct {
		in     string
		width  int
		indent string
		want   string
	}{
		{"one two three", 7, "", "one two\nthree"},
		{"one two three", 7, "  ", "one two\n  three"},
		{"own\nlines  stay\n\n", 20, "> ", "own\n> lines stay"},
		{"/a/path/that/is/longer stays", 8, "", "/a/path/that/is/longer\nstays"},
		{"数据 迁移 完成", 9, "", "数据 迁移\n完成"},
		{"", 10, "", ""},
	} {
		t.Run(fmt.Sprintf("in %q, width %v, indent %q", tc.in, tc.width, tc.indent), func(t *testing.T) {
			if got := text.Wrap(tc.in, tc.width, tc.indent); got != tc.want {
				t.Errorf("Wrap(%q, %d, %q) = %q, want %q", tc.in, tc.width, tc.indent, got, tc.want)
			}
		})
	}
}

func TestNearestWord(t *testing.T) {
	words := []string{"trust", "test", "list", "ls", "doctor", "validate"}
	for _, tc := range []struct {
		in   string
		most int
		want string
	}{
		{"tset", 1, "test"}, // two letters swapped are one edit
		{"docter", 2, "doctor"},
		{"validat", 2, "validate"},
		{"lst", 1, "list"},
		{"lists", 2, "list"},
		{"trust", 0, "trust"},
		{"completely", 2, ""},
		{"xy", 2, ""},  // ls would share nothing with it
		{"tut", 2, ""}, // two edits of three letters make any word of another
		{"", 2, ""},
	} {
		t.Run(fmt.Sprintf("%q", tc.in), func(t *testing.T) {
			if got := text.Nearest(tc.in, words, tc.most); got != tc.want {
				t.Errorf("Nearest(%q, %d) = %q, want %q", tc.in, tc.most, got, tc.want)
			}
		})
	}
}

// A real shell reads back what was quoted.
func TestShellQuoting(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	words := []string{"plain-word_1.2/x:@,+", "", "it's", "'", "''", "a b", "$HOME `id` \\ \"", "a\nb", "中文", "*?[a]", "~", "a=b", "--a=b", "--a=b c", "100%", "-n", "#"}
	for _, quote := range []func(string) string{text.ShellWord, text.ShellQuote} {
		script := "printf '%s\\0'"
		for _, w := range words {
			script += " " + quote(w)
		}
		out, err := exec.Command(sh, "-c", script).Output()
		must.Do(t, err)
		if got, want := string(out), strings.Join(words, "\x00")+"\x00"; got != want {
			t.Errorf("a shell reads\n%q\nwant\n%q", got, want)
		}
	}
	for _, plain := range []string{words[0], "--a=b", "100%"} {
		t.Run(fmt.Sprintf("plain %q", plain), func(t *testing.T) {
			if got := text.ShellWord(plain); got != plain {
				t.Errorf("ShellWord(%q) = %q: it needs no quotes", plain, got)
			}
		})
	}
	if got := text.ShellWord("a=b"); got != "'a=b'" {
		t.Errorf("%s is a variable before a command", got)
	}
	for goos, want := range map[string]string{"linux": `'C:\my folder'`, "windows": `"C:\my folder"`} {
		if got := text.SystemWord(goos, `C:\my folder`); got != want {
			t.Errorf("%s: %s, want %s", goos, got, want)
		}
	}
}
