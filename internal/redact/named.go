package redact

import "strings"

// A form is how a value stands behind its name.
type form int

const (
	none   form = iota
	tight       // NAME=value
	spaced      // name: value, name = value
	quoted      // name: "value"
	option      // --name value
	said        // the name is value
	listed      // "name", "value"
	bare        // name value
)

// longest is how long a name may be.
const longest = 96

// name looks for the value of a name that begins at s[i].
func (sc *scan) name(i int) cut {
	end := i
	for end < len(sc.s) && nameByte(sc.s[end]) {
		end++
	}
	sc.named = end
	if end-i > longest {
		return cut{}
	}
	from, how := sc.valueOf(i, end)
	for _, elsewhere := range [...]func(i, end int) cut{sc.below, sc.before} {
		if c := elsewhere(i, end); c.ok() {
			return c
		}
	}
	if how == none || sc.host(i, end) {
		return cut{}
	}
	sql := how == bare && sc.s[from] == '\'' && sc.s[i:end] == "PASSWORD"
	if how == bare && !sql { // nearly all words: most are done with here
		if at, to, _ := sc.valueRange(from, how); to-at < 7 || !hasDigit(sc.s[at:to]) {
			return cut{}
		}
	}
	if (how == tight || how == spaced) && strings.HasPrefix(sc.s[from:], "N'") { // of SQL
		from++
	}
	word := strings.Trim(sc.s[i:end], "-.")
	if directory(word) && (i == 0 || sc.s[i-1] != ';') {
		return cut{}
	}
	if c := sc.header(word, end, from); c.ok() {
		return c
	}
	var buf [2 * longest]byte
	name := normal(append(buf[:0], sc.wordBefore(i, word)...), word)
	k := sc.kindOf(name)
	switch name {
	case "name", "key":
		at, to, _ := sc.valueRange(from, how)
		var buf [2 * longest]byte
		if to-at <= longest {
			if named := sc.kindOf(normal(buf[:0], sc.s[at:to])); named != nil {
				sc.value, sc.valueAt = named, i
			}
		}
	case "d", "p", "q", "dp", "dq", "qi", "k":
		if sc.has(&wholes[jwkValue]) && sc.ofKey() {
			k = &wholes[jwkValue]
		}
	case "value":
		if sc.value != nil && i-sc.valueAt < 160 {
			k = sc.value
		}
		sc.value = nil
	}
	if i < sc.cookie && k == nil && how == tight && !counter(name) {
		if k = &wholes[cookieValue]; !sc.has(k) {
			k = nil
		}
	}
	if k == nil || public(name) || sc.resource(i) {
		return cut{}
	}
	from, to, q := sc.valueRange(from, how)
	if v := sc.s[from:to]; session(name) && i >= sc.cookie && (id(v) || how == bare && hexadecimal(v)) || name == "pass" && sc.count(i, from, to) || sc.p.samples && len(v) >= 16 && sample(v) {
		return cut{}
	}
	switch {
	case q && sql:
		how = quoted
	case q && (how != said || strings.Contains(name, "phrase")) && how != listed && how != bare:
		how = quoted
	case how == spaced && capitals(word) && strings.Contains(word, "_"):
		how = tight // a variable of the environment, in YAML
	}
	if (how == said || how == bare) && sc.shape(from).ok() {
		return cut{} // which says more about it
	}
	sure := k.expr[0]
	if k == &wholes[cookieValue] || k == &wholes[jwkValue] {
		sure = '?'
	}
	if how == bare && sc.assigned(i, word) {
		how = tight
	}
	if !sc.isValue(sure, word, from, to, how) {
		return cut{}
	}
	return cut{from, to, k}
}

// host reports whether a name is that of a machine in a URL, whose port stands behind it.
func (sc *scan) host(i, end int) bool {
	if i < 2 || sc.s[i-2:i] != "//" || end == len(sc.s) || sc.s[end] != ':' {
		return false
	}
	port := strings.TrimLeft(sc.s[end+1:min(len(sc.s), end+7)], "0123456789")
	digits := min(len(sc.s), end+7) - end - 1 - len(port)
	return digits > 0 && digits <= 5 && (port == "" || strings.IndexByte("/?#\"' )\n", port[0]) >= 0)
}

// public reports whether a name is that of a key that anybody may have: apt's NO_PUBKEY
// is followed by the id of one. So is that of what keeps secrets, by the name of one.
func public(name string) bool {
	for _, end := range [...]string{"pubkey", "publickey", "public_key", "secretsmanager", "secretmanager"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// directory reports whether a name is that of a shell's variable, and no password
// of a connection (UID=sa;PWD=x).
func directory(name string) bool { return name == "PWD" || name == "OLDPWD" }

// normal is a name in lower case with "_" between its words.
func normal(b []byte, name string) string {
	for i := range len(name) {
		c := name[i]
		switch {
		case c == '-' || c == '.':
			c = '_'
		case c >= 'A' && c <= 'Z':
			if i > 0 && (name[i-1] >= 'a' && name[i-1] <= 'z' || digitByte(name[i-1]) || name[i-1] >= 'A' && name[i-1] <= 'Z' && i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z') {
				b = append(b, '_')
			}
			c = fold(c)
		}
		b = append(b, c)
	}
	return string(b)
}

// kindOf is what a name in its normal form says of its value; nil if nothing.
func (sc *scan) kindOf(name string) *kind {
	name = strings.TrimRight(name, "_0123456789") // the second of them
	for k := range names {
		if called(names[k].expr[1:], name) && sc.has(&names[k]) {
			if tail := name[strings.LastIndexByte(name, '_')+1:]; listedIn(tails, tail) && !strings.HasSuffix(names[k].expr, "_"+tail) {
				return nil
			}
			return &names[k]
		}
	}
	return nil
}

// listedIn reports whether a word stands in a list of words with blanks around
// each.
func listedIn(list, word string) bool {
	for {
		i := strings.Index(list, word)
		if i < 1 || word == "" {
			return false
		}
		if list[i-1] == ' ' && list[i+len(word)] == ' ' {
			return true
		}
		list = list[i+len(word):]
	}
}

// called reports whether a row of names is about a name.
func called(expr, name string) bool {
	word := expr[1:]
	switch {
	case word[len(word)-1] == '*':
		return strings.Contains(name, word[:len(word)-1])
	case name == "" || name[len(name)-1] != word[len(word)-1]:
		return false // most of them
	case expr[0] == '_':
		rest, ok := strings.CutSuffix(name, word)
		return ok && (rest == "" || rest[len(rest)-1] == '_')
	}
	return strings.HasSuffix(name, word)
}

// valueOf is where the value begins of a name s[start:end], and how it stands
// there.
func (sc *scan) valueOf(start, end int) (int, form) {
	s, i := sc.s, end
	for i < len(s) && i-end < 3 && strings.IndexByte("\"'`\\]", s[i]) >= 0 {
		i++
	}
	closed := i > end
	if i+4 < len(s) && s[i] == 0x1b { // a colour ends
		if n := strings.IndexByte(s[i:min(len(s), i+8)], 'm'); n > 0 {
			i += n + 1
		}
	}
	i = skipBlanks(s, i)
	if i == len(s) {
		return 0, none
	}
	if at := aside(s, i); at < len(s) && (s[at] == ':' || s[at] == '=') && i > end { // password (staging): x
		i = at
	}
	if digitByte(s[i]) && i > end { // the first of them: key 1: x
		n := i
		for n < len(s) && digitByte(s[n]) && n-i < 3 {
			n++
		}
		if n+1 < len(s) && s[n] == ':' && s[n+1] == ' ' {
			i = n
		}
	}
	// There may be a type between the name and "=".
	at := i
	if s[at] == ':' {
		at = skipBlanks(s, at+1)
	}
	if at > end && !closed {
		word := at
		for word < len(s) && word-at < 24 && (wordByte(s[word]) || s[word] == '*' || s[word] == '?') {
			word++
		}
		if eq := skipBlanks(s, word); word > at && eq < len(s) && eq > word && s[eq] == '=' && !strings.HasPrefix(s[eq:], "==") {
			i = eq
		}
	}
	sep := i
	for sep < len(s) && sep-i < 4 && strings.IndexByte(":=>?.+", s[sep]) >= 0 {
		sep++
	}
	for _, wide := range [...]string{"：", "＝"} {
		if strings.HasPrefix(s[sep:], wide) {
			sep += len(wide)
		}
	}
	switch op := s[i:sep]; op {
	case "":
	case ".", "..", "...", "+", "?", ">=", ".:":
		return 0, none
	case ">":
		if closed {
			return 0, none
		}
		for sep < len(s) && (s[sep] == ' ' || s[sep] == '\n' || s[sep] == '\r' || s[sep] == '\t') && sep-i < 80 {
			sep++
		}
		return sep, tight
	default:
		from := skipBlanks(s, sep)
		if from < len(s) && start > 0 && !closed && s[from] == s[start-1] && strings.IndexByte("\"'`", s[from]) >= 0 {
			return 0, none // the quote that the name stands in
		}
		if from+1 < len(s) && (s[from] == '|' || s[from] == '>') && strings.IndexByte("\n+-", s[from+1]) >= 0 {
			from = sc.block(from)
		}
		if strings.HasPrefix(s[from:], "!!str ") {
			from += len("!!str ")
		}
		if from == sep && i == end && op == "=" || from == sep && op != ":" {
			return from, tight
		}
		return from, spaced
	}
	if i == end && (strings.HasPrefix(s[i:], "%3D") || strings.HasPrefix(s[i:], "%3d")) {
		return i + len("%3D"), tight
	}
	if s[i] == '|' {
		return skipBlanks(s, i+1), listed // of a table
	}
	if closed && s[i] == ',' {
		return skipBlanks(s, i+1), listed
	}
	if closed || i == end && s[i] < 0x80 {
		return 0, none
	}
	if s[start] == '-' && start+1 < len(s) && (s[start+1] == '-' || end-start > 3) && s[i] != '-' {
		return i, option
	}
	return sc.inWords(i)
}

// block is where the text of a YAML block begins whose sign stands at s[i].
func (sc *scan) block(i int) int {
	line := strings.IndexByte(sc.s[i:min(len(sc.s), i+4)], '\n')
	if line < 0 {
		return i
	}
	return skipBlanks(sc.s, i+line+1)
}

func linkAt(s string) int {
	if s == "" || s[0] < 0x80 && strings.IndexByte(":=- eij", s[0]) < 0 {
		return 0
	}
	for _, l := range links {
		if strings.HasPrefix(s, l) {
			return len(l)
		}
	}
	return 0
}

// valueRange is the value that begins at s[i], and whether it stands in quotes.
func (sc *scan) valueRange(i int, how form) (from, to int, q bool) {
	s := sc.s
	escaped := false
	for i < len(s) && s[i] == '\\' {
		i++
		escaped = true
	}
	if i < len(s) && strings.IndexByte("\"'`", s[i]) >= 0 {
		c := s[i]
		for i < len(s) && s[i] == c {
			i++
		}
		to = i
		for to < len(s) && to-i < 4096 && s[to] != '\n' && s[to] != c {
			if s[to] == '\\' && to+1 < len(s) {
				if escaped && s[to+1] == c {
					break
				}
				to++
			}
			to++
		}
		if to = min(to, len(s)); to < len(s) && (s[to] == c || s[to] == '\\') {
			return i, to, true
		}
	}
	stop := " \t\r\n;&|,()[]{}<>\"'`\\"
	if how == tight {
		stop = " \t\r\n;&|,)]}<>\"'`\\"
	}
	to = i
	for to < len(s) && to-i < 4096 && (strings.IndexByte(stop, s[to]) < 0 || to > i && how != bare && how != listed && ownSign(s, to)) && s[to] != 0xEF && s[to] != 0xE3 {
		to++
	}
	if n := strings.Index(s[i:to], "%26"); n >= 0 {
		to = i + n // the next parameter of a URL within another
	}
	for to > i && strings.IndexByte(".:", s[to-1]) >= 0 && how >= spaced && sc.ends(to) {
		to--
	}
	return i, to, false
}

// ends reports whether a sentence or the text ends at s[i].
func (sc *scan) ends(i int) bool { return i == len(sc.s) || sc.s[i] == ' ' || sc.s[i] == '\n' }

// isValue reports whether s[from:to] is the value of a name, which is as sure as
// its row says.
func (sc *scan) isValue(sure byte, name string, from, to int, how form) bool {
	v := sc.s[from:to]
	if v == "" || reference(v) || plain(v) || strings.Contains(strings.ToLower(name), strings.ToLower(v)) || sc.p.markAt(sc.s[from:]) > 0 {
		return false
	}
	digits := hasDigit(v)
	switch {
	case sure == '?':
		return len(v) >= 16 && !code(v) && strings.IndexByte(v, '#') < 0 && drawnByLot(v) && !strings.EqualFold(name, "key")
	case how == quoted && strings.IndexByte("-_:=/ ", v[len(v)-1]) >= 0 && len(v) < 16:
		return false // the rest of it is put in later
	case how == listed:
		return mixed(v) && !code(v)
	case how == quoted && sc.p.short:
		return sure == '+' || len(v) > 1 && !prosaic(v) || capitals(name)
	case how == quoted && sure == '+':
		return len(v) >= 3
	case how == quoted:
		return mixed(v) && !prosaic(v)
	case len(v) < 3 || code(v):
		return false
	case how == bare:
		return v[0] != '-' && digits && hasLetter(v) && ascii(v) && !method(v) && (sure == '+' && len(v) >= 7 || len(v) >= 16 && drawnByLot(v))
	case how == said:
		return digits && len(v) >= 6 && (hasLetter(v) || sure == '+') && !method(v)
	case how == spaced && sure == '+':
		return digits || strings.ContainsAny(v, "!@#$%^&*") || len(v) >= 6 && lower(v) && sc.line(to)
	case how == spaced:
		return mixed(v) && (len(v) >= 16 || !sc.prose(to))
	case how == option && !digits:
		return sc.p.short && sc.optionEnds(to)
	case sure == '+' || sc.p.short:
		return digits || !capitals(v)
	}
	return mixed(v)
}

// line reports whether a line ends at s[i].
func (sc *scan) line(i int) bool { return i == len(sc.s) || sc.s[i] == '\n' || sc.s[i] == '\r' }

// prose reports whether a sentence goes on at s[i].
func (sc *scan) prose(i int) bool {
	return i+1 < len(sc.s) && sc.s[i] == ' ' && sc.s[i+1] >= 'a' && sc.s[i+1] <= 'z'
}

// optionEnds reports whether the value of an option ends at s[i] and no sentence
// goes on there.
func (sc *scan) optionEnds(i int) bool {
	return i == len(sc.s) || strings.IndexByte("\n;&|\"'", sc.s[i]) >= 0 || strings.HasPrefix(sc.s[i:], " -")
}

// ofKey reports whether the text has a key in JSON (JWK), of which one letter names the private part.
func (sc *scan) ofKey() bool {
	if sc.jwk == 0 {
		sc.jwk = -1
		if strings.Contains(sc.s, `"kty"`) {
			sc.jwk = 1
		}
	}
	return sc.jwk > 0
}
