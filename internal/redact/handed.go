package redact

import "strings"

// fedTo are programs that read a password from their input: words that stand in the
// command, the sign that it does, and where in what it is given the secret "*" is. It
// is given by echo or printf before a pipe, or behind "<<<".
var fedTo = [...]kind{
	{"password", "--password-stdin *", "echo hunter2 | docker login -u me --password-stdin", "cat pw.txt | docker login -u me --password-stdin"},
	{"password", "sudo -S *", "echo 'hunter2' | sudo -S ls", "echo hunter2 | sudo tee x -S"},
	{"password", "passwd --stdin *", "echo hunter2 | passwd --stdin me", "echo $PW | passwd --stdin me"},
	{"password", "gpg --passphrase-fd *", "printf '%s' hunter2 | gpg --batch --passphrase-fd 0 -d x", "gpg --batch --passphrase-fd 0 -d x < pw.txt"},
	{"secret", "gh --with-token *", "gh auth login --with-token <<< hunter2", "gh auth login --with-token < file"},
	{"password", "chpasswd *:*", "chpasswd <<< me:hunter2", "chpasswd < users.txt"},
}

// placed are programs that take a password as one of their words: the program, what has
// to stand among its words, and which of those that are no option it is, counted from
// there.
var placed = [...]kind{
	{"password", "htpasswd -*b 3", "htpasswd -cb file me hunter2", "htpasswd -c file me hunter2"},
	{"password", "htpasswd -*n*b 2", "htpasswd -nbB me hunter2", "htpasswd -nB me"},
	{"password", `net use \\ 2`, `net use x: \\host\share hunter2 /user:me`, `net use x: \\host\share /user:me`},
	{"secret", "wandb login 1", "wandb login {h40}", "wandb login failed"},
	{"secret", "cargo login 1", "cargo login {24}", "cargo login failed"},
	{"password", "rabbitmqctl add_user 2", "rabbitmqctl add_user me hunter2", "rabbitmqctl add_user me"},
	{"password", "rabbitmqctl change_password 2", "rabbitmqctl change_password me hunter2", "rabbitmqctl change_password me"},
	{"password", "rabbitmqctl authenticate_user 2", "rabbitmqctl authenticate_user me hunter2", "rabbitmqctl authenticate_user me"},
	{"password", "wpa_passphrase 2", "wpa_passphrase net hunter22", "wpa_passphrase net"},
	{"password", "convertto-securestring 1", "ConvertTo-SecureString -String 'hunter2' -AsPlainText -Force", "ConvertTo-SecureString $pw -AsPlainText"},
	{"password", "identified by 1", "CREATE USER me IDENTIFIED BY 'hunter2'", "a row is identified by 'order'"},
	{"password", "identified with * by 1", "ALTER USER me IDENTIFIED WITH x_plugin BY 'hunter2'", "a row is identified with care by 'order'"},
	{"secret", "mc alias set 4", "mc alias set s3 https://x me hunter22", "mc alias set s3 https://x"},
	{"password", "bw login 2", "bw login me hunter22", "bw login me"},
	{"password", "snmp-server community 1", "snmp-server community hunter22 RO", "snmp-server community public RO"},
	{"password", "bw unlock 1", "bw unlock hunter22", "bw unlock now"},
	{"password", "net user 2", "net user me hunter2 /add", "net user numbers hunter2 and more"},
}

// mostHanded bounds how far is looked for what a program is given, in bytes.
const mostHanded = 512

// input is what a command is given whose sign for that begins at s[i].
func (sc *scan) input(i int) cut {
	for k := range fedTo {
		words, where := fedTo[k].expr, "*"
		if words, where = words[:strings.LastIndexByte(words, ' ')], words[strings.LastIndexByte(words, ' ')+1:]; !sc.has(&fedTo[k]) {
			continue
		}
		program, sign := "", words
		if at := strings.LastIndexByte(words, ' '); at >= 0 {
			program, sign = words[:at], words[at+1:]
		}
		end := i + len(sign)
		if !strings.HasPrefix(sc.s[i:], sign) || end < len(sc.s) && nameByte(sc.s[end]) || !sc.runs(program, i) {
			continue
		}
		if program == "sudo" && !strings.HasSuffix(strings.TrimRight(sc.s[:i], " "), "sudo") {
			continue // of the command that it runs
		}
		from, to := sc.hereString(end)
		if from == to {
			from, to = sc.echoed()
		}
		if n := strings.IndexByte(sc.s[from:to], ':'); where == "*:*" {
			from += n + 1
			if n < 0 {
				continue
			}
		}
		if sc.handedSecret(from, to) {
			return cut{from, to, &fedTo[k]}
		}
	}
	return cut{}
}

// hereString is the word behind "<<<" in the command that goes on at s[i].
func (sc *scan) hereString(i int) (from, to int) {
	rest, _, _ := strings.Cut(sc.s[i:min(len(sc.s), i+mostHanded)], "\n")
	n := strings.Index(rest, "<<<")
	if n < 0 {
		return i, i
	}
	from, to, _ = sc.wordAt(skipBlanks(sc.s, i+n+len("<<<")))
	return from, to
}

// echoed is what echo or printf says before the pipe that leads to this command.
func (sc *scan) echoed() (from, to int) {
	pipe := sc.command - 1
	if pipe < 1 || pipe > len(sc.s) || sc.s[pipe] != '|' || pipe < sc.last {
		return 0, 0
	}
	least := max(sc.last, pipe-mostHanded)
	if n := strings.LastIndexByte(sc.s[least:pipe], '\n'); n >= 0 {
		least += n + 1
	}
	at := -1
	for _, word := range [...]string{"echo ", "printf "} {
		if n := strings.LastIndex(sc.s[least:pipe], word); n >= 0 && (least+n == 0 || !nameByte(sc.s[least+n-1])) {
			at = max(at, least+n+len(word))
		}
	}
	if at < 0 {
		return 0, 0
	}
	for {
		from, to, next := sc.wordAt(skipBlanks(sc.s, at))
		if to >= pipe || from == to || sc.s[from] != '-' && !strings.Contains(sc.s[from:to], "%s") {
			break
		}
		at = next
	}
	end := pipe
	for end > at && sc.s[end-1] == ' ' {
		end--
	}
	at = skipBlanks(sc.s, at)
	if end-at > 1 && strings.IndexByte("\"'", sc.s[at]) >= 0 && sc.s[end-1] == sc.s[at] {
		return at + 1, end - 1
	}
	if end < at || strings.ContainsAny(sc.s[at:end], ";&|<>") {
		return 0, 0 // it says it to another command
	}
	return at, end
}

// wordAt is the word that begins at s[i], without its quotes, and where the next may begin.
func (sc *scan) wordAt(i int) (from, to, next int) {
	if i < len(sc.s) && strings.IndexByte("\"'", sc.s[i]) >= 0 {
		if n := strings.IndexByte(sc.s[i+1:min(len(sc.s), i+1+mostHanded)], sc.s[i]); n >= 0 {
			return i + 1, i + 1 + n, i + n + 2
		}
	}
	for to = i; to < len(sc.s) && to-i < mostHanded && strings.IndexByte(" \t\r\n;&|<>\"'`", sc.s[to]) < 0; to++ {
	}
	return i, to, to
}

// handedSecret reports whether s[from:to] may be a secret that a program is given.
func (sc *scan) handedSecret(from, to int) bool {
	if to-from < 3 || from < sc.last {
		return false
	}
	v := sc.s[from:to]
	return !reference(v) && !plain(v) && !capitals(v) && !strings.Contains(v, policies[Memory].prefix) && !strings.Contains(v, Mark)
}

// place is the password among the words of a program whose name begins at s[i].
func (sc *scan) place(i int) cut {
	if c := fold(sc.s[i]); strings.IndexByte("hnwcsrimb", c) < 0 || i > 0 && nameByte(sc.s[i-1]) {
		return cut{}
	}
	for k := range placed {
		if placed[k].expr[0] != fold(sc.s[i]) {
			continue
		}
		name, rest, _ := strings.Cut(placed[k].expr, " ")
		if !foldPrefix(sc.s[i:], name) || !sc.has(&placed[k]) {
			continue
		}
		at := i + len(name)
		if foldPrefix(sc.s[at:], ".exe") {
			at += len(".exe")
		}
		if at == len(sc.s) || sc.s[at] != ' ' {
			continue
		}
		if from, to := sc.placeOf(rest, at); sc.handedSecret(from, to) && sc.meant(name, from, to) {
			return cut{from, to, &placed[k]}
		}
	}
	return cut{}
}

// placeOf is the word that a row of placed names, of the command that goes on at s[i].
func (sc *scan) placeOf(row string, i int) (from, to int) {
	fields := strings.Fields(row)
	n := int(fields[len(fields)-1][0] - '0')
	signs := fields[:len(fields)-1]
	operands, options := 0, 0
	for end := i + mostHanded; i < len(sc.s) && i < end && (sc.s[i] == ' ' || sc.s[i] == '\t'); {
		at, stop, next := sc.wordAt(skipBlanks(sc.s, i))
		if next == i || at == stop {
			break
		}
		i = next
		word := sc.s[at:stop]
		option := word[0] == '-' || word[0] == '/'
		if option {
			options++
		}
		switch {
		case len(signs) > 0 && signed(word, signs[0]):
			if signs = signs[1:]; len(signs) == 0 && !option && signed(word, `\\`) {
				operands++ // it is one itself
			}
		case len(signs) > 0 && signs[0][0] != '-' && signs[0][0] != '\\':
			return 0, 0 // another verb
		case len(signs) > 0 || option:
		default:
			if operands++; operands == n {
				from, to = at, stop
			}
		}
	}
	if row == "user 2" && options == 0 { // net user, and no sentence
		return 0, 0
	}
	return from, to
}

// signed reports whether a word is what a row asks for: itself, the beginning of a share,
// or a cluster of options with letters.
func signed(word, sign string) bool {
	switch {
	case sign == "*":
		return true
	case sign == `\\`:
		return strings.HasPrefix(word, sign)
	case sign[0] != '-':
		return strings.EqualFold(word, sign)
	case word[0] != '-' || strings.HasPrefix(word, "--"):
		return false
	}
	for _, letter := range strings.Split(sign, "*")[1:] {
		if !strings.Contains(word, letter) {
			return false
		}
	}
	return strings.Contains(sign, "n") == strings.Contains(word, "n")
}

// meant reports whether the words of a program are no sentence: of SQL there is the statement, and
// a token that a program is given, or a password without quotes, has a digit.
func (sc *scan) meant(name string, from, to int) bool {
	switch name {
	case "identified":
		before := strings.ToLower(sc.s[max(0, from-256):from])
		for _, statement := range [...]string{"create user", "alter user", "create role", "alter role", "grant ", "create login", "if not exists"} {
			if strings.Contains(before, statement) {
				return true
			}
		}
		return false
	case "htpasswd", "net", "rabbitmqctl", "convertto-securestring":
		return true
	}
	v := sc.s[from:to]
	return hasDigit(v) && len(v) >= 8 || name == "wpa_passphrase" && strings.IndexByte("\"'", sc.s[from-1]) >= 0
}

// handedTo are calls that are given a name and a password.
var handedTo = [...]kind{
	{"password", "auth", "requests.get(u, auth=('svc', 'kR9-tz!Qm2'))", "auth=('user', 'password')"},
	{"password", "httpbasicauth", "HTTPBasicAuth('svc', 'kR9-tz!Qm2')", "HTTPBasicAuth(user, password)"},
	{"password", "basicauth", "BasicAuth(\"svc\", \"kR9-tz!Qm2\")", "BasicAuth(user, password)"},
	{"password", "setbasicauth", "req.SetBasicAuth(\"svc\", \"kR9-tz!Qm2\")", "req.SetBasicAuth(user, pass)"},
	{"password", "basic_auth", "basic_auth('svc', 'kR9-tz!Qm2')", "basic_auth('svc', os.environ['X1'])"},
}

// handed is the password that a call at s[i] is given in quotes, behind a name in quotes.
func (sc *scan) handed(i int) cut {
	if strings.IndexByte("ahbs", fold(sc.s[i])) < 0 {
		return cut{} // nearly all words
	}
	for k := range handedTo {
		word, s := handedTo[k].expr, sc.s
		at := i + len(word)
		if fold(s[i]) != word[0] || !foldPrefix(s[i:], word) || at >= len(s) || nameByte(s[at]) || !sc.has(&handedTo[k]) {
			continue
		}
		for at < len(s) && strings.IndexByte(" =:(", s[at]) >= 0 {
			at++
		}
		if s[min(at, len(s)-1)] != '"' && s[min(at, len(s)-1)] != '\'' || s[at-1] != '(' {
			continue
		}
		_, to, q := sc.valueRange(at, tight)
		if !q {
			continue
		}
		rest := strings.TrimLeft(s[min(to+1, len(s)):], " ")
		if !strings.HasPrefix(rest, ",") {
			continue
		}
		from, end, q := sc.valueRange(skipBlanks(s, len(s)-len(rest)+1), tight)
		if v := s[from:end]; q && len(v) >= 6 && hasDigit(v) && !reference(v) && !method(v) && sc.p.markAt(s[from:]) == 0 && (!sc.p.samples || !madeUp(v)) {
			return cut{from, end, &handedTo[k]}
		}
	}
	return cut{}
}
