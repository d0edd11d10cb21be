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
// files.log, in the same form, lists the files that were written by what shows
// something, with its levels, and by sessions that had seen something, with the
// lowest one. Whoever reads one of them has seen that too, unless the file is
// gone, holds what it held before, or what a person has committed. All sessions
// share the list; where it has become long it is written anew, by one hook that
// keeps the others out.
//
// Only a new session is clean, or one that a person cleared; a person also vouches
// for single things that one has seen. One that begins as a copy of another one has
// its labels. Time clears nothing; of the times in the logs only those of files are
// compared, with times that no program can set.
package session
