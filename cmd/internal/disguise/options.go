package disguise

import (
	"slices"
	"strings"
)

// A program is one whose options may be written in several ways. None of them takes a
// value.
type program struct {
	words    []string        // "git", "push"
	long     map[byte]string // the long name of a letter
	alike    map[byte]byte   // letters with the same meaning
	harmless string          // letters that change nothing important
	cluster  string          // letters that may be combined in one word
	anywhere bool            // options may follow operands
}

func programs() []program {
	return []program{
		{words: []string{"git", "push"}, long: map[byte]string{'f': "force", 'u': "set-upstream", 'v': "verbose", 'q': "quiet", 'd': "delete"}, harmless: "uvq", cluster: "fuvqdn", anywhere: true},
		{words: []string{"git", "commit"}, long: map[byte]string{'n': "no-verify", 'a': "all", 'q': "quiet", 's': "signoff"}, harmless: "q", cluster: "naqs", anywhere: true},
		{words: []string{"git", "clean"}, long: map[byte]string{'f': "force", 'q': "quiet"}, harmless: "q", cluster: "fdxqX", anywhere: true},
		{words: []string{"git", "checkout"}, long: map[byte]string{'f': "force", 'q': "quiet"}, harmless: "q", cluster: "fq"},
		{words: []string{"rm"}, long: map[byte]string{'r': "recursive", 'f': "force", 'v': "verbose"}, alike: map[byte]byte{'r': 'R', 'R': 'r'}, harmless: "v", cluster: "rRfvdI"},
		{words: []string{"chmod"}, long: map[byte]string{'R': "recursive", 'v': "verbose"}, harmless: "v", cluster: "Rvfc"},
		{words: []string{"chown"}, long: map[byte]string{'R': "recursive", 'v': "verbose"}, harmless: "v", cluster: "Rvfch"},
		{words: []string{"cp"}, long: map[byte]string{'r': "recursive", 'f': "force", 'v': "verbose"}, alike: map[byte]byte{'r': 'R', 'R': 'r'}, harmless: "v", cluster: "rRfvapn"},
		{words: []string{"mv"}, long: map[byte]string{'f': "force", 'v': "verbose"}, harmless: "v", cluster: "fvn"},
	}
}

// options are the words of a command with its options written differently.
func options(words []string) (list []Line) {
	for _, p := range programs() {
		n := len(p.words)
		if len(words) <= n || words[0] != p.words[0] || !slices.Equal(words[:n], p.words) {
			continue
		}
		list = append(list, p.written(words[n:])...)
	}
	if len(words) > 1 && words[0] == "git" && !strings.HasPrefix(words[1], "-") {
		rest := quoteAll(words[1:], bare)
		for _, global := range []string{"-C .", "-c a.b=c", "--no-pager", "--git-dir=.git", "-C . -c a.b=c"} {
			list = append(list, Line{Name: "behind git " + global, Text: "git " + global + " " + rest})
		}
	}
	return list
}

// written are a program's arguments in other words.
func (p program) written(args []string) (list []Line) {
	letters, at, operands := p.read(args)
	add := func(name string, flags []string, rest []string) {
		line := quoteAll(slices.Concat(p.words, flags, rest), bare)
		if line != quoteAll(slices.Concat(p.words, args), bare) && !slices.ContainsFunc(list, func(l Line) bool { return l.Text == line }) {
			list = append(list, Line{Name: name, Text: line})
		}
	}
	if len(letters) == 0 || at < 0 {
		return nil
	}
	word := func(s string) []string { return []string{"-" + s} }
	var each, long []string
	for i := range len(letters) {
		each = append(each, "-"+letters[i:i+1])
		if name := p.long[lower(letters[i], p)]; name != "" {
			long = append(long, "--"+name)
		} else {
			long = append(long, "-"+letters[i:i+1])
		}
	}
	add("options one by one", each, operands)
	add("options at length", long, operands)
	add("options in one word", word(letters), operands)
	add("options in the opposite order", word(reverse(letters)), operands)
	for _, h := range p.harmless {
		if strings.ContainsRune(letters, h) {
			continue
		}
		add("-"+string(h)+" in the same word, last", word(letters+string(h)), operands)
		add("-"+string(h)+" in the same word, first", word(string(h)+letters), operands)
		break
	}
	for i := range len(letters) {
		if other, ok := p.alike[letters[i]]; ok {
			add("-"+string(other)+" for -"+letters[i:i+1], word(letters[:i]+string(other)+letters[i+1:]), operands)
		}
	}
	if p.anywhere && len(operands) > 0 {
		add("options behind the operands", operands, word(letters))
	}
	if !slices.Contains(operands, "--") && len(operands) > 0 && p.words[0] != "git" {
		add("-- before the operands", word(letters), append([]string{"--"}, operands...))
	}
	list = append(list, p.forced(letters, operands)...)
	return list
}

// forced expresses a forced push by what is pushed.
func (p program) forced(letters string, operands []string) []Line {
	if !slices.Equal(p.words, []string{"git", "push"}) || !strings.Contains(letters, "f") {
		return nil
	}
	remote, refs := "origin", []string{"+HEAD"}
	if len(operands) > 0 {
		remote = operands[0]
	}
	if len(operands) > 1 {
		refs = nil
		for _, r := range operands[1:] {
			refs = append(refs, "+"+strings.TrimPrefix(r, "+"))
		}
	}
	return []Line{{Name: "forced by a plus", Text: quoteAll(append([]string{"git", "push", remote}, refs...), bare)}}
}

// read are the letters of the options, the index of the first one, and everything
// that is not an option. at is -1 if there are options that the table does not have.
func (p program) read(args []string) (letters string, at int, operands []string) {
	at = -1
	for i, a := range args {
		switch {
		case a == "--" || len(a) < 2 || a[0] != '-':
			operands = append(operands, a)
			continue
		case strings.HasPrefix(a, "--"):
			c := p.letter(a[2:])
			if c == 0 {
				operands = append(operands, a)
				continue
			}
			letters += string(c)
		case strings.Trim(a[1:], p.cluster) != "":
			operands = append(operands, a)
			continue
		default:
			letters += a[1:]
		}
		if at < 0 {
			at = i
		}
	}
	return letters, at, operands
}

func (p program) letter(long string) byte {
	for c, name := range p.long {
		if name == long {
			return c
		}
	}
	return 0
}

// lower is the letter, of two with the same meaning, that has a long name.
func lower(c byte, p program) byte {
	if other, ok := p.alike[c]; ok && p.long[c] == "" {
		return other
	}
	return c
}

func reverse(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}
