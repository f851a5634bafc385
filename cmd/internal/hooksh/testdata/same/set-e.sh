set -eu
ok() { false || true; echo ok; }
ok
if ! false; then echo neg; fi
x=${UNSET-default}; echo "$x"
y=$(false; echo sub)
echo "y=$y"
echo "$REALLY_UNSET"
echo never
