#!/usr/bin/env python3
import json
import os
import sys
from pathlib import Path


def main():
    data = json.load(sys.stdin)
    source = data.get("source", "unknown")
    if source not in ("startup", "resume", "clear"):
        return
    parts = [f"Session started: {source}"]
    notes = Path(os.environ.get("CLAUDE_PROJECT_DIR", data.get("cwd", "."))) / ".claude" / "OPEN.md"
    if notes.exists():
        parts.append(f"--- Open work from {notes.name} ---\n{notes.read_text().strip()}")
    print(json.dumps({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "\n".join(parts)}}))


if __name__ == "__main__":
    main()
