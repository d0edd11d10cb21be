package export

// File is one of several that belong together.
type File struct {
	Name string // with slashes, below the directory of them all
	Text []byte
}

// GeminiExtension writes a folder for `gemini extensions install`: a policy,
// for where hooks don't fire, and the hook, if there is one. Gemini drops the
// allows of extensions; those belong into a policy file of the user's, which
// stands above.
func GeminiExtension(r *Rules, o Options, hook bool) []File {
	t := gemini()
	t.Place = "policies/bashgate.toml of an extension"
	t.Remove = "gemini extensions uninstall bashgate"
	files := []File{
		{"gemini-extension.json", []byte("{\n  \"name\": \"bashgate\",\n  \"version\": " + quoteJSON(extensionVersion(o.Version)) + ",\n" +
			"  \"description\": \"Decides about every shell command before it runs\"\n}\n")},
		{"policies/bashgate.toml", t.Export(r.Tightening(), o).Text},
	}
	if hook {
		files = append(files, File{"hooks/hooks.json", []byte(`{
  "hooks": {
    "BeforeTool": [
      {
        "matcher": "run_shell_command",
        "hooks": [{"type": "command", "name": "bashgate", "command": "bashgate --host gemini", "timeout": 15000}]
      }
    ]
  }
}
`)})
	}
	return files
}

// extensionVersion is a version as npm writes it, which Gemini wants.
func extensionVersion(v string) string {
	if len(v) > 1 && v[0] == 'v' && v[1] >= '0' && v[1] <= '9' {
		return v[1:]
	}
	return "0.0.0"
}
