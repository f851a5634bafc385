"""A small coding agent with hooks, whole. Its model, its tools and its person are a script
on stdin (docs/adopt.md says which lines): put your own in their place. Arguments are the
program that runs hooks; without any it is the one of the PATH."""

import json
import sys

from agents_hooks import Hooks, events


def show(what, value):
    print(json.dumps({what: value}), flush=True)


def script():
    line = sys.stdin.readline()
    return json.loads(line) if line else {"end": "end"}


class Agent:
    def __init__(self, session):
        self.session, self.history = session, []

    def read(self, role, text):
        if text:
            self.history.append({"role": role, "content": text})

    def begin(self, source):
        o = self.session.dispatch(events.pre_session(source))
        if o.blocked:
            show("refused", o.reason)
            sys.exit()
        show("env", dict(o.env) or None)
        self.read("system", o.additional_context)

    def turn(self, prompt):
        o = self.session.dispatch(events.pre_agent_turn(prompt))
        if o.blocked:
            return show("refused", o.reason)
        self.read("user", prompt)
        self.read("user", o.additional_context)
        while True:
            said = self.think()
            more = self.session.dispatch(events.pre_agent_turn_stop(said)).go_on
            if more is None:
                break
            self.read("user", more)
        self.session.dispatch(events.post_agent_turn_stop(said))
        self.session.dispatch(events.post_agent_turn())
        show("done", said)

    def think(self):
        while True:
            show("model", self.history)
            line = script()
            self.read("assistant", line.get("say"))
            for call in line.get("calls", []):
                r = self.session.tool(call["name"], call["input"], lambda given: self.tool(call, given), id=call["id"])
                self.read("tool", r.text)
            if not line.get("calls"):
                return line.get("say", "")

    def tool(self, call, given):
        if call["name"] == "Task":
            return self.subagent(call["id"], given)
        show("tool", {"name": call["name"], "input": given})
        line = script()
        if "failure" in line:
            raise RuntimeError(line["failure"])
        return line["result"]

    def subagent(self, id, task):
        kind = task.get("subagent_type", "")
        o = self.session.dispatch(events.pre_subagent(id, kind, task["prompt"]))
        if o.blocked:
            raise RuntimeError(o.reason)
        sub = Agent(self.session)
        sub.read("user", task["prompt"])
        sub.read("user", o.additional_context)
        while True:
            said = sub.think()
            more = self.session.dispatch(events.post_subagent(id, kind)).go_on
            if more is None:
                return said
            sub.read("user", more)

    def compact(self, trigger):
        o = self.session.dispatch(events.pre_context_compact(trigger))
        if o.blocked:
            return show("refused", o.reason)
        self.history = self.history[-1:]
        self.session.dispatch(events.post_context_compact(trigger))


def ask(name, given, reason):
    show("ask", reason)
    return script()["yes"]


def main():
    with Hooks(agent="example-python", program=sys.argv[1:] or None, ask=ask, tell=lambda text: show("person", text)) as hooks:
        agent = None
        line = script()
        while "end" not in line:
            if "begin" in line:
                agent = Agent(hooks.session(line.get("session", "")))
                agent.begin(line["begin"])
            elif "compact" in line:
                agent.compact(line["compact"])
            else:
                agent.turn(line["prompt"])
            line = script()
        agent.session.dispatch(events.post_session("user_exit"))


main()
