// Package kimi is the dialect of Kimi Code, the program in TypeScript. Its
// predecessor in Python has a package of its own, kimicli.
//
// Observed on 2.1.0, in print mode, against a scripted model; what does not
// happen there is from the program's source.
//
// Our entries stand in ~/.kimi-code/config.toml (KIMI_CODE_HOME is honoured),
// one [[hooks]] table an event. There is no file of a project. The program
// refuses its whole configuration over one key or event that it does not know,
// so an entry has no more than event, command and timeout, and the events that
// came late are not registered.
//
// Hooks can block a tool call, a prompt and a stop, and give context with a
// prompt, which is plain text there. On all other events nobody listens to the
// answer.
package kimi
