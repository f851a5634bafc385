package redact

// names are what a secret is called where it stands behind its name: in an
// assignment (DB_PASSWORD=x, "apiKey": "x", token := `x`), behind an option
// (--token x) or in a sentence (the password is x). A name is read in lower case
// with "_" between its words, whether they were told apart by capitals, "-", "."
// or "_". "*" stands for anything, "_" in front for the beginning of a word.
//
// How sure a name is says what it takes to be its value:
//
//	"+"  any value of three characters
//	"="  a value that looks like no word, or any in quotes (policy short)
//	"?"  only what looks drawn by lot, of sixteen characters
var names = [...]kind{
	{"password", `+*password*`, "DB_PASSWORD: s3cr3t!", "password_file=/run/x"},
	{"password", `+*passwd*`, `passwd = "two words"`, "passwd: required"},
	{"password", `+*passphrase*`, "passphrase=correct-horse", "passphrase=$PHRASE"},
	{"password", `+*passcode`, "passcode: 271828", "passcode: <six digits>"},
	{"password", `+dbpass`, "DBPASS=hunter2", "dbpassage=north2"},
	{"password", `+sshpass`, "SSHPASS=l0gm3in", "sshpass: not found"},
	{"password", `+_pass`, "DB_PASS=hunter2", "compass=north2"},
	{"password", `+*pwd`, "Pwd=hunter2;", "PWD=/home/me"},
	{"password", `+*requirepass`, "requirepass f00bared-1", "requirepass foobared"},
	{"password", `+_pw`, "ldap_bind_pw=bindMe99", "pw := load(path)"},
	{"password", `+_passw`, "passw=hunter2", "passw=%s"},
	{"password", `+*passwort*`, "Das Passwort ist hunter22", "Passwort: siehe Safe"},
	{"password", `+*kennwort*`, "Kennwort: hunter2", "Kennwort: siehe Safe"},
	{"password", `+*wachtwoord*`, "wachtwoord: hunter2", "wachtwoord: zie kluis"},
	{"password", `+*mot_de_passe`, "mot de passe : hunter2", "mot de passe : voir le coffre"},
	{"password", `+*motdepasse`, "motdepasse=hunter2", "motdepasse=%s"},
	{"password", `+*contrasena`, "contrasena: hunter2", "contrasena: obligatoria y larga"},
	{"password", `+_senha`, "senha: hunter2", "senha: veja o cofre"},
	{"password", `+_psk`, "psk=hunter2pw", "psk=$PSK"},
	{"secret", `?*jsessionid`, "JSESSIONID={h32}", "JSESSIONID=none"},
	{"secret", `?*sessid`, "PHPSESSID={26}", "PHPSESSID=deleted"},
	{"secret", `?*asp_net_session_id`, "ASP.NET_SessionId={24}", "ASP.NET_SessionId=none"},
	{"secret", `?_sess`, "_gh_sess={40}", "_gh_sess=none"},
	{"secret", `=*secret*`, "client_secret={40}", "secretName: app-config-1"},
	{"secret", `=*token`, "access_token={32}", "max_tokens=4096"},
	{"secret", `=*api_key`, "API_KEY=abc123def456", "api_key: string"},
	{"secret", `=*apikey`, `apikey="abc123def456"`, "apikey: null"},
	{"secret", `=*access_key`, "access_key=abc123def456", "access_key=${KEY}"},
	{"secret", `=*accesskey`, "accesskey=abc123def456", "accesskey=${KEY}"},
	{"secret", `=*account_key`, "AccountKey=abc123def456", "AccountKey=$1"},
	{"secret", `=*auth_key`, "auth_key=abc123def456", "auth_key=%s"},
	{"secret", `=*authkey`, "authkey=abc123def456", "authkey=%s"},
	{"secret", `=*encryption_key`, "encryption_key=abc123def456", "encryption_key=nil"},
	{"secret", `=*license_key`, "license_key: 'AB12-CD34-EF56'", "license_key: none"},
	{"secret", `=*licence_key`, "licence key: 'AB12-CD34-EF56'", "licence key: none"},
	{"secret", `=*product_key`, "product key: LS1PF-H0U5U-SCBLH-BUREQ", "product key: sku"},
	{"secret", `=*master_key`, "master_key=abc123def456", "master_key=nil"},
	{"secret", `=*private_key`, "private_key=abc123def456", "private_key: <pem>"},
	{"secret", `=*privatekey`, "privatekey=abc123def456", "privatekey: <pem>"},
	{"secret", `=*signing_key`, "signing_key=abc123def456", "signing_key=nil"},
	{"secret", `=*credential`, "credential=abc123def456", "credential=none"},
	{"secret", `=*credentials`, "credentials=abc123def456", "credentials=true"},
	{"secret", `?_unseal`, "vault operator unseal {44}", "unseal the vault after 12 hours"},
	{"password", `+*shared_key`, "VPN preshared key: maple-58-raft", "pre-shared key: see the safe"},
	{"secret", `=*storage_key`, "storage key: abc123def456", "storage key: none"},
	{"secret", `=*unseal_key`, "Unseal Key 1: {44}", "unseal key: see the safe"},
	{"secret", `=*recovery_key`, "recovery key: abc123def456", "recovery key: in the safe"},
	{"secret", `=*recovery_code`, "recovery code: 7f3a9-c21d8", "recovery code: see the wiki"},
	{"password", `+_otp`, `otp: "493817"`, "otp: string"},
	{"secret", `?*key`, "bucket_key={24}", "primary_key=customer_id"},
	{"secret", `?*auth`, "user_auth={40}", "auth=basic"},
	{"secret", `?_creds`, "creds = {30}", "creds = load(path)"},
	{"secret", `?_sig`, "sig={24}%3D", "sig=SIGTERM"},
	{"secret", `?_signature`, "Signature={40}", "signature=invalid"},
	{"secret", `?_session`, "session={32}", "session=none"},
	{"secret", `?_sessionid`, "sessionid={32}", "sessionid=none"},
	{"secret", `?_sid`, "sid={32}", "sid=17"},
	{"secret", `?_sk`, "SK: {32}", "sk: 17"},
	{"secret", `?_ak`, "AK={24}", "AK=47"},
	{"secret", `?_pat`, "pat: {40}", "pat: 1"},
	{"secret", `?*webhook*`, "webhook = {32}", "webhook = on"},
	{"secret", `?*bearer`, "bearer: {32}", "bearer: of bad news"},
	{"secret", `+*contribsys*`, "BUNDLE_GEMS__CONTRIBSYS__COM: cafe1234:beef5678", "BUNDLE_GEMS__CONTRIBSYS__COM: $GEMS"},
	{"secret", `?*sonar_login`, "sonar.login={h40}", "sonar.login=admin"},
	{"secret", `?*artifactory`, `"artifactory", "{64}"`, `"artifactory", "local"`},
	{"secret", `?*cloudflare`, `cloudflare: "{40}"`, `cloudflare: "on"`},
	{"secret", `?*sourcegraph`, "sourcegraph: {h40}", "sourcegraph: 5.2"},
	{"secret", `?*mailchimp*`, "mailchimp: {h32}", "mailchimp: v3"},
}

// tails are how a name ends that tells of a secret and does not hold it.
const tails = " file path paths url uri endpoint name names id ids length len size type policy field hint count ttl expiry expires at enabled required reset prompt env var variable provider manager store format version prefix dir label class selector audience kind ref rotation location lifetime scope scopes max min limit index header param generator validator callback error message title placeholder input regex pattern strength "

// headers are names of HTTP headers whose value is a secret up to the end of its
// line or quote. Of a value with a scheme (Bearer x) the scheme stays where the
// policy says so; a cookie is one for the log alone, which keeps no input.
var headers = [...]kind{
	{"authorization", `authorization`, `{"authorization": "Basic Zm9vOmJhcg=="}`, `Authorization: Bearer <token>`},
	{"authorization", `proxy-authorization`, "proxy-authorization: Digest a=b", "proxy-authorization: $AUTH"},
	{"authorization", `x-api-key`, "X-Api-Key: abc", "X-Api-Key: $KEY"},
	{"authorization", `private-token`, "PRIVATE-TOKEN: abc", "PRIVATE-TOKEN: <your token>"},
	{"authorization", `x-auth-token`, "X-Auth-Token: abc", "X-Auth-Token: <your token>"},
	{"authorization", `ocp-apim-subscription-key`, "Ocp-Apim-Subscription-Key: abc", "Ocp-Apim-Subscription-Key: $KEY"},
	{"cookie", `cookie`, "Cookie: sid=1; theme=dark", "Cookie: <cookie>"},
	{"cookie", `set-cookie`, "Set-Cookie: sid=1; Path=/", "Set-Cookie: $COOKIE"},
}

// schemes are words in front of what a header holds, wherever it stands.
var schemes = [...]kind{
	{"bearer", `bearer`, "sent Bearer abcdef0123456789", "the bearer authentication of it"},
	{"basic", `auth plain`, "AUTH PLAIN AGJvAGh1bnRlcjI=", "AUTH PLAIN LOGIN"},
	{"basic", `basic`, "sent Basic dXNlcjpodW50ZXIy", "with basic authentication"},
}

// options are options of programs that take a password: words that stand in the
// command, the option, and where in its value, the next word or what follows "=",
// the secret "*" is. Without a blank the value stands at the option itself.
var options = [...]kind{
	{"password", "curl -u *:*", "curl -u me:hunter2 https://x", "docker run -u 1000:1000 x"},
	{"password", "curl -u*:*", "curl -ume:hunter2 https://x", "curl -ume https://x"},
	{"password", "curl --user *:*", "curl --user me:hunter2 https://x", "curl --user me https://x"},
	{"password", "curl --proxy-user *:*", "curl --proxy-user me:hunter2 https://x", "curl --proxy-user me https://x"},
	{"password", "curl -U *:*", "curl -U me:hunter2 https://x", "curl -U me https://x"},
	{"password", "http -a *:*", "http -a me:hunter2 x.org", "http -a me x.org"},
	{"password", "https -a *:*", "https -a me:hunter2 x.org", "https -a me x.org"},
	{"password", "mysql -p*", "mysql -u root -phunter2 db", "mysql -u root -p db"},
	{"password", "mysqldump -p*", "mysqldump -phunter2 db", "mysqldump -p db"},
	{"password", "mysqladmin -p*", "mysqladmin -phunter2 ping", "mysqladmin -p ping"},
	{"password", "mariadb -p*", "mariadb -phunter2 db", "mariadb -p db"},
	{"password", "7z -p*", "7z a -phunter2 x.7z", "7z a -p x.7z"},
	{"password", "sshpass -p *", "sshpass -p hunter2 ssh me@h", "sshpass -e ssh -p 2222 me@h"},
	{"password", "sshpass -p*", "sshpass -phunter2 ssh me@h", "sshpass -f x ssh me@h"},
	{"password", "docker login -p *", "docker login -u me -p hunter2 reg", "docker run -p 8080:80 x"},
	{"password", "podman login -p *", "podman login -u me -p hunter2 reg", "podman run -p 8080:80 x"},
	{"password", "helm login -p *", "helm registry login -u me -p hunter2 reg", "helm install -p x"},
	{"password", "az login -p *", "az login -u me -p hunter2", "az group list -p"},
	{"password", "oc login -p *", "oc login -u me -p hunter2", "oc get -p"},
	{"password", "mongo -p *", "mongo -u me -p hunter2 db", "mongo -u me -p"},
	{"password", "mongosh -p *", "mongosh -u me -p hunter2 db", "mongosh -u me -p"},
	{"password", "mongodump -p *", "mongodump -u me -p hunter2", "mongodump -u me -p"},
	{"password", "redis-cli -a *", "redis-cli -a hunter2 ping", "redis-cli -h h ping"},
	{"password", "sqlcmd -P *", "sqlcmd -U sa -P hunter2", "sqlcmd -U sa -P"},
	{"password", "bcp -P *", "bcp t out f -U sa -P hunter2", "bcp t out f -U sa -P"},
	{"password", "zip -P *", "zip -P hunter2 x.zip y", "zip -r x.zip y"},
	{"password", "unzip -P *", "unzip -P hunter2 x.zip", "unzip -o x.zip"},
	{"password", "ldapsearch -w *", "ldapsearch -D cn=x -w hunter2", "ldapsearch -D cn=x -W"},
	{"password", "smbclient -U *%*", "smbclient //h/s -U me%hunter2", "smbclient //h/s -U me"},
	{"password", "openssl -k *", "openssl enc -aes256 -k hunter2 -in x", "openssl enc -kfile k.txt -in x"},
	{"password", "openssl -pass pass:*", "openssl enc -pass pass:hunter2 -in x", "openssl enc -pass file:k.txt -in x"},
	{"password", "openssl -passin pass:*", "openssl rsa -in k.pem -passin pass:hunterBXq", "openssl rsa -in k.pem -passin env:PW"},
	{"password", "openssl -passout pass:*", "openssl genrsa -passout pass:hunterBXq -out x", "openssl genrsa -passout file:k.txt"},
	{"password", "keytool -storepass *", "keytool -list -storepass hunter2", "keytool -list -keystore x"},
	{"password", "keytool -keypass *", "keytool -list -keypass hunter2", "keytool -list -keystore x"},
	{"password", "keytool -srcstorepass *", "keytool -importkeystore -srcstorepass hunter2", "keytool -importkeystore -srckeystore x"},
	{"password", "keytool -deststorepass *", "keytool -importkeystore -deststorepass hunter2", "keytool -importkeystore -destkeystore x"},
	{"password", "keytool -srckeypass *", "keytool -importkeystore -srckeypass hunter2", "keytool -importkeystore -srcalias x"},
	{"password", "keytool -destkeypass *", "keytool -importkeystore -destkeypass hunter2", "keytool -importkeystore -destalias x"},
	{"password", "snmpwalk -c *", "snmpwalk -v2c -c hunter2 h", "snmpwalk -v2c h"},
	{"secret", "kubeadm --token *", "kubeadm join h --token abcdef.a0b123cdefghij09", "kubeadm token list"},
	{"password", "ssh-keygen -N *", "ssh-keygen -t ed25519 -N 'hunter2' -f k", "ssh-keygen -t ed25519 -N '' -f k"},
	{"password", "ssh-keygen -P *", "ssh-keygen -p -P hunter2 -f k", "ssh-keygen -p -f k"},
	{"password", "useradd -p *", "useradd -m -p hunter2 me", "useradd -m me"},
	{"password", "usermod -p *", "usermod -p hunter2 me", "usermod -aG x me"},
	{"password", "ldapadd -w *", "ldapadd -D cn=x -w hunter2", "ldapadd -D cn=x -W"},
	{"password", "ldapmodify -w *", "ldapmodify -D cn=x -w hunter2", "ldapmodify -D cn=x -W"},
	{"password", "twine -p *", "twine upload -u me -p hunter2 dist/x", "twine upload -u me dist/x"},
	{"password", "cqlsh -p *", "cqlsh -u me -p hunter2", "cqlsh -u me h"},
	{"password", "mosquitto_pub -P *", "mosquitto_pub -u me -P hunter2 -t x", "mosquitto_pub -p 8883 -t x"},
	{"password", "mosquitto_sub -P *", "mosquitto_sub -u me -P hunter2 -t x", "mosquitto_sub -p 8883 -t x"},
	{"password", "rar -hp*", "rar a -hphunter2 x.rar y", "rar a x.rar y"},
	{"password", "unrar -p*", "unrar x -phunter2 x.rar", "unrar x -p x.rar"},
	{"password", "xfreerdp /p:*", "xfreerdp /u:me /p:hunter2", "xfreerdp /u:me /port:1"},
}

// words are what a secret is called where no name is in Latin letters, and what
// may stand between it and its value.
var words = [...]kind{
	{"password", "密码", "密码：hunter2", "密码错误，请重试"},
	{"password", "口令", "口令是 hunter2", "数据库用 PostgreSQL，口令由运维管理"},
	{"secret", "密钥", `密钥="k-12345"`, "密钥是什么？"},
	{"secret", "秘钥", "秘钥：k-12345", "秘钥是什么？"},
	{"secret", "私钥", "私钥：k-12345", "私钥在保险箱里"},
	{"secret", "令牌", "请用令牌 abcd-1234 访问", "令牌 expired"},
	{"secret", "凭证", "凭证：abcd-1234", "凭证 missing"},
	{"secret", "凭据", "凭据：abcd-1234", "凭据 missing"},
	{"secret", "授权码", "授权码：abcd1234", "授权码已过期"},
	{"password", "暗号", "暗号：hunter2", "暗号对不上"},
	{"password", "contrase|ña", "la contraseña es hunter2", "contraseña: obligatoria"},
	{"password", "has|ło", "hasło: hunter2", "hasło: wymagane"},
	{"password", "l|ösenord", "lösenordet är hunter2", "lösenord: krävs"},
	{"password", "şifre", "şifre: hunter2", "şifre: gerekli"},
	{"password", "пароль", "пароль: hunter2", "пароль: обязателен"},
	{"password", "パスワード", "パスワードは hunter2 です", "パスワードは必須"},
	{"password", "비밀번호", "비밀번호는 hunter2", "비밀번호는 필수"},
	{"password", "密碼", "密碼：hunter2", "密碼錯誤"},
}

var links = [...]string{"就是", "是", "为", "改成了", "改为了", "改成", "改为", "设成", "设为", "：", ":", "=", "＝", "→", "->", "es ", "ist ", "är ", "et är ", "это ", "は", "は ", "는 ", "는", " :", "jest "}

// wholes are what has a form of its own; each is found by the function that its
// expression names.
var wholes = [...]kind{
	{"pem", "-----BEGIN * PRIVATE KEY", "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb", "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----"},
	{"pem", "-----END * PRIVATE KEY", "MIIEowIBAAKCAQEA1234\nabcd\n-----END RSA PRIVATE KEY-----", "a line\n-----END PUBLIC KEY-----"},
	{"url-password", "://user:password@", "postgres://me:pw@db/x and https://h/p", "https://example.com/a@b"},
	{"password", "host:port:database:user:password", "db.shop.example:5432:orders:app:hunter2", "main.go:1234:12:error:unused"},
	{"password", "jdbc:oracle:thin:user/password@", "jdbc:oracle:thin:scott/tiger9@//h:1521/X", "jdbc:oracle:thin:@//h:1521/X"},
	{"url-password", "user:password@tcp(", "root:hunter2@tcp(127.0.0.1:3306)/db", "at@tcp(x)"},
	{"random", "drawn by lot", "key aB3kZ9qLm2Xw7Tn5Rv8Yc1Hd end", "getUserByIdFromDatabaseOrCacheV2"},
	{"private", "<private>", "a <private>x</private> b", "no tags < here >"},
	{"secret", "cookie: name=drawn by lot", "Cookie: theme=dark; sess_main={h32}", "Cookie: theme=dark; _ga=GA1.2.1234567890.1650000000"},
	{"private-key", "\"kty\" and \"d\"", `{"kty":"EC","x":"{43}","d":"{43}"}`, `{"d":"{8}"}`},
	{"password", "a line below", "initial password:\nLDg3CkvJsbAHDHY5\n", "set a password:\nmake passwd2 now"},
	{"password", "WIFI:T:WPA;S:net;P:x;;", "WIFI:T:WPA;S:net;P:hunter2;;", "wifi: the office has two"},
	{"private-key", "Private-Lines: n", "Private-Lines: 1\nAAAAIGx8bm9wZXFyc3R1dnd4eXow\nPrivate-MAC: 12", "Public-Lines: 1\nAAAAIGx8bm9wZXFyc3R1dnd4eXow"},
	{"aws-secret", "AKIA… and 40 more", "of Ann: AKIA{A16} / aB3/{36}", "of Ann: AKIA{A8} / aB3 and more"},
}
