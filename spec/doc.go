// Package spec holds the text of the format: what a HOOK.md is, and what a
// program does that runs one. It imports nothing of ours, so that the suite
// that judges runners can stand on it alone.
//
// SPEC.md binds. Each of its rules is one line and one sentence:
//
//   - <a id="hm-io-15"></a>**HM-IO-15** A runner MUST block where a sync hook exits with 2.
//
// The id is stable, its anchor is the id in small letters, *interpretation*
// after the id marks a ruling on a gap of the original format, and exactly one
// of MUST, MUST NOT, SHOULD and SHOULD NOT gives the level. [Requirements]
// reads them; tests hold the form, so that nothing binding stands elsewhere.
//
// MEMORY.md, EVOLUTION.md, WORKSPACE.md and SKILLS.md have the rules of behaviours in the same form,
// with ids of their own ([RequirementsOf]); the tests that prove one cite it.
//
// ERRATA.md lists the gaps with our rulings, SETTINGS.md the keys of hooks.toml
// ([Settings] reads them), CHANGES.md the versions of this text. The JSON
// Schemas (draft 2020-12) describe the front matter of a HOOK.md, hooks.toml,
// events, outcomes, and what the commands print with --json.
//
// Everything is embedded: agents-hooks spec prints it, and a binary always has
// the text that it was built against.
package spec
