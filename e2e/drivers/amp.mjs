// amp.mjs SETTINGS.json < rows > answers
//
// Judges commands with `amp permissions test`, one process each: about a second
// a command. Nothing is run.
//
// PACKAGES is where npm installed the packages. Exit status 6: some command got
// no clear answer.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { answer, fail, offline, rows, scratch } from './lib.mjs';

const program = path.join(process.env.PACKAGES, 'node_modules/@ampcode/cli-linux-x64/amp');
const settings = path.resolve(process.argv[2]);
const home = scratch();
const run = promisify(execFile);
const names = { allow: 'allow', ask: 'ask', reject: 'deny' };
const commands = await rows();
const decisions = [];
async function judge(i) {
  const args = ['permissions', 'test', '--settings-file', settings, 'Bash', '--cmd', commands[i]];
  let text = '';
  try {
    text = (await run(program, args, { env: offline(home), maxBuffer: 1 << 26 })).stdout;
  } catch (e) {
    text = String(e.stdout ?? '') + String(e.stderr ?? e);
  }
  const decision = names[text.match(/^action: (\w+)/m)?.[1]];
  if (!decision) fail(6, `no clear answer for ${JSON.stringify(commands[i])}: ${text.slice(0, 500)}`);
  decisions[i] = decision;
}
let next = 0;
await Promise.all([0, 1].map(async () => {
  while (next < commands.length) await judge(next++);
}));
answer(decisions);
process.exit(0);
