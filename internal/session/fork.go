package session

import (
	"errors"
	"os"
	"slices"
	"strings"
)

// maxTranscript is how much of an agent's transcript is looked through, in
// bytes. Of a longer one it is not known where all of it comes from.
const maxTranscript = 64 << 20

// Inherit finds out what a session has seen that began as a copy of others: what
// they have. The agent's transcript names them. The events begin the session's
// record, or go on with it where that says that it is a copy; none where it is
// not known what it is a copy of. The agent may be writing the transcript: whole
// says that it has come to a prompt since.
func (s Store) Inherit(name, host, transcript, prompt string) (events []Event, whole bool) {
	text, err := readText(transcript, maxTranscript)
	if err != nil {
		return nil, !errors.Is(err, os.ErrNotExist)
	}
	if prompt != "" && !strings.Contains(text, `"promptId":"`+prompt+`"`) {
		return nil, false
	}
	for _, id := range origins(text) {
		parent := Name(host, id)
		if parent == name {
			continue
		}
		state := s.Read(parent)
		if !state.Known || state.Damage != "" {
			return nil, true
		}
		events = append(events, Event{Kind: Inherited, What: parent})
		for i := range state.Labels {
			e := state.Labels[i].Event()
			e.Use, e.Asked = "", false // its end is told to the other one
			events = append(events, e)
		}
	}
	return events, true
}

// origins lists the sessions whose messages a transcript holds, besides its
// own. Within a text of a message the quotes are escaped, so that none names a
// session; an argument of a tool that looks alike names one too many.
func origins(text string) (ids []string) {
	for _, key := range [...]string{`"forkedFrom":{"sessionId":"`, `"requestSessionId":"`} {
		rest := text
		for {
			_, after, found := strings.Cut(rest, key)
			if !found {
				break
			}
			id, _, ended := strings.Cut(after, `"`)
			if rest = after; ended && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}
