#!/bin/sh
PATH=$PATH:/usr/bin:/bin
cat >/dev/null # the event says nothing that is needed here
cd "${AGENTS_HOOKS_PROJECT_DIR:-.}" || exit 0
command -v go >/dev/null 2>&1 && command -v git >/dev/null 2>&1 || exit 0

changed=$(
	git -c core.quotePath=false diff HEAD --name-only --relative --diff-filter=d -- '*.go' 2>/dev/null
	git -c core.quotePath=false ls-files --others --exclude-standard -- '*.go' 2>/dev/null
)
changed=$(printf '%s\n' "$changed" | grep -v '^$' | grep -v '/testdata/' | sort -u)
[ -n "$changed" ] || exit 0

say() { # say WHAT TEXT: feedback to the agent
	printf '%s:\n%s\n' "$1" "$2" | head -n 40 >&2
	exit 2
}

# One name a line; none of ours has a line break in it.
IFS='
'
set -f
unformatted=$(gofmt -l $changed 2>&1)
[ -z "$unformatted" ] || say 'not formatted, run gofmt -w on' "$unformatted"
complaints=$(go build ./... 2>&1) || say 'does not build' "$complaints"
packages=$(for file in $changed; do dirname "./$file"; done | sort -u)
complaints=$(go vet $packages 2>&1) || say 'go vet' "$complaints"
exit 0
