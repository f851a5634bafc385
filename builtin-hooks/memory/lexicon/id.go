// Made by bench/train.

package lexicon

// ID names the lexicon of this version: how its SHA-256 begins.
const ID = "ec3ea7ca3e2d578c"
