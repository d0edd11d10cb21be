package export

// File is one of several that belong together.
type File struct {
	Name string // with slashes, below the directory of them all
	Text []byte
}

// GeminiExtension writes a folder for `gemini extensions install`: a policy,
// for where hooks don't fire, and the hooks. Gemini drops the allows of
// extensions; those belong into a policy file of the user's, which stands
// above.
func GeminiExtension(r *Rules, o Options) []File {
	t := gemini()
	t.Place = "policies/bashgate.toml of an extension"
	t.Remove = "gemini extensions uninstall bashgate"
	return []File{
		{"gemini-extension.json", []byte("{\n  \"name\": \"bashgate\",\n  \"version\": " + quoteJSON(extensionVersion(o.Version)) + ",\n" +
			"  \"description\": \"Decides about every shell command before it runs\"\n}\n")},
		{"policies/bashgate.toml", t.Export(r.Tightening(), o).Text},
		{"hooks/hooks.json", geminiHooks()},
	}
}

// geminiHooks are the hooks of an extension. The one before a tool decides;
// the others tell what the session sees. Gemini gives them a time limit in
// milliseconds, longer than bashgate takes at most.
func geminiHooks() []byte {
	out := []byte("{\n  \"hooks\": {")
	for i, event := range [...]string{"BeforeTool", "AfterTool", "BeforeAgent", "SessionStart", "SessionEnd"} {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, "\n    \""+event+"\": [\n      {\"hooks\": [{\"type\": \"command\", \"name\": \"bashgate\", \"command\": \"bashgate --host gemini\", \"timeout\": 15000}]}\n    ]"...)
	}
	return append(out, "\n  }\n}\n"...)
}

// extensionVersion is a version as npm writes it, which Gemini wants.
func extensionVersion(v string) string {
	if len(v) > 1 && v[0] == 'v' && v[1] >= '0' && v[1] <= '9' {
		return v[1:]
	}
	return "0.0.0"
}
