echo one >f; echo two >>f; cat f; cat <f
{ echo e >&2; echo o; } 2>&1 | cat
echo gone 2>/dev/null >/dev/null
[ -f f ] && [ ! -d f ] && [ -s f ] && echo tests
[ -n "$HOME" -a 1 -eq 1 ] && echo and
cat nofile 2>/dev/null || echo "cat $?"
: >empty; [ -s empty ] || echo empty
