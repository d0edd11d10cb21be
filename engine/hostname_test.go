package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

func TestHostNames(t *testing.T) {
	rows := []struct {
		text    string
		hosts   []string
		unclear bool
	}{
		{"https://example.com/a?b#c", []string{"example.com"}, false},
		{"https://example.com/größe?q=日本#ü", []string{"example.com"}, false},
		{"https://example.com/{a,b}/[1-3]", []string{"example.com"}, false},
		{"https://example.com?u=http://other.example/", []string{"example.com"}, false},
		{"example.com/?u=http://other.example/", []string{"example.com"}, false},
		{"http:/h.example/x", []string{"h.example"}, false},
		{"http:///h.example/x", []string{"h.example"}, false},
		{`http:\\h.example\x`, []string{`h.example\x`, "h.example"}, true},
		{"http:h.example", []string{"http", "h.example"}, false},
		{"dict:/h.example", []string{"h.example"}, false},
		{"//h.example/x", []string{"h.example"}, false},
		{"git@h.example:org/repo.git", []string{"h.example"}, false},
		{"h.example:/srv/x", []string{"h.example"}, false},
		{"ssh://git@h.example:22/x", []string{"h.example"}, false},
		{"unix:///var/run/docker.sock", []string{""}, false},
		{"file:///etc/passwd", []string{""}, false},
		{"origin", []string{"origin"}, false},
		{"localhost:3000", []string{"localhost"}, false},
		{"http://user:p@ss@h.example/", []string{"h.example", "ss"}, false},
		{`http://good.example\@h.example/`, []string{"h.example", "good.example"}, false},
		{"ftp://h.example;type=i", []string{"h.example;type=i", "h.example"}, false},
		{"http://h.example../", []string{"h.example"}, false},
		{"http://h%2Eexample/", []string{"h.example"}, false},
		{"http://h.example%2fx/", []string{"h.example/x"}, true},
		{"http://%2531/", []string{"%31"}, true},
		{"http://ｈ.example/", []string{"h.example"}, true},
		{"http://münchen.example/", []string{"münchen.example"}, true},
		{"http://{a,b}.example/", []string{"{a,b}.example"}, true},
		{"http://h.ex\nample/", []string{"h.ex\nample", "h.example"}, true},
		{" http://h.example/", []string{" http", "h.example"}, true},
		{"http://0x7f.1/", []string{"127.0.0.1"}, false},
		{"http://0x7f.0x.0x.1/", []string{"127.0.0.1"}, false},
		{"http://[64:ff9b::a9fe:a9fe]/", []string{"64:ff9b::a9fe:a9fe", "169.254.169.254"}, false},
		{"http://[::a9fe:a9fe]/", []string{"::a9fe:a9fe", "169.254.169.254"}, false},
		{"http://[::1]:80/", []string{"::1"}, false},
		{"fd00:ec2::254", []string{"fd00:ec2::254"}, false},
	}
	for _, r := range rows {
		got := hostNames(r.text)
		if got.unclear != r.unclear || !slices.Equal(got.hosts, r.hosts) {
			t.Errorf("hostNames(%q) = %q, unclear %v, want %q, %v", r.text, got.hosts, got.unclear, r.hosts, r.unclear)
		}
	}
}

// spellings are ways to write a host that curl, wget, browsers or node read as
// that host.
func spellings(host string) []string {
	hosts := []string{host, strings.ToUpper(host), host + ".", strings.ReplaceAll(host, ".", "。"), strings.ReplaceAll(host, ".", "%2e"), host[:3] + "\u00ad" + host[3:], host[:2] + "\t" + host[2:]}
	var escaped, wide strings.Builder
	for _, c := range []byte(host) {
		fmt.Fprintf(&escaped, "%%%02x", c)
		wide.WriteRune(rune(c) - '!' + 0xff01)
	}
	hosts = append(hosts, escaped.String(), wide.String())
	if v, ok := looseIPv4(host); ok {
		a, b, c, d := v>>24, v>>16&255, v>>8&255, v&255
		hosts = append(hosts, fmt.Sprint(v), fmt.Sprintf("0x%x", v), fmt.Sprintf("0X%X", v), fmt.Sprintf("0%o", v), fmt.Sprintf("%d.%d", a, v&0xffffff), fmt.Sprintf("%d.%d.%d", a, b, v&0xffff),
			fmt.Sprintf("0%o.0%o.0%o.0%o", a, b, c, d), fmt.Sprintf("0x%x.0x%x.%d.0%o", a, b, c, d), fmt.Sprintf("00%o.%d.%d.%d", a, b, c, d),
			fmt.Sprintf("[::ffff:%s]", host), fmt.Sprintf("[::ffff:%x:%x]", v>>16, v&0xffff), fmt.Sprintf("[0:0:0:0:0:FFFF:%s]", host), fmt.Sprintf("[::%s]", host), fmt.Sprintf("[64:ff9b::%s]", host))
	}
	var urls []string
	for _, h := range hosts {
		for _, form := range []string{"%s", "%s/x", "%s:80/x", "http://%s/x", "HTTP://%s", "http:/%s/x", "http:///%s/x", `http:\\%s\x`, `http:/\%s/x`, "http:%s/x", "https:////%s/x", "http://u@%s/x", "http://u:p@%s:80/x",
			`http://good.example\@%s/x`, `http://%s\@good.example/x`, "http://%s@good.example@%[1]s/x", "http://%s?x=://good.example", "%s/?x=http://good.example/", "http://%s#@good.example/", " http://%s/x", "ht\ntp://%s/x", "//%s/x", "ftp://%s;type=i", "\x01http://%s/"} {
			urls = append(urls, fmt.Sprintf(form, h))
		}
	}
	return urls
}

// TestHostSpellingsLaw: no spelling of a machine that rules ask about is allowed.
func TestHostSpellingsLaw(t *testing.T) {
	e := New(Options{})
	for _, host := range []string{"169.254.169.254", "100.100.100.200", "metadata.google.internal", "instance-data", "webhook.site"} {
		for _, url := range spellings(host) {
			for _, program := range []string{"curl ", "wget -qO- "} {
				if line := program + policy.Quote(url); decided(e, line) < policy.Ask {
					t.Errorf("%s is allowed", line)
				}
			}
		}
	}
	for _, line := range []string{
		"curl https://example.com/größe", "curl 'https://example.com/?q=日本'", "curl localhost:8080/api", "curl http://127.0.0.1:3000/", "curl 'http://[::1]:8080/'", "curl 'https://example.com/x?u=http://other.example/'",
		"wget -qO- https://example.com/a%20b", "curl -s https://user@example.com/",
	} {
		if got := decided(e, line); got != policy.Allow {
			t.Errorf("%s = %v", line, got)
		}
	}
}

func FuzzHostNames(f *testing.F) {
	for _, url := range spellings("169.254.169.254") {
		f.Add(url)
	}
	f.Add(`A:\`)
	f.Fuzz(func(t *testing.T, text string) {
		if got := hostNames(text); len(got.hosts) == 0 {
			t.Errorf("hostNames(%q) has no host", text)
		}
	})
}
