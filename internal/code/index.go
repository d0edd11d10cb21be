package code

import "strings"

// An index finds the lines of facts by the last parts of their names: by "join"
// those of os.path.join and of str.join. A text in Python asks for dozens of such
// names, each of which would be a way through all that is known.
type index struct {
	first [buckets]int32 // of the members of each
	all   []member       // the first is none
}

const buckets = 1 << 12

// A member is a line whose name has several parts.
type member struct {
	text       int32 // in which of the texts it stands
	start, end int32 // of its language and its name, with the tab between them
	next       int32 // in its bucket; 0 = it is the last one
}

func newIndex(texts []string) *index {
	n := 1
	for _, text := range texts {
		n += strings.Count(text, "\n")
	}
	x := &index{all: make([]member, 1, n)}
	for t, text := range texts {
		for at := 0; at < len(text); at = nextLine(text, at) {
			language := strings.IndexByte(text[at:], '\t') + 1
			end := max(at, at+language+strings.IndexByte(text[at+language:], '\t'))
			if dot := strings.LastIndexByte(text[at:end], '.'); dot >= language {
				x.all = append(x.all, member{text: int32(t), start: int32(at), end: int32(end), next: bucket(text[at+dot+1 : end])})
			}
		}
	}
	for i := len(x.all) - 1; i > 0; i-- { // so that a bucket has its members in the order of the texts
		m := &x.all[i]
		m.next, x.first[m.next] = x.first[m.next], int32(i)
	}
	return x
}

// bucket is where members with a last part are: its sum by FNV-1a.
func bucket(last string) int32 {
	sum := uint32(2166136261)
	for i := range len(last) {
		sum = (sum ^ uint32(last[i])) * 16777619
	}
	return int32(sum % buckets)
}

// owners goes through what stands before a name in the lines of a language, in their
// order, until the function reports false.
func (x *index) owners(texts []string, language, name string, each func(owner string) bool) {
	before, behind := language+"\t", "."+name
	for i := x.first[bucket(name[strings.LastIndexByte(name, '.')+1:])]; i != 0; i = x.all[i].next {
		m := &x.all[i]
		owner, ok := strings.CutPrefix(texts[m.text][m.start:m.end], before)
		if owner, is := strings.CutSuffix(owner, behind); ok && is && !each(owner) {
			return
		}
	}
}
