// Package install writes our entry into an agent's configuration, takes it out
// again, and tells what stands there. Nothing here touches a file: what is to be
// changed comes back as edits, computed from a site whose files are read through
// a function.
//
// It is apart from package protocol because it links editors of JSON and TOML,
// which dispatching an event must not pay for. How an agent spells its entries is
// data of its dialect ([protocol.Config]).
//
// There is a keeper for each family of shapes: JSON files, edited as they are
// spelled; tables of TOML, edited by lines between two marks; a plugin of our own,
// written whole; a folder with an executable file for each event. An agent may
// have several files. The rules hold for each, and each has a test that names it:
//
//   - Only our own entries are touched. Comments, order, spacing and the entries
//     of others stay byte for byte.
//   - An entry is ours if its command, split as the agent's shell splits it, is a
//     program named agents-hooks or agents-hooks-run, the verb run, and --agent
//     with the agent's id: by structure, never by a piece of text. It is ours
//     also after the program moved; it is brought up to date where it stands.
//   - Installing again changes nothing. Entries are appended, never put before
//     those of others.
//   - What installing created, uninstalling removes: a file that was not there
//     before is gone, one that was has its bytes back.
//   - A file that cannot be read as what it should be, and one of somebody else
//     under a name that ours must have, is left alone; the error says
//     file:line:col.
//   - A path is quoted for the shell that the agent uses on the system, and what
//     that shell cannot be given is refused.
//   - An entry of ours that names another agent, copied by an agent from the file
//     of that one, is told and not touched.
package install
