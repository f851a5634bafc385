import json
import os
import sys

root = os.environ["CLAUDE_PLUGIN_ROOT"]
with open(os.path.join(root, "patterns.json")) as f:
    patterns = json.load(f)

event = json.load(sys.stdin)
command = event.get("tool_input", {}).get("command", "") if event.get("tool_name") == "Bash" else ""
for text, why in patterns.items():
    if text in command:
        print(why, file=sys.stderr)
        sys.exit(2)
