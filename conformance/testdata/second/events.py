"""Events, matching, outcomes and their folding."""

import datetime
import os
import re
import select
import sys

import wire

EVENTS = """pre-session post-session pre-agent-turn post-agent-turn pre-agent-turn-stop post-agent-turn-stop
pre-tool-call post-tool-call post-tool-call-failure pre-subagent post-subagent pre-context-compact
post-context-compact""".split()
TOOL_EVENTS = ("pre-tool-call", "post-tool-call", "post-tool-call-failure")
CAN_BLOCK = ("pre-session", "pre-agent-turn", "pre-agent-turn-stop", "pre-tool-call", "pre-subagent", "pre-context-compact")
OLD_NAMES = {
    "session_start": "pre-session", "session_end": "post-session", "before_agent": "pre-agent-turn",
    "after_agent": "post-agent-turn", "before_stop": "pre-agent-turn-stop", "before_tool": "pre-tool-call",
    "after_tool": "post-tool-call", "after_tool_failure": "post-tool-call-failure", "subagent_start": "pre-subagent",
    "subagent_stop": "post-subagent", "pre_compact": "pre-context-compact",
}
MOST = 64 << 20
DEEPEST = 60


class Unreadable(Exception):
    text = b""  # what there is of the event


def seconds(text):
    """A duration such as 500ms, 1s, 1m30s."""
    total = 0.0
    for number, unit in re.findall(r"([0-9.]+)(ms|s|m|h)", text):
        total += float(number) * {"ms": 0.001, "s": 1, "m": 60, "h": 3600}[unit]
    return total


def slurp(stream):
    """stdin to its end, which has to come 5 seconds after the first byte."""
    fd, data, limit = stream.fileno(), [], None
    size = 0
    while True:
        wait = None if limit is None else max(0, limit - _clock())
        if not select.select([fd], [], [], wait)[0]:
            raise Unreadable("stdin has not ended 5 seconds after its first byte")
        piece = os.read(fd, 1 << 20)
        if not piece:
            return b"".join(data)
        if limit is None:
            limit = _clock() + 5
        size += len(piece)
        if size > MOST:
            raise Unreadable("more than 64 MiB")
        data.append(piece)


def _clock():
    import time
    return time.monotonic()


class Event(dict):
    cut = False  # it was nested too deep to be given whole


def shallow(text):
    """A JSON text without what stands inside DEEPEST brackets."""
    deep, out = 0, []
    for part in re.findall(r'"(?:[^"\\]|\\.)*"|[\[\]{}]|[^"\[\]{}]+|"', text):
        if part in "]}":
            deep -= 1
        if deep < DEEPEST:
            out.append(part)
        if part in "[{":
            deep += 1
    return "".join(out)


def read(stream):
    raw = slurp(stream)
    try:
        return parse(raw)
    except Unreadable as e:
        e.text = raw
        raise


def parse(raw):
    if not raw.strip():
        raise Unreadable("stdin is empty")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as e:
        raise Unreadable("not UTF-8: %s" % e)
    whole = text
    if text.count("[") + text.count("{") > DEEPEST:
        text = shallow(text)
    sys.setrecursionlimit(10000)
    try:
        given = wire.parse(text)
    except (ValueError, RecursionError) as e:
        raise Unreadable("not one JSON object: %s" % e)
    if not isinstance(given, dict):
        raise Unreadable("not a JSON object")
    if not isinstance(given.get("event_type"), str) or isinstance(given["event_type"], wire.Number):
        raise Unreadable("it has no event_type")
    event = Event(complete(given))
    event.cut = text != whole
    return event


def complete(given):
    """The base fields first, those that lack filled in, all others kept."""
    now = datetime.datetime.now(datetime.timezone.utc)
    base = {
        "event_type": given["event_type"],
        "timestamp": now.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (now.microsecond // 1000),
        "session_id": "",
        "work_dir": os.getcwd(),
        "context": {},
    }
    base.update({k: given[k] for k in base if k in given})
    base.update({k: v for k, v in given.items() if k not in base})
    return base


def leaves(value):
    """Texts, numbers and booleans of a value, at any depth, keys left out."""
    if isinstance(value, dict):
        for v in value.values():
            yield from leaves(v)
    elif isinstance(value, list):
        for v in value:
            yield from leaves(v)
    elif isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, str):
        yield str(value)


def matches(hook, event):
    if event["event_type"] not in TOOL_EVENTS:
        return True
    if hook.tool and not hook.tool.search(str(event.get("tool_name", ""))):
        return False
    if hook.pattern:
        return any(hook.pattern.search(leaf) for leaf in leaves(event.get("tool_input", {})))
    return True


TYPES = {
    "decision": str, "reason": str, "modified_input": dict, "additional_context": str, "user_message": str,
    "followup_message": str, "env": dict,
}
DECISIONS = {"allow": "allow", "approve": "allow", "ask": "ask", "deny": "deny", "block": "deny", "reject": "deny"}
ONLY_ON = {
    "modified_input": ("pre-tool-call",),
    "followup_message": ("pre-agent-turn-stop", "post-subagent"),
    "env": ("pre-session",),
}


def outcome(raw, kind):
    """The outcome on a hook's stdout, and what is to be said about it."""
    text = raw.decode("utf-8", "replace")
    if not text.strip():
        return {}, []
    try:
        given = wire.parse(text)
    except (ValueError, RecursionError) as e:
        raise Unreadable(str(e))
    if not isinstance(given, dict):
        raise Unreadable("not a JSON object")
    out, notes = {}, []
    for key, value in given.items():
        if key == "log":
            continue
        if key in TYPES and (not isinstance(value, TYPES[key]) or isinstance(value, wire.Number)):
            notes.append("%s: has the wrong type, left out" % key)
        elif key == "decision" and value not in DECISIONS:
            notes.append("decision: %s is none of allow, ask, deny; left out" % wire.text(value))
        elif key in ONLY_ON and kind not in ONLY_ON[key]:
            notes.append("%s: means nothing on %s, left out" % (key, kind))
        else:
            out[key] = DECISIONS[value] if key == "decision" else value
    return out, notes


def named(hook, text):
    """What a hook says, with its name before it, once."""
    head, text = "[%s]" % hook, text.strip()
    return head + " " + (text[len(head):].strip() if text.startswith(head) else text)


def contexts(parts):
    """Contexts of several hooks under their names, a single one as it is."""
    if len(parts) == 1:
        return parts[0][1]
    return "\n\n".join("[%s]\n%s" % (n, t.strip("\n")) for n, t in parts)


def fold(outcomes):
    """Many outcomes, none of them a block, as one."""
    folded = {}
    decisions = [o["decision"] for _, o in outcomes if "decision" in o]
    if decisions:
        folded["decision"] = "ask" if "ask" in decisions else "allow"
    strongest = [(n, o) for n, o in outcomes if o.get("decision") == folded.get("decision")]
    for key, given in (("reason", strongest), ("additional_context", outcomes), ("user_message", outcomes), ("followup_message", outcomes)):
        asks = "asks for the person's word" if key == "reason" and folded.get("decision") == "ask" else ""
        parts = [(n, o.get(key, "").strip() and o[key] or asks) for n, o in given]
        parts = [(n, t) for n, t in parts if t]
        if parts:
            folded[key] = contexts(parts) if key == "additional_context" else "\n\n".join(dict.fromkeys(named(n, t) for n, t in parts))
    for _, o in outcomes:
        if "modified_input" in o:
            folded["modified_input"] = o["modified_input"]
        if o.get("env"):
            folded.setdefault("env", {}).update(o["env"])
        folded.update({k: v for k, v in o.items() if k not in TYPES})
    return folded
