// Package truth decides how a new statement relates to an older one: it says the same,
// replaces it, contradicts it, or is independent of it.
//
//	truth.Compare("The dev server listens on 8080", "The dev server now listens on 8081")   // Update
//	truth.Compare("The dev port is 3000", "The staging port is 3001")                       // Distinct
//
// # How it decides
//
// Both texts become tokens: words without their endings, numbers without their
// units, Chinese by a list of words or else by characters. Words that carry no
// claim are left out. The difference between the two decides:
//
//   - only values differ (numbers, versions, days, two databases): an update;
//   - what they are about differs (dev and staging, read and write, another
//     subject): distinct;
//   - they tell of two versions of which the older stays, or of what happens in two
//     months: distinct;
//   - a word in the place of the object differs, under the same subject and a verb
//     that has one object (is, runs on, is owned by): an update; under a verb that
//     has many (supports, depends on): distinct;
//   - the new one says that something changed (now, no longer, moved from … to …,
//     改为): then it may be worded in another way, and is a conflict where all that both
//     share is a name (runner-b, WeasyPrint).
//
// Where it cannot be told they are left beside each other: a wrong update hides
// what still holds, and a missed one is shown by memory review. No model is asked.
//
// Judge compares by the meaning of words as well, where there is a lexicon: of updates
// that say it in other words it finds what rules cannot, and it keeps rules from taking a
// word that many facts have for what two are about. How sure it is tells whether to ask.
package truth
