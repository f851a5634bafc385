#!/bin/sh
# The same comparison by another instrument: hyperfine, if it is installed.
#
#	sh bench/hyperfine.sh [HOOKS]
#
# Makes a home with HOOKS hook folders (default 100), one of which matches, and
# times the hook itself, the dispatcher with it, and an empty Go program.
set -eu
cd "$(dirname "$0")/.."
command -v hyperfine >/dev/null || { echo "hyperfine is not installed" >&2; exit 1; }
n=${1:-100}
lab=$(mktemp -d)
trap 'rm -rf "$lab"' EXIT
build() { CGO_ENABLED=0 go build -tags nethttpomithttp2 -trimpath -ldflags "-s -w" -o "$lab/$1" "$2"; }
build agents-hooks ./cmd/agents-hooks
build agents-hooks-run ./cmd/agents-hooks-run
build empty ./bench/empty
export HOME="$lab/home"
unset XDG_CONFIG_HOME XDG_STATE_HOME || :
hooks="$HOME/.config/agents/hooks"
mkdir -p "$hooks"
i=0
while [ "$i" -lt "$n" ]; do
  tool='WriteFile|EditFile'
  [ "$i" -gt 0 ] || tool='Shell|Bash'
  mkdir -p "$hooks/hook-$i/scripts"
  printf -- '---\nname: hook-%s\ndescription: one of many\ntrigger: pre-tool-call\nmatcher:\n  tool: %s\n---\n' "$i" "$tool" >"$hooks/hook-$i/HOOK.md"
  printf '#!/bin/sh\nread -r event\nexit 0\n' >"$hooks/hook-$i/scripts/run"
  chmod +x "$hooks/hook-$i/scripts/run"
  i=$((i + 1))
done
printf '{"session_id":"s","cwd":"%s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}' "$lab" >"$lab/event.json"
hyperfine -N --warmup 10 --runs 300 --input "$lab/event.json" \
  -n "the hook itself" "$hooks/hook-0/scripts/run" \
  -n "through agents-hooks-run, 1 of $n" "$lab/agents-hooks-run run --agent=claude-code" \
  -n "through agents-hooks, 1 of $n" "$lab/agents-hooks run --agent=claude-code" \
  -n "an empty Go program" "$lab/empty"
