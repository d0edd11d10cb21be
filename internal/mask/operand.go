package mask

import (
	"slices"
	"strings"
)

// spot is a secret in a word, in bytes of it.
type spot struct{ word, start, end int }

// shape is where in a word the secret stands.
type shape uint8

const (
	whole  shape = iota
	pair         // user:SECRET
	comma        // user,SECRET
	share        // user%SECRET
	source       // pass:SECRET
	member       // name=SECRET
	glued        // the option's own word: -pSECRET
	last         // the last operand of the command
	others       // all operands behind it
)

// taker is an option, or a word, behind which a secret stands.
type taker struct {
	option   string // separated by blanks where there are several
	shape    shape
	programs string // those that take it so; "" = any
	with     string // one of these words stands somewhere before it; "" = none need to
}

// takers are the options that take secrets and whose names don't say so. Those
// whose names do need no row.
var takers = [...]taker{
	{option: "--user --proxy-user --creds --dest-creds --src-creds --userpass", shape: pair},
	{option: "-u -U", shape: pair, programs: "curl wget ab wrk hey oha siege httpx ftp lftp skopeo crane oras jf jfrog hydra mvn gradle elasticdump solr rclone smbclient java"},
	{option: "-u", shape: glued, programs: "curl"},
	{option: "-U", shape: glued, programs: "curl"},
	{option: "-a --auth", shape: pair, programs: "http https httpie xh"},
	{option: "-u --user", shape: comma, programs: "lftp"},
	{option: "-U --user", shape: share, programs: "smbclient rpcclient net smbget winexe wmic smbmap"},
	{option: "-p", programs: "docker podman nerdctl helm oras crane skopeo buildah az oc cf ctr regctl", with: "login"},
	{option: "-p", programs: "sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat cqlsh nodetool influx cypher-shell psexec evil-winrm rdesktop artifactory jf neo4j-admin usermod useradd ansible-vault netexec crackmapexec nxc couchbase-cli"},
	{option: "-p --password", programs: "twine poetry", with: "upload publish"},
	{option: "-p", shape: glued, programs: "mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlbinlog mysqlpump mysqlsh mariadb mariadb-dump mariadb-admin mariadb-import mariadb-check mycli sshpass 7z 7za 7zr 7zz rar unrar"},
	{option: "-P", programs: "sqlcmd bcp osql zip unzip ipmitool mosquitto_pub mosquitto_sub tsql isql impacket"},
	{option: "-a --pass", programs: "redis-cli keydb-cli valkey-cli redis-benchmark"},
	{option: "-w", programs: "ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami ldapcompare security dsconf"},
	{option: "-s", programs: "ldappasswd"},
	{option: "-p", programs: "security", with: "unlock-keychain create-keychain set-keychain-password"},
	{option: "-pw", programs: "plink pscp psftp pageant"},
	{option: "-passin -passout -pass -k -K -hmac -macopt", shape: source, programs: "openssl"},
	{option: "-k -K -hmac", programs: "openssl"},
	{option: "-storepass -keypass -srcstorepass -deststorepass -srckeypass -destkeypass"},
	{option: "-new", programs: "keytool"},
	{option: "-A -X", programs: "snmpget snmpwalk snmpset snmpbulkwalk"},
	{option: "-c -C", programs: "snmpget snmpwalk snmpset snmpbulkwalk"},
	{option: "-b", shape: last, programs: "htpasswd"},
	{option: "-bc -cb -nb -bn -bB -Bb -nbB -bnB -cbB -bcB -Bbn -nBb", shape: last, programs: "htpasswd"},
	{option: "--from-literal", shape: member},
	{option: "-t", programs: "doctl hcloud linode-cli", with: "auth init context"},
	{option: "-b --body", programs: "gh", with: "secret"},
	{option: "--value", programs: "aws", with: "SecureString --secure"},
	{option: "--value", programs: "az", with: "secret"},
	{option: "password passwd psk wifi-sec.psk", programs: "nmcli machine"},
	{option: "login", shape: last, programs: "cargo vault gem bw"},
	{option: "unlock", shape: last, programs: "bw"},
	{option: "authtoken add-authtoken", shape: last, programs: "ngrok"},
	{option: "wpa_passphrase mkpasswd", shape: last},
	{option: "put patch write", shape: others, programs: "vault", with: "kv write"},
	{option: "set import", shape: others, programs: "fly flyctl supabase doppler railway", with: "secrets variables"},
	{option: "set", shape: last, programs: "dotnet doppler", with: "user-secrets secrets"},
	{option: "--secret", shape: last, programs: "pulumi"},
	{option: "http-basic.", shape: last, programs: "composer"},
	{option: "set", shape: last, programs: "mc", with: "alias"},
	{option: "-b --cookie", programs: "curl"},
}

// settles are the words of commands that set a name to the value behind it:
// aws configure set NAME VALUE.
const settles = "config configure"

// prompts are the programs whose --password takes no value in the next word.
const prompts = "mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mariadb mariadb-dump psql pg_dump pg_dumpall pg_restore createdb dropdb createuser dropuser vacuumdb reindexdb clusterdb pg_basebackup systemd-cryptenroll"

// operands lists the secrets that a command's words are, by what its program
// takes them for.
func operands(words []string) []spot {
	var spots []spot
	mark := func(word, start, end int) {
		if word < len(words) && start < end && valueWord(words[word][start:end]) {
			spots = append(spots, spot{word, start, end})
		}
	}
	for i, w := range words {
		if i > 0 {
			setting(words, i, mark)
		}
		if name, value, ok := strings.Cut(w, "="); ok && strings.HasPrefix(w, "-") && secretName(strings.TrimLeft(name, "-"), false) && !strings.ContainsAny(value, " (\n") {
			mark(i, len(name)+1, len(w))
		}
		given(words, i, mark)
		bare(w, func(start, end int) { mark(i, start, end) })
		name, _, joined := strings.Cut(w, "=")
		for k := range takers {
			t := &takers[k]
			if t.shape == glued {
				if at := gluedAt(w, t.option); at > 0 && t.means(words[:i]) {
					value := w[at:]
					if t.option == "-p" {
						mark(i, at, len(w))
					} else if value != "" {
						t.value(words, i, at, pair, mark)
					} else if i+1 < len(words) {
						t.value(words, i+1, 0, pair, mark)
					}
				}
				continue
			}
			if joined && !strings.HasPrefix(name, "--") || !listed(t.option, name) || !t.means(words[:i]) {
				continue
			}
			switch {
			case t.shape == last || t.shape == others:
				t.rest(words, i, mark)
			case joined:
				t.value(words, i, len(name)+1, t.shape, mark)
			case i+1 < len(words):
				t.value(words, i+1, 0, t.shape, mark)
			}
		}
	}
	return spots
}

// means reports whether a taker is one behind these words.
func (t *taker) means(before []string) bool {
	program := t.programs == ""
	with := t.with == ""
	for _, w := range before {
		program = program || listed(t.programs, base(w))
		with = with || listed(t.with, w)
	}
	return program && with
}

// rest marks the operands behind a taker that are secrets.
func (t *taker) rest(words []string, i int, mark func(word, start, end int)) {
	var behind []int
	for k := i + 1; k < len(words); k++ {
		if !strings.HasPrefix(words[k], "-") {
			behind = append(behind, k)
		}
	}
	if t.shape == last {
		if len(behind) > 0 {
			k := behind[len(behind)-1]
			mark(k, 0, len(words[k]))
		}
		return
	}
	for n, k := range behind {
		if eq := strings.IndexByte(words[k], '='); eq > 0 {
			mark(k, eq+1, len(words[k]))
		} else if n > 1 {
			mark(k, 0, len(words[k]))
		}
	}
}

// value marks the secret in a word from a byte on.
func (t *taker) value(words []string, i, from int, as shape, mark func(word, start, end int)) {
	w := words[i][from:]
	if from == 0 && option(w) {
		return
	}
	var part byte
	switch as {
	case pair, source:
		part = ':'
	case comma:
		part = ','
	case share:
		part = '%'
	case member:
		part = '='
	default:
		mark(i, from, from+len(w))
		return
	}
	at := strings.IndexByte(w, part)
	if at < 0 || as == pair && identity(words[:i], w) || as == source && listed("file env fd", w[:at]) {
		return
	}
	mark(i, from+at+1, from+len(w))
}

// option reports whether a word is rather an option than a secret.
func option(w string) bool {
	return strings.HasPrefix(w, "--") || strings.HasPrefix(w, "-") && plainWord(w[1:])
}

// setting marks a secret behind a word that names it: --password x, and
// aws configure set aws_secret_access_key x.
func setting(words []string, i int, mark func(word, start, end int)) {
	w := words[i]
	name := strings.TrimLeft(w, "-")
	if i+1 >= len(words) || name == "" || strings.ContainsAny(name, "= /\n") && !strings.HasPrefix(name, "//") {
		return
	}
	if i := strings.LastIndexAny(name, ":/"); i >= 0 {
		name = name[i+1:] // //registry.npmjs.org/:_authToken
	}
	if strings.HasPrefix(name, "pypi-token.") {
		name = "pypi-token"
	}
	if !secretName(name, false) || w == "--secret-id" || w == "--password" && behind(words[:i], prompts) {
		return
	}
	next := words[i+1]
	if w == "--secret" && (strings.HasPrefix(next, "id=") || slices.Contains(words[:i], "pulumi")) {
		return // of docker build, and one that stands alone
	}
	if !strings.HasPrefix(w, "-") {
		set := false
		for _, before := range words[:i] {
			set = set || listed(settles, before) || strings.HasSuffix(before, ":set")
		}
		if !set {
			return
		}
	} else if strings.HasSuffix(strings.ToLower(name), "auth") && plainWord(next) {
		return // --auth basic
	}
	if option(next) {
		return
	}
	mark(i+1, 0, len(next))
}

// given marks the value of a word that gives a name a value: export TOKEN=x,
// -e TOKEN=x, -H 'Name: x', and the parameters of an address. In other places
// the word may be code, and what is named finds less of it.
func given(words []string, i int, mark func(word, start, end int)) {
	w := words[i]
	if strings.ContainsAny(w, "\n(`") || i == 0 {
		return
	}
	if listed("-H --header", words[i-1]) {
		if name, value, ok := strings.Cut(w, ": "); ok && secretName(name, false) && !strings.Contains(value, " ") {
			mark(i, len(name)+2, len(w))
		}
	}
	if strings.Contains(w, " ") {
		return
	}
	if name, _, ok := strings.Cut(w, "="); ok && secretName(name, false) && strings.Trim(name, identifier) == "" &&
		(listed("export env declare typeset readonly local setx", base(words[0])) || listed("-e --env --build-arg --set --set-string -var --var -F --form -d --data", words[i-1])) {
		mark(i, len(name)+1, len(w))
	}
	if at := strings.IndexByte(w, '?'); at >= 0 && strings.Contains(w[:at], "://") {
		for from := at + 1; from <= len(w); {
			end := len(w)
			if n := strings.IndexByte(w[from:], '&'); n >= 0 {
				end = from + n
			}
			if name, value, ok := strings.Cut(w[from:end], "="); ok && secretName(name, true) && !briefKey(name, value) {
				mark(i, from+len(name)+1, end)
			}
			from = end + 1
		}
	}
}

const identifier = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

// bare marks the secrets of words that need no option: user:SECRET@host,
// --from-literal=name=SECRET, pass:SECRET, user/SECRET@base, /p:SECRET.
func bare(w string, mark func(start, end int)) {
	if rest, ok := strings.CutPrefix(w, "--from-literal="); ok {
		if eq := strings.IndexByte(rest, '='); eq >= 0 {
			mark(len(w)-len(rest)+eq+1, len(w))
		}
	}
	for _, begin := range [...]string{"pass:", "/p:", "/pass:"} {
		if strings.HasPrefix(w, begin) {
			mark(len(begin), len(w))
		}
	}
	// user:SECRET@host without a scheme.
	at := strings.LastIndexByte(w, '@')
	colon := strings.IndexByte(w, ':')
	if colon <= 0 || colon > at || strings.ContainsAny(w[:colon], "/@ =") || strings.HasPrefix(w[colon:], "://") || strings.ContainsAny(w, " \n") {
		return
	}
	if listed("npm jsr github gitlab bitbucket git workspace patch file link portal http https ssh docker oci", w[:colon]) || strings.ContainsAny(w[colon:at], "/") {
		return
	}
	host := w[at+1:]
	if end := strings.IndexAny(host, "/?#"); end >= 0 {
		host = host[:end]
	}
	if strings.Trim(host, hostBytes) != "" {
		return
	}
	if host != "" && lower(host[0]|0x20) && !strings.HasPrefix(host, "sha256:") && (strings.ContainsAny(host, ".:") || host == "localhost") {
		mark(colon+1, at)
	}
}

const hostBytes = identifier + ":"

// gluedAt is where the value begins that is glued to an option of a letter; 0
// where none is. Of curl, letters may stand before it: -su name:SECRET.
func gluedAt(w, option string) int {
	if len(w) <= len(option) || w[0] != '-' || w[1] == '-' {
		return 0
	}
	if strings.HasPrefix(w, option) {
		return len(option)
	}
	if letter := strings.IndexByte(w, option[1]); option != "-p" && letter > 0 && strings.Trim(w[1:letter], "sSkLifgvn") == "" {
		return letter + 1
	}
	return 0
}

// identity reports whether user:group is meant.
func identity(before []string, w string) bool {
	if strings.Trim(w, "0123456789:") == "" {
		return true
	}
	_, secret, _ := strings.Cut(w, ":")
	for i := len(before) - 1; i >= 0; i-- {
		switch name := base(before[i]); {
		case listed("curl wget http xh https", name):
			return false
		case listed("docker podman nerdctl kubectl buildah setpriv chroot install compose docker-compose systemd-run", name):
			return plainWord(secret)
		}
	}
	return false
}

// valueWord reports whether a word can be a secret's value.
func valueWord(w string) bool {
	switch {
	case w == "-", w == "", strings.HasPrefix(w, "$"), strings.HasPrefix(w, `"$`), strings.Contains(w, "$("), strings.Contains(w, "`"):
		return false
	case strings.HasPrefix(w, "./"), strings.HasPrefix(w, "~/"), strings.HasPrefix(w, "@"), strings.HasPrefix(w, "<("), fileName(w), w == "|", w == "<", w == ">", w == "&&", w == ";":
		return false
	}
	return true
}

// TakesSecret reports whether a command takes a secret from its standard input.
func TakesSecret(words []string) bool {
	for i, w := range words {
		switch {
		case w == "--password-stdin", w == "--with-token", w == "--passphrase-fd", w == "--pinentry-mode", w == "--passwords-from-stdin", strings.HasPrefix(w, "--passphrase-fd="):
			return true
		case base(w) == "chpasswd", base(w) == "smbpasswd", base(w) == "cryptsetup", base(w) == "mkpasswd", base(w) == "secret-tool":
			return true
		case listed("-S --stdin", w) && behind(words[:i], "sudo passwd"):
			return true
		case len(w) > 2 && w[0] == '-' && w[1] != '-' && strings.ContainsRune(w, 'S') && behind(words[:i], "sudo"):
			return true
		case w == "-i" && behind(words[:i], "htpasswd"), w == "-stdin" && behind(words[:i], "openssl"), w == "stdin" && behind(words[:i], "openssl"):
			return true
		case w == "-passin" || w == "-passout" || w == "-pass":
			if i+1 < len(words) && words[i+1] == "stdin" {
				return true
			}
		case listed("set put create add insert", w) && behind(words[:i], "gh wrangler docker podman vercel supabase fly flyctl pass kubectl oc glab npx") && behind(words[:i+1], "secret secrets env insert"):
			return true
		case w == "login" && behind(words[:i], "vault cargo gem npm gh hf huggingface-cli"):
			return true
		}
	}
	return false
}

// Input masks what a command reads that takes a secret. What could be code for
// what it runs stays.
func (m Masker) Input(text string) string {
	line := strings.TrimRight(text, "\r\n")
	if strings.HasPrefix(line, "-") || line == "%s" || line == `%s\n` || !valueWord(line) || !inert(line) && !phrase(line) {
		return m.Text(text)
	}
	return Secret(len(line)) + text[len(line):]
}

func behind(words []string, list string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return listed(list, base(w)) })
}

func base(w string) string { return w[strings.LastIndexByte(w, '/')+1:] }

// listed reports whether a list, parted by blanks, holds a word.
func listed(list, word string) bool {
	if !strings.Contains(list, word) { // most do not, and that is faster than parting the list
		return false
	}
	for list != "" {
		var first string
		first, list, _ = strings.Cut(list, " ")
		if first == word {
			return true
		}
	}
	return false
}
