package redact

import "strings"

// A Policy says what is redacted, and what is left of it.
type Policy int

const (
	// Log is for what is kept to find out what happened: the run log and the
	// records of sessions.
	Log Policy = iota
	// Memory is for what is remembered, shared and sent: facts, summaries,
	// journals, genes, tasks.
	Memory
)

// rules are what the policies differ in.
type rules struct {
	prefix  string    // the mark, or how it begins
	tells   bool      // the mark names the kind
	user    bool      // the name before the password of a URL stays
	scheme  bool      // the scheme before what a header holds stays
	short   bool      // whatever stands in quotes behind the name of a secret is one
	random  bool      // long words that look drawn by lot go
	cookies bool      // all cookies go
	private bool      // so does what its author marked as <private>
	samples bool      // what says itself to be an example stays
	mails   bool      // addresses of e-mail go that are the name for a password, or a person's own
	heard   *[]string // what is taken out of what programs are told to read, nil for nowhere
}

// Mark is what the log has in place of a secret.
const Mark = "[redacted]"

var policies = [...]rules{
	Log:    {prefix: Mark, user: true, short: true, random: true, cookies: true},
	Memory: {prefix: "[REDACTED", tells: true, scheme: true, private: true, mails: true, samples: true},
}

// takes reports whether the policy redacts a kind at all.
func (p *rules) takes(k *kind) bool {
	switch k {
	case &wholes[cookieValue]:
		return !p.cookies
	case &wholes[lot]:
		return p.random
	case &wholes[private]:
		return p.private
	}
	switch k.name {
	case "cookie":
		return p.cookies
	case "email":
		return p.mails
	}
	return true
}

func (p *rules) mark(k *kind) string {
	if !p.tells {
		return p.prefix
	}
	return p.prefix + ":" + k.name + "]"
}

// markAt is the length of the mark that s begins with, of whatever policy; 0 if it
// begins with none.
func (p *rules) markAt(s string) int {
	if s[0] != '[' {
		return 0
	}
	for i := range policies {
		rest, ok := strings.CutPrefix(s, policies[i].prefix)
		if !ok {
			continue
		}
		if !policies[i].tells {
			return len(s) - len(rest)
		}
		n := 1
		for n < len(rest) && n < 40 && (alnum(rest[n]) || rest[n] == '-') {
			n++
		}
		if n > 1 && n < len(rest) && rest[0] == ':' && rest[n] == ']' {
			return len(s) - len(rest) + n + 1
		}
	}
	return 0
}

// passes bounds how often a text is gone through: what a mark has taken out may
// leave a secret behind it that nothing told of before.
const passes = 4

func (p *rules) text(s string, without *kind) string {
	if p.private && without != &wholes[private] {
		s = Private(s)
	}
	for range passes {
		if len(s) < 4 {
			return s
		}
		sc := scan{s: s, p: p, without: without}
		clean := sc.run()
		if p.random && without != &wholes[lot] {
			clean = p.drawn(clean)
		}
		if clean == s {
			break
		}
		s = clean
	}
	return s
}

// WithoutMarks is a text without what stands in the place of what was taken out of it.
func WithoutMarks(text string) string {
	for _, mark := range [...]string{policies[Memory].prefix, strings.TrimSuffix(Mark, "]")} {
		for {
			before, after, is := strings.Cut(text, mark)
			_, rest, ends := strings.Cut(after, "]")
			if !is || !ends {
				break
			}
			text = before + rest
		}
	}
	return text
}
