// Package web keeps the pages that an agent has fetched, on this machine, so
// that the same page need not be fetched again the same day.
//
// It is linked into the program that runs on every event: no network, no
// encoding/json. Whatever asks the network (names of hosts, a server) lies in
// package remote.
//
// Numbers of hosts are read and judged by net/netip, whose start takes each event
// some 0.02 of its 1.7 ms. What net/netip does not read, and browsers do
// (0x7f.1, 017700000001), is read here. An address is taken apart here too: net/url
// reads much that is refused, such as users and percent signs in hosts, and all
// of that would have to be looked for before and after it.
//
//	[Public]  is this the address of a page that anybody may read?
//	[Of]      the page that a tool event carries, or why there is none
//	[Cache]   one file a page, in a folder of the cache directory
//
// # What is kept
//
// Pages of public addresses that answered 200 with more than 100 characters, and
// results of searches, whose address is prismer://search/ and the query. Secrets
// and <private> parts are taken out before anything is written; an address that
// has a secret in it (?token=…) is not kept at all. Nothing is fetched again.
//
// A page is given back for [Cache].TTL, 24 hours by default. The folder has a
// size that it does not outgrow: the oldest go first. Searches are kept but
// never given back, because what is found changes.
package web
