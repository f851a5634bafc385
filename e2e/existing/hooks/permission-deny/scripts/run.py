#!/usr/bin/env python3
import json
import sys

request = json.load(sys.stdin)
command = request.get("tool_input", {}).get("command", "")
if request["tool_name"] == "Bash" and command.startswith("sudo "):
    print(json.dumps({"hookSpecificOutput": {
        "hookEventName": "PermissionRequest",
        "decision": {"behavior": "deny", "message": "sudo is never granted here"},
    }}))
