name="O'Brien \$x `echo sub`"
cat <<END
{"reason": "hello $name $((1+2))"}
END
cat <<-'END'
	tabs $gone
	END
