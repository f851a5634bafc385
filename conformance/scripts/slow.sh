# slow SECONDS: signs when it begins, and once more when it has ended
sign
sleep "$1"
mark "$ME:end"
exit 0
