// Package store keeps genes, and what became of them, in one file of lines of a
// person: genes.jsonl. It needs no account and no network. It is for
// commands; hooks start one.
//
//	s, err := store.Open(ctx, dir)
//	list, err := s.Candidates(ctx, signals, scope, agent, now)   // for choose.Choose
//	done, err := s.Record(ctx, store.Observation{Gene: id, …})
//
// # What is never lost
//
// Each line is what was changed at once, and lines are only added: a process that is
// killed leaves a whole line or one without an end, which was never acknowledged and is
// cut off by the next that writes. One writes at a time. What was recorded is on the disk
// when [Store.Record] returns; a suggestion alone may be lost with the power.
//
// An outcome is an observation, and observations are only added. What is known of a gene is
// summed up from them each time. [Store.Delete] writes the file anew without the gene's
// text, and so does a store in which most genes were replaced since.
//
// A line that cannot be read is moved to a file of its own beside the store, which doctor
// names; a file without any line of ours, or that a newer program wrote, is left as it is,
// with an error that says so. Members that only a newer program knows are passed over,
// and stay.
//
// # The index
//
// genes.jsonl.index is what is known after so many bytes of the file, so that a hook that
// waits need not read all lines. It holds nothing of its own: one that does not fit
// the file, byte for byte, is made anew.
//
// # Older versions
//
// They kept a database, genes.sqlite. What it has and the store has not is taken over
// (package sqlitefile) whenever that file has changed, so that two versions can be used at
// once; it stays as it is.
//
// # Who is right
//
// Of one session and gene, what somebody says who looked (explicit) takes the
// place of what was concluded from the next command; the last
// one who says so is right. An outcome of a suggestion that was not followed
// teaches nothing about the gene.
//
// # Whose genes
//
// Genes that came with the program are seeds. Imported ones are held
// until they are approved. A gene of a scope is for that scope; most
// are for all of them ("global" or none).
package store
