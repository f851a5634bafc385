// Package codex is the dialect of OpenAI Codex.
//
// Observed on 0.171.0, in exec mode, against a scripted model; names and keys
// that could not be seen there are from the program's own schemas.
//
// Our entry stands in hooks.json of ~/.codex (CODEX_HOME is honoured) or of a
// project's .codex, which Codex reads in a project that it trusts. Codex skips
// an entry whose approval it has not recorded, without a word; so install
// records it in config.toml, keyed by the entry's place and sealed with a hash
// of its content. Whoever moves or changes the entry breaks the seal; doctor
// tells, and installing again repairs it.
//
// Codex is strict: an answer with a member that it does not know, a block
// without a reason, a bare allow or an ask make it report a failed hook and go
// on. It reads answers on exit 0 only.
package codex
