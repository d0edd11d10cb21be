// Package install knows where each agent keeps the settings by which it starts
// its hooks, and writes bashgate's hook there and takes it out again.
//
// A file of the agent's owner is changed where it has to be and nowhere else.
// What install found is kept in a record, so that uninstall puts it back byte
// for byte; where somebody has edited the file since, only what is bashgate's is
// taken out. What an agent does with its hooks is package host's business.
package install
