# block [REASON]: exit 2, the reason on stderr
sign
[ $# -eq 0 ] || printf '%s\n' "$1" >&2
exit 2
