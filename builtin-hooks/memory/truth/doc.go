// Package truth decides how a new statement relates to an older one: it says the same,
// replaces it, contradicts it, or is independent of it.
//
//	truth.Compare("The dev server listens on 8080", "The dev server now listens on 8081")   // Update
//	truth.Compare("The dev port is 3000", "The staging port is 3001")                       // Distinct
//
// # How it decides
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
// In doubt both are kept: a wrong update hides what still holds, whereas memory review shows
// a missed one. No model is asked.
//
// With a lexicon, Judge also compares the meaning of words: it finds updates in other words,
// which rules cannot, and keeps rules from mistaking a frequent word for a subject. Its
// confidence decides whether to ask. Among knows the other statements of a memory, too: an
// update is nearer to one of them than to all others, and two that are each of another thing
// that several of them name are apart. The likeliest one is replaced as well if a single clause
// of the newer alone would replace it: the others give a reason, or say what to do. Where nothing
// is replaced it marks what comes nearest: who saves may know better.
package truth
