event=$(cat)
case "$event" in
  *'"command": "git push'*--force*|*'git push -f'*) echo "no force" >&2; exit 2 ;;
  *[!a-z]*) echo "other" ;;
  *) echo "plain" ;;
esac
