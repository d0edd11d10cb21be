package provider

import (
	"strings"

	"github.com/bashgate/bashgate/internal/cop"
)

// family is what is known of the models whose names begin in the same way: how
// much they can think before they answer.
type family struct {
	provider string // also of what is called after it: openai-responses
	prefix   string
	takes    string // the efforts that can be asked for, the least first
	usual    string // which one is, where the settings say nothing
	budget   bool   // thinking is bought in tokens, not in words
}

// families are looked up from the top: the first that fits counts. A model of
// none is asked for the effort of the settings, and for none without one.
//
// A reviewer has seconds, so each is asked for as little as it can. Sources:
// https://platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting,
// https://developers.openai.com/api/docs/guides/reasoning,
// https://ai.google.dev/gemini-api/docs/thinking,
// https://docs.ollama.com/capabilities/thinking
var families = [...]family{
	{"anthropic", "claude-haiku-4", "none low medium high", "none", true},
	{"anthropic", "claude-sonnet-4-5", "none low medium high", "none", true},
	{"anthropic", "claude-opus-4-5", "none low medium high", "none", true},
	{"anthropic", "claude-opus-4-1", "none low medium high", "none", true},
	{"anthropic", "claude-haiku-", "none low medium high", "none", false},
	{"anthropic", "claude-sonnet-", "none low medium high", "none", false},
	{"anthropic", "claude-opus-4", "none low medium high", "none", false},
	{"anthropic", "claude-", "low medium high", "low", false}, // think always
	{"openai", "gpt-5.", "none low medium high", "none", false},
	{"openai", "gpt-5", "minimal low medium high", "minimal", false},
	{"openai", "gpt-6-luna", "none low medium high", "none", false},
	{"openai", "gpt-6", "low medium high", "low", false},
	{"openai", "o1", "low medium high", "low", false},
	{"openai", "o3", "low medium high", "low", false},
	{"openai", "o4", "low medium high", "low", false},
	{"gemini", "gemini-2.5-pro", "minimal low medium high", "minimal", true},
	{"gemini", "gemini-2.5", "none minimal low medium high", "none", true},
	{"gemini", "gemini-3.1-flash-lite", "minimal low medium high", "minimal", false},
	{"gemini", "gemini-3.5-flash-lite", "minimal low medium high", "minimal", false},
	{"gemini", "gemini-", "low medium high", "low", false},
	{"ollama", "gpt-oss", "low medium high", "low", false},
	{"ollama", "", "none minimal low medium high", "none", false},
}

// efforts are the words of the settings, the least first, with the tokens that
// a model may think. The time of a review ends most of it earlier.
var efforts = [...]struct {
	word   string
	tokens int
}{
	{"none", 0}, {"minimal", 1024}, {"low", 2048}, {"medium", 4096}, {"high", 8192},
}

// answerTokens is the room of the answer itself, which takes a tenth of it.
const answerTokens = 1500

// thinking is how much a model shall think.
type thinking struct {
	effort string // as the model takes it; "" = nothing is asked for
	tokens int    // the most
	budget bool   // to be said in tokens
}

// limit is the most that the model may say, thoughts included.
func (t thinking) limit() int { return answerTokens + t.tokens }

// thinks finds how much the model of a call shall think: what the settings say,
// or the next more that the model takes.
func thinks(c *cop.Call) thinking {
	word, budget := c.Effort, false
	if f := familyOf(c); f != nil {
		if word == "" {
			word = f.usual
		}
		word, budget = f.nearest(word), f.budget
	}
	if word == "" && !c.Plain {
		// It may think by itself. A simple server's model may not, and may
		// have no room for more.
		return thinking{tokens: 2048}
	}
	return thinking{word, effortTokens(word), budget}
}

func familyOf(c *cop.Call) *family {
	provider := strings.TrimSuffix(c.Provider, "-responses")
	model := c.Model
	if provider == "ollama" {
		model = model[strings.LastIndexByte(model, '/')+1:]
	}
	for i := range families {
		if f := &families[i]; f.provider == provider && strings.HasPrefix(model, f.prefix) {
			return f
		}
	}
	return nil
}

// nearest is the least effort of the family that is not less than a word.
func (f *family) nearest(word string) string {
	takes := strings.Fields(f.takes)
	for _, one := range takes {
		if effortTokens(one) >= effortTokens(word) {
			return one
		}
	}
	return takes[len(takes)-1]
}

func effortTokens(word string) int {
	for _, e := range efforts {
		if e.word == word {
			return e.tokens
		}
	}
	return 0
}
