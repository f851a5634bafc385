package redact

import "strings"

// The rows of wholes, by what they are.
const (
	pemKey = iota
	pemTail
	urlInfo
	passFile
	oracleInfo
	dsnInfo
	lot
	private
	cookieValue
	jwkValue
	lineBelow
	wifiCode
	puttyKey
	keySecret
)

const begin, end = "-----BEGIN ", "-----END "

// pem is a private key between its lines; up to the end of the text where
// somebody cut it there, and from where base64 begins where its beginning is cut
// off.
func (sc *scan) pem(i int) cut {
	s := sc.s[i:]
	label, ok := strings.CutPrefix(s, begin)
	if !ok {
		if label, ok = strings.CutPrefix(s, end); ok {
			return sc.pemTail(i, label)
		}
		return cut{}
	}
	label = label[:min(len(label), 64)]
	label, _, _ = strings.Cut(label, "-----")
	k := &wholes[pemKey]
	if !strings.Contains(label, "PRIVATE KEY") || !sc.has(k) { // certificates and requests for them are public
		return cut{}
	}
	if sc.pemEnd <= i && sc.pemEnd >= 0 {
		if sc.pemEnd = strings.Index(s, end); sc.pemEnd >= 0 {
			sc.pemEnd += i
		}
	}
	to := len(sc.s)
	if sc.pemEnd >= 0 {
		to = sc.pemEnd + len(end)
		if n := strings.Index(sc.s[to:min(len(sc.s), to+64)], "-----"); n >= 0 {
			to += n + len("-----")
		} else {
			to = len(sc.s)
		}
	}
	return cut{i, to, k}
}

// pemTail is the rest of a private key whose beginning is not there: the lines of
// base64 before its last line, which stands at s[i].
func (sc *scan) pemTail(i int, label string) cut {
	label = label[:min(len(label), 64)]
	n := strings.Index(label, "PRIVATE KEY-----")
	if n < 0 || !sc.has(&wholes[pemTail]) {
		return cut{}
	}
	from := i
	for from > sc.last && (alnum(sc.s[from-1]) || strings.IndexByte("+/=\r\n\\ \t", sc.s[from-1]) >= 0) {
		from--
	}
	if i-from < 8 {
		return cut{}
	}
	return cut{from, i + len(end) + n + len("PRIVATE KEY-----"), &wholes[pemTail]}
}

// userInfo is the password of a URL whose "://" is at s[i], with the name before
// it where the policy says so.
func (sc *scan) userInfo(i int) cut {
	from := i + len("://")
	to, at := from, -1
	for ; to < len(sc.s) && to-from < 1024 && strings.IndexByte("/?# \t\r\n\"'`<>", sc.s[to]) < 0; to++ {
		if sc.s[to] == '@' {
			at = to
		}
	}
	if at < 0 || !sc.has(&wholes[urlInfo]) {
		return cut{}
	}
	info := sc.s[from:at]
	colon := strings.IndexByte(info, ':')
	if colon < 0 { // a token in its place has a shape, or looks drawn by lot
		if len(info) >= 20 && drawnByLot(info) && strings.IndexByte(info, '.') < 0 && !reference(info) && sc.p.markAt(info) == 0 {
			return cut{from, at, &wholes[urlInfo]}
		}
		return cut{}
	}
	if v := info[colon+1:]; v == "" || reference(v) || sc.p.samples && madeUp(v) || strings.HasPrefix(v, "[") && sc.p.markAt(v) > 0 || sc.p.markAt(info) > 0 {
		return cut{}
	}
	if !sc.p.user {
		return cut{from, at, &wholes[urlInfo]}
	}
	return cut{from + colon + 1, at, &wholes[urlInfo]}
}

// dsn is the password of a data source without a scheme, as drivers for MySQL have
// it, whose "@" is at s[i].
func (sc *scan) dsn(i int) cut {
	if c := sc.oracle(i); c.ok() {
		return c
	}
	rest := sc.s[i+1:]
	if !strings.HasPrefix(rest, "tcp(") && !strings.HasPrefix(rest, "unix(") && !strings.HasPrefix(rest, "cloudsql(") || !sc.has(&wholes[dsnInfo]) {
		return cut{}
	}
	from := -1
	for j := i - 1; j >= sc.last && i-j < 256 && strings.IndexByte(" \t\r\n\"'`=<>", sc.s[j]) < 0; j-- {
		if sc.s[j] == ':' {
			from = j + 1
		}
	}
	if from < 0 || from == i || reference(sc.s[from:i]) || sc.p.samples && madeUp(sc.s[from:i]) {
		return cut{}
	}
	return cut{from, i, &wholes[dsnInfo]}
}

// oracle is the password of a name in a data source of Oracle, whose "@" is at s[i]:
// jdbc:oracle:thin:user/…@host, sqlplus user/…@name.
func (sc *scan) oracle(i int) cut {
	k := &wholes[oracleInfo]
	before := sc.s[max(sc.last, i-longest):i]
	user := ""
	for _, sign := range [...]string{":thin:", ":oci:", "sqlplus "} {
		if n := strings.LastIndex(before, sign); n >= 0 {
			user = before[n+len(sign):]
		}
	}
	if user == "" || !sc.has(k) {
		return cut{}
	}
	slash := strings.IndexByte(user, '/')
	if slash < 0 || strings.ContainsAny(user, " \t\r\n\"'`") {
		return cut{}
	}
	v := user[slash+1:]
	if v == "" || reference(v) || sc.p.markAt(v) > 0 || sc.p.samples && madeUp(v) {
		return cut{}
	}
	return cut{i - len(v), i, k}
}

// login is the password in a line of PostgreSQL's .pgpass, in which the colon at s[i] stands between
// the host and the port: host:port:database:user:password, each of the first four may be "*".
func (sc *scan) login(i int) cut {
	s, k := sc.s, &wholes[passFile]
	if i == 0 || s[i] != ':' || i+1 == len(s) || s[i+1] != '*' && !digitByte(s[i+1]) || !sc.has(k) {
		return cut{}
	}
	host := i
	for host > sc.last && i-host < longest && (nameByte(s[host-1]) || s[host-1] == '*' || s[host-1] == '/') {
		host--
	}
	if host == i || host > 0 && strings.IndexByte(" \t\n\"'`", s[host-1]) < 0 {
		return cut{}
	}
	at := i
	for _, part := range [...]string{"port", "database", "user"} {
		from := at + 1
		for at = from; at < len(s) && at-from < longest && (nameByte(s[at]) || s[at] == '*' || s[at] == '@'); at++ {
		}
		v := s[from:at]
		if v == "" || at == len(s) || s[at] != ':' {
			return cut{}
		}
		if part == "port" && v != "*" && (len(v) < 4 || !port(v)) || part != "port" && v != "*" && !letterByte(v[0]) && v[0] != '_' {
			return cut{}
		}
	}
	from, to := at+1, at+1
	for to < len(s) && strings.IndexByte(" \t\r\n\"'`", s[to]) < 0 {
		to++
	}
	if lower(s[from:to]) && s[i+1] != '*' && s[host] != '*' && !strings.HasPrefix(s[i:], ":5432:") {
		return cut{} // words, behind the line of a file
	}
	if to-from < 3 || reference(s[from:to]) || sc.p.markAt(s[from:]) > 0 || sc.p.samples && madeUp(s[from:to]) {
		return cut{}
	}
	return cut{from, to, k}
}

// privateTag is the length of the tag of a private part that s begins with, and whether it closes one;
// 0 if it begins with none: <private>, in capitals, with blanks, with the wide signs of Chinese
// input methods, or as HTML writes it.
func privateTag(s string) (n int, closes bool) {
	rest := s
	cut := func(signs ...string) bool {
		for _, sign := range signs {
			if foldPrefix(rest, sign) {
				rest = rest[len(sign):]
				return true
			}
		}
		return false
	}
	if !cut("<", "＜", "&lt;") {
		return 0, false
	}
	rest = rest[skipBlanks(rest, 0):]
	closes = cut("/", "／")
	rest = rest[skipBlanks(rest, 0):]
	if !cut("private") {
		return 0, false
	}
	rest = rest[skipBlanks(rest, 0):]
	if !cut(">", "＞", "&gt;") {
		return 0, false
	}
	return len(s) - len(rest), closes
}

// Private removes <private> parts: those that are nested as one, one that is
// not closed up to the end. A closing tag without an opening one is no more than
// text that its author thought hidden, so all before it goes too.
func Private(s string) string {
	var out strings.Builder
	depth, from := 0, 0
	for i := 0; i < len(s); {
		if c := s[i]; c != '<' && c != '&' && c != "＜"[0] {
			i++
			continue
		}
		n, closes := privateTag(s[i:])
		switch {
		case n == 0:
			i++
			continue
		case !closes:
			if depth == 0 {
				out.WriteString(s[from:i])
			}
			depth++
		case depth == 0:
			out.Reset()
		default:
			depth--
		}
		i += n
		from = i
	}
	if depth == 0 {
		out.WriteString(s[from:])
	}
	return out.String()
}
