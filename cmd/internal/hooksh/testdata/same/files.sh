# What a script keeps of its own, and what lies beside it.
here=$(cd "$(dirname "$0")" && pwd)
[ -f "$here/$(basename "$0")" ] && echo "beside $(basename "$0" .sh)"
tmp=$(mktemp) || exit 1
trap 'rm -f "$tmp"; [ -e "$tmp" ] || echo gone' EXIT
cat >"$tmp"
while read -r line; do
  case $line in *--force*) echo "in the file: $line" ;; esac
done <"$tmp"
mkdir -p a/b && mkdir -p a/b && echo made
mkdir a 2>/dev/null || echo "there already"
echo x >a/b/c
rm a/b 2>/dev/null || echo "a folder stays"
rm -f a/b/c a/b/none && echo removed
rm a/b/none 2>/dev/null || echo "nothing to remove"
[ -e a/b/c ] || echo "c is gone"
dirname a/b/c; dirname c; basename a/b/; basename c.txt .txt; basename c c
cat <<END | cat - | cat
last
END
echo err 2>/dev/null >/dev/stderr
echo out >/dev/stdout
exit 2
