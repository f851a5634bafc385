#!/usr/bin/env python3
"""Warns about risky patterns in code that is about to be written. Once per session, file and rule."""
import json
import os
import sys

RULES = [
    ("eval_injection", ["eval("], "Security Warning: eval() executes arbitrary code. Consider JSON.parse()."),
    ("inner_html", [".innerHTML =", ".innerHTML="], "Security Warning: innerHTML with untrusted content is XSS."),
]


def content_of(tool_name, tool_input):
    if tool_name == "Write":
        return tool_input.get("content", "")
    if tool_name == "Edit":
        return tool_input.get("new_string", "")
    if tool_name == "MultiEdit":
        return " ".join(e.get("new_string", "") for e in tool_input.get("edits", []))
    return ""


def state_file(session_id):
    return os.path.expanduser(f"~/.claude/security_warnings_state_{session_id}.json")


def main():
    try:
        data = json.loads(sys.stdin.read())
    except ValueError:
        sys.exit(0)
    tool_name = data.get("tool_name", "")
    tool_input = data.get("tool_input", {})
    if tool_name not in ("Edit", "Write", "MultiEdit"):
        sys.exit(0)
    file_path = tool_input.get("file_path", "")
    if not file_path:
        sys.exit(0)
    content = content_of(tool_name, tool_input)
    for name, needles, reminder in RULES:
        if not any(n in content for n in needles):
            continue
        path = state_file(data.get("session_id", "default"))
        try:
            with open(path) as f:
                shown = set(json.load(f))
        except (OSError, ValueError):
            shown = set()
        key = f"{file_path}-{name}"
        if key in shown:
            sys.exit(0)
        shown.add(key)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            json.dump(sorted(shown), f)
        print(reminder, file=sys.stderr)
        sys.exit(2)
    sys.exit(0)


if __name__ == "__main__":
    main()
