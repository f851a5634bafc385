// Package redact removes from a text what must not be kept or sent: what looks like a
// secret, personal data, and what its author marked as private. It is the only redactor
// of the program: the run log, recordings, memory, workspaces and everything that
// evolution keeps or shares use it.
//
//	redact.Log.Text(s)        for logs and recordings: [redacted]
//	redact.Memory.Text(s)     for what is remembered and shared: [REDACTED:kind]
//	redact.Log.JSON(raw, …)   a JSON value: member names say what their values are
//
// It is a filter and not a proof: a password that looks like a word, with nothing around
// it that says what it is, stays. Removing a harmless value from a log does little harm,
// so if a name announces a secret, its value is removed in case of doubt.
//
// # The table
//
// Secrets are described by rows of data (table.go, names.go, handed.go, phrase.go, persons.go, ibans.go), in
// sections by how they are found:
//
//	shapes    the prefix and the alphabet of a token: ghp_ and 36 letters
//	inners    a mark inside a token: …Q~…, ….atlasv1.…
//	names     its name in an assignment, an option, a sentence
//	headers   HTTP headers
//	schemes   Bearer and Basic, anywhere
//	options   options of programs: curl -u, mysql -p, sshpass -p
//	fedTo     what programs read: echo x | docker login --password-stdin
//	placed    words of programs: htpasswd -b file me x
//	words     its name in Chinese, and in other letters than English has
//	pairs     words before a name and a password: creds are admin:x
//	seeds     words before the twelve words of a wallet
//	lists     words before codes: backup codes
//	otps      words before the seed of one-time passwords
//	pins      words before a number that opens something
//	handedTo  calls that are given a name and a password
//	wholes    a form of its own: private keys, passwords in URLs and data
//	          sources, long random-looking words, <private> parts
//	numbers   personal numbers that are recognised by their form
//	ibans     account numbers, by country
//	spoken    words before a personal number: SSN, passport no., 手机
//	mailboxes words around an e-mail address
//	homes     words before a postal address
//
// Every row has an example that is removed and a look-alike that stays. A test runs each
// example without its row, and so fails if a row has no effect. testdata has the results
// of the examples, so that another test fails if a row is missing. Directory oracle
// compares the table with the rules and examples of gitleaks, in a separate module.
//
// # Personal data
//
// Personal data is removed only if it is certain, since a memory with holes is worth
// little. Numbers with a check digit are recognised by their form alone: payment cards
// (issuer, length, Luhn), IBANs (country, length, modulus 97), Chinese resident identity
// numbers (region, day of birth, check), and some others; so are telephone numbers with
// a "+" and a country code. All others need a word: right before the number if it could
// be anything (a passport number), or in the same sentence if its form fits. The word may
// be a JSON member name, or a column header in CSV and tables. A number without
// separators stays if the word before it says that it is an order, an id or the like: one
// in forty of those has the form of a card.
//
// An e-mail address stays: who wrote a change or reported a bug is a fact of the work,
// and git records it anyway. It is removed if it is the user name of a password (login,
// username, "password of"; or followed by the password), since it is half of a credential
// then, and if words say that it is private, or a customer's. Names of people stay, since
// nothing distinguishes them from other words; so do postal addresses, except after "home
// address:" and the like.
//
// The log removes the same numbers and postal addresses: no run is explained by a card
// number, and people attach logs and recordings to reports. It keeps e-mail addresses, as
// it keeps the name in a URL: they say as whom something ran.
//
// # Policies
//
// The two differ in data alone (policy.go):
//
//	                                  Log            Memory
//	mark                              [redacted]     [REDACTED:kind]
//	name in name:password@host        stays          goes
//	scheme in Authorization: Bearer   goes           stays
//	a short quoted word after the     goes           stays, unless the name is that
//	name of a token                                  of a password
//	long random-looking words         go             stay: ids are worth remembering
//	cookies                           go             stay, but for tokens in them
//	what says itself to be an         goes           stays
//	example (AKIA…EXAMPLE, USER:PASS)
//	<private> parts                   stay           go
//	an address of e-mail that is the  stays          goes
//	name for a password
//
// # What is kept
//
// References to a secret stay: $TOKEN, ${TOKEN}, $(pass show x), %s, <token>, and computed
// values. So do certificates, addresses (arn:, sm://), what a test run counts, UUIDs, ids, git object names, labelled digests, base64 images, paths, and
// telephone numbers without a "+" and without a word. Marks of either policy stay
// unchanged: Text(Text(s)) is Text(s).
//
// # Cost
//
// Every event links this package, so it has no init: the table is static data, and its
// expressions are evaluated only where a text begins like one. It does not use package
// regexp, which the dispatcher does not link. A text is scanned once, and a second time if
// something was found. All lookahead is bounded, so the time is linear in the length (a
// test checks that): some 0.1 ms a kilobyte. Most events have no such text.
package redact
