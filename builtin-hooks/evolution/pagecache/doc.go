// Package pagecache caches the pages that an agent has fetched on this machine, so that
// the same page need not be fetched again on the same day.
//
// It is linked into the program that runs on every event: no network, no encoding/json.
// Package client does everything that needs the network (host names, a server).
//
// IP addresses are parsed and judged by net/netip, whose initialization costs each
// event some 0.02 of its 1.7 ms. Forms that browsers accept and net/netip does not
// (0x7f.1, 017700000001) are parsed here. So are URLs: net/url accepts much that must
// be refused, such as users and percent signs in hosts, which would need checks before
// and after it.
//
//	[Public]  is this the URL of a page that anybody may read?
//	[Of]      the page that a tool event carries, or why there is none
//	[Cache]   one file per page, in a folder of the cache directory
//
// # What is kept
//
// Pages of public URLs that answered 200 with more than 100 characters, and search
// results, whose URL is prismer://search/ and the query. Secrets and <private> parts
// are removed before anything is written; a URL that contains a secret (?token=…) is
// not kept at all. Nothing is fetched again.
//
// A cached page is used for [Cache].TTL, 24 hours by default. The folder has a maximum
// size; the oldest pages are deleted first. Search results are kept but never used,
// because they change.
package pagecache
