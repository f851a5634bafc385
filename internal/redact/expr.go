package redact

import "strings"

// match matches an expression at the beginning of s and says which part of s goes.
// Where only the digit is missing, to says how far it came.
// The expressions are those of the table; see shapes for what they are made of.
// They are read as they are used: compiling a hundred and fifty of them would cost
// every event, of which few meet one.
func match(expr, s string) (from, to int, ok bool) {
	digit := strings.HasPrefix(expr, "!")
	if digit {
		expr = expr[1:]
	}
	end := -1
	for expr != "" {
		switch expr[0] {
		case '(':
			from, expr = to, expr[1:]
			continue
		case ')':
			end, expr = to, expr[1:]
			continue
		}
		var item string
		var least, most int
		item, least, most, expr = next(expr)
		n := 0
		for to < len(s) && n < most && holds(item, s[to]) {
			to++
			n++
		}
		if n < least {
			return 0, 0, false
		}
	}
	if to < len(s) && alnum(s[to]) {
		return 0, 0, false // something longer, and other
	}
	if end < 0 {
		end = to
	}
	for end > from && s[end-1] == '.' {
		end-- // of the sentence
	}
	if digit && strings.IndexFunc(s[min(from+4, end):end], func(r rune) bool { return r >= '0' && r <= '9' }) < 0 {
		return 0, to, false
	}
	return from, end, true
}

// next is the first item of an expression, and how many of it there may be.
func next(expr string) (item string, least, most int, rest string) {
	n := 1
	switch expr[0] {
	case '[':
		n = strings.IndexByte(expr, ']') + 1
	case '\\':
		n = 2
	}
	item, rest = expr[:n], expr[n:]
	if !strings.HasPrefix(rest, "{") {
		return item, 1, 1, rest
	}
	i := 1
	for ; digitByte(rest[i]); i++ {
		least = least*10 + int(rest[i]-'0')
	}
	most = least
	if rest[i] == ',' {
		i++
		most = 0
		for ; digitByte(rest[i]); i++ {
			most = most*10 + int(rest[i]-'0')
		}
		if most == 0 {
			most = 1 << 30
		}
	}
	return item, least, most, rest[i+1:]
}

// holds reports whether an item of an expression takes a byte.
func holds(item string, c byte) bool {
	if len(item) == 1 {
		return item[0] == c
	}
	if item[0] == '[' {
		item = item[1 : len(item)-1]
	}
	for i := 0; i < len(item); i++ {
		switch {
		case item[i] == '\\':
			i++
			if digitByte(c) || item[i] == 'w' && wordByte(c) {
				return true
			}
		case i+2 < len(item) && item[i+1] == '-':
			if c >= item[i] && c <= item[i+2] {
				return true
			}
			i += 2
		case item[i] == c:
			return true
		}
	}
	return false
}

func digitByte(c byte) bool { return c >= '0' && c <= '9' }

func letterByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func alnum(c byte) bool { return digitByte(c) || letterByte(c) }

func wordByte(c byte) bool { return alnum(c) || c == '_' }

// nameByte is part of a name: of a variable, a member, a header, an option.
func nameByte(c byte) bool { return wordByte(c) || c == '-' || c == '.' }

// starts reports whether a word begins at s[i]: not within another one, unless
// what stands before belongs to an escape (\n, %3D, \u003d, a colour).
func starts(s string, i int) bool {
	if i == 0 || !wordByte(s[i-1]) {
		return true
	}
	switch {
	case i >= 2 && s[i-2] == '\\' && strings.IndexByte("nrtbfv0", s[i-1]) >= 0:
		return true
	case i >= 3 && s[i-3] == '%' && hexByte(s[i-2]) && hexByte(s[i-1]):
		return true
	case i >= 6 && s[i-6] == '\\' && s[i-5] == 'u' && hexByte(s[i-4]) && hexByte(s[i-3]) && hexByte(s[i-2]) && hexByte(s[i-1]):
		return true
	case s[i-1] == 'm':
		j := i - 2
		for j > 0 && i-j < 12 && (digitByte(s[j]) || s[j] == ';' || s[j] == '[') {
			j--
		}
		return j >= 0 && s[j] == 0x1b
	}
	return false
}

func hexByte(c byte) bool { return digitByte(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }
