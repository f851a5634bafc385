"""A dispatcher as people write one in Python: each HOOK.md is read, those that match run.

A yardstick of go run ./bench, no part of the product. It knows no trust, no time limit
and no answer but exit 2.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path


def front_matter(text):
    fields, parent = {}, ""
    for line in text.split("---", 2)[1].splitlines():
        key, _, value = line.partition(":")
        if not line.startswith(" "):
            parent = key
        fields[parent + "." + key.strip() if line.startswith(" ") else key] = value.strip()
    return fields


def hooks(folder):
    for file in sorted(folder.glob("*/HOOK.md")):
        fields = front_matter(file.read_text(encoding="utf-8"))
        yield int(fields.get("priority", 100)), file.parent / "scripts" / "run", fields


def main():
    payload = sys.stdin.read()
    event = json.loads(payload)
    config = Path(os.environ.get("XDG_CONFIG_HOME", Path.home() / ".config"))
    found = [*hooks(config / "agents" / "hooks"), *hooks(Path(event["cwd"]) / ".agents" / "hooks")]
    for _, script, fields in sorted(found, key=lambda hook: -hook[0]):
        if fields["trigger"] != "pre-tool-call" or not re.search(fields.get("matcher.tool", ""), "Shell"):
            continue
        done = subprocess.run([script], input=payload, text=True, capture_output=True)
        if done.returncode == 2:
            sys.exit(done.stderr or 2)


main()
