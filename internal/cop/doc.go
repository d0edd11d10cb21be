// Package cop decides about the commands of a session that has seen untrusted
// content or secrets. The rules decide first. Then, by what the session has
// seen and by how far the line reaches, the rules' decision stands, a reviewer
// (the Cop, a small language model) is asked, or a person is:
//
//	the rules say / reach     no taint   one taint   both, or the record is damaged
//	block                     block      block       block
//	local                     rules      rules       rules
//	unknown                   rules      Cop         Cop; damaged: person
//	network                   rules      Cop         person
//
// A Cop that clears leaves the rules' decision as it is: with the agent's
// settings, with the permission mode. One that flags makes it a block, or with
// both taints a question to a person. One that fails has not cleared: the
// command is asked about. Nobody lifts a block, and where nobody can be asked a
// question is one.
//
// The Cop sees the commands as they were read, what the rules think of them,
// and which kinds of things the session has seen: a Question. It never sees
// what a tool printed or what the agent says about the command. It answers in
// a closed form, and a table makes the decision of it: an Answer. What it names
// as the command's targets must stand in the command, and the rules judge each
// of them again.
//
// Nothing here speaks HTTP. The hook starts another program, bashgated, and
// hands it a Call; the Reply is the model's text, read here and trusted
// nowhere.
package cop
