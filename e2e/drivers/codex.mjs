// codex.mjs POLICY.rules < rows > answers
//
// Judges commands with the published Codex. A server plays the model and has
// it call its shell tool outside the sandbox: allow means that a rule lets the
// command out without a question. Each call names a working directory that
// does not exist, so that nothing can start.
//
// PACKAGES is where npm installed the packages. Exit status 3: Codex could not
// read the rules. 5: it ended early. 6: some command got no clear answer.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { answer, fail, json, lines, model, offline, rows, scratch } from './lib.mjs';

const batch = 40;
const dir = scratch('home/rules', 'project');
const home = path.join(dir, 'home');
const nowhere = path.join(dir, 'does', 'not', 'exist');
fs.copyFileSync(process.argv[2], path.join(home, 'rules', 'bashgate.rules'));
const commands = await rows();
const queue = commands.map((command, i) => ({ id: 'call_' + i, command }));
const seen = new Map(queue.map((c) => [c.id, {}]));
let left = 0;
let responses = 0;
let tool;

const port = await model((request, response, body) => {
  if (!request.url.includes('/responses')) {
    json(response, { models: [], data: [] });
    return;
  }
  const offered = (body.tools ?? []).map((t) => t.name);
  tool ??= ['shell_command', 'exec_command', 'shell'].find((name) => offered.includes(name));
  if (!tool) fail(5, `Codex offered no shell: ${offered}`);
  for (const item of body.input ?? []) {
    if (item.type !== 'function_call_output' || !seen.has(item.call_id)) continue;
    seen.get(item.call_id).text ??= typeof item.output === 'string' ? item.output : JSON.stringify(item.output);
  }
  const id = 'resp_' + responses++;
  const events = [{ type: 'response.created', response: { id } }];
  const calls = queue.splice(0, left);
  left = 0;
  for (const c of calls) {
    const more = { workdir: nowhere, sandbox_permissions: 'require_escalated', justification: 'check' };
    const args = tool === 'exec_command' ? { cmd: c.command, login: false, ...more }
      : tool === 'shell_command' ? { command: c.command, login: false, ...more }
      : { command: ['bash', '-lc', c.command], ...more };
    events.push({ type: 'response.output_item.done', item: { type: 'function_call', id: 'fc_' + c.id, call_id: c.id, name: tool, arguments: JSON.stringify(args) } });
  }
  if (calls.length === 0) {
    events.push({ type: 'response.output_item.done', item: { type: 'message', role: 'assistant', id: 'm' + responses, content: [{ type: 'output_text', text: 'done' }] } });
  }
  const usage = { input_tokens: 1, input_tokens_details: null, output_tokens: 1, output_tokens_details: null, total_tokens: 2 };
  events.push({ type: 'response.completed', response: { id, usage } });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const e of events) response.write(`event: ${e.type}\ndata: ${JSON.stringify(e)}\n\n`);
  response.end();
});

fs.writeFileSync(path.join(home, 'config.toml'), `
model = "gpt-5.1-codex"
model_provider = "loop"
sandbox_mode = "read-only"
check_for_update_on_startup = false
web_search = "disabled"
[model_providers.loop]
name = "loop"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
[features]
apps = false
shell_snapshot = false
enable_request_compression = false
[projects."${path.join(dir, 'project')}"]
trust_level = "trusted"
`);
const program = path.join(process.env.PACKAGES, 'node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex');
const child = spawn(program, ['app-server'], { cwd: path.join(dir, 'project'), env: offline(home, { CODEX_HOME: home }), stdio: ['pipe', 'pipe', 'ignore'] });
let ending = false;
child.on('exit', (status) => ending || fail(5, `codex ended early, ${status}`));
const waiting = new Map();
let calls = 0;
let done;
const send = (message) => child.stdin.write(JSON.stringify(message) + '\n');
const call = (method, params) => new Promise((ok, no) => {
  waiting.set(++calls, { ok, no });
  send({ id: calls, method, params });
});
lines(child.stdout, (m) => {
  if (m.id !== undefined && m.method) {
    if (!/Approval$/.test(m.method)) {
      send({ id: m.id, error: { code: -32601, message: 'no' } });
      return;
    }
    const result = seen.get(m.params?.itemId ?? m.params?.callId ?? m.params?.call_id);
    if (result) result.asked = true;
    send({ id: m.id, result: { decision: 'decline' } });
  } else if (m.id !== undefined) {
    const w = waiting.get(m.id);
    waiting.delete(m.id);
    if (m.error) w?.no(new Error(JSON.stringify(m.error)));
    else w?.ok(m.result);
  } else if (['configWarning', 'error', 'warning'].includes(m.method)) {
    const text = JSON.stringify(m.params);
    if (/\.rules|parsing rules|rules file/i.test(text)) fail(3, text.slice(0, 2000));
  } else if (m.method === 'turn/completed') {
    done?.();
  }
});
await call('initialize', { clientInfo: { name: 'bashgate', title: null, version: '0' }, capabilities: null });
send({ method: 'initialized' });
let thread;
for (let turn = 0; queue.length > 0; turn++) {
  if (turn % 10 === 0) {
    thread = (await call('thread/start', { cwd: path.join(dir, 'project'), approvalPolicy: 'on-request', sandbox: 'read-only', ephemeral: true })).thread.id;
  }
  left = batch;
  const before = queue.length;
  const ended = new Promise((ok) => (done = ok));
  await call('turn/start', { threadId: thread, input: [{ type: 'text', text: 'go', text_elements: [] }] });
  await ended;
  if (queue.length === before) fail(5, 'codex takes no more commands');
}
ending = true;
child.kill();

const decisions = [];
for (const [id, { asked, text }] of seen) {
  if (asked) decisions.push('ask');
  else if (/Failed to create unified exec process: No such file or directory|os error 2|message: "No such file/.test(text)) decisions.push('allow');
  else if (/Rejected\(|` rejected:|approval required by policy|blocked by policy/.test(text)) decisions.push('deny');
  else fail(6, `no clear answer for ${JSON.stringify(commands[Number(id.slice(5))])}: ${text}`);
}
answer(decisions);
process.exit(0);
