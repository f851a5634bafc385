package redact

import (
	"fmt"
	"strings"
	"testing"
)

// What a sentence, a pair, a cookie, a statement, a command or a word of another language says to
// be a secret goes; between « and » stands what must not be left.
// BM-SEC-01.
func TestSaidInOtherWays(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"Cookie: JSESSIONID=«{A32}»", "Cookie: lang=de; SESS_app=«{h32}»; theme=dark", "Set-Cookie: JSESSIONID=«{A32}»; Path=/; HttpOnly", "cookie: wordpress_logged_in_ab12=«{30}»", "curl -H 'Cookie: auth_id=«{32}»' https://x",
		"PHPSESSID=«{26}»", "ASP.NET_SessionId=«{24}»", "the cookie is JSESSIONID=«{h32}»", "_gh_sess=«{60}»", "Cookie: session=«{h8}-{h4}-{h4}-{h4}-{h12}»",
		"CREATE USER shop IDENTIFIED BY '«Wq7-ship»'", "ALTER USER 'a'@'%' IDENTIFIED WITH caching_sha2_password BY \"«Wq7ship»\"", "create user if not exists bo identified by '«rainy»'", "CREATE USER scott IDENTIFIED BY «Tig3rs»;", "GRANT ALL ON *.* TO 'x'@'h' IDENTIFIED BY '«Wq7ship»'",
		"CREATE ROLE app LOGIN PASSWORD '«rainyday»'", "CREATE LOGIN app WITH PASSWORD = '«Wq7-ship»'", "alter role app password '«Wq7ship»'", "SET PASSWORD FOR 'a'@'h' = '«Wq7-ship»'",
		"The password was changed to «Wq7shipX!»", "the root password has been set to «Wq7-shipX»", "password was changed from «Old7shipX!» to the new one", "password was changed from a1!bcdef to «New7shipX!»", "our wifi password is now «Wq7shipX»", "I reset the password to «Wq7shipX!»", "The password we use is «Wq7shipX!»", "The password/token we use: «Wq7shipX!»", "the password for it is still «Wq7shipX»", "new password: «Wq7shipX!»", "The passphrase on the server was rotated to «Wq7shipX!»", "the token we use now is «f9Kd-22Lq-x7Pz»",
		"credentials: admin / «Wq7shipX!»", "creds are admin:«Wq7ship»", "creds for staging: root / «Wq7shipX!»", "login admin/«Wq7shipX!»", "log in with admin / «Wq7shipX!»", "Login: deploy:«Wq7shipX»", "Zugangsdaten: admin / «Wq7shipX!»", "sign in as admin / «Wq7shipX!»", "user/password: admin/«Wq7shipX»",
		"creds for the lab are admin:«Wq7ship»", "password was changed from x to «Wq7shipX!»", "Passwort für das Lager: «Wq7ship»", "le mot de passe de la base est «Wq7ship»", "la contraseña de la base es «Wq7ship»", "PASSWORD = N'«Wq7-ship»'", "kubeadm join 10.0.0.1:6443 --token «abcdef.0123456789abcdef»", "snmp-server community «Wq7shipX» RO", "wpa_passphrase attic '«rainy-day»' > x",
		"ENV JWT_SECRET «Kd9_fw22LqZx»", "ENV API_TOKEN «f9Kd22Lqx7»", "setx API_KEY «f9Kd22Lqx7»", "gh secret set DEPLOY_TOKEN «f9Kd22Lqx7»",
		"wandb login «{h40}»", "cargo login «cio{32}»", "rabbitmqctl add_user bob «rainyday»", "sudo rabbitmqctl change_password bob '«rainy day»'", "ssh-keygen -t rsa -N '«rainy»' -f id", "$p = ConvertTo-SecureString '«Wq7-ship»' -AsPlainText -Force", "wpa_passphrase attic «rainyday9»", "WIFI:T:WPA;S:attic;P:«rainyday»;;", "WIFI:S:attic;T:WPA2;P:«rai\\;ny»;H:true;;", "useradd -m -p «Wq7ship» bo",
		"tts with «sk_{h48}»", "mail goes by «re_{8}_{24}»", "«access_token$production${h16}${h32}»", "pager «u+{18}»", "push AAAA{7}:«APA91b{134}»", "https://f.azurewebsites.net/api/x?code=«{52}==»",
		"PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: x\nPrivate-Lines: 1\n«AAAAIGx8bm9wZXFyc3R1dnd4eXowAbCd»\nPrivate-MAC: {h64}",
		"seed phrase: «copper violin harvest meadow lantern spiral walnut garden pepper rocket saddle timber»", "the mnemonic is \"«copper violin harvest meadow lantern spiral walnut garden pepper rocket saddle timber»\"", "recovery phrase:\n1. «copper» 2. violin 3. harvest 4. meadow 5. lantern 6. spiral 7. walnut 8. garden 9. pepper 10. rocket 11. saddle 12. timber", "助记词：«copper violin harvest meadow lantern spiral walnut garden pepper rocket saddle timber»",
		"Recovery phrase for the treasury Ledger: «ribbon velvet island copper thunder orbit gentle lemon walnut script canyon frozen»", "the seed phrase of the office is «ribbon velvet island copper thunder orbit gentle lemon walnut script canyon frozen»",
		"Keys of Ann: AKIA{A16} / «mOT/zNt1{32}»", "User bo signs with AKIA{A16} and secret «aB3/{36}»; rotate soon.", "密钥：MTAx{22}.GgQdvp.«SfF5PH5nLZjMeI8cFSmj{18}»", "Authorization: Bot OTAx{22}.GgQdvp.«SfF5PH5nLZjMeI8cFSmj{18}»", "client-key-data: «LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFWS{60}»", "openssl pkcs12 -export -passout pass:«hunterBXq»",
		"~/.pgpass: 10.0.0.4:5432:shop:writer:«Zebra-42!lamp»", "*:*:*:postgres:«lantern»", "cat ~/.pgpass\nlocalhost:5433:*:me:«pa55:word»\n", "echo 'h.example:6432:db:u:«pw12»' >> ~/.pgpass", "/var/run/postgresql:5432:shop:app:«geheim»",
		"root:«$6$abcdefgh${86}»:19000:0:99999:7:::", "hash is «$2y$10${53}».", "htpasswd line: bo:«$apr1${8}${22}»", "PASSWORD_HASH='«$argon2id$v=19$m=65536,t=3,p=4${22}${43}»'",
		"password → «hunter22»", "token -> «Zx81kk22pq»", "密码→«Lamp77xx»", "密码 -> «Lamp77xx»", "admin password ⇒ «Zebra42!x»",
		"AK: «9fKq2LxZt81mNb64Qw» SK: {30}", "AK 是 {24}，SK 是 «pQ7rT2vX9zB4nM6kL8jH3gF5d»", "access: ak={24}&sk=«pQ7rT2vX9zB4nM6kL8jH3gF5d»",
		"Passwort: «Wq7ship»", "Das Passwort ist «Wq7ship»", "Das neue Passwort lautet «Wq7ship»", "mot de passe : «Wq7ship»", "mot de passe\u00a0: «Wq7ship»", "le mot de passe est «Wq7ship»", "contraseña: «Wq7ship»", "la contraseña es «Wq7ship»", "senha: «Wq7ship»", "пароль: «Wq7ship»", "hasło to jest? hasło: «Wq7ship»", "パスワードは «Wq7ship» です", "비밀번호: «Wq7ship»",
		"machine ftp.kiln.example login bo password «Umber-Kite31»", "https://bo:«Umber-Kite31»@git.kiln.example", "PGPASSWORD=«Umber-Kite31» psql -h db kiln", "psql \"host=db user=kiln password=«Umber-Kite31» sslmode=require\"",
		"sqlplus kiln/«Umber_Kite31»@orcl", "kubectl create secret generic db --from-literal=password=«Umber-Kite31»", "helm upgrade kiln . --set db.password=«Umber-Kite31»", "ansible_become_pass: «Umber-Kite31»",
		"redis://:«Umber-Kite31»@cache:6379/0", "[Interface]\nPrivateKey = «yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=»", "{\"auths\":{\"reg.kiln.example\":{\"auth\":\"«Ym86VW1iZXItS2l0ZTMxLXRoaXM=»\"}}}", "AUTH PLAIN «AGJvAFVtYmVyLUtpdGUzMQ==»",
		"bo:«$2a$10${53}»", "uid=bo userPassword:: {SSHA}«{38}==»", "Recovery Key 2: «{44}»", "backup codes for the vault: «4821-9930» 1182-0047 7731-2205", "备用码有：«48219930»、11820047、77312205",
		"db2.kiln.example:5433:kiln:bo:«umberkite31»", "# hostname:port:database:username:password\n*:*:kiln:bo:«Umber Kite»", "Temporary password for bo: «Umber-Kite31»", "A password was generated for bo@kiln: «Umber-Kite31»",
		"kubectl -n gitlab get secret gitlab-initial-root-password -ojsonpath='{.data.password}' | base64 -d\n«{20}»", "Your new password:\n«k9UmberKite»", "The admin password at the Lisbon site is «Umber31Kite»", "The root password on node7 was reset to «Umber!Kite31»",
		"初始密码为「«Umber!Kite31»」", "管理员口令：‘«Umber!Kite31»’", "SK=«pQ7rT2vX9zB4nM6kL8jH3gF5d» for the OSS bucket", "Client('AC{h32}','«{h32}»')", "TWILIO: AC{h32}:«{h32}»", "jdbc:oracle:oci:kiln/«Umber31»@ORCL", "keytool -genkey -storepass:env PW -srcstorepass «umberkite»",
		"https://«{h40}»@github.com/kiln/x.git", "{\"kty\":\"RSA\",\"n\":\"{86}\",\"d\":\"«{86}»\"}", "{\"kty\":\"oct\",\"k\":\"«{43}»\"}", "sign in to Grafana with admin / «Umber%31»", "passcode ⇒ «Umber-31k»",
		"Basic auth: bo / «Umber%31kite»", "vault operator unseal «d0VnaNdy5HtmUKdXgkuKeV5owSyyskuy7F8XJeSmYZsn»", "DATABASE_URL=postgresql+asyncpg://kiln:«Umber-Kite31»@db/kiln", "ssh root@kiln # pw «Umber-Kite31»",
		"Root pw for the switch = «Raft!58»", "db creds (prod): kiln_app / «Raft58!maple»", "az storage account key «{86}==»", "VPN preshared key: «maple-58-raft-owl»", "license key: «ABCD1-EFGH2-IJKL3-MNOP4»",
		"minisign: untrusted comment: secret key\n«RWRTY0Iy{80}»", "passphrase for the signing key is '«maple raft owl»'", "keystore password (android): «maple58»",
		"Wi-Fi password: «fish&chips2024»", "DB_PASSWORD=«kR9tz;Qm2wx»", "password=«Tr0ub4dor&Zebra»", "The admin password for the dashboard is «Tr0ub4dor&Zebra», ask Maria", "the password is «fish,chips2024»", "password: «fish|chips2024»",
		"use «w1nter-Falcon88» as the password", "«w1nter-Falcon88» is the password", "log in as deploy with «kR9-tz!Qm2» as the password", "MFA setup key for the AWS root account: «YP2Y UWVL P7WC DYJX WRBI 5PVX GJ3U UYK5»", "TOTP secret «YP2Y UWVL P7WC DYJX WRBI 5PVX GJ3U UYK5»",
		"Codes de secours Google du compte équipe : «7684 6886, 3187 5528», 0204 9398", "Códigos de recuperación: «528d4-1ee88 84900-fab41»", "JetBrains licence key «LS1PF-H0U5U-SCBLH-BUREQ-OY9J4» is registered", "product key «LS1PF-H0U5U-SCBLH-BUREQ-OY9J4»",
		"The PIN of the server room door is «739251»", "El PIN de la alarma de la oficina es «8462»", "PIN 码是 «739251»", "加签 «SEC{h64}»", "requests.get(url, auth=('jenkins', '«117171bf0b858a7acc637a6ca512b70363»'))", "HTTPBasicAuth('svc', '«kR9-tz!Qm2»')",
		"customer's e-mail is «jane@example.org»", "the customer's email «jane@example.org» bounced", "The patient’s e-mail: «jane@example.org»", "account number: «1234567890»", "account no. «53819270»",
	} {
		at, end := strings.Index(line, "«"), strings.Index(line, "»")
		secret := fill(line[at+len("«") : end])
		text := fill(line[:at]) + secret + line[end+len("»"):]
		t.Run(fmt.Sprintf("%.60q", line), func(t *testing.T) {
			for p := range policies {
				if !policies[p].mails && strings.Contains(secret, "@") {
					continue
				}
				if have := Policy(p).Text(text); strings.Contains(have, secret) {
					t.Errorf("policy %d: %q becomes %q", p, text, have)
				}
			}
		})
	}
}

// What is said in the same ways of other things stays.
// BM-SEC-03.
func TestSaidOfOtherThings(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"Cookie: theme=dark; lang=de; consent=yes", "Cookie: _ga=GA1.2.1203948576.1650000000; _gid=GA1.2.99887766.1650000000", "Set-Cookie: lang=de; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Max-Age=31536000", "cookies live for 30 days", "PHPSESSID is set by the framework",
		"Rows are identified by 'email'", "each tenant is identified by \"slug2\"", "Users are identified by uuid4 in the log", "devices are identified with care by 'serial1'", "plants identified by people",
		"The password was changed on 2026-11-20", "password was set to expire after 90 days", "the password is now at least 12 characters", "The password was changed to argon2id", "the password has been reset in 2025", "The password was changed by Ann on day 3", "our password policy changed from 8 to 12 characters", "The token is now valid for 3600s", "the token we use is in vault", "the token was changed from v1 to v2-beta1", "password reset was moved to /account2/reset", "The secret is from k8s-prod-1", "the password is still in 1password", "passwords are now hashed with sha256", "The password/token we use: see 1Password",
		"credentials: aws / gcp / azure", "creds are in vault", "login page/v2 is slow", "login: GET /api/v1/login", "log in with sso / oauth2", "login admin/users2 is broken", "sign in with github:enterprise2", "login/logout", "credentials for staging: see runbook/page12", "login user/profile2",
		"creds for the lab are in the safe", "password was changed from MD5 to argon2id", "Passwort für das Lager: siehe Safe", "le mot de passe de la base est requis", "snmp-server community $COMMUNITY RO", "credentials for the service are rotated: see docs/page2",
		"ENV NODE_ENV production", "ENV JWT_SECRET $JWT_SECRET", "set MAX_TOKENS 4096", "ENV TOKEN_URL https://x.org/t1", "add API_KEY to the environment",
		"wandb login failed", "cargo login is needed before cargo publish", "rabbitmqctl list_users", "rabbitmqctl add_user $U $P", "ssh-keygen -t ed25519 -N '' -f id", "ConvertTo-SecureString $env:PW -AsPlainText -Force", "wpa_passphrase makes a line of 64 digits", "wifi: the guests have 2.4 GHz", "mc alias set s3 $URL $KEY $SECRET", "bw unlock asks for it",
		"sk_learn_model_v2", "re_export_all_the_things2", "u+1f600", "AAAA:1", "https://x.org/callback?code=abc", "cioran", "fw_version_1_2_3",
		"Private-Lines: 14 of the file", "the seed phrase of a wallet has twelve words that must be kept apart from the machine", "mnemonic: every good boy does fine", "phrase: keep it short", "the recovery phrase: write it on paper and put it away where nobody will look for it later",
		"Passwort vergessen?", "Passwort: mindestens zwölf Zeichen", "Das Passwort ist zu kurz", "mot de passe : obligatoire", "le mot de passe est requis", "contraseña: obligatoria", "la contraseña es corta", "пароль: обязателен", "パスワードは8文字以上", "비밀번호는 필수",
		"token → userId42 is mapped", "token -> token2 rename", "password -> bcrypt12 migration", "password → reset page v2", "AK-47 and SK-II", "pk=USER#12 sk=ORDER#2026-11-30#0001",
		"main.go:1234:foo:bar:baz", "host:8080:container:80:tcp", "server.go:1024:func:main:panic here", "x.go:1024:12:error:unused2", "awk '{print $1$2}'", "$6$ is the prefix of SHA-512 crypt",
		"Key 1: the order of the columns matters", "step 2: rotate the key", "token 3: the parser expects a comma", "backup codes are printed once per user", "The recovery codes page got 3 new tests", "Recovery Key 2: see the safe", "password policy:\nminlength12 applies", "The password form:\nlabel and input2field", "set the password:\n\n1. open settings",
		"https://v1234567890abcdef.example.com@x", "{\"d\":\"M10 20 L30 40 L50 60 Z\"}", "{\"kty\":\"EC\",\"kid\":\"2026-11-key\"}", "use admin / users2", "login page: use Chrome 120 / Firefox 119", "log in with passkeys / webauthn2", "The password in the docs is a placeholder", "the token in the header is base64", "the secret in the cluster was renamed to app-config-2",
		"We moved the password check to auth2.go", "the password reset at login to v2", "keys: up → k1, down → j2", "SK-1234 is the ticket", "AK: Alaska, AL: Alabama", "{SHA} prefix is used by LDAP", "argon2id with m=65536,t=3,p=4", "$1$ means md5-crypt", "error at main.go:1024:12: unused variable", "app:8080:web:prod:latest", "2026-11-30 10:00:00 INFO db:5432:ready", "localhost:5432:kiln:bo", "jdbc:oracle:thin:@//ora1:1521/KILN",
		"temporary password emails for new users: done", "a password is generated for each tenant: see docs", "generated for staging: build-1234", "token assigned for review: PR-1022", "密码为空时报错", "初始密码为「首次登录后修改」", "backup codes: 10 per user", "备用码：每人 10 个", "code 12345678 and 87654321 are status codes",
		"password (optional): string", "creds (see below): aws / gcp", "the account key is in Vault", "license key (optional)", "the passphrase is asked once", "storage key: primary", "shared key: none", "the key (see docs): order_id2",
		"GPIO pin: 13", "pin: v1.2.3", "the pin is 4 cm long", "pins 1234", "Session 01J9ZK3V7Q8X2M4N6P0R5T1WYB crashed twice", "client_email: ci@acme-prod.iam.gserviceaccount.com", "HS256 is the token format we use", "user-service-2 is the token owner",
		"use bcrypt12 as the password", "OAuth2.1 as the token flow", "MFA is required for ADMINISTRATORS AND OPERATORS", "echo $PASSWORD|docker login", "token = get(x1, y2)", "auth=('user', os.environ['PW1'])", "backup codes: print 2 of them", "codes de secours : voir le coffre 12 du bureau",
		"the maintainer's e-mail is jane@example.org", "support's e-mail is help@example.org", "AWS account number: 123456789012", "account number of the tests: 12", "account numbers are masked",
	} {
		t.Run(fmt.Sprintf("%.60q", line), func(t *testing.T) {
			for p := range policies {
				if have := Policy(p).Text(line); have != line && !(policies[p].cookies && strings.Contains(strings.ToLower(line), "cookie:")) {
					t.Errorf("policy %d: %q becomes %q", p, line, have)
				}
			}
		})
	}
}
