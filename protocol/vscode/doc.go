// Package vscode is the dialect of VS Code's agent mode, Copilot Chat.
//
// Not observed: it runs only with an account, in a window. This is from
// the source of microsoft/vscode-copilot-chat of 2026-03-29 and from the
// documentation, which differs from it in places.
//
// Our entry is in a separate file, ~/.copilot/hooks/agents-hooks-vscode.json
// or, for a project, .github/hooks/agents-hooks-vscode.json. Copilot CLI reads
// both folders as well; each of the two programs runs the other's entries, is recognised
// by its payload, and answered in its own form. VS Code also runs the entries of
// Claude Code.
package vscode
