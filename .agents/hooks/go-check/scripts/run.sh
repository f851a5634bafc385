#!/bin/sh
# The spelling of the event is promised (spec/SPEC.md#hm-io-10): one line, ": "
# after each name. The last file_path is the one of tool_input. A quote inside a
# path would come as \" and end the match early; then the file is not found, and
# there is nothing to check.
PATH=$PATH:/usr/bin:/bin
event=$(cat)
file=$(printf '%s\n' "$event" | sed -n 's/.*"file_path": *"\([^"\\]*\.go\)".*/\1/p')
command -v gofmt >/dev/null 2>&1 || exit 0
[ -f "$file" ] || exit 0

if ! unformatted=$(gofmt -l "$file" 2>&1) || [ -n "$unformatted" ]; then
	printf 'gofmt does not like this file; run gofmt -w on it:\n%s\n' "$unformatted" >&2
	exit 2
fi

case $file in */testdata/*) exit 0 ;; esac
cd "$(dirname "$file")" || exit 0
if ! complaints=$(go vet . 2>&1); then
	printf 'go vet:\n%s\n' "$complaints" | head -n 30 >&2
	exit 2
fi
