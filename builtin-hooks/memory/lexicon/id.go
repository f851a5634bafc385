// Made by bench/train.

package lexicon

// ID names the lexicon of this version: how its SHA-256 begins.
const ID = "c839d61139cb66f4"
