read -r a b <<X
one two three
X
echo "$a|$b"
read -r ev; echo "${#ev}"
read -r more || echo "eof $?"
