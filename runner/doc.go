// Package runner runs the hooks of one event and merges their answers into one
// outcome.
//
//	r := runner.Runner{Env: env, State: state, Self: self}
//	rep := r.Run(ctx, ev, set)         // sync hooks, one after another
//	…                                  // rep.Outcome is fitted, encoded, written
//	runner.AppendLog(state, runner.NewLogLine(rep, set, start, debug))
//	r.Start(rep.Async, set)            // the others, detached
//
// # A hook, from start to end
//
// [Runner.Run] takes the hooks of a set in order. Each is matched when its turn
// comes, against the current tool input, which a modified_input of an earlier hook
// replaces. An async hook is put aside with the event as it is then. A sync hook
// runs to its end before the next one starts, and the first block ends the sequence.
// At the end, hooks that ran before the input was changed run once more, so that
// they judge what actually happens.
//
// One function starts processes. A hook leads its own process group, gets its event
// on stdin followed by end of file, and writes into two pipes that are read as they
// fill. The exit status of the process decides, even if a child still holds the
// pipes: they are read for at most 200 ms more. Up to 1 MiB of stdout and 64 KiB of
// stderr count. At the time limit the group gets SIGTERM and, 500 ms later, SIGKILL;
// a hook that ended by itself may leave children behind. On Windows a job object
// takes the place of the group.
//
// A built-in hook is a function with the same contract: it gets the bytes and the
// environment of a process and returns an exit code, within the same limits. If it
// panics, it has failed.
//
// The end of a hook becomes a [Verdict]. Exit 0 with nothing or one JSON object on
// stdout is OK, exit 2 is a block. Anything else means that the hook failed: it fails
// open with a [Warning], unless the failure policy makes it a block. Only events that
// can be prevented have such a policy.
//
// The deadline of the context limits the whole event: shortly before it the running
// hook is stopped and the remaining ones are skipped, so that the answer is in time.
//
// # State
//
// The state directory has the run log ([AppendLog]), one small file for each agent
// session ([Session]: the loop guard, notices already given, Task calls), the answers
// of the last two seconds ([Session.Dedup]), a directory for each hook, and a lock
// file for each running async hook ([LiveAsync]). All of it may be missing or impossible to
// write: hooks run all the same, and a warning says what could not be recorded. An
// event without hooks touches none of it.
//
// # Async hooks
//
// [Runner.Start] runs the dispatcher's own executable again, with [SuperviseVerb], in
// a new session and with none of the agent's pipes. In that process [Supervise] runs
// the hooks at once, enforces their time limits, and writes a log line for each.
//
// The package reads no environment variable, no working directory and no settings
// file: its callers pass in what it needs. It names no agent.
package runner
