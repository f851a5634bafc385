# unread [CODE]: does not read its stdin
mark "$ME"
exit "${1:-0}"
