package hooksh

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/interp"
)

// ownPrintf is the new name of printf in calls: the interpreter's own knows neither a
// precision nor most escapes of %b.
const ownPrintf = "\x00printf"

// adapted is a call as the interpreter can run it. On builtins that it does not know,
// it exits with 2, by which a hook blocks: a script with nothing but umask would
// block everything. So a builtin that makes no sense here does nothing, and one that
// cannot be done fails.
func adapted(ctx context.Context, args []string) ([]string, error) {
	switch args[0] {
	case "umask", "ulimit", "jobs", "disown", "hash": // no modes, no limits, no jobs
		return []string{"true"}, nil
	case "kill", "fg", "bg", "suspend", "fc", "history", "bind", "enable", "caller", "logout", "times":
		fmt.Fprintf(interp.HandlerCtx(ctx).Stderr, "agents-hooks sh: %s is not there\n", args[0])
		return []string{"false"}, nil
	case "wait":
		return slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "-n" || a == "-f" }), nil
	case "trap":
		return ended(args), nil
	case "printf":
		if len(args) < 2 || args[1] != "-v" {
			return append([]string{ownPrintf}, args[1:]...), nil
		}
	}
	return args, nil
}

// ended are trap's arguments without the signals, none of which arrives here: a hook
// whose time is over is ended without notice.
func ended(args []string) []string {
	if len(args) < 3 || strings.HasPrefix(args[1], "-") && args[1] != "-" && args[1] != "--" {
		return args
	}
	first := 2
	if args[1] == "--" {
		first = 3
	}
	kept := slices.Clone(args[:min(first, len(args))])
	for _, name := range args[len(kept):] {
		switch strings.TrimPrefix(strings.ToUpper(name), "SIG") {
		case "EXIT", "0":
			kept = append(kept, "EXIT")
		case "ERR":
			kept = append(kept, "ERR")
		}
	}
	if len(kept) == first {
		return []string{"true"}
	}
	return kept
}
