// Package spec holds the text of the format: what a HOOK.md is, and what a program
// that runs one must do. It imports no other package of this module, so that the
// conformance suite depends on nothing else.
//
// SPEC.md is normative. Each of its rules is one line and one sentence:
//
//   - <a id="hm-io-15"></a>**HM-IO-15** A runner MUST block if a sync hook exits with 2.
//
// The id is stable, its anchor is the id in small letters, *interpretation*
// after the id marks a ruling on a gap of the original format, and exactly one
// of MUST, MUST NOT, SHOULD and SHOULD NOT gives the level. [Requirements]
// reads them; tests check the form, and that no other text is normative.
//
// MEMORY.md, EVOLUTION.md, WORKSPACE.md and SKILLS.md have the rules of the behaviours in
// the same form, with their own ids ([RequirementsOf]); the tests that prove a rule cite it.
//
// ERRATA.md lists the gaps with our rulings, SETTINGS.md the keys of hooks.toml
// ([Settings] reads them), CHANGES.md the versions of this text. The JSON
// Schemas (draft 2020-12) describe the front matter of a HOOK.md, hooks.toml,
// events, outcomes, and what the commands print with --json.
//
// Everything is embedded: agents-hooks spec prints it, so a binary always has the text
// that it was built against.
package spec
