// qwen.mjs SETTINGS.json < rows > answers        (node 22 or later)
//
// Judges commands with Qwen Code's own PermissionManager. The published bundle
// does not export it: the driver imports a copy of the bundle's file that has
// one line more. Nothing is run.
//
// PACKAGES is where npm installed the packages. Exit status 3: a rule was not
// taken. 4: the bundle has no such class.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { answer, fail, rows, scratch } from './lib.mjs';

const settings = JSON.parse(fs.readFileSync(process.argv[2], 'utf8').replace(/^\/\/.*\n/gm, ''));
const rules = { allow: [], ask: [], deny: [], ...settings.permissions };
const dir = scratch('home', 'project');
const project = path.join(dir, 'project');
process.env.HOME = path.join(dir, 'home');
process.chdir(project);
for (const level of ['log', 'info', 'debug', 'warn']) console[level] = () => {};

const chunks = path.join(process.env.PACKAGES, 'node_modules/@qwen-code/qwen-code/chunks');
const chunk = fs.readdirSync(chunks).find((f) => f.endsWith('.js') && !f.startsWith('__')
  && fs.readFileSync(path.join(chunks, f), 'latin1').includes('var PermissionManager = class'));
if (!chunk) fail(4, 'PermissionManager is not in the bundle');
const copy = path.join(chunks, '__exported_' + chunk);
fs.writeFileSync(copy, fs.readFileSync(path.join(chunks, chunk), 'utf8') + '\nexport { PermissionManager as Manager };\n');
const { Manager } = await import(pathToFileURL(copy).href);
const manager = new Manager({
  getPermissionsAllow: () => rules.allow, getPermissionsAsk: () => rules.ask, getPermissionsDeny: () => rules.deny,
  getProjectRoot: () => project, getCwd: () => project, getApprovalMode: () => 'default', getCoreTools: () => [],
});
manager.initialize();
for (const kind of ['allow', 'ask', 'deny']) {
  const bad = manager.persistentRules[kind].find((r) => r.invalid);
  if (bad) fail(3, `not a rule: ${JSON.stringify(bad)}`);
}
const decisions = [];
for (const command of await rows()) {
  const d = await manager.evaluate({ toolName: 'run_shell_command', command, cwd: project });
  decisions.push(d === 'default' ? 'ask' : d);
}
answer(decisions);
process.exit(0);
