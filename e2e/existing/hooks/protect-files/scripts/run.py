#!/usr/bin/env python3
import json, sys

PROTECTED = ['.env', 'package-lock.json', 'yarn.lock', '.git/']

data = json.load(sys.stdin)
path = data.get('tool_input', {}).get('file_path', '')

for p in PROTECTED:
    if p in path:
        print(f"Blocked: {p} is protected, do not edit it", file=sys.stderr)
        sys.exit(2)
sys.exit(0)
