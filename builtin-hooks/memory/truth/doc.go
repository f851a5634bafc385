// Package truth decides how a new statement relates to an older one: it says the same,
// replaces it, contradicts it, or is independent of it.
//
//	truth.Compare("The dev server listens on 8080", "The dev server now listens on 8081")   // Update
//	truth.Compare("The dev port is 3000", "The staging port is 3001")                       // Distinct
//
// # By rules
//
// Both texts are split into tokens: words without their endings, numbers without their
// units, Chinese by a list of words or else by characters. Words that carry no
// claim are left out. The difference between the two decides:
//
//   - only values differ (numbers, versions, days, two databases): an update;
//   - their subject differs (dev and staging, read and write): distinct;
//   - they are about two versions of which the older stays, or about two months:
//     distinct;
//   - the object differs, with the same subject and a verb that has one object (is, runs on, is owned by): an update; with a verb that can have
//     many (supports, depends on): distinct;
//   - one slot of a thing is filled anew in other words (uses, runs on; is at 9:30, starts
//     at 10:00; owns, is owned by): an update;
//   - the new one says that something changed (now, no longer, moved from … to …, 改为): an
//     update even in other words, or a conflict if the two share only a name (runner-b,
//     WeasyPrint).
//
// # Beside a memory
//
// With a lexicon, Among also knows what words mean and what else the memory has, and what the
// rules say is one sign among some seventy (signNames): how near the two are, what one says and
// the other does not, which names and amounts differ and whether they stand in the same place,
// what the newer says of a change, which words it has that the older has not (odds.txt), how both
// are put (phrases.bin), and how far the rival is ahead of the others. A forest of boosted trees (forest.bin) makes of these how
// sure an update is. TestForest grows it of memories of teams, each with updates and with what
// only resembles them, and tells how it does with those that it has not seen.
//
// A wrong update hides what still holds, so it has to be quite sure; in doubt both are kept and
// whoever saves is asked, and where nothing is replaced what comes nearest is named: they may know
// better. No model is asked.
package truth
