// Package match judges one simple command by a program's table: it reads the
// argument vector, tests the rules' conditions, and collects what options and
// operands mean. The built-in tables, which the linker lays out, and those that the
// interpreter makes of users' files go through the same Judge: they differ only
// in how a program's table is found. It knows nothing of the shell, the disk, or
// other programs: what a word means outside the command is a Use, for the
// engine to judge.
//
// # Reading
//
// Read goes through the words once, from left to right. A word is an option
// with its values, a part of the subcommand, or an operand; which options
// there are depends on the subcommand so far. What is not sure is kept, in the
// direction that makes answers stricter:
//
//   - An option that no table declares may take the next word as its value.
//     From there on, conditions hold maybe at best, and no closed allow holds.
//   - A hole that may begin with a dash may be an option. That defeats closed
//     allows where some option is risky: not harmless whatever its value is, or
//     one that a rule's answer hangs on. Where none is, the hole is an operand.
//   - A hole that may split is any number of operands, from none up.
//   - A hole where a subcommand may stand leaves all of them possible.
//   - A value that itself spells an option that may do harm is read as both.
//
// # Holding
//
// A rule's conditions are yes, no or maybe (Tri). An allow holds on yes; an
// ask on yes or maybe; a block on yes, and asks on maybe. Rules marked
// otherwise are tried where no other holds; where these don't either, the
// program's own answer counts (Unknowns).
//
// # Uses
//
// The values of all options that are present are uses of their kinds, whether
// or not a rule holds; operands are what the patterns of the rules that hold
// say. Where nothing holds only because of an undeclared option or a hole, the
// operands of the allow that came closest are judged all the same: a wrapper's
// unknown option hides nothing of the command behind it.
package match
