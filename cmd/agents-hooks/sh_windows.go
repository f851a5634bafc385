package main

import "github.com/agents-hooks/agents-hooks/cmd/internal/hooksh"

// asShell is this program as the sh of a machine that has none: the interpreter is
// linked for the one system that comes without.
func asShell() (exit int, ok bool) { return hooksh.FromProcess() }
