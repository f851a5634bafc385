f() { local x=1 2>/dev/null; x=in; echo "$1 $# $x"; return $2; }
x=out; f a 6; echo "$? $x"
g() { echo "$FUNCNEST$1"; [ "$1" -gt 0 ] && g $(($1-1)); }
g 2
h() ( cd / && exit 8 ); h; echo $?
