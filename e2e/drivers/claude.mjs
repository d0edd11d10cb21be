// claude.mjs SETTINGS.json < rows > answers
//
// Judges commands with the published Claude Code. A server plays the model and
// has it call its shell tool; it then asks over its control protocol, refuses,
// or starts the shell, which is a stub that runs nothing.
//
// PACKAGES is where npm installed the packages. Exit status 5: the program
// ended early. 6: some command got no clear answer.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { answer, fail, json, lines, model, offline, rows, scratch, stubShell } from './lib.mjs';

const settings = path.resolve(process.argv[2]);
const mode = process.argv[3] ?? 'default';
const batch = 25;
const dir = scratch('home', 'project', 'bin');
const shell = stubShell(path.join(dir, 'bin'));
const commands = await rows();
const queue = commands.map((command, i) => ({ id: 'toolu_' + String(i).padStart(6, '0'), command }));
const seen = new Map(queue.map((c) => [c.id, {}]));
let left = 0;
let messages = 0;

const port = await model((request, response, body) => {
  if (!request.url.includes('/v1/messages') || request.url.includes('count_tokens')) {
    json(response, { input_tokens: 1, data: [] });
    return;
  }
  for (const message of body.messages ?? []) {
    if (!Array.isArray(message.content)) continue;
    for (const part of message.content) {
      if (part.type !== 'tool_result' || !seen.has(part.tool_use_id)) continue;
      const text = typeof part.content === 'string' ? part.content : (part.content ?? []).map((x) => x.text ?? '').join('');
      seen.get(part.tool_use_id).text = text;
    }
  }
  const hasShell = (body.tools ?? []).some((t) => t.name === 'Bash');
  const calls = hasShell ? queue.splice(0, left) : [];
  if (hasShell) left = 0;
  const content = calls.length > 0
    ? calls.map((c) => ({ type: 'tool_use', id: c.id, name: 'Bash', input: { command: c.command, description: 'x' } }))
    : [{ type: 'text', text: 'done' }];
  const message = {
    id: 'msg_' + messages++, type: 'message', role: 'assistant', model: body.model ?? 'm', content,
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 },
  };
  if (!body.stream) {
    json(response, message);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  event('message_start', { message: { ...message, content: [], stop_reason: null } });
  content.forEach((c, index) => {
    if (c.type === 'text') {
      event('content_block_start', { index, content_block: { type: 'text', text: '' } });
      event('content_block_delta', { index, delta: { type: 'text_delta', text: c.text } });
    } else {
      event('content_block_start', { index, content_block: { ...c, input: {} } });
      event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: JSON.stringify(c.input) } });
    }
    event('content_block_stop', { index });
  });
  event('message_delta', { delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } });
  event('message_stop', {});
  response.end();
});

const program = path.join(process.env.PACKAGES, 'node_modules/@anthropic-ai/claude-code-linux-x64/claude');
const child = spawn(program, [
  '-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', '--permission-prompt-tool', 'stdio',
  '--permission-mode', mode, '--settings', settings, '--setting-sources', '', '--strict-mcp-config', '--no-session-persistence', '--model', 'claude-sonnet-4-5',
], {
  cwd: path.join(dir, 'project'),
  env: offline(path.join(dir, 'home'), {
    CLAUDE_CONFIG_DIR: path.join(dir, 'home/.claude'),
    SHELL: shell, CLAUDE_CODE_SHELL: shell, CLAUDE_CODE_SHELL_PREFIX: shell,
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`, ANTHROPIC_API_KEY: 'not-a-key',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1', DISABLE_ERROR_REPORTING: '1',
  }),
  stdio: ['pipe', 'pipe', 'inherit'],
});
let ending = false;
child.on('exit', (status) => ending || fail(5, `claude ended early, ${status}`));
const send = (message) => child.stdin.write(JSON.stringify(message) + '\n');
let done;
lines(child.stdout, (m) => {
  if (m.type === 'control_request' && m.request?.subtype === 'can_use_tool') {
    const result = seen.get(m.request.tool_use_id);
    if (result) result.asked = true;
    send({ type: 'control_response', response: { subtype: 'success', request_id: m.request_id, response: { behavior: 'deny', message: 'no' } } });
  }
  if (m.type === 'result' && done) done();
});
for (let stuck = 0; queue.length > 0 && stuck < 2; ) {
  const before = queue.length;
  left = batch;
  const turn = new Promise((ok) => (done = ok));
  send({ type: 'user', message: { role: 'user', content: 'go' }, parent_tool_use_id: null, session_id: '' });
  await turn;
  stuck = queue.length === before ? stuck + 1 : 0;
}
ending = true;
child.kill();

const decisions = [];
for (const [id, { asked, text }] of seen) {
  if (asked) decisions.push('ask');
  else if (/STUB-RAN/.test(text)) decisions.push('allow');
  else if (/denied|has been blocked|not allowed/i.test(text)) decisions.push('deny');
  // What it refuses to take as a command at all does not run.
  else if (text) decisions.push('deny');
  else fail(6, `no answer for ${JSON.stringify(commands[Number(id.slice(6))])}`);
}
answer(decisions);
process.exit(0);
