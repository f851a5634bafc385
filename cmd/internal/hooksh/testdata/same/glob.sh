: >a1; : >a2; : >.hid
echo a* z* .h*
for f in a?; do echo "$f"; done
set -f; echo a*; set +f
echo ~ | cat >/dev/null && echo tilde
case abc in a[a-c]c) echo cls;; esac
