package catalogue

import "github.com/bashgate/bashgate/internal/match"

// Opinion is one of the opinions that no rule file has: the engine's own, and
// those of whoever decides after it.
type Opinion struct {
	ID     string // a glob where one kind of opinion has many ids: "env.*"
	Doc    string // what it says
	Answer string // what a person writes to be asked no more, and where
	Fixed  bool   // no lift drops it; Answer says what else helps
}

// Opinions lists them, in the order of their ids. What a rule says is in its
// file; nothing else has an id.
var Opinions = [...]Opinion{
	{ID: "agent.asks", Doc: "the agent asks by its own settings, and a person may answer elsewhere", Fixed: true},
	{ID: "answer.approved", Doc: "a person who was asked elsewhere approved it", Fixed: true},
	{ID: "answer.denied", Doc: "a person who was asked elsewhere denied it", Fixed: true},
	{ID: "answer.once", Doc: "a person let this command pass once", Fixed: true},
	{ID: "awk.*", Doc: "an awk program runs, writes or loads something, or can't be read", Answer: onProgram},
	{ID: "checker.deny", Doc: "a checker of the user's objects", Answer: "change the checker", Fixed: true},
	{ID: "checker.error", Doc: "a checker of the user's gave no answer", Answer: "mend the checker", Fixed: true},
	{ID: "code.any", Doc: "runs code that is not read, or not understood", Answer: onProgram},
	{ID: "code.hole", Doc: "runs a program whose text is not all known", Answer: plainly},
	{ID: "code.limit", Doc: "a program's text is too long to read", Answer: onProgram},
	{ID: "code.read", Doc: "a program whose text was read, and whose effects are judged", Fixed: true},
	{ID: "config.denied", Doc: "the command is on the user's list denied_commands", Answer: "take it off denied_commands in config.toml", Fixed: true},
	{ID: "config.error", Doc: "a configuration or rule file is broken, and might have been stricter", Answer: "mend the file: bashgate rules lint", Fixed: true},
	{ID: "config.outside", Doc: "names a path outside allowed_dirs", Answer: "add the directory to allowed_dirs in config.toml"},
	{ID: "config.workspace", Doc: "a rule file counts in some workspaces only, and the workspace is not known", Answer: "tell the workspace", Fixed: true},
	{ID: "container.ask", Doc: "the rules where it runs, in a container, ask about it: they know what lies there", Answer: "answer the question, or change the container's rules", Fixed: true},
	{ID: "cop.clear", Doc: "the reviewer cleared it", Fixed: true},
	{ID: "cop.error", Doc: "the reviewer did not clear it", Answer: "see docs/cop.md", Fixed: true},
	{ID: "cop.flag", Doc: "the reviewer objects", Answer: "see docs/cop.md", Fixed: true},
	{ID: "dc.*", Doc: "a dc program runs something, or can't be read", Answer: onProgram},
	{ID: "engine.kind", Doc: "a word means something that the engine does not know", Answer: "report it", Fixed: true},
	{ID: "env", Doc: "sets a variable whose name is not known", Answer: onProgram},
	{ID: "env.read", Doc: "puts a secret variable's value into its words", Answer: onProgram},
	{ID: "env.*", Doc: "sets a variable that steers what runs", Answer: `an [[env]] row of yours: name = "NAME=value", set = "allow"`},
	{ID: "gdb.*", Doc: "a debugger's commands can't be read", Answer: onProgram},
	{ID: "host.unclear", Doc: "names a machine in a way that programs may read differently", Answer: onProgram},
	{ID: "jq.*", Doc: "a jq program reads the environment or loads something, or can't be read", Answer: onProgram},
	{ID: "lift.changed", Doc: "changes what an allow of the user's depends on", Answer: "run them one after the other", Fixed: true},
	{ID: "managed.profile", Doc: "the administrator allows other profiles only", Answer: "choose one of those", Fixed: true},
	{ID: "mode.*", Doc: "the permission mode makes a question a block", Answer: "where a person can be asked it is a question", Fixed: true},
	{ID: "mongo.*", Doc: "a MongoDB script can't be read", Answer: onProgram},
	{ID: "patch.unreadable", Doc: "a tool's patch can't be read", Answer: plainly, Fixed: true},
	{ID: "path.delete", Doc: "removes an ordinary file", Answer: inPlace},
	{ID: "path.into", Doc: "may bring special files into a directory: what it copies or unpacks is not known", Answer: onProgram},
	{ID: "path.long", Doc: "a path is too long to be followed", Answer: plainly, Fixed: true},
	{ID: "path.share", Doc: "on Windows, a path of another machine (\\\\server\\share): it is told who asks", Answer: plainly, Fixed: true},
	{ID: "path.walk", Doc: "goes through a directory that holds what the agent's settings deny", Answer: onProgram},
	{ID: "path.windows", Doc: "on Windows, a name that may be another file's: PROGRA~1, C:x", Answer: plainly, Fixed: true},
	{ID: "path.write", Doc: "creates or changes an ordinary file", Answer: inPlace},
	{ID: "perl.*", Doc: "a Perl program does more than compute and print, or can't be read", Answer: onProgram},
	{ID: "privilege.executes", Doc: "runs code that is not the system's with more rights", Answer: onProgram},
	{ID: "profile.asks", Doc: "the profile asks nobody", Answer: "choose another profile", Fixed: true},
	{ID: "profile.unknown", Doc: "no profile or pack has this name", Answer: "mend the name in config.toml", Fixed: true},
	{ID: "profile.unlisted", Doc: "the profile's answer about programs that it does not list", Answer: "a profile of yours that extends it and lists the program", Fixed: true},
	{ID: "profile.*", Doc: "the profile is stricter about this family or effect", Answer: "a profile of yours, or another one"},
	{ID: "project.code", Doc: "runs code of the project: a file of the workspace", Fixed: true},
	{ID: "project.elsewhere", Doc: "runs code of a directory outside the workspace", Answer: onProgram},
	{ID: "project.task", Doc: "a text of the project: lifts questions about its own tools, and about what tools make", Fixed: true},
	{ID: "project.word", Doc: "tells code of the project a place outside the workspace, or a machine", Answer: onProgram},
	{ID: "record.unwritten", Doc: "what it shows, or passes on, can't be written to the session's record", Answer: "make room for the record, or let bashgate write to it", Fixed: true},
	{ID: "redirect.network", Doc: "opens a network connection by a redirect", Answer: onProgram},
	{ID: "redirect.write", Doc: "writes an ordinary file by a redirect", Answer: inPlace},
	{ID: "repository.planted", Doc: "obeys the configuration of a directory where anybody may have put it", Answer: onProgram},
	{ID: "run.file", Doc: "runs a file", Answer: onProgram},
	{ID: "scratch", Doc: "a place that is harmless to write: lifts questions about edits", Fixed: true},
	{ID: "sed.*", Doc: "a sed script runs or writes something, or can't be read", Answer: onProgram},
	{ID: "settings.allow", Doc: "the agent's own settings allow it", Fixed: true},
	{ID: "settings.ask", Doc: "the agent's own settings ask", Answer: "change the agent's settings", Fixed: true},
	{ID: "settings.deny", Doc: "the agent's own settings deny it", Answer: "change the agent's settings", Fixed: true},
	{ID: "settings.unreadable", Doc: "the agent's settings can't be read, and might deny it", Answer: "mend the agent's settings", Fixed: true},
	{ID: "shell.by-option", Doc: "starts a shell by an option of another program", Answer: onProgram},
	{ID: "shell.evaluates", Doc: "a builtin evaluates a text later that is not known", Answer: plainly, Fixed: true},
	{ID: "shell.fork-bomb", Doc: "a function that starts itself without end", Answer: plainly, Fixed: true},
	{ID: "shell.guard", Doc: "a text that shell and reader may read in different ways", Answer: plainly, Fixed: true},
	{ID: "shell.hole", Doc: "what runs, or what is sent, is not all known", Answer: onProgram},
	{ID: "shell.limit", Doc: "too long, or too deeply nested, to be followed", Answer: plainly, Fixed: true},
	{ID: "shell.node", Doc: "a form of the shell that is not read", Answer: plainly, Fixed: true},
	{ID: "shell.parse-error", Doc: "a text that can't be read", Answer: plainly, Fixed: true},
	{ID: "shell.posix", Doc: "a form that a POSIX shell reads in another way", Answer: plainly, Fixed: true},
	{ID: "shell.script", Doc: "runs a script of the workspace, whose commands are judged", Fixed: true},
	{ID: "shell.uncalled", Doc: "a function that the text does not call: lifts its questions until somebody does", Fixed: true},
	{ID: "shell.unread", Doc: "a shell whose language is not read runs the line", Answer: "let the agent use bash, zsh or sh", Fixed: true},
	{ID: "shell.zsh", Doc: "a form that zsh reads in another way", Answer: plainly, Fixed: true},
	{ID: "sql.*", Doc: "SQL that writes, reads files or secrets, or can't be read", Answer: onProgram},
	{ID: "taint.*", Doc: "what the session has seen makes it a question", Answer: "bashgate taint show, bashgate taint clear", Fixed: true},
	{ID: "task.changed", Doc: "changes a file whose text it also runs", Answer: "run them one after the other", Fixed: true},
	{ID: "task.known", Doc: "all that a task runs was judged: lifts the question about the task", Fixed: true},
	{ID: "task.missing", Doc: "the task's file names no such task", Answer: onProgram},
	{ID: "task.unreadable", Doc: "the texts that a task stands for are not all known", Answer: onProgram},
	{ID: "tool.argument", Doc: "a [[tools]] row allows a tool, but what it is given can't be judged", Answer: `give the argument a kind in that row, "write?" where it may be missing`, Fixed: true},
	{ID: "tool.language", Doc: "a tool runs a language that no rule understands", Answer: "a [[tools]] row of yours that allows the tool by its name", Fixed: true},
	{ID: "trust.changed", Doc: "a project's rules have changed since they were trusted, and only tighten now", Answer: "bashgate trust", Fixed: true},
	{ID: "unittest.unreadable", Doc: "unittest is told a name of tests that is not all known", Answer: onProgram},
	{ID: "unknown-command", Doc: "no rule knows the program", Answer: `a [[programs]] table of yours: name = "NAME", or a path: name = "./scripts/x.sh"`},
	{ID: "unknown-use", Doc: "no rule covers this use of the program", Answer: onProgram},
	{ID: "yq.*", Doc: "a yq program loads or runs something, or can't be read", Answer: onProgram},
}

// How most of them are answered.
const (
	onProgram = "an allow of yours for the program that lifts it"
	inPlace   = `scratch_dirs in config.toml, a [[paths]] row of yours with write = "allow", or an allow that lifts it`
	plainly   = "write it more plainly: what can't be read for certain is asked about"
)

// Described returns what is said of an id, or nil for one of a rule.
func Described(id string) *Opinion {
	for i := range Opinions {
		if match.Glob(Opinions[i].ID, id) {
			return &Opinions[i]
		}
	}
	return nil
}

// Fixed reports whether no lift drops a reason of the id.
func Fixed(id string) bool {
	o := Described(id)
	return o != nil && o.Fixed
}
