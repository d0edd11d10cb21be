package approval

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// A token is one answer to one request, signed: whoever holds it may give that
// answer, and no other one. It is base64url of
//
//	version  1 byte, 1
//	code     4 bytes, "KXRT"
//	state    1 byte
//	expiry   8 bytes, seconds since 1970, big endian
//	mac      32 bytes, HMAC-SHA256 over these, the request's Sum and when it was made
//
// with a key that lies beside the requests.
const (
	tokenVersion = 1
	tokenHead    = 1 + 4 + 1 + 8
	tokenLength  = tokenHead + sha256.Size
)

const tokenKey = ".key"

// ErrToken is all that is said of a token that nobody has signed.
var ErrToken = errors.New("this is no answer to a request")

// Sign makes the token that gives a pending request a state, Approved or Denied. It
// holds for as long as the request waits.
func (q Queue) Sign(r *Request, to State) (string, error) {
	if r.State != Pending || to != Approved && to != Denied {
		return "", &EndedError{Code: r.Code, State: r.State, By: r.By}
	}
	key, err := q.signingKey()
	if err != nil {
		return "", err
	}
	b := append([]byte{tokenVersion}, r.Code...)
	b = append(b, byte(to))
	b = binary.BigEndian.AppendUint64(b, uint64(r.Made.Add(r.Life).Unix()))
	return base64.RawURLEncoding.EncodeToString(append(b, tokenMac(key, b, r)...)), nil
}

func tokenMac(key, head []byte, r *Request) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(head)
	h.Write([]byte(r.Sum() + strconv.FormatInt(r.Made.UnixNano(), 10)))
	return h.Sum(nil)
}

// Check reads a token and returns the answer that it gives to a request that still
// waits. The error is ErrToken where nobody has signed it, and an *EndedError where
// the request is answered or its time is over; others are of the directory.
func (q Queue) Check(token string) (code string, to State, err error) {
	if len(token) != base64.RawURLEncoding.EncodedLen(tokenLength) {
		return "", None, ErrToken
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(b) != tokenLength || b[0] != tokenVersion {
		return "", None, ErrToken
	}
	key, _, err := q.read(tokenKey)
	if err != nil || len(key) != sha256.Size {
		return "", None, errors.Join(ErrToken, none(err))
	}
	r, err := q.Request(string(b[1:5]))
	known := err == nil
	if !known { // takes as long, and says as little
		r = &Request{}
	}
	if good := hmac.Equal(b[tokenHead:], tokenMac(key, b[:tokenHead], r)); !known || !good {
		return "", None, ErrToken
	}
	to = State(b[5])
	end := time.Unix(int64(binary.BigEndian.Uint64(b[6:tokenHead])), 0)
	switch {
	case to != Approved && to != Denied:
		return "", None, ErrToken
	case r.State != Pending:
		return "", None, &EndedError{Code: r.Code, State: r.State, By: r.By}
	case q.now().After(end):
		return "", None, &EndedError{Code: r.Code, State: Expired}
	}
	return r.Code, to, nil
}

// signingKey reads the key, and makes it where there is none. Nobody sees half of
// it, and of two that are made at a time one counts.
func (q Queue) signingKey() ([]byte, error) {
	key, _, err := q.read(tokenKey)
	if errors.Is(err, fs.ErrNotExist) {
		if err := q.makeKey(); err != nil {
			return nil, err
		}
		key, _, err = q.read(tokenKey)
	}
	if err == nil && len(key) != sha256.Size {
		err = errors.New(filepath.Join(q.Dir, tokenKey) + " is no key")
	}
	return key, err
}

func (q Queue) makeKey() error {
	var key [sha256.Size]byte
	if _, err := rand.Read(key[:]); err != nil {
		return err
	}
	if err := q.open(true); err != nil {
		return err
	}
	f, err := os.CreateTemp(q.Dir, ".key-*") // for nobody else to read
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(key[:])
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Link(f.Name(), filepath.Join(q.Dir, tokenKey))
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}
