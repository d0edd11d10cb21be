package engine

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// leads looks for what a rule lists as leading a command to another place than
// the usual one:
//
//	-c, --context          an option
//	buildx                 a word
//	DOCKER_HOST            a variable, of the line or of the agent
//	~/.docker/c.json=text  a file that holds a text, or one of several: a|b; a
//	                       relative file is one of the command's directory
//
// Found is also what may be there: words and directories that are not known,
// files that can't be read, the agent's variables where they are not known.
// Exists reports whether one of the relative files is there.
func (j *judge) leads(c *policy.Command, list []string) (found, exists bool) {
	if j.request.Getenv == nil || j.engine.opts.Files == nil || len(c.Dirs) != 1 {
		return true, false
	}
	for _, w := range c.Words[1:] {
		text, known := w.Const()
		if !known {
			text = w.Prefix()
		}
		if !known && text == "" || slices.ContainsFunc(list, func(option string) bool { return mayHold(text, option) }) {
			return true, false
		}
	}
	for _, entry := range list {
		file, texts, isFile := strings.Cut(entry, "=")
		switch {
		case entry[0] == '-', !isFile && strings.ToLower(entry) == entry:
		case !isFile:
			if j.request.Getenv(entry) != "" || assigns(c, entry) {
				return true, false
			}
		default:
			file, relative := j.expandHome(file), !path.IsAbs(file) && file[0] != '~'
			if relative {
				file = path.Join(j.follow(c.Dirs[0]), file)
			}
			data, err := j.engine.opts.Files.ReadFile(file, maxLeading)
			if errors.Is(err, fs.ErrNotExist) && j.rewritten(file) == nil {
				continue
			}
			holds := func(text string) bool { return strings.Contains(strings.ToLower(string(data)), strings.ToLower(text)) }
			if err != nil || j.rewritten(file) != nil || slices.ContainsFunc(strings.Split(texts, "|"), holds) {
				return true, false
			}
			exists = exists || relative && path.Base(file)[0] != '.'
		}
	}
	return false, exists
}

// maxLeading is how much of a file that may lead elsewhere is read, in bytes.
const maxLeading = 256 << 10

// mayHold reports whether a word is, or may hold, an option: --context=x, -cx, -ac.
func mayHold(word, option string) bool {
	if len(option) == 2 && option[0] == '-' {
		return strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") && strings.Contains(word, option[1:])
	}
	if option == word && strings.ToLower(option) == option && !strings.Contains(option, "=") {
		return true
	}
	return option[0] == '-' && len(word) > 3 && strings.HasPrefix(word, "--") && (strings.HasPrefix(word, option) || strings.HasPrefix(option, word))
}

// assigns reports whether the line gives, or may give, a variable to a command.
func assigns(c *policy.Command, name string) bool {
	is := func(a policy.Assign) bool { return a.Name == name || a.Name == "" }
	return slices.ContainsFunc(c.Assigns, is) || slices.ContainsFunc(c.Env, is)
}

// showsNothing reports whether a rule's secrets would stand in files, and there
// are none in them.
func (j *judge) showsNothing(n *Node, id string) bool {
	for _, s := range n.secrets {
		if s.id == id {
			found, exists := j.leads(n.command, s.leads)
			return !found && exists
		}
	}
	return false
}

// secretsOf is a rule that shows secrets only where something leads to them.
type secretsOf struct {
	id    string
	leads []string
}
