package mask

import "strings"

// endings are what the names of secrets end in, without dashes and the like, in
// lower case.
var endings = [...]string{
	"password", "passwd", "passphrase", "passcode", "pwd", "userpass", "dbpass", "becomepass", "secret", "token", "apikey", "accesskey", "secretkey", "secretaccesskey",
	"privatekey", "authkey", "accountkey", "sharedkey", "sharedaccesskey", "signingkey", "encryptionkey", "encryptkey", "masterkey", "sessionkey", "servicekey", "licensekey",
	"deploykey", "apisecret", "credential", "credentials", "authorization", "cookie", "cookies", "jwt", "bearer", "secretstring", "secretbinary", "keypass", "storepass", "webhookurl",
	"instrumentationkey", "subscriptionkey", "passwordhash", "secretid", "appkey", "writekey", "adminkey", "readkey", "rootkey", "keybase64", "serviceaccountkey", "mnemonic", "seedphrase",
}

// wholes are names, or last parts of names, that say it alone: DB_PASS, _auth.
var wholes = [...]string{"pass", "auth", "pat", "pw", "psk", "otp", "pin", "sig", "signature", "credential", "creds", "sid", "sessionid", "sas", "key", "salt", "code"}

// secretName reports whether what has a name is a secret. A query's parameters
// have shorter names: key, code.
func secretName(name string, query bool) bool {
	name = strings.TrimRight(name, "0123456789")
	if name == "PWD" || name == "OLDPWD" {
		return false
	}
	var plain [64]byte
	n := 0
	for i := max(0, len(name)-len(plain)); i < len(name); i++ {
		switch b := name[i]; {
		case upper(b):
			plain[n] = b + 'a' - 'A'
			n++
		case lower(b) || digit(b):
			plain[n] = b
			n++
		}
	}
	short := string(plain[:n])
	switch short {
	case "withtoken", "nopassword", "nopass", "noauth", "maxtoken", "stoptoken", "padtoken", "eostoken", "bostoken", "unktoken", "createsecret", "getsecret", "csrftokenname":
		return false
	}
	for _, ending := range endings {
		if strings.HasSuffix(short, ending) {
			return true
		}
	}
	last := strings.ToLower(name[lastPart(name):])
	for _, whole := range wholes {
		if last != whole {
			continue
		}
		switch whole {
		case "key", "code", "sig", "signature", "salt", "sid":
			return query
		case "pat":
			return strings.HasSuffix(name, "PAT") // and no pattern
		}
		return true
	}
	return false
}

// lastPart is where the last part of a name begins: PASS of DB_PASS, Pass of
// dbPass.
func lastPart(name string) int {
	i := len(name)
	for i > 0 && alnum(name[i-1]) {
		if i < len(name) && upper(name[i-1]) && lower(name[i]) {
			return i - 1
		}
		i--
	}
	return i
}

// named finds the values of names that say what they are: in settings, JSON,
// YAML, XML, headers, queries and in programs.
func (f *finder) named() {
	text := f.text
	for i := 1; i < len(text); i++ {
		b := text[i]
		if b != '=' && b != ':' && b != '>' && b != '%' && b != ',' {
			continue
		}
		at := i
		switch {
		case b == '>' && text[i-1] == '=', b == '=' && strings.IndexByte("=!<>", text[i-1]) >= 0 && i > 1 && text[i-1] != '=':
			continue // => is found by its first byte; != and <= compare
		case b == '%': // a query in a query
			if !strings.HasPrefix(text[i:], "%3D") && !strings.HasPrefix(text[i:], "%3d") {
				continue
			}
			at += 2
		}
		start, end := nameBefore(text, i)
		if start == end || b == '>' && (start == 0 || text[start-1] != '<') {
			continue
		}
		if b == ',' && (end == i || !quote(text[end])) {
			continue // ["--password", "x"], getenv("TOKEN", "x")
		}
		query := start > 0 && strings.IndexByte("?&;", text[start-1]) >= 0
		if secretName(text[start:end], query) {
			f.value(at+1, b, text[start:end], query || b == '%')
		}
	}
}

// nameBefore is the name that ends before a separator: of token, "token",
// ["token"] and \"token\".
func nameBefore(text string, i int) (start, end int) {
	end = i
	for end > max(0, i-8) && (text[end-1] == ' ' || text[end-1] == ':' || text[end-1] == '=' || text[end-1] == '?' || text[end-1] == '+') {
		end--
	}
	for end > max(0, i-16) && (quote(text[end-1]) || text[end-1] == ']' || text[end-1] == '\\') {
		end--
	}
	start = end
	for start > 0 && (tokenByte(text[start-1]) || text[start-1] == '.') && end-start < 100 {
		start--
	}
	return start, end
}

// maxValue is how long a value without quotes can be, in bytes.
const maxValue = 600

// value marks what stands behind the separator of a name, if that can be a
// value and not code.
func (f *finder) value(i int, separator byte, name string, query bool) {
	text := f.text
	if separator == ':' && i < len(text) && (text[i] == ':' || strings.HasPrefix(text[i:], "//")) {
		return // a::b, token://
	}
	apart := false
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '=' || text[i] == '>' && separator == '=') {
		apart = apart || blank(text[i])
		i++
	}
	if separator == ':' && apart && i < len(text) && (text[i] == '|' || text[i] == '>') {
		f.block(i)
		return
	}
	// A letter before a quote says of which kind the text is: b"", $''.
	if i+1 < len(text) && (text[i] == '$' || lower(text[i]) && text[i] != 'f') && quote(text[i+1]) && text[i+1] != '`' {
		i++
	}
	escapes := i
	for i < len(text) && text[i] == '\\' {
		i++
	}
	if i < len(text) && quote(text[i]) && text[i] != '`' {
		f.quoted(text[escapes:i+1], i+1, name)
		return
	}
	i = escapes
	end := i
	for end < min(len(text), i+maxValue) && !blank(text[end]) && strings.IndexByte("\"'`;|<>)", text[end]) < 0 &&
		(text[end] != '&' || !query && separator == ':') && (separator == '=' && !apart || strings.IndexByte(",}]", text[end]) < 0) {
		if text[end] == '\\' && end+1 < len(text) && (quote(text[end+1]) || text[end+1] == 'n') {
			break
		}
		end++
	}
	if end < len(text) && (text[end] == '"' || text[end] == '\'') && !strings.Contains(text[i:end], "(") && separator != ':' {
		// PASS=a"b c": one word of the shell.
		for end < len(text) && !blank(text[end]) && strings.IndexByte("`;|<>)&", text[end]) < 0 {
			end++
		}
		end = i + len(strings.TrimRight(text[i:end], `"'`))
	}
	value := text[i:end]
	if schemeName(value) && end < len(text) && text[end] == ' ' {
		return // Authorization: Bearer x
	}
	if strings.HasSuffix(strings.ToLower(name), "cookie") && separator == ':' {
		if n := strings.IndexAny(text[i:], "\"'\n`$"); n >= 0 {
			f.mark(i, i+n)
		} else {
			f.mark(i, len(text))
		}
		return
	}
	if !inert(value) {
		return
	}
	if plainWord(strings.TrimRight(value, ",")) {
		// A word without a digit is a variable, a type or prose, unless it is
		// given as a setting is: NAME=word, or all that stands behind "name:".
		alone := end == len(text) || text[end] == '\n' || text[end] == '\r' || text[end] == '\\'
		switch {
		case strings.HasSuffix(strings.ToLower(name), "auth"), separator == ',', separator == '=' && apart, separator == ':' && (typeName(value) || !alone):
			return
		}
	}
	if query && briefKey(name, value) {
		return
	}
	f.mark(i, end)
}

// briefKey reports whether a parameter is rather the key of a table, or a code of
// a few letters.
func briefKey(name, value string) bool {
	return len(value) < 16 && (name == "key" || name == "code")
}

// quoted marks a text in quotes that begins at i.
func (f *finder) quoted(open string, i int, name string) {
	text := f.text
	mark := open[len(open)-1]
	end := i
	for end < len(text) && text[end] != '\n' {
		if len(open) > 1 && strings.HasPrefix(text[end:], open) || len(open) == 1 && text[end] == mark {
			break
		}
		if text[end] == '\\' && len(open) == 1 {
			end++
		}
		end++
	}
	end = min(end, len(text))
	value := text[i:end]
	if first, rest, ok := strings.Cut(value, " "); ok && schemeName(first) {
		if inert(rest) {
			f.mark(i+len(first)+1, end)
		}
		return
	}
	cookie := strings.HasSuffix(strings.ToLower(name), "cookie") && !strings.ContainsAny(value, "(`$|")
	if cookie || inert(value) || phrase(value) {
		f.mark(i, end)
	}
}

// block marks the lines of a YAML text that begins with | or >.
func (f *finder) block(i int) {
	text := f.text
	line := strings.LastIndexByte(text[:i], '\n') + 1
	depth := indent(text[line:])
	for {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			return
		}
		i += n + 1
		in := indent(text[i:])
		end := len(text)
		if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
			end = i + n
		}
		if in <= depth && end > i {
			return
		}
		if value := strings.TrimRight(text[i+min(in, end-i):end], " \r"); inert(value) || phrase(value) {
			f.mark(i+in, i+in+len(value))
		}
	}
}

func indent(text string) int { return len(text) - len(strings.TrimLeft(text, " ")) }

// inert reports whether a text can be a value and holds no code: neither a
// call, nor a substitution, nor words with blanks between them. A variable, a
// placeholder and the name of a file are no secrets.
func inert(value string) bool {
	switch strings.ToLower(value) {
	case "", "true", "false", "null", "none", "nil", "undefined", "yes", "no", "on", "off", "inherit", "basic", "bearer", "token", "password", "prompt", "-", "required", "optional":
		return false
	}
	if len(value) < 3 || value[0] == '$' || value[0] == '@' || value[0] == '<' && value[len(value)-1] == '>' || value[0] == '{' || value[0] == '[' || value[0] == '%' && value[len(value)-1] == '%' {
		return false
	}
	if strings.ContainsAny(value, " \t\r\n`") || strings.Contains(value, "$(") || strings.Contains(value, "${") {
		return false
	}
	if open := strings.IndexByte(value, '('); open >= 0 && (open > 0 && (tokenByte(value[open-1]) || value[open-1] == ']') || strings.ContainsRune(value, ')')) {
		return false
	}
	if open := strings.IndexByte(value, '{'); open >= 0 && strings.ContainsAny(value[open:], ",}") {
		return false
	}
	if open := strings.IndexByte(value, '['); open > 0 && plainWord(value[:open]) {
		return false // argv[1]
	}
	if strings.IndexByte("([{", value[len(value)-1]) >= 0 || value[0] == '(' || value[0] == '.' || value[0] == '%' && len(value) < 8 || fileName(value) {
		return false
	}
	for _, begin := range [...]string{"./", "../", "~/", "/run/", "/var/", "/etc/", "/home/", "/tmp/", "/usr/", "/dev/", "/srv/", "/opt/", "/root/", "file:", "env:", "process.env", "os.environ", "secrets."} {
		if strings.HasPrefix(value, begin) {
			return false
		}
	}
	return strings.Trim(value, "*.x-_/") != ""
}

// fileName reports whether a text is a file's: of names without digits, or with
// the ending of one.
func fileName(value string) bool {
	for _, ending := range [...]string{".txt", ".pem", ".key", ".json", ".yaml", ".yml", ".gpg", ".crt", ".env", ".cfg", ".conf", ".ini", ".toml", ".py", ".js", ".ts", ".go"} {
		if strings.HasSuffix(value, ending) {
			return true
		}
	}
	return strings.ContainsRune(value, '/') && strings.Trim(value, "abcdefghijklmnopqrstuvwxyz_-./") == ""
}

// phrase reports whether a text is a pass phrase: words with nothing around
// them that a program needs.
func phrase(value string) bool {
	letters := false
	for i := range len(value) {
		b := value[i]
		if !alnum(b) && b != ' ' && b != '!' && b != ',' && b < 0x80 {
			return false
		}
		letters = letters || alnum(b)
	}
	return letters && strings.Contains(value, " ")
}

// plainWord reports whether a text is a name as programs have them, without a
// digit: a variable, a type.
func plainWord(value string) bool {
	for i := range len(value) {
		if b := value[i]; !lower(b) && !upper(b) && b != '_' && b != '.' {
			return false
		}
	}
	return true
}

// typeName reports whether a name is a type's, as far as that can be told.
func typeName(value string) bool {
	switch strings.ToLower(value) {
	case "string", "str", "text", "bytes", "any", "object", "number", "int", "bool", "boolean", "varchar", "char", "unknown", "optional", "array", "buffer", "password", "secret", "token", "write", "read", "none":
		return true
	}
	return strings.ContainsRune(value, '.') || upper(value[0]) && strings.ToUpper(value) != value
}

// schemeNames are the words before the credentials of an Authorization header.
var schemeNames = [...]string{"bearer", "basic", "token", "apikey", "api-key", "key", "splunk", "snowflake", "sso-key", "digest", "negotiate", "bot", "glpat", "oauth", "genie", "genielkey", "geniekey", "ssws", "discordbot"}

func schemeName(word string) bool {
	for _, name := range schemeNames {
		if strings.EqualFold(word, name) {
			return true
		}
	}
	return false
}

// schemes finds what follows the word of a scheme: Bearer x, Basic x. Only
// behind Authorization are other schemes meant by their word.
func (f *finder) schemes() {
	text := f.text
	for i := 1; i < len(text); i++ {
		if text[i] != ' ' || !lower(text[i-1]|0x20) {
			continue
		}
		start := i
		for start > 0 && (lower(text[start-1]|0x20) || text[start-1] == '-') && i-start < 12 {
			start--
		}
		if start > 0 && alnum(text[start-1]) && !escape(text, start) || !schemeName(text[start:i]) {
			continue
		}
		header := strings.HasSuffix(strings.ToLower(strings.TrimRight(text[max(0, start-24):start], " '\"\\:=")), "authorization")
		sure := strings.EqualFold(text[start:i], "bearer") || strings.EqualFold(text[start:i], "basic")
		if !header && !sure {
			continue
		}
		from := i + 1
		end := tokenEnd(text, from, ".+/=~:!@#%^*?")
		if header {
			end = tokenEnd(text, from, ".+/=~:!@#%^*?;|&,<>[]{}")
		}
		if from < end && text[from] == '-' && !header {
			continue // Basic --size
		}
		if value := text[from:end]; header && len(value) >= 3 && inert(value) || len(value) >= 8 && !plainWord(strings.TrimRight(value, ".:,;!?-")) {
			f.mark(from, end)
		}
	}
}
