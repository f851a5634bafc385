#!/usr/bin/env python3
import json
import subprocess
import sys

data = json.load(sys.stdin)
if data.get("tool_name") in ("Write", "Edit", "MultiEdit", "NotebookEdit"):
    branch = subprocess.run(["git", "symbolic-ref", "--short", "HEAD"], capture_output=True, text=True, cwd=data["cwd"]).stdout.strip()
    if branch in ("main", "master"):
        print(json.dumps({"systemMessage": f"You are editing on {branch}: make a branch first"}))
