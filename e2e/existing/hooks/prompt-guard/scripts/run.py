#!/usr/bin/env python3
import json
import re
import sys

try:
    input_data = json.load(sys.stdin)
except json.JSONDecodeError as e:
    print(f"Error: Invalid JSON input: {e}", file=sys.stderr)
    sys.exit(1)

prompt = input_data.get("prompt", "")
if re.search(r"(?i)\b(password|secret|token)\s*[:=]", prompt):
    print(json.dumps({
        "decision": "block",
        "reason": "Security policy violation: the prompt contains credentials. Rephrase it without them.",
    }))
    sys.exit(0)
sys.exit(0)
