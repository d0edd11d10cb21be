package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/bashgate/bashgate/internal/wire"
)

// readJSON reads a request's body: an object with some of the fields, which are
// *string or *bool, and no others.
func readJSON(r *http.Request, fields map[string]any) error {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return errors.New("the text is too long, or comes too slowly")
	}
	v, err := wire.Parse(text)
	if err != nil {
		return err
	}
	o, err := v.Object()
	if err != nil {
		return err
	}
	for _, m := range o {
		switch to := fields[m.Key].(type) {
		case *string:
			*to, err = m.Value.Text()
		case *bool:
			*to, err = m.Value.Bool()
		default:
			err = fmt.Errorf("%.40q is no field of it", m.Key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// decline answers with an error: {"error":"TEXT"}.
func decline(w http.ResponseWriter, status int, text string) {
	answerJSON(w, status, append(wire.AppendText([]byte(`{"error":`), text), '}'))
}

// answerJSON answers with JSON.
func answerJSON(w http.ResponseWriter, status int, text []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(text)
}

// answerValue answers with a value as JSON.
func answerValue(w http.ResponseWriter, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		decline(w, http.StatusInternalServerError, err.Error())
		return
	}
	answerJSON(w, http.StatusOK, text)
}
