n=0
while IFS= read -r line; do n=$((n+1)); case $line in *tool_name*) v=${line#*: \"}; v=${v%%\"*}; echo "tool=$v";; esac; done
echo "lines=$n"
