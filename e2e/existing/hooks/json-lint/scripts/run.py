#!/usr/bin/env python3
import json
import os
import sys

payload = json.load(sys.stdin)
path = payload.get("tool_input", {}).get("file_path", "")
if payload.get("tool_name") not in ("Write", "Edit", "MultiEdit") or not path.endswith(".json"):
    sys.exit(0)
if not os.path.isabs(path):
    path = os.path.join(payload.get("cwd", "."), path)
try:
    with open(path) as f:
        json.load(f)
except ValueError as e:
    print(json.dumps({"decision": "block", "reason": f"{os.path.basename(path)} is not valid JSON: {e}. Fix it."}))
except OSError:
    pass
