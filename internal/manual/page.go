package manual

import (
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/child"
)

// Page returns the options that the manual page of a name describes: "git" or
// "git-commit". man is the path of the program that shows pages. There are
// none where there is no page.
func Page(man, name string) []Option {
	if name == "" || strings.ContainsAny(name, "/ ") || name[0] == '-' {
		return nil
	}
	text, err := child.Run(child.Command{
		Path:    man,
		Args:    []string{"-P", "cat", name},
		Env:     []string{"LC_ALL=C", "MANWIDTH=2000", "MANPAGER=cat", "PATH=/usr/bin:/bin", "MAN_KEEP_FORMATTING="},
		Limit:   8 << 20,
		Timeout: 20 * time.Second,
	})
	if err != nil {
		return nil
	}
	return Parse(string(text))
}

// Parse reads the options off the text of a page: paragraphs whose first line
// begins with a dash, and what stands below them, further in.
//
//	-o, --output=FILE
//	       Write to FILE.
//	-v     Say more.
func Parse(page string) []Option {
	var options []Option
	from, last := 0, -1 // options[from:] are those whose description is being read
	for line := range strings.SplitSeq(page, "\n") {
		text := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		switch {
		case text == "":
		case indent > 0 && len(text) > 1 && text[0] == '-' && (last < 0 || indent <= last || from == len(options)):
			head, rest := text, ""
			if cut := strings.Index(text, "  "); cut > 0 {
				head, rest = text[:cut], strings.TrimSpace(text[cut:])
			}
			o, ok := heading(head)
			if !ok {
				from, last = len(options), indent
				continue
			}
			o.Text = rest
			from, last = len(options), indent
			options = append(options, o)
		case last >= 0 && indent > last:
			for i := from; i < len(options); i++ {
				options[i].Text = strings.TrimSpace(options[i].Text + " " + text)
			}
		default:
			from, last = len(options), -1
		}
	}
	return options
}

// heading reads the line that names an option. It reports false for a line that
// only begins with a dash.
func heading(head string) (o Option, ok bool) {
	o.Value = None
	unsaid := false
	for part := range strings.SplitSeq(strings.NewReplacer(" | ", ", ", "; ", ", ", " or -", ", -", " -", ", -", ", -", ", -").Replace(head), ", ") {
		part = strings.TrimSpace(part)
		if len(part) < 2 || part[0] != '-' {
			return Option{}, false
		}
		end := strings.IndexAny(part, " =[<")
		name, rest := part, ""
		if end > 0 {
			name, rest = part[:end], part[end:]
		}
		if strings.Trim(name, "-") == "" || strings.ContainsAny(name, "(){}\"'`,;:.|*") {
			return Option{}, false
		}
		value := None
		switch {
		case strings.HasPrefix(rest, "[="), strings.HasPrefix(rest, "["):
			value = Optional
		case strings.HasPrefix(rest, " ["):
			value = Unsaid
		case rest == "":
		case strings.HasPrefix(rest, "="), strings.HasPrefix(rest, "<"):
			value = Required
		case strings.Contains(strings.TrimSpace(rest), " ") && !strings.HasPrefix(rest, " <"):
			return Option{}, false // a sentence
		default:
			value = Required
		}
		o.Spellings = append(o.Spellings, name)
		unsaid = unsaid || value == Unsaid
		if value == Required && o.Value != Optional || value == Optional {
			o.Value = value // -o, --output=FILE: what one says holds for all
		}
	}
	if unsaid {
		o.Value = Unsaid
	}
	return o, len(o.Spellings) > 0
}
