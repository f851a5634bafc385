{ echo bg; } & 
wait
echo "after $?"
(exit 7) & p=$!
wait $p; echo "waited $?"
