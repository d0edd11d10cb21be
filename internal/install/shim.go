package install

// What runs inside of agents that have plugins in place of hooks. Each shows
// what happens to the hook as one JSON object and does what its answer says: a
// line {"decision": "allow", "ask" or "block", "reason": "..."}, or nothing,
// where bashgate has nothing to say. All else stops the tool: a hook that is
// missing, late, crashed, or not understood.

// written begins each file that is bashgate's own and is no JSON, behind what
// begins a comment there.
const written = "Written by bashgate install"

// askShim asks the hook. An answer has one of the three decisions.
const askShim = `// ` + written + ` $host; bashgate uninstall $host removes it.
import { spawnSync } from "node:child_process";

const command = $command;

function ask(event) {
  const hook = spawnSync(command[0], command.slice(1), { input: JSON.stringify(event), encoding: "utf8", timeout: 15000 });
  if (hook.error) throw new Error("bashgate: " + hook.error.message);
  if (hook.status !== 0) throw new Error((hook.stderr || "").trim() || "bashgate: no decision");
  if (hook.stdout.trim() === "") return { decision: "allow" };
  const answer = JSON.parse(hook.stdout);
  if (!["allow", "ask", "block"].includes(answer.decision)) throw new Error("bashgate: an answer that is not understood");
  return { decision: answer.decision, reason: String(answer.reason || "bashgate: no reason is known") };
}

// What has happened is told; nobody waits for an answer.
function tell(event) {
  try {
    ask(event);
  } catch (error) {
    console.error(String(error.message));
  }
}
`

// opencodeShim is a plugin of opencode 1.18.33 and of Kilo, which took them
// over. Neither lets a plugin ask.
const opencodeShim = askShim + `
export const Bashgate = async (ctx) => {
  const about = (name, point, input, output) => ({
    hook_event_name: name, host: "$host", point, directory: ctx.directory, worktree: ctx.worktree, input, output,
  });
  return {
    "tool.execute.before": async (input, output) => {
      const answer = ask(about("PreToolUse", "tool.execute.before", input, output));
      if (answer.decision !== "allow") throw new Error(answer.reason);
    },
    "tool.execute.after": async (input, output) => tell(about("PostToolUse", "tool.execute.after", input, output)),
  };
};
`

// piShim is an extension of pi 0.73.1, which has no questions of its own: this
// one asks.
const piShim = askShim + `
export default function (pi) {
  const about = (name, ctx, more) => ({
    hook_event_name: name, host: "pi", cwd: ctx.cwd, has_ui: ctx.hasUI,
    session_file: ctx.sessionManager?.getSessionFile?.() ?? null, session_id: ctx.sessionManager?.getSessionId?.() ?? null,
    ...more,
  });
  const tool = (event) => ({ tool_name: event.toolName, tool_use_id: event.toolCallId, tool_input: event.input });
  pi.on("tool_call", async (event, ctx) => {
    try {
      const answer = ask(about("PreToolUse", ctx, tool(event)));
      if (answer.decision === "allow") return;
      const what = answer.reason + "\n" + JSON.stringify(event.input).slice(0, 2000);
      if (answer.decision === "ask" && ctx.hasUI && (await ctx.ui.confirm("bashgate", what)) === true) return;
      return { block: true, reason: answer.reason };
    } catch (error) {
      return { block: true, reason: String(error.message) };
    }
  });
  pi.on("tool_result", async (event, ctx) =>
    tell(about("PostToolUse", ctx, { ...tool(event), tool_response: event.content, is_error: event.isError })));
  pi.on("session_start", async (event, ctx) => tell(about("SessionStart", ctx, { source: event.reason })));
}
`

// ampShim is a plugin of Amp. An error in a handler is not known to stop the
// tool, so that none gets out.
const ampShim = askShim + `
export default function (amp) {
  const directory = () => {
    const root = amp.system?.workspaceRoot;
    return root ? amp.helpers.filePathFromURI(root) : process.cwd();
  };
  const about = (name, event, ctx, more) => ({
    hook_event_name: name, host: "amp", cwd: directory(), session_id: event.thread?.id ?? ctx?.thread?.id ?? null,
    tool_name: event.tool, tool_use_id: event.toolUseID, tool_input: event.input, ...more,
  });
  amp.on("tool.call", async (event, ctx) => {
    try {
      const answer = ask(about("PreToolUse", event, ctx));
      if (answer.decision === "allow") return { action: "allow" };
      return { action: "reject-and-continue", message: answer.reason };
    } catch (error) {
      return { action: "reject-and-continue", message: String(error.message) };
    }
  });
  amp.on("tool.result", async (event, ctx) => tell(about("PostToolUse", event, ctx, { tool_response: event.output })));
}
`

// clineScript is a hook of Cline 3.0.65, which looks at no exit status: what
// the hook does not answer is denied here, with clineClosed.
const clineScript = `#!/bin/sh
# ` + written + ` $host; bashgate uninstall $host removes it.
$command || echo '$closed'
`

const (
	clineClosed = `{"cancel":true,"errorMessage":"bashgate: no decision"}`
	clineOpen   = `{"cancel":false}`
)

// goosePlugin makes a directory with hooks a plugin of goose's.
const goosePlugin = `{
  "name": "bashgate",
  "version": "1.0.0",
  "description": "Decides about every tool before it runs. ` + written + ` $host"
}
`
