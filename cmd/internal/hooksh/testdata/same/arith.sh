i=0; while [ $i -lt 3 ]; do i=$((i+1)); [ $i -eq 2 ] && continue; echo $i; done
echo $((7/2)) $((7%3)) $((1<<4)) $((3>2&&1)) $((-5/2)) $((010)) $((0x1f))
for x in a b c; do for y in 1 2; do [ $y = 2 ] && continue 2; [ $x = c ] && break 2; echo $x$y; done; done
until [ $i -le 0 ]; do i=$((i-1)); done; echo "i=$i"
