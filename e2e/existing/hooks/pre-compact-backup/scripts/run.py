#!/usr/bin/env python3
import json
import os
import shutil
import sys
from datetime import datetime

event = json.load(sys.stdin)
os.makedirs("logs", exist_ok=True)
trigger = event.get("trigger", "unknown")
with open("logs/compactions.log", "a") as log:
    log.write(f"{datetime.now():%Y-%m-%d %H:%M:%S} {event['session_id']} {trigger}\n")
path = event.get("transcript_path")
if path and os.path.exists(path):
    os.makedirs("logs/transcript_backups", exist_ok=True)
    shutil.copy2(path, f"logs/transcript_backups/pre_compact_{trigger}.jsonl")
