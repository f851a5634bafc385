// Package runner runs the hooks of one event and makes one outcome of what they
// said.
//
//	r := runner.Runner{Env: env, State: state, Self: self}
//	rep := r.Run(ctx, ev, set)         // sync hooks, one after another
//	…                                  // rep.Outcome is fitted, encoded, written
//	runner.AppendLog(state, runner.NewLogLine(rep, set, start, debug))
//	r.Start(rep.Async, set)            // the others, detached
//
// # A hook, from start to end
//
// [Runner.Run] takes the hooks of a set in their order. Each is matched when its
// turn comes, on the tool input as it is then: a modified_input of an earlier
// hook replaces it. An async hook is put aside, with the event as it stands. A
// sync one is run to its end before the next has its turn, and the first block
// ends the row. At its end those that had their turn before the input became what
// it is are asked once more: what they judge is what happens.
//
// One function starts processes. A hook leads a process group of its own, gets
// its event on stdin and then the end of it, and writes into two pipes that are
// read as they fill. The exit status of the process decides, whatever still
// holds the pipes: they are read for at most 200 ms more. Of stdout up to 1 MiB
// counts, of stderr 64 KiB. At the time limit the group is sent SIGTERM and,
// 500 ms later, what is left of it SIGKILL; a hook that ended by itself may leave
// children behind. On Windows a job object stands for the group.
//
// A built-in hook is a function behind the same contract: it is given the bytes
// and the environment of a process and gives an exit code, within the same
// limits. If it panics it has failed.
//
// How it ended becomes a [Verdict]. Exit 0 with nothing or one JSON object on
// stdout is OK, exit 2 is a block. All else is no verdict: the hook failed, the
// operation goes on, and a [Warning] says so, unless the failure policy makes it
// a block. Only events that can be prevented have such a policy.
//
// The deadline of the context bounds the event as a whole: the hook that runs
// shortly before it is stopped, those after it are skipped, and the answer is in
// time.
//
// # What is remembered
//
// Below the state directory lie the run log ([AppendLog]), one small
// file for each agent session ([Session]: the loop guard, notices already given,
// Task calls), the answers of the last two seconds ([Session.Dedup]), a directory
// for each hook, and a place for each async hook that is alive ([LiveAsync]). All
// of it may be missing or impossible to write: hooks run all the same, and a
// warning says what could not be recorded. An event without hooks touches none
// of it.
//
// # Async hooks
//
// [Runner.Start] runs the dispatcher's own executable once more, with
// [SuperviseVerb], in a session of its own and with none of the agent's pipes.
// That process, by [Supervise], runs the hooks at once, holds their time limits,
// and leaves a line in the log for each.
//
// The package reads no environment variable, no working directory and no
// settings file: what it needs is given to it. It names no agent.
package runner
