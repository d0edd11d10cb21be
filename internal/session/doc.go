// Package session remembers what an agent's session has seen: untrusted
// content (corruption) and secrets.
//
// Each session has a log, $XDG_STATE_HOME/bashgate/sessions/HOST-ID.log (the
// default is ~/.local/state), to which events are appended, one line of JSON
// each and one write(2) for all of one hook: hooks that run at the same time
// need no lock, and nothing but a person makes a log say less. A label is
// written before the tool runs and counts from then on; that the tool did run
// is noted afterwards and changes nothing but what is shown.
//
// Next to it HOST-ID.seal grows by one byte for each line, after the line: a
// log with fewer lines than that was shortened. A log that is shortened, that
// holds a line which can't be read, that can't be read or written, or that
// others could have written is damaged, and so is a session of which it is not
// known where it comes from: one that goes on with another one's content, or,
// once an agent has told of some session that it begins, one that has no
// record. A damaged session counts as having seen
// everything. Where an event can't be written, the log is marked as damaged by
// its mode, which takes no space on the disk.
//
// files.log, in the same form, lists the files that such sessions have
// written: whoever reads one of them has seen what they had.
//
// Only a new session is clean, or one that a person cleared. Time clears
// nothing; the times in the logs are for people.
package session
