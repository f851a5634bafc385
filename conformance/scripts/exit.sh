# exit CODE [STDERR [STDOUT]]
sign
[ -z "${2-}" ] || printf '%s\n' "$2" >&2
[ -z "${3-}" ] || printf '%s\n' "$3"
exit "$1"
