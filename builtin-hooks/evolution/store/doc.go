// Package store keeps genes, and what became of them, in one SQLite file of a
// person: genes.sqlite. It needs no account and no network (EVO-1). It is for
// commands; hooks start one.
//
//	s, err := store.Open(ctx, dir)
//	list, err := s.Candidates(ctx, signals, scope, agent, now)   // for choose.Choose
//	done, err := s.Record(ctx, store.Observation{Gene: id, …})
//
// # What is never lost
//
// An outcome is an observation, and observations are only added: the database
// itself refuses to change or remove one. What is known of a gene (its edges) is
// computed from them, and [Store.Rebuild] computes it anew. A record is on the
// disk when [Store.Record] returns; a process that is killed at any moment, a
// second one that writes at the same time and a file that cannot be read cost
// nothing that was acknowledged. A file that is damaged, or that a newer program
// wrote, is left as it is, with an error that says so.
//
// # Who is right
//
// Of one session and gene, what somebody says who looked (explicit) takes the
// place of what was concluded from the next command (EVO-14, EVO-25); the last
// one who says so is right. An outcome of a suggestion that was not followed
// teaches nothing about the gene.
//
// # Whose genes
//
// Genes that came with the program are seeds. Imported ones lie in quarantine
// until they are approved (EVO-33). A gene of a scope is for that scope; most
// are for all of them ("global" or none).
package store
