# What every script may say of the machine, and no hook is blocked by.
set -e
tmp=tmp.$$
trap 'rm -f "$tmp" 2>/dev/null || :' EXIT INT TERM HUP
umask 077
: >"$tmp"
[ -f "$tmp" ] && echo made
trap '' PIPE
trap - INT
echo end
