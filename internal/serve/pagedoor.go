package serve

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// How long a link and a browser's session last.
const (
	linkLife  = time.Minute
	entryLife = 12 * time.Hour
	mostIn    = 32 // browsers at a time
)

// door lets in the browsers of the person who has started the server. Each comes
// with a link that works once and soon, and gets two secrets for it: a cookie that
// no script can read, and a key that no other server can. Cookies know no ports:
// a browser sends them to whatever else listens on this machine, so that a cookie
// alone opens nothing.
type door struct {
	host string // "127.0.0.1:43210", as browsers call it
	now  func() time.Time

	mu     sync.Mutex
	links  []link  // the newest last
	inside []entry // the oldest first
}

// link is one that was given out. Of all secrets only their hashes are kept.
type link struct {
	token [sha256.Size]byte
	until time.Time
	used  bool
}

// entry is a browser that was let in.
type entry struct {
	cookie, key [sha256.Size]byte
	until       time.Time
}

// The errors of links.
var (
	errWrongLink = errors.New("this link is none that this server has given out")
	errLateLink  = errors.New("the time of this link is over")
	errUsedLink  = errors.New("this link has been used already: if not by you, end bashgate serve")
)

// secret makes one of 256 random bits.
func secret() (text string, sum [sha256.Size]byte) {
	var random [32]byte
	rand.Read(random[:]) // it never fails
	text = base64.RawURLEncoding.EncodeToString(random[:])
	return text, sha256.Sum256([]byte(text))
}

// token makes one for a link.
func (d *door) token() string {
	text, sum := secret()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.links = append(d.links, link{token: sum, until: d.now().Add(linkLife)})
	if len(d.links) > mostIn { // an older one is over, or will not be missed
		d.links = d.links[1:]
	}
	return text
}

// enter lets a browser in that has a link's token.
func (d *door) enter(token string) (cookie, key string, err error) {
	sum := sha256.Sum256([]byte(token))
	d.mu.Lock()
	defer d.mu.Unlock()
	var found *link
	for i := range d.links {
		if subtle.ConstantTimeCompare(sum[:], d.links[i].token[:]) == 1 {
			found = &d.links[i]
		}
	}
	now := d.now()
	switch {
	case found == nil:
		return "", "", errWrongLink
	case found.used:
		return "", "", errUsedLink
	case now.After(found.until):
		return "", "", errLateLink
	}
	found.used = true
	e := entry{until: now.Add(entryLife)}
	cookie, e.cookie = secret()
	key, e.key = secret()
	d.inside = append(d.inside, e)
	if len(d.inside) > mostIn {
		d.inside = d.inside[1:]
	}
	return cookie, key, nil
}

// find returns which browser a request comes from, -1 for none.
func (d *door) find(r *http.Request) int {
	found := -1
	for _, c := range r.CookiesNamed(d.cookieName()) {
		cookie, key := sha256.Sum256([]byte(c.Value)), sha256.Sum256([]byte(r.Header.Get(keyHeader)))
		for i := range d.inside {
			e := &d.inside[i]
			if subtle.ConstantTimeCompare(cookie[:], e.cookie[:])&subtle.ConstantTimeCompare(key[:], e.key[:]) == 1 && d.now().Before(e.until) {
				found = i
			}
		}
	}
	return found
}

// in reports whether a request comes from a browser that was let in.
func (d *door) in(r *http.Request) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.find(r) >= 0
}

// leave forgets a browser.
func (d *door) leave(r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := d.find(r); i >= 0 {
		d.inside = append(d.inside[:i:i], d.inside[i+1:]...)
	}
}

// keyHeader is where the page's script puts its key. No form can, and no other
// origin's script: nobody answers the question that a browser asks first.
const keyHeader = "X-Bashgate-Key"

// ownerKey is the context's key of a func() (uid int, known bool): whose program is
// at the other end of a connection.
type ownerKey struct{}

// cookieName has the port in it: there may be a server of another user beside.
func (d *door) cookieName() string {
	return "bashgate-" + d.host[strings.LastIndexByte(d.host, ':')+1:]
}

// stranger says what is wrong with a request that the page does not make, and
// its person's browser neither; nil if nothing is.
func (d *door) stranger(r *http.Request) error {
	if r.Host != d.host { // a name of others that leads here
		return errors.New("this is " + d.host + " and nothing else")
	}
	if owner, ok := r.Context().Value(ownerKey{}).(func() (uid int, known bool)); ok {
		// The administrator can do anything anyway, and carries connections into
		// virtual machines.
		if uid, known := owner(); known && uid != 0 && uid != os.Geteuid() {
			return errors.New("another user's program is not let in")
		}
	}
	read := r.Method == http.MethodGet
	switch site := r.Header.Get("Sec-Fetch-Site"); site {
	case "same-origin":
	case "": // not a browser, or an old one
	default:
		// "none" is what a person types or opens. From elsewhere the document
		// itself can be led to, which shows nothing.
		document := r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
		if !read || !document || !isDocument(r.URL.Path) {
			return errors.New("another site asks")
		}
	}
	origins := r.Header.Values("Origin")
	if len(origins) > 1 || len(origins) == 1 && origins[0] != "http://"+d.host || len(origins) == 0 && !read {
		return errors.New("another site asks")
	}
	return nil
}

func isDocument(path string) bool { return path == "/" || path == "/answer" }

// enter lets the browser in.
func (p *page) enter(w http.ResponseWriter, r *http.Request) {
	var token string
	if err := readJSON(r, map[string]any{"token": &token}); err != nil {
		decline(w, http.StatusBadRequest, err.Error())
		return
	}
	cookie, key, err := p.door.enter(token)
	if err != nil {
		decline(w, http.StatusForbidden, err.Error())
		return
	}
	http.SetCookie(w, &http.Cookie{Name: p.door.cookieName(), Value: cookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	answerJSON(w, http.StatusOK, []byte(`{"key":"`+key+`"}`))
}

// leave sends the browser out.
func (p *page) leave(w http.ResponseWriter, r *http.Request) {
	p.door.leave(r)
	http.SetCookie(w, &http.Cookie{Name: p.door.cookieName(), Path: "/", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteStrictMode})
	answerJSON(w, http.StatusOK, []byte(`{}`))
}
