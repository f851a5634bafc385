# signal NAME: ends itself by a signal
sign
kill -s "$1" $$
sleep 300
