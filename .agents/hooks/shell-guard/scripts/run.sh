#!/bin/sh
# Words are looked at, never run: globbing is off, and nothing is evaluated.
set -f
PATH=$PATH:/usr/bin:/bin
event=$(cat)
root=${AGENTS_HOOKS_PROJECT_DIR:-$PWD}

# The command, as its JSON text. Where it cannot be found the whole event is
# taken for it: a guard that cannot read must not wave through.
command=$(printf '%s\n' "$event" | sed -nE 's/.*"tool_input": *\{.*"command": *"(([^"\\]|\\.)*)".*/\1/p')
[ -n "$command" ] || command=$(printf '%s\n' "$event" | sed 's/[":]/ ; /g')

# Quotes away, what separates commands to a word of its own.
words=$(printf '%s\n' "$command" | sed -E 's/\\[nt]/ ; /g; s/\\"//g; s/'"'"'//g; s/\$\(|[;&|()`{}]/ ; /g')

refuse() {
	printf '%s\n' "$1" >&2
	exit 2
}

outside() { # outside PATH: is it the project as a whole, or outside of it?
	case $1 in
	"$root"/?*) case $1 in */..*) return 0 ;; *) return 1 ;; esac ;;
	/tmp/?* | /private/tmp/?* | /var/folders/?*) case $1 in */..*) return 0 ;; *) return 1 ;; esac ;;
	/* | '~'* | '$HOME'* | '${HOME}'* | .. | ../* | */..* | . | ./ | '*') return 0 ;;
	[A-Za-z]:*) return 0 ;;
	esac
	return 1
}

unformatted() { # unformatted [--cached]: Go files of the commit that gofmt would change
	git diff "$@" --name-only --diff-filter=d -z -- '*.go' 2>/dev/null | xargs -0 gofmt -l 2>/dev/null
}

commit() { # commit WORDS: what git commit is about to take in
	command -v gofmt >/dev/null 2>&1 || return 0
	cd "$(git rev-parse --show-toplevel 2>/dev/null || printf '%s' "$root")" || return 0
	case " $1 " in
	*' -a '* | *' -am '* | *' --all '*) files=$(unformatted HEAD) ;;
	*) files=$(unformatted --cached) ;;
	esac
	[ -z "$files" ] || refuse "git commit: run gofmt -w on these first:
$files"
}

check() { # check WORDS: one simple command
	set -- $1
	while :; do # what may stand before a command
		case ${1-} in
		sudo | command | exec | env | nohup | time | then | do | else | *=*) shift ;;
		*) break ;;
		esac
	done
	name=${1-}
	[ $# -gt 0 ] && shift
	case ${name##*/} in
	rm)
		r= f=
		for w in "$@"; do
			case $w in
			--recursive) r=1 ;;
			--force) f=1 ;;
			--*) ;;
			-*) case $w in *[rR]*) r=1 ;; esac; case $w in *f*) f=1 ;; esac ;;
			esac
		done
		[ -n "$r" ] && [ -n "$f" ] || return 0
		for w in "$@"; do
			case $w in -*) continue ;; esac
			outside "$w" && refuse "rm -rf $w is all of the project, or outside of it; name what is to go, or ask the person"
		done
		;;
	git)
		sub=
		for w in "$@"; do
			case $sub:$w in
			:push | :commit) sub=$w ;;
			push:--force | push:+*) refuse "git push $w rewrites what others have; push without it, or ask the person" ;;
			push:--*) ;;
			push:-*f*) refuse "git push $w rewrites what others have; push without it, or ask the person" ;;
			esac
		done
		[ "$sub" = commit ] && commit "$*"
		;;
	esac
	return 0
}

one=
for w in $words; do
	if [ "$w" = ';' ]; then
		check "$one"
		one=
	else
		one="$one $w"
	fi
done
check "$one"
exit 0
