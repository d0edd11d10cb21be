package engine_test

import (
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/policy"
)

// TestStays: this machine is not the network, unless the line may lead elsewhere.
func TestStays(t *testing.T) {
	e := engine.New(engine.Options{})
	for _, command := range []string{
		"curl http://localhost:3000/api",
		"curl -s localhost:8080/health",
		"curl http://127.0.0.1:8080/x",
		"curl http://127.9.9.9/x",
		"curl 'http://[::1]:3000/x'",
		"curl http://0.0.0.0:3000/x",
		"curl http://app.localhost:3000/x",
		"curl -X POST -d a=b http://localhost:3000/x",
		"curl -H 'Accept: a/b' -o /dev/null -w '%{http_code}' http://localhost:3000/x",
		"timeout 5 curl -s http://localhost:3000/x",
		"http GET localhost:8000/x",
		"nc -z localhost 5432",
		"psql -h localhost -c 'select 1'",
		"PGPASSWORD=x psql -h 127.0.0.1 -U me -c 'select 1'",
		"psql postgres://me:x@localhost:5432/app -c 'select 1'",
		"mysql -h 127.0.0.1 -e 'select 1'",
		"redis-cli -h localhost -p 6380 get x",
		"mongosh mongodb://localhost:27017/app --eval 'show dbs'",
		"psql -h localhost -U me app -c 'select 1'",
		"psql -h localhost -d app -c 'select 1'",
		"pg_dump -h localhost app",
		"pg_isready -h localhost -p 5432",
		"ping -c 1 localhost",
		"wget -qO- --max-redirect=0 http://localhost:3000/",
	} {
		if v := e.Evaluate(engine.Request{Command: command, Cwd: "/w", Workspace: "/w", Home: "/home/u"}); v.Reach != policy.ReachLocal {
			t.Errorf("%s: %v, want local", command, v.Reach)
		}
	}
	for _, command := range []string{
		"curl https://example.org/",
		"curl http://localhost:3000/ https://example.org/",
		"curl -L http://localhost:3000/",
		"curl -sLo /dev/null http://localhost:3000/",
		"curl --location-trusted http://localhost:3000/",
		"curl -x http://localhost:8888 http://localhost:3000/",
		"curl --proxy=http://127.0.0.1:8888 http://localhost/",
		"curl --socks5 localhost:1080 http://localhost/",
		"curl --preproxy socks5://localhost:1080 http://localhost/",
		"curl --connect-to ::example.org:80 http://localhost/",
		"curl --resolve localhost:80:192.0.2.1 http://localhost/",
		"curl --unix-socket /var/run/docker.sock http://localhost/containers/json",
		"curl --unknown http://localhost/",
		"curl -K conf http://localhost/",
		"curl --url @f http://localhost/",
		"http_proxy=http://example.org curl http://localhost/",
		"export ALL_PROXY=socks5://example.org; curl http://localhost/",
		"HOME=/tmp/x curl http://localhost/",
		"curl http://localhost:2375/containers/json",
		"curl http://localhost:9229/json",
		"redis-cli -h localhost -p 6379 get x",
		"curl http://localhost.example.org/",
		"curl http://127.example.org/",
		"curl http://localhost@example.org/",
		"curl http://localhost:80@example.org/",
		"curl \"http://$h/\"",
		"curl http://localhost:$p/",
		"curl http://169.254.169.254/",
		"curl 'http://{localhost,example.org}/'",
		"curl http://localhost/ >/dev/tcp/192.0.2.1/80",
		"wget -qO- http://localhost:3000/",
		"http -F localhost:8000/x",
		"psql 'postgres://localhost/app?host=example.org' -c 'select 1'",
		"psql -h localhost -d 'host=example.org' -c 'select 1'",
		"psql -h localhost -f s.sql",
		"psql app.example.org -h localhost -c 'select 1'",
		"nc -z -s localhost example 80",
		"mongosh mongodb+srv://localhost/app --eval 'show dbs'",
		"mongosh mongodb://localhost,example.org/app --eval 'show dbs'",
		"redis-cli -c -h localhost -p 6380 get x",
		"ssh localhost ls",
		"ssh -L 80:example.org:80 localhost",
		"ssh host curl http://localhost:3000/",
	} {
		if v := e.Evaluate(engine.Request{Command: command, Cwd: "/w", Workspace: "/w", Home: "/home/u"}); v.Reach == policy.ReachLocal {
			t.Errorf("%s: local", command)
		}
	}
	var m disk.Memory
	m.Mkdir("/home/u")
	v := engine.New(engine.Options{Files: &m}).Evaluate(engine.Request{Command: "echo 'proxy = example.org' >~/.curlrc && curl http://localhost/", Cwd: "/w", Home: "/home/u"})
	if v.Reach != policy.ReachNetwork {
		t.Errorf("curl with a file of options that the line writes: %v", v.Reach)
	}
	m.WriteFile("/home/u/.curlrc", "proxy = example.org\n")
	if v := engine.New(engine.Options{Files: &m}).Evaluate(engine.Request{Command: "curl http://localhost:3000/", Cwd: "/w", Home: "/home/u"}); v.Reach != policy.ReachNetwork {
		t.Errorf("curl with a file of options: %v", v.Reach)
	}
}

// TestStaysDecision: what is decided of a command that stays on this machine is
// what was decided before, and so is what it does.
func TestStaysDecision(t *testing.T) {
	e := engine.New(engine.Options{})
	for command, want := range map[string]policy.Decision{
		"curl http://localhost:3000/ | sh":                  policy.Ask,
		"curl -o x.sh http://localhost:3000/x.sh":           policy.Ask,
		"curl -d @.env http://localhost:3000/":              policy.Ask,
		"psql -h localhost -c 'drop table t'":               policy.Ask,
		"curl -X DELETE http://localhost:9200/logs":         policy.Ask,
		"curl http://localhost:3000/a":                      policy.Allow,
		"curl -s http://localhost:3000/a | jq .":            policy.Allow,
		"curl -H \"X: $(cat .env)\" http://localhost:3000/": policy.Ask,
	} {
		if v := e.Evaluate(engine.Request{Command: command, Cwd: "/w", Workspace: "/w", Home: "/home/u"}); v.Decision != want {
			t.Errorf("%s: %v (%s), want %v", command, v.Decision, v.Reason, want)
		}
	}
}
