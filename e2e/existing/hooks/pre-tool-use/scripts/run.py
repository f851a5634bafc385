#!/usr/bin/env python3
# /// script
# requires-python = ">=3.8"
# ///

import json
import re
import sys
from pathlib import Path


def is_env_file_access(tool_name, tool_input):
    if tool_name in ['Read', 'Edit', 'MultiEdit', 'Write', 'Bash']:
        if tool_name in ['Read', 'Edit', 'MultiEdit', 'Write']:
            file_path = tool_input.get('file_path', '')
            if '.env' in file_path and not file_path.endswith('.env.sample'):
                return True
        elif tool_name == 'Bash':
            command = tool_input.get('command', '')
            for pattern in [r'\b\.env\b(?!\.sample)', r'cat\s+.*\.env\b(?!\.sample)', r'echo\s+.*>\s*\.env\b(?!\.sample)']:
                if re.search(pattern, command):
                    return True
    return False


def main():
    try:
        input_data = json.load(sys.stdin)
        tool_name = input_data.get('tool_name', '')
        tool_input = input_data.get('tool_input', {})

        log_dir = Path.cwd() / 'logs'
        log_dir.mkdir(parents=True, exist_ok=True)
        log_path = log_dir / 'pre_tool_use.json'
        log_data = json.loads(log_path.read_text()) if log_path.exists() else []
        log_data.append(input_data)
        log_path.write_text(json.dumps(log_data, indent=2))

        if is_env_file_access(tool_name, tool_input):
            print("BLOCKED: Access to .env files containing sensitive data is prohibited", file=sys.stderr)
            print("Use .env.sample for template files instead", file=sys.stderr)
            sys.exit(2)

        sys.exit(0)
    except json.JSONDecodeError:
        sys.exit(0)
    except Exception:
        sys.exit(0)


if __name__ == '__main__':
    main()
