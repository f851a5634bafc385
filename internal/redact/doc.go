// Package redact takes out of a text what must not be kept or sent: what looks
// like a secret, what is personal, and what its author marked as private. It is the
// one redactor of the program: the run log and the records of sessions use it, memory, workspaces
// and everything that evolution keeps, shares or is sent.
//
//	redact.Log.Text(s)        for what is kept to see what happened: [redacted]
//	redact.Memory.Text(s)     for what is remembered and shared: [REDACTED:kind]
//	redact.Log.JSON(raw, …)   a JSON value: names of members tell of their values
//
// It is a filter and no proof: a password that looks like a word, where nothing
// around it says what it is, stays. A log may hold out against one harmless value
// less, so where a name says that a secret follows, a value goes in doubt.
//
// # The table
//
// What is a secret is told by rows of data (table.go, names.go, persons.go,
// ibans.go), in sections by how it is found:
//
//	shapes    how a token begins and what it is made of: ghp_ and 36 letters
//	inners    what stands within one: …Q~…, ….atlasv1.…
//	names     what it is called in an assignment, an option, a sentence
//	headers   HTTP headers
//	schemes   Bearer and Basic, wherever they stand
//	options   options of programs: curl -u, mysql -p, sshpass -p
//	words     what it is called in Chinese
//	wholes    what has a form of its own: private keys, passwords in URLs and data
//	          sources, long words that look drawn by lot, <private> parts
//	numbers   numbers of persons that their form tells
//	ibans     account numbers, by country
//	spoken    words before a number of a person: SSN, passport no., 手机
//	mailboxes words around an address of e-mail
//	homes     words before a postal address
//
// Every row has an example that goes and a look-alike that stays; a test runs each
// without its row, and so fails when one does nothing. What becomes of the examples
// stands in testdata too, so that another fails when a row is gone. Directory
// oracle holds the table against the rules and examples of gitleaks, in a module of
// its own.
//
// # Personal data
//
// What is personal goes where that is certain, for a memory that has holes is worth
// little. By its form alone goes what its makers gave a check: payment cards
// (issuer, length, Luhn), IBANs (country, length, modulus 97), Chinese resident
// identity numbers (region, day of birth, check), and some others; and telephone
// numbers with a "+" and the code of a country. All else takes a word before it,
// right before it where the number could be any (a passport's), or in the same
// sentence where its look says the same. The word may be the name of a member of
// JSON, or the head of a column in CSV and tables. A number without signs between
// its groups stays where the word before it says that it is an order, an id or the
// like: what they number has the form of a card in one case out of forty.
//
// An address of e-mail stays: who wrote a change, reported a fault or is to be
// asked is a fact of the work, and git says it anyway. It goes where it is the name
// for a password (login, username, "password of"; or the password stands behind
// it), as it is half of a credential then, and where words say that it is a
// person's own, or a customer's. The name of a person stays, as nothing tells it
// from any other word; so does the address of a house, but behind "home address:"
// and its like.
//
// The log blots out the same numbers and addresses of houses: no run is explained
// by the number of a card, and logs and recordings are what people attach to
// reports. It keeps the addresses of e-mail, as it keeps the name in a URL: they
// tell as whom something ran.
//
// # Policies
//
// The two differ in data alone (policy.go):
//
//	                                  Log            Memory
//	mark                              [redacted]     [REDACTED:kind]
//	name in name:password@host        stays          goes
//	scheme in Authorization: Bearer   goes           stays
//	a short word in quotes behind     goes           stays, unless the name is that
//	the name of a token                              of a password
//	long words drawn by lot           go             stay: ids are worth remembering
//	cookies                           go             stay, but for tokens in them
//	certificates                      stay           go, as they are long
//	<private> parts                   stay           go
//	an address of e-mail that is the  stays          goes
//	name for a password
//
// # What is kept
//
// References to a secret stay: $TOKEN, ${TOKEN}, $(pass show x), %s, <token>, and
// what a program works out. So do UUIDs, ids, names of git's objects, digests that
// say what they are, pictures in base64, paths, and telephone numbers without a "+"
// that no word names. A mark stays as it is, of
// whatever policy: Text(Text(s)) is Text(s).
//
// # Cost
//
// Every event links this package, so that it has no init: the table is data of the
// program, and its expressions are read where a text begins like one. There is no
// package regexp, which the dispatcher does not link. A text is gone through once,
// and a second time where something was found; whatever the scan looks ahead for
// is bounded, so no text takes more than a time that is linear in its length (a
// test holds it to that): some 0.1 ms a kilobyte. Most events have no such text.
package redact
