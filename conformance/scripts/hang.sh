# hang: far longer than any limit of the suite; says when it was let go on
sign
sleep 300
mark "$ME:went-on"
exit 0
