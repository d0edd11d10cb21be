//go:build unix

package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// planted is a secret of one kind. A service's token is known by its form
// wherever it stands, others by their place.
type planted struct {
	kind, secret string
	part         string // of the secret, which tells it apart
	form         bool
}

var plants = [...]planted{
	{"GitHub", "ghp_Zk3RtY7uIoP1aSdF5gHjK9lZxCvB2nMqWeR4", "aSdF5gHjK9lZx", true},
	{"GitHub, fine-grained", "github_pat_11ABCDEFG0Zk3RtY7uIoP1_aSdF5gHjK9lZxCvB2nMqWeR4tYuIoP", "aSdF5gHjK9lZx", true},
	{"GitLab", "glpat-Zk3RtY7uIoP1aSdF5gHj", "IoP1aSdF5", true},
	{"AWS access key", "AKIAZK3RTY7UIOP1ASDF", "K3RTY7UIOP1", true},
	{"AWS secret key", "Zk3RtY7uIoP1aSdF5gHj/K9lZxCvB2nMq+WeR4tY", "aSdF5gHj/K9lZ", true},
	{"Google API key", "AIzaSyZk3RtY7uIoP1aSdF5gHjK9lZxCvB2nMqW", "aSdF5gHjK9lZx", true},
	{"Google OAuth", "ya29.a0Zk3RtY7uIoP1aSdF5gHjK9lZxCvB2nMqW", "aSdF5gHjK9lZx", true},
	{"Azure storage key", "Zk3RtY7uIoP1aSdF5gHjK9lZxCvB2nMqWeR4tYuIoP1aSdF5gHjK9lZxCvB2nMqWeR4tYuIoPaSdF5gHjK9lZQ==", "aSdF5gHjK9lZx", true},
	{"Slack", "xoxb-123456789012-Zk3RtY7uIoP1aSdF5gHjK9lZ", "aSdF5gHjK9l", true},
	{"Discord", "MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.Zk3RtY7uIoP1aSdF5gHjK9lZxCvB2nMqWeR4tY", "aSdF5gHjK9lZx", true},
	{"Stripe", "sk_live_Zk3RtY7uIoP1aSdF5gHjK9lZ", "aSdF5gHjK9l", true},
	{"Twilio", "SK3f9a1c7e5b2d8046a1c3e5f7092b4d6e", "e5b2d8046a1c3", true},
	{"SendGrid", "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", "qWeR4tYuIoP1a", true},
	{"Mailgun", "key-3f9a1c7e5b2d8046a1c3e5f7092b4d6e", "e5b2d8046a1c3", true},
	{"npm", "npm_Zk3RtY7uIoP1aSdF5gHjK9lZxCvB2nMqWeR4", "aSdF5gHjK9lZx", true},
	{"PyPI", "pypi-AgEIcHlwaS5vcmcCJDZk3RtY7uIoP1aSdF5gHjK9lZxCvB2nMqWeR4", "aSdF5gHjK9lZx", true},
	{"Docker Hub", "dckr_pat_Zk3RtY7uIoP1aSdF5gHjK9lZxCv", "aSdF5gHjK9lZx", true},
	{"Heroku", "3f9a1c7e-5b2d-4046-a1c3-e5f7092b4d6e", "5b2d-4046-a1c3", false},
	{"DigitalOcean", "dop_v1_3f9a1c7e5b2d8046a1c3e5f7092b4d6e3f9a1c7e5b2d8046a1c3e5f7092b4d6e", "e5b2d8046a1c3", true},
	{"Cloudflare", "3f9a1c7e5b2d8046a1c3e5f7092b4d6e3f9a1", "e5b2d8046a1c3", true},
	{"OpenAI", "sk-proj-Zk3RtY7uIoP1aSdF5gHjK9lZxCvB2nMqWeR4tYuIoP1aSdF", "aSdF5gHjK9lZx", true},
	{"Anthropic", "sk-ant-api03-Zk3RtY7uIoP1aSdF5gHjK9lZxCvB2nMqWeR4tYuIoP1aSdF", "aSdF5gHjK9lZx", true},
	{"Hugging Face", "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", "aSdFqgHjKplZx", true},
	{"Telegram", "123456789:AAZk3RtY7uIoP1aSdF5gHjK9lZxCvB2nMqW", "aSdF5gHjK9lZx", true},
	{"JSON web token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJaazNSdFk3dUlvUDFhU2RGNSJ9.K9lZxCvB2nMqWeR4tYuIoP1aSdF5gHjK9lZxCvB2nMq", "R4tYuIoP1aSdF", true},
	{"age", "AGE-SECRET-KEY-1ZK3RTY7UIOP1ASDF5GHJK9LZXCVB2NMQWER4TYUIOP1ASDF5GHJK9LZXC", "OP1ASDF5GHJK9LZX", true},
	{"Vault", "hvs.Zk3RtY7uIoP1aSdF5gHjK9lZ", "aSdF5gHjK9l", true},
	{"random", "q9w8Ee7rT6y5Uu4iO3p2Aa1sD0f9Gg8hJ7k6", "rT6y5Uu4iO3", true},
	{"hex", "3f9a1c7e5b2d8046a1c3e5f7092b4d6e", "e5b2d8046a1c3", true},
	{"password", "Tr0ub4dor+3", "ub4dor", false},
	{"word", "hunter2", "hunter2", false},
	{"special", "p%w:9!x_Q", "9!x_Q", false},
	{"punctuation", "aW;Kq|z&w,Q9", "Kq|z", false},
	{"private key", "-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEA\\nq7RtY7uIoP1aSdF5gHjK==\\n-----END PRIVATE KEY-----\\n", "RtY7uIoP1aSdF5", true},
}

// spellings are commands with a secret in the place of #: those that stand
// where any secret is known, then those in which its form must tell.
var (
	spellings = [...]string{
		"API_TOKEN='#' frob a", "export DB_PASSWORD='#'; frob b", "frob --password '#'", "frob --api-key='#'", "frob --client-secret \"#\" x", "env SECRET_KEY='#' frob",
		"curl -H 'Authorization: Bearer #' https://example.org/a", "curl -H 'X-Api-Key: #' https://example.org/a", "curl -u 'me:#' https://example.org/a", "curl -d '{\"password\":\"#\"}' https://example.org/", "curl --cookie 'sid=#' https://example.org/c",
		"curl 'https://example.org/?page=1&token=#&x=y'", "curl 'https://example.org/?access_token=#'", "mysql -u root '-p#' shop -e 'select 1'", "sshpass -p '#' ssh build.example.org ls", "echo '#' | docker login -u me --password-stdin registry.example.org",
		"docker login --password-stdin registry.example.org <<< '#'", "kubectl create secret generic web --from-literal='key=#'", "gh secret set NAME --body '#'", "openssl enc -aes-256-cbc -pass 'pass:#' -in a -out b", "redis-cli -a '#' ping",
		"frob <<'E'\npassword: '#'\nE", "frob <<'E'\n{\"client_secret\": \"#\"}\nE", "frob <<'E'\nDB_PASSWORD=\"#\"\nE", "bash -c \"frob --token '#'\"", "python3 -c 'api_key = \"#\"; eval(1)'", "npm config set '//registry.npmjs.org/:_authToken' '#'", "aws configure set aws_secret_access_key '#'",
		"git -c http.extraHeader='Authorization: Basic #' fetch https://example.org/x", "frob run && frob --auth-token '#' | tee log.txt", "python3 tool.py --password='#'", "htpasswd -b users me '#'",
	}
	formSpellings = [...]string{
		"frob '#'", "frob x=# y", "curl https://example.org/#/a", "curl 'https://#@example.org/'", "git fetch https://example.org/x '#'", "frob <<'E'\nuse # here\nE", "echo '#' > note.txt; frob", "cat '/srv/other/#'", "make '#'", "frob '{\"x\":[\"#\"]}'", "gh api 'repos/a/b?x=#'", "WORD='#'; frob \"$WORD\"", "curl -s https://example.org/ | grep '#'",
	}
	scripts = [...]string{"password = \"#\"\n", "headers = {'Authorization': 'Bearer #'}\n", "os.environ['API_TOKEN'] = '#'\n", "connect(host='db', password='#')\n", "url = 'https://me:#@example.org/'\n", "conf = '''\nsecret_key: '#'\n'''\n"}
)

// TestMasked plants secrets in commands, scripts, tools and addresses of a
// session with everything switched on, and looks for them in every byte that is
// handed to the reviewer's client and in every byte that is written below the
// home directory.
func TestMasked(t *testing.T) {
	for _, p := range plants {
		t.Run(p.kind, func(t *testing.T) {
			t.Parallel()
			testMasked(t, p)
		})
	}
}

func testMasked(t *testing.T, p planted) {
	m := &model{t: t, says: byWord}
	a := newAgent(t, reviewerTOML+"per_session = 1000\nper_day = 1000\n[audit]\nlog = \"on\"\ncommands = \"full\"\n")
	dir := t.TempDir()
	a.env["CLAUDE_PROJECT_DIR"] = dir
	var sent bytes.Buffer
	a.process.Carry = func(data []byte, left time.Duration) ([]byte, error) {
		sent.Write(data)
		sent.WriteByte('\n')
		return m.carry(data, left)
	}
	looked := func(what string) {
		t.Helper()
		if bytes.Contains(sent.Bytes(), []byte(p.part)) {
			t.Errorf("%s: the reviewer's client was given %q", what, around(sent.String(), p.part))
		}
		sent.Reset()
	}
	number, session := 0, ""
	use := func(tool string, input fields) {
		t.Helper()
		number++
		event := fields{"tool_name": tool, "tool_input": input, "tool_use_id": "t" + strconv.Itoa(number), "cwd": dir, "permission_mode": "bypassPermissions"} // where questions of the rules are reviewed, too
		a.says(session, "PreToolUse", event)
		if number%2 == 0 {
			a.says(session, "PostToolUse", event)
		}
	}
	begin := func() { // what is sent depends on what the session has seen
		number++
		session = "s" + strconv.Itoa(number)
		a.says(session, "SessionStart", fields{"source": "startup", "cwd": dir})
		use("WebFetch", fields{"url": "https://example.org/first", "prompt": "x"})
	}
	for _, text := range plantedIn(p, spellings[:], formSpellings[:]) {
		begin()
		use("Bash", fields{"command": text})
		looked(text)
		use("Bash", fields{"command": "frob after"}) // with the label of the one before
		looked("after " + text)
	}
	for i, text := range plantedIn(p, scripts[:], nil) {
		if err := os.WriteFile(filepath.Join(dir, "tool.py"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		begin()
		before := m.calls
		use("Bash", fields{"command": "python3 tool.py " + strings.Repeat("x", i)})
		if m.calls == before || !strings.Contains(m.sent, `"scripts"`) {
			t.Errorf("%q: the script was not shown", text)
		}
		looked(text)
	}
	begin()
	addresses := []string{"https://me:#@example.org/", "https://example.org/?token=#"}
	if p.form {
		addresses = append(addresses, "https://example.org/#")
		use("Read", fields{"file_path": "/srv/" + p.secret + "/.env"})
	}
	for _, address := range addresses {
		use("WebFetch", fields{"url": strings.ReplaceAll(address, "#", p.secret), "prompt": p.secret})
	}
	use("WebSearch", fields{"query": "what is " + p.secret})
	use("mcp__slack__post_message", fields{"text": p.secret, "token": p.secret})
	use("mcp__unheard-of__get", fields{"path": "a", "api_key": p.secret, "query": p.secret})
	a.says(session, "UserPromptSubmit", fields{"prompt": "use " + p.secret, "cwd": dir})
	use("Bash", fields{"command": "frob at the end"})
	looked("tools")
	files := 0
	err := filepath.WalkDir(filepath.Join(a.env["HOME"], ".local", "state"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		for line := range strings.Lines(string(data)) {
			if strings.Contains(line, p.part) {
				t.Errorf("%s holds %q", filepath.Base(path), around(line, p.part))
			}
		}
		return err
	})
	if err != nil || files < 4 || m.calls < 60 {
		t.Errorf("%d files, %d calls, %v", files, m.calls, err)
	}
}

// plantedIn are texts with a secret in its place. A secret that breaks the
// quotes around it is none that stands so.
func plantedIn(p planted, places, forms []string) []string {
	var list []string
	for _, place := range places {
		list = append(list, strings.ReplaceAll(place, "#", p.secret))
	}
	if p.form {
		for _, place := range forms {
			list = append(list, strings.ReplaceAll(place, "#", p.secret))
		}
	}
	return list
}

// around is what stands around a part of a text.
func around(text, part string) string {
	i := strings.Index(text, part)
	return text[max(0, i-100):min(len(text), i+len(part)+40)]
}
