package match

import (
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
)

// The table of troubles can be read: each has a name of its own and something by which it is known, its
// causes are genes that come with the program, and no phrase is written in a way that no message has.
func TestTroublesAreWhole(t *testing.T) {
	t.Parallel()
	ids, names := map[string]bool{}, map[string]bool{}
	for _, g := range seeds(t) {
		ids[g.ID] = true
	}
	for _, one := range troubles() {
		if names[one.name] {
			t.Errorf("%s stands there twice", one.name)
		}
		names[one.name] = true
		if len(one.says)+len(one.causes) == 0 || strings.ContainsAny(one.name, " |") {
			t.Errorf("%q: nothing tells of it", one.name)
		}
		for _, c := range one.causes {
			if !ids[c] {
				t.Errorf("%s: no gene %s", one.name, c)
			}
		}
		for _, p := range slices.Concat(one.says, one.on, one.unless, one.of) {
			if p == "" || p != strings.TrimSpace(p) || p != strings.ToLower(p) && !strings.HasPrefix(p, "code:") {
				t.Errorf("%s: %q", one.name, p)
			}
		}
	}
}

// Of one trouble failures are the same that share no word, whichever program has them; of two troubles they are not the same
// though they share most of their words; and over another name, or with a program that the gene does not speak
// of, it is another one where that matters. EV-FND-18.
func TestTroubles(t *testing.T) {
	t.Parallel()
	known := seeds(t)
	for _, c := range []struct {
		name, title    string
		first, command string
		text           string
		same           bool
	}{
		{"other words", "Commit the lock file", "npm error code EUSAGE\nnpm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.", "yarn install", "YN0028: The lockfile would have been modified by this install, which is explicitly forbidden.", true},
		{"another language", "Copy .env.example", "KeyError: 'SECRET_KEY'", "npm start", "[配置] 错误：缺少必填变量 SECRET_KEY", true},
		{"the same words", "Install a newer CMake", "CMake Error at CMakeLists.txt:1 (cmake_minimum_required):\n  CMake 3.24 or higher is required.  You are running version 3.16.3", "cmake -B build", "CMake Error at CMakeLists.txt:1 (cmake_minimum_required):\n  Compatibility with CMake < 3.5 has been removed from CMake.", false},
		{"what follows from it", "Write https:// into the build file", "> Could not resolve all dependencies for configuration ':runtimeClasspath'.\n   > Using insecure protocols with repositories, without explicit opt-in, is unsupported.", "./gradlew build", "> Could not resolve all dependencies for configuration ':runtimeClasspath'.\n   > Could not find com.acme:core:3.9.", false},
		{"around the message", "Trust the company's authority", "curl: (60) SSL certificate problem: self-signed certificate in certificate chain", "make deps", "WARNING: Retrying (Retry(total=0)) after connection broken by 'SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self signed certificate in certificate chain (_ssl.c:997)'))': /simple/black/\nERROR: Could not find a version that satisfies the requirement black==23.9.1 (from versions: none)", true},
		{"the port of another service", "Stop the PostgreSQL of the host", "docker: Error response from daemon: failed to bind host port for 0.0.0.0:5432: address already in use", "npm start", "Error: listen EADDRINUSE: address already in use :::8080", false},
		{"a number in the same words", "Answer over IPv4 with 127.0.0.1", "Error: connect ECONNREFUSED ::1:3000", "npm test", "Error: connect ECONNREFUSED 10.0.0.5:3000", false},
		{"a name in the same words", "Install FFmpeg", "FileNotFoundError: [Errno 2] No such file or directory: 'ffmpeg'", "pytest", "FileNotFoundError: [Errno 2] No such file or directory: 'docker-compose'", false},
		{"a command that only asks", "Fetch the cluster's credentials", "error: You must be logged in to the server (Unauthorized)", "kubectl get pods", "Error: Kubernetes cluster unreachable: the server has asked for the client to provide credentials", true},
		{"another tool's header", "Install OpenSSL's headers", "Could not find directory of OpenSSL installation, and this `-sys` crate cannot proceed without this knowledge.", "pip install cryptography", "fatal error: openssl/opensslv.h: No such file or directory", true},
		{"any database", "Start the database with systemctl", "psql: error: connection to server at \"localhost\" (127.0.0.1), port 5432 failed: Connection refused", "mysql -u root", "ERROR 2002 (HY000): Can't connect to local MySQL server through socket '/var/run/mysqld/mysqld.sock' (2)", true},
		{"another database", "Start PostgreSQL with pg_ctl", "psql: error: connection to server at \"localhost\" (127.0.0.1), port 5432 failed: Connection refused", "mysql -u root", "ERROR 2002 (HY000): Can't connect to local MySQL server through socket '/var/run/mysqld/mysqld.sock' (2)", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := gene.Gene{ID: "learned", Title: c.title, Strategy: []string{c.title + "."}}
			g.Cured(Named(caseOf(c.command, c.first, 1).Failure))
			list := Rank(caseOf(c.command, c.text, 1), append([]gene.Gene{g}, known...), nil)
			if got := len(list) > 0 && list[0].Gene == 0; got != c.same {
				t.Errorf("%s: found %v", c.name, got)
			}
		})
	}
}
