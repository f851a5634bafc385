printf '%s|%5d|%-5s|%05.1f|%x|%%\n' "a b" 42 ab 3.14159 255
printf '%b\n' 'a\tb\\n\0101'
printf '%s\n' one two three
printf '\\%s\\\n' "C:\\Users\\R&D"
printf '%c%c\n' abc def
printf '%.3s|%8.2s|%*d|%-*d|\n' abcdef xyz 5 42 4 7
printf '%o %X %i %u %e\n' 8 255 -3 7 12345.678
printf 'stop\cnever' ; echo
printf '%d\n' 0x1f 017 "'A"
