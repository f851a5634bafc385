// Package codex is the dialect of OpenAI Codex.
//
// Observed on 0.171.0, in exec mode, against a scripted model; names and keys
// that could not be seen there are from the program's own schemas.
//
// Our entry is in hooks.json of ~/.codex (CODEX_HOME is honoured) or of a
// project's .codex, which Codex reads in a project that it trusts. Codex silently
// skips an entry without a recorded approval, so install records it in config.toml,
// keyed by the entry's position, with a hash of its content. Moving or changing the
// entry invalidates the approval; doctor reports that, and installing again repairs it.
//
// Codex is strict: an answer with a member that it does not know, a block
// without a reason, a bare allow or an ask make it report a failed hook and go
// on. It reads answers only on exit 0.
package codex
