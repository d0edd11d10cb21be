// opencode.mjs opencode.json < rows > answers
//
// Judges commands with the published opencode. A server plays the model and
// has it call its shell tool; it then publishes a question, refuses, or starts
// the shell, which is a stub that runs nothing.
//
// PACKAGES is where npm installed the packages. Exit status 5: the program
// ended early. 6: some command got no clear answer.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { answer, fail, model, offline, rows, scratch, stubShell } from './lib.mjs';

const batch = 25;
const { permission } = JSON.parse(fs.readFileSync(process.argv[2], 'utf8').replace(/^\/\/.*\n/gm, ''));
const dir = scratch('home', 'project', 'bin', 'config/opencode');
const project = path.join(dir, 'project');
const shell = stubShell(path.join(dir, 'bin'));
const commands = await rows();
const queue = commands.map((command, i) => ({ id: 'call_' + i, command }));
const seen = new Map(queue.map((c) => [c.id, {}]));
let left = 0;
let tool;

const port = await model((request, response, body) => {
  for (const message of body.messages ?? []) {
    if (message.role !== 'tool' || !seen.has(message.tool_call_id)) continue;
    seen.get(message.tool_call_id).text ??= typeof message.content === 'string' ? message.content : JSON.stringify(message.content);
  }
  const offered = (body.tools ?? []).map((t) => t.function?.name);
  tool ??= ['bash', 'shell'].find((name) => offered.includes(name));
  const calls = tool && offered.includes(tool) ? queue.splice(0, left) : [];
  if (offered.length > 0) left = 0;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (e) => response.write('data: ' + JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...e }) + '\n\n');
  if (calls.length > 0) {
    const toolCalls = calls.map((c, index) => ({
      index, id: c.id, type: 'function', function: { name: tool, arguments: JSON.stringify({ command: c.command, description: c.id }) },
    }));
    event({ choices: [{ index: 0, delta: { role: 'assistant', tool_calls: toolCalls }, finish_reason: null }] });
    event({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
  } else {
    event({ choices: [{ index: 0, delta: { role: 'assistant', content: 'done' }, finish_reason: null }] });
    event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
  }
  response.write('data: [DONE]\n\n');
  response.end();
});

const config = {
  $schema: 'https://opencode.ai/config.json', autoupdate: false, share: 'disabled', snapshot: false, shell,
  model: 'loop/m', small_model: 'loop/m', permission, enabled_providers: ['loop'],
  provider: { loop: {
    npm: '@ai-sdk/openai-compatible', name: 'loop', options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'x' },
    models: { m: { name: 'm', tool_call: true, limit: { context: 1e7, output: 1e5 } } },
  } },
};
fs.writeFileSync(path.join(dir, 'config/opencode/opencode.json'), JSON.stringify(config));
const program = path.join(process.env.PACKAGES, 'node_modules/opencode-linux-x64/bin/opencode');
const child = spawn(program, ['serve', '--port', '0', '--pure'], {
  cwd: project,
  env: offline(path.join(dir, 'home'), {
    SHELL: shell, XDG_CONFIG_HOME: path.join(dir, 'config'), XDG_DATA_HOME: path.join(dir, 'data'), XDG_CACHE_HOME: path.join(dir, 'cache'), XDG_STATE_HOME: path.join(dir, 'state'),
    OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1', OPENCODE_DISABLE_DEFAULT_PLUGINS: '1', OPENCODE_DISABLE_SHARE: '1',
  }),
  stdio: ['ignore', 'pipe', 'inherit'],
});
let ending = false;
const base = await new Promise((ok) => {
  let text = '';
  child.stdout.on('data', (d) => {
    text += d;
    const m = text.match(/listening on (http:\/\/\S+)/);
    if (m) ok(m[1]);
  });
  child.on('exit', (status) => ending || fail(5, `opencode ended early, ${status}\n${text}`));
});
const api = async (method, place, body) => {
  const r = await fetch(base + place, {
    method, headers: { 'content-type': 'application/json', 'x-opencode-directory': project }, body: body ? JSON.stringify(body) : undefined,
  });
  const text = await r.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
let idle;
const events = await fetch(base + '/event?directory=' + encodeURIComponent(project), { headers: { 'x-opencode-directory': project } });
(async () => {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of events.body) {
    text += decoder.decode(chunk, { stream: true });
    for (let k; (k = text.indexOf('\n\n')) >= 0; text = text.slice(k + 2)) {
      let e;
      try {
        e = JSON.parse(text.slice(0, k).replace(/^data: /, ''));
      } catch {
        continue;
      }
      if (e.type === 'permission.asked') {
        const result = seen.get(e.properties.tool?.callID);
        if (result) result.asked = true;
        api('POST', `/permission/${e.properties.id}/reply`, { reply: 'reject', message: 'no' });
      }
      if (e.type === 'session.idle') idle?.();
    }
  }
})().catch(() => ending || fail(5, 'opencode closed its stream of events'));
let session;
for (let turn = 0, stuck = 0; queue.length > 0 && stuck < 3; turn++) {
  if (turn % 4 === 0) session = (await api('POST', '/session', {})).id;
  const before = queue.length;
  left = batch;
  const ended = new Promise((ok) => (idle = ok));
  await api('POST', `/session/${session}/message`, { model: { providerID: 'loop', modelID: 'm' }, parts: [{ type: 'text', text: 'go' }] });
  await Promise.race([ended, new Promise((ok) => setTimeout(ok, 3000))]);
  for (const message of await api('GET', `/session/${session}/message`)) {
    for (const part of message.parts ?? []) {
      const result = part.type === 'tool' ? seen.get(part.callID) : undefined;
      if (result) result.text = part.state?.error ?? part.state?.output ?? result.text;
    }
  }
  stuck = queue.length === before ? stuck + 1 : 0;
}
ending = true;
child.kill();

const decisions = [];
for (const [id, { asked, text }] of seen) {
  if (asked) decisions.push('ask');
  else if (/STUB-RAN/.test(text)) decisions.push('allow');
  else if (/prevents you from using this specific tool call|denied/i.test(text)) decisions.push('deny');
  else fail(6, `no clear answer for ${JSON.stringify(commands[Number(id.slice(5))])}: ${text}`);
}
answer(decisions);
process.exit(0);
