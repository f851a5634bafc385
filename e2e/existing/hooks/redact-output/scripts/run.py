#!/usr/bin/env python3
import json
import re
import sys

event = json.load(sys.stdin)
response = event.get("tool_response")
if event.get("tool_name") != "Bash" or not isinstance(response, dict):
    sys.exit(0)
stdout = response.get("stdout", "")
clean = re.sub(r"\d{4}-\d{4}-\d{4}", "[number]", stdout)
if clean != stdout:
    print(json.dumps({"hookSpecificOutput": {
        "hookEventName": "PostToolUse",
        "updatedToolOutput": {**response, "stdout": clean},
    }}))
