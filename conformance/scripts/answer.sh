# answer JSON: an outcome, with exit 0
sign
printf '%s\n' "$1"
exit 0
