// Package handbook holds the documentation to what it says: it runs the examples
// of a page and compares what is printed, and finds what the page's links lead to.
// Only tests use it; docs/contributing.md tells how a page is written for it.
package handbook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// Page is one file of Markdown.
type Page struct {
	Name    string // as it is told: "docs/log.md"
	Text    []byte
	Blocks  []Block
	Links   []Link
	Spans   []Span
	Anchors map[string]bool // "#..." of its headings, without the "#"
}

// Block is a fenced block, or commands in a comment.
type Block struct {
	Language string // what stands behind the fence
	Text     string
	Line     int // of its first line, from 1
	Section  int // how many headings stand above it
	Hidden   bool

	// What the comment before it says, as "<!-- test: file PATH -->"; "" = nothing.
	File   string // it is this file
	Skip   string // why it is not run
	Prints string // it is what this command prints
	GoesOn bool   // it goes on where the section before ended

	begin, end int // where Text stands in the page's
}

// Link is what a page refers to, as it stands there.
type Link struct {
	To   string
	Line int
}

// Span is code within a text.
type Span = Link

// Read reads a page of a directory.
func Read(root, name string) (*Page, error) {
	source, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		return nil, err
	}
	return Parse(name, source)
}

// Parse finds what a page holds.
func Parse(name string, source []byte) (*Page, error) {
	p := &Page{Name: name, Text: source, Anchors: map[string]bool{}}
	r := reader{page: p}
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	if err := ast.Walk(root, r.node); err != nil {
		return nil, err
	}
	return p, r.unused()
}

// reader walks through the nodes of a page.
type reader struct {
	page     *Page
	sections int
	line     int   // of the block that it is in
	said     Block // by the last comment
	saidAt   int   // its line; 0 = none that waits for its block
}

func (r *reader) node(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	p := r.page
	if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
		r.line = p.lineAt(n.Lines().At(0).Start)
	}
	switch n := n.(type) {
	case *ast.Heading:
		r.sections++
		p.anchor(plain(n, p.Text))
	case *ast.FencedCodeBlock:
		b := r.said
		r.said, r.saidAt = Block{}, 0
		b.Language, b.Section, b.Line = string(n.Language(p.Text)), r.sections, r.line
		if lines := n.Lines(); lines.Len() > 0 {
			b.begin, b.end = lines.At(0).Start, lines.At(lines.Len()-1).Stop
			b.Text = string(lines.Value(p.Text))
		}
		p.Blocks = append(p.Blocks, b)
	case *ast.CodeBlock:
		return ast.WalkStop, fmt.Errorf("%s:%d: an indented block\nhint: a fence says which language it is", p.Name, r.line)
	case *ast.HTMLBlock:
		return ast.WalkContinue, r.comment(n)
	case *ast.Link:
		p.Links = append(p.Links, Link{string(n.Destination), r.line})
	case *ast.Image:
		p.Links = append(p.Links, Link{string(n.Destination), r.line})
	case *ast.AutoLink:
		p.Links = append(p.Links, Link{string(n.URL(p.Text)), r.line})
	case *ast.CodeSpan:
		p.Spans = append(p.Spans, Span{plain(n, p.Text), r.line})
	}
	return ast.WalkContinue, nil
}

// comment reads what a comment says to the test.
func (r *reader) comment(n *ast.HTMLBlock) error {
	begin := n.Lines().At(0).Start
	end := n.Lines().At(n.Lines().Len() - 1).Stop
	if n.HasClosure() {
		end = n.ClosureLine.Stop
	}
	said, ok := strings.CutPrefix(string(r.page.Text[begin:end]), "<!-- test:")
	if !ok {
		return nil
	}
	said, _, closed := strings.Cut(said, "-->")
	if !closed {
		return fmt.Errorf("%s:%d: the comment does not end", r.page.Name, r.line)
	}
	if commands, ok := strings.CutPrefix(said, "\n"); ok {
		b := r.said
		r.said, r.saidAt = Block{}, 0
		b.Language, b.Text, b.Hidden, b.Section, b.Line = "console", commands, true, r.sections, r.line+1
		b.begin = begin + len("<!-- test:\n")
		b.end = b.begin + len(commands)
		r.page.Blocks = append(r.page.Blocks, b)
		return nil
	}
	r.saidAt = r.line
	word, rest, _ := strings.Cut(strings.TrimSpace(said), " ")
	switch {
	case word == "file" && rest != "":
		r.said.File = rest
	case word == "skip" && rest != "":
		r.said.Skip = rest
	case word == "prints" && rest != "":
		r.said.Prints = rest
	case word == "goes" && rest == "on":
		r.said.GoesOn = true
	default:
		return fmt.Errorf("%s:%d: %q says nothing to the test\nhint: file PATH, skip REASON, prints COMMAND, goes on, or lines of commands", r.page.Name, r.line, strings.TrimSpace(said))
	}
	return nil
}

// unused is what is wrong with a comment that no block follows.
func (r *reader) unused() error {
	if r.saidAt == 0 {
		return nil
	}
	return fmt.Errorf("%s:%d: the comment has no block", r.page.Name, r.saidAt)
}

func (p *Page) lineAt(offset int) int {
	return 1 + strings.Count(string(p.Text[:offset]), "\n")
}

// anchor adds that of a heading, made as code hosts make it.
func (p *Page) anchor(heading string) {
	name := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
	unique := name
	for i := 1; p.Anchors[unique]; i++ {
		unique = fmt.Sprintf("%s-%d", name, i)
	}
	p.Anchors[unique] = true
}

// plain is the text of a node without what marks it up.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Value(source))
				if n.SoftLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// Scenes are the blocks that share a home and a project, in order: those of a
// section, and of the next one where it says that it goes on.
func (p *Page) Scenes() (scenes [][]*Block) {
	section := -1
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Section != section && !b.GoesOn || scenes == nil {
			scenes = append(scenes, nil)
		}
		section = b.Section
		last := len(scenes) - 1
		scenes[last] = append(scenes[last], b)
	}
	return scenes
}

// Replace writes other texts into blocks of the page.
func (p *Page) Replace(texts map[*Block]string) []byte {
	var b strings.Builder
	at := 0
	for i := range p.Blocks {
		block := &p.Blocks[i]
		if text, ok := texts[block]; ok {
			b.Write(p.Text[at:block.begin])
			b.WriteString(text)
			at = block.end
		}
	}
	b.Write(p.Text[at:])
	return []byte(b.String())
}
