// Package store keeps genes and their outcomes in one file of lines per user, genes.jsonl.
// It needs no account and no network. It is for commands; hooks start one.
//
//	s, err := store.Open(ctx, dir)
//	list, err := s.Candidates(ctx, signals, scope, agent, now)   // for selector.Choose
//	done, err := s.Record(ctx, store.Observation{Gene: id, …})
//
// # Durability
//
// Each line is one atomic change, and lines are only appended. A killed process leaves a
// complete line or an unfinished one, which was never acknowledged and is removed by the
// next writer. One process writes at a time. An outcome is on disk when [Store.Record]
// returns; only a suggestion may be lost in a power failure.
//
// Outcomes are observations, which are only appended; the record of a gene is computed from
// them each time. [Store.Delete] rewrites the file without the gene's text, and a store is
// also rewritten when most of its genes have been replaced.
//
// An unreadable line is moved to a separate file beside the store, which doctor reports. A
// file without any line of ours, or written by a newer program, is left unchanged, with an
// error that says so. Members that only a newer program knows are ignored and kept.
//
// # The index
//
// genes.jsonl.index summarises the file up to an offset, so that a hook need not read all
// lines. It has no data of its own: an index that does not match the file, byte for byte,
// is rebuilt.
//
// # Older versions
//
// They kept a database, genes.sqlite. Whenever it has changed, its new rows are imported
// (package sqlitefile), so that two versions can be used at once; the database itself stays
// unchanged.
//
// # Conflicting outcomes
//
// For one session and gene, an explicit report replaces what was inferred from the next
// command; the last report counts. An outcome of a suggestion that was not followed says
// nothing about the gene.
//
// # Origin
//
// Genes that came with the program are seeds. Imported ones are held until they are
// approved. A gene with a scope is for that scope; most are for all ("global" or none).
package store
