#!/usr/bin/env python3
"""A second runner for HOOK.md folders, written from spec/SPEC.md alone.

It is here to judge the conformance suite: a suite that only its own runner can
pass tests that runner's habits. It shares no code with agents-hooks, uses the
standard library of Python 3.11 only, and claims in claim.json what it does.

    runner.py run [--deadline 1s]   one event on stdin, exit code and JSON out
    runner.py list [DIR]            hooks as JSON, of one folder or of all layers
    runner.py validate DIR          problems of one folder, exit 1 on an error

What it does not do: agents' dialects, trust beyond AGENTS_HOOKS_TRUST, a time
limit for regular expressions, a run log, built-in hooks.
"""

import json
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import events
import folders
import process
import wire


class Warnings(list):
    """Warnings of one event, each printed once."""

    def add(self, hook, text):
        name = "hook %s: " % hook if hook else ""
        line = "agents-hooks: " + plain(name + text)
        if line not in self:
            self.append(line)

    def flush(self):
        for line in self:
            sys.stderr.write(line + "\n")


def plain(text):
    text = plain_line(text.replace("\n", " "))
    text = "".join(c if c >= " " and not "\x7f" <= c <= "\x9f" else " " for c in text)
    return " ".join(text.split())


def plain_line(line):
    """A line of a reason: blanks stay, what a terminal would obey goes."""
    line = re.sub(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)?|.)?", "", line)
    return "".join(c for c in line if c >= " " and not "\x7f" <= c <= "\x9f" or c == "\t")


def refuse(why):
    sys.stderr.write("agents-hooks: run: the event cannot be read: %s\n" % plain(why))
    return 1


def held_back(error):
    """What a locked hook, or one whose failure blocks, cannot see it has not let through."""
    named = re.findall(rb'"event_type"\s*:\s*"([a-z-]*)"', error.text)
    kinds = [k.decode() for k in (named[:1] + named[-1:])] or ["pre-tool-call"]
    found = folders.discover(os.getcwd(), Warnings())
    for hook in found.ready + found.broken:
        policy = hook.on_error or found.settings.on_error
        may_fail = hook.held and hook.held["on_error"] == "allow" or not hook.held and policy != "block"
        if not hook.background and not may_fail and any(hook.trigger in (k, None) and k in events.CAN_BLOCK for k in kinds):
            sys.stderr.write("[%s] blocked unseen: this event cannot be read (%s)\n" % (hook.name, plain(str(error))))
            return 2
    return 0


def run(argv):
    deadline = None
    if len(argv) == 2 and argv[0] == "--deadline":
        deadline = process.now() + events.seconds(argv[1])
    try:
        event = events.read(sys.stdin.buffer)
    except events.Unreadable as e:
        return held_back(e) or refuse(str(e))
    warn = Warnings()
    if event.cut:
        warn.add("", "what the event has inside %d levels was left out" % events.DEEPEST)
    if int(os.environ.get("AGENTS_HOOKS_DEPTH", "0") or 0) > 3:
        warn.add("", "more than 3 runners are nested; only locked hooks are run")
    if event["event_type"] not in events.EVENTS:
        warn.add("", "event_type %r is none of the format's events" % event["event_type"])
        warn.flush()
        return 0
    found = folders.discover(event["work_dir"], warn)
    chain = Chain(event, found, warn, deadline)
    chain.play()
    warn.flush()
    return chain.answer()


class Chain:
    """The hooks of one event, in order, until the first block."""

    def __init__(self, event, found, warn, deadline):
        self.event, self.found, self.warn, self.deadline = event, found, warn, deadline
        self.outcomes = []  # (name, outcome)
        self.background = []  # (hook, event as it stood)
        self.reason = None
        self.changes = 0  # how often the input was

    def play(self):
        kind = self.event["event_type"]
        self.broken(kind, held=True)
        judges = []
        due = [h for h in self.found.ready if h.trigger == kind]
        for hook in due:
            if self.reason is not None:
                break
            if hook.background:
                if events.matches(hook, self.event):
                    self.background.append((hook, dict(self.event)))
                continue
            if events.matches(hook, self.event):
                self.turn(hook)
            judges.append((hook, self.changes, len(self.background)))
        self.again(judges)
        self.broken(kind, held=False)
        process.start_background(self.background, self.found)

    def again(self, judges):
        """Hooks judge what later ones made of the input."""
        for hook, changes, background in judges:
            if self.reason is not None or changes == self.changes or not events.matches(hook, self.event):
                continue
            outcomes, given, changes = self.outcomes, self.event["tool_input"], self.changes
            self.outcomes = []
            self.turn(hook)
            if self.reason is not None:
                del self.background[background:]
            said = self.outcomes[0][1] if self.outcomes else {}
            if "modified_input" in said:
                if said["modified_input"] != given:
                    self.warn.add(hook.name, "changed the input once more; that is left out")
                self.event["tool_input"], self.changes = given, changes
            first = all(n != hook.name for n, o in outcomes)
            keep = {k: v for k, v in said.items() if k != "modified_input" and (first or k in ("decision", "reason"))}
            self.outcomes = outcomes + ([(hook.name, keep)] if said else [])

    def broken(self, kind, held):
        for hook in self.found.broken:
            if hook.absent and kind == "pre-agent-turn-stop" or (hook.held is not None) != held:
                continue
            if hook.trigger in (kind, None):
                text = "is broken and did not run: %s" % hook.why()
                self.warn.add(hook.name, text)
                if self.reason is None:
                    self.failed(hook, text)

    def turn(self, hook):
        if self.deadline is not None and process.now() >= self.deadline:
            text = "was skipped: the time of the event is over"
            self.warn.add(hook.name, text)
            self.failed(hook, text)
            return
        end = process.run(hook, wire.line(self.event), self.event, self.found, self.deadline, self.warn)
        if end.code == 2:
            self.block(hook, end.reason() or "blocked this and gave no reason")
        elif end.why:
            self.warn.add(hook.name, end.why)
            self.failed(hook, end.why)
        else:
            self.read(hook, end)

    def failed(self, hook, text):
        """on_error turns a failure into a block where the event can block."""
        policy = hook.on_error or self.found.settings.on_error
        if policy == "block" and self.event["event_type"] in events.CAN_BLOCK:
            at = ", and is locked by " + hook.held["by"] if hook.held else ""
            self.block(hook, text + at)

    def block(self, hook, reason):
        """Where a block means to go on, earlier follow-ups go with its reason."""
        parts = []
        if self.event["event_type"] in events.ONLY_ON["followup_message"]:
            parts = [(n, o["followup_message"]) for n, o in self.outcomes if o.get("followup_message", "").strip()]
        self.reason = "\n\n".join(events.named(n, t) for n, t in parts + [(hook.name, reason)])

    def read(self, hook, end):
        try:
            outcome, notes = events.outcome(end.stdout, self.event["event_type"])
        except events.Unreadable as e:
            text = "its stdout is no outcome: %s" % e
            self.warn.add(hook.name, text)
            self.failed(hook, text)
            return
        for note in notes:
            self.warn.add(hook.name, note)
        if outcome.get("decision") == "deny":
            if self.found.settings.deny_json == "block":
                self.block(hook, outcome.get("reason") or "denied this and gave no reason")
                return
            del outcome["decision"]
            self.warn.add(hook.name, 'decision "deny" with exit 0 does not block: exit 2 with the reason on stderr does')
        self.outcomes.append((hook.name, outcome))
        if "modified_input" in outcome:
            self.changes += outcome["modified_input"] != self.event["tool_input"]
            self.event["tool_input"] = outcome["modified_input"]

    def answer(self):
        if self.reason is not None:
            reason = "\n".join(plain_line(line) for line in self.reason.rstrip("\n").split("\n"))
            sys.stderr.write(reason + "\n")
            return 2
        folded = events.fold(self.outcomes)
        if folded:
            sys.stdout.buffer.write(wire.line(folded))
            sys.stdout.flush()
        return 0


def show(argv):
    if argv:
        hooks = [folders.read_hook(argv[0], "user")]
        hooks = [h for h in hooks if h]
    else:
        hooks = folders.discover(os.getcwd(), Warnings()).all
    sys.stdout.write(json.dumps({"schema": 1, "hooks": [h.object() for h in hooks]}, indent=1) + "\n")
    return 0


def validate(argv):
    hook = folders.read_hook(argv[0], "user")
    problems = [p.object() for p in hook.problems] if hook else []
    sys.stdout.write(json.dumps({"schema": 1, "problems": problems}, indent=1) + "\n")
    return 1 if any(p["severity"] == "error" for p in problems) else 0


def main():
    verbs = {"run": run, "list": show, "validate": validate}
    if len(sys.argv) < 2 or sys.argv[1] not in verbs:
        sys.stderr.write(__doc__)
        return 64
    try:
        return verbs[sys.argv[1]](sys.argv[2:])
    except BrokenPipeError:
        return 1
    except Exception as e:  # a fault of ours never blocks
        sys.stderr.write("agents-hooks: internal error: %s: %s\n" % (type(e).__name__, plain(str(e))))
        return 1


if __name__ == "__main__":
    code = main()
    try:
        sys.stdout.flush()
    except OSError:
        pass
    os._exit(code)
