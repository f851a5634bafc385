# The event by the name of the stream.
event=$(cat /dev/stdin)
case $event in *"git push --force"*) echo "found by cat" ;; esac
printf '%s\n' "$event" | while IFS= read -r line; do echo "<$line>"; done
printf 'a b\n' | cat /dev/stdin
exit 2
