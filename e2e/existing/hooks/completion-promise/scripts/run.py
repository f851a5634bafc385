#!/usr/bin/env python3
import json
import sys

hook_input = json.load(sys.stdin)
if hook_input.get("stop_hook_active"):
    sys.exit(0)
last = hook_input.get("last_assistant_message") or ""
if not last:
    sys.exit(0)
if "ALL TASKS COMPLETE" not in last:
    print(json.dumps({
        "decision": "block",
        "reason": "You have not said ALL TASKS COMPLETE. Look at the list again, and go on.",
        "systemMessage": "You have not said ALL TASKS COMPLETE: going on",
    }))
