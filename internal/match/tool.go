package match

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bashgate/bashgate/policy"
)

// mcpPrefix begins the names of the tools of MCP servers: mcp__SERVER__TOOL.
const mcpPrefix = "mcp__"

// maxCuts is how many ways to cut a name are tried. Agents keep names short.
const maxCuts = 64

// MCPServer returns the server's part of a tool's name, in lower case, and
// reports false for a tool of no server. A server's name may hold two
// underscores, and so may a tool's: the first ones count.
func MCPServer(tool string) (string, bool) {
	rest, ok := strings.CutPrefix(tool, mcpPrefix)
	if !ok {
		return "", false
	}
	server, _, _ := strings.Cut(rest, "__")
	return strings.ToLower(server), true
}

// OwnName is the tool's part of a name: that of an MCP server's without the
// server. A name of nothing but the server has none.
func OwnName(tool string) string {
	rest, ok := strings.CutPrefix(tool, mcpPrefix)
	if !ok {
		return tool
	}
	_, own, _ := strings.Cut(rest, "__")
	return own
}

// Unnamed makes a row one about arguments that no other row names. Its lists are
// long, and a text is no table with pointers: the globs over NameWords become one
// text with blanks between them, and the arguments of a kind one argument, whose
// name is their FoldedName with bars around each.
func (r *ToolRule) Unnamed() {
	r.Unknown = true
	r.Names = []string{strings.Join(r.Names, " ")}
	var args []ToolArg
next:
	for _, a := range r.Args {
		a.Name = "|" + FoldedName(a.Name) + "|"
		for i := range args {
			if b := &args[i]; b.Kind == a.Kind && b.Lang == a.Lang {
				b.Name += a.Name[1:]
				continue next
			}
		}
		args = append(args, a)
	}
	r.Args = args
}

// UnnamedArg is the argument of a row made by Unnamed that an argument of that
// name is, or nil.
func (r *ToolRule) UnnamedArg(name string) *ToolArg {
	if name = FoldedName(name); strings.Contains(name, "|") {
		return nil
	}
	for i := range r.Args {
		if strings.Contains(r.Args[i].Name, "|"+name+"|") {
			return &r.Args[i]
		}
	}
	return nil
}

// FoldedName is a name in lower case, without what joins its words: filePath and
// file_path are one.
func FoldedName(name string) string {
	if strings.ContainsAny(name, "_-") {
		name = strings.NewReplacer("_", "", "-", "").Replace(name)
	}
	return strings.ToLower(name)
}

// NameWords are the words of a name, in lower case: those of getIssue and
// API-get-issue are get and issue, behind an api.
func NameWords(name string) []string {
	var words []string
	start, lower := 0, false
	add := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(name[start:end]))
		}
	}
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			add(i)
			start, lower = i+utf8.RuneLen(r), false
			continue
		case unicode.IsUpper(r) && lower:
			add(i)
			start = i
		}
		lower = !unicode.IsUpper(r)
	}
	add(len(name))
	return words
}

// Is tells whether the row is about a tool. It may be where the name can be
// cut into a server's and a tool's in several ways, of which only some fit.
func (r *ToolRule) Is(tool string) policy.Tri {
	switch {
	case r.Unknown:
		return policy.Sure(AnyGlob(strings.Fields(r.Names[0]), "_"+strings.Join(NameWords(OwnName(tool)), "_")+"_"))
	case r.Names != nil:
		return policy.Sure(AnyGlob(r.Names, tool))
	}
	rest, ok := strings.CutPrefix(tool, mcpPrefix)
	if !ok || r.Servers == nil {
		return policy.No
	}
	rest = strings.ToLower(rest)
	all, some := true, false
	for at, cuts := 0, 0; ; cuts++ {
		cut := strings.Index(rest[at:], "__")
		if cut < 0 {
			break
		}
		if cuts == maxCuts {
			all, some = false, true
			break
		}
		cut += at
		fits := r.isOf(rest[:cut], rest[cut+len("__"):])
		all, some = all && fits, some || fits
		at = cut + 1
	}
	if !strings.Contains(rest, "__") {
		some = r.isOf(rest, "") // the server as a whole
		all = some
	}
	switch {
	case !some:
		return policy.No
	case all:
		return policy.Yes
	}
	return policy.Maybe
}

func (r *ToolRule) isOf(server, tool string) bool {
	return AnyGlob(r.Servers, server) && (r.Tools == nil || AnyGlob(r.Tools, tool))
}

// Title names the tools that the row is about, for people: "Read view", "server github: * !delete_*".
func (r *ToolRule) Title() string {
	if r.Names != nil {
		return strings.Join(r.Names, " ")
	}
	servers := strings.Join(r.Servers, " ")
	if r.Tools == nil {
		return "server " + servers
	}
	return "server " + servers + ": " + strings.Join(r.Tools, " ")
}

// Judged reports whether the argument is a place or a machine, or a text that
// names some.
func (a *ToolArg) Judged() bool { return a.Kind.judged() }
