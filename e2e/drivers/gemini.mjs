// gemini.mjs POLICY.toml MODE < rows > rows
//
// Judges shell commands with Gemini CLI's own policy loader and engine, as the
// CLI would put them together: the file as a user's, above the built-in
// policies. A row is {"cmd": "..."}; the answers are lines of
// {"decision": "allow|ask|deny"}. Nothing is run.
//
// PACKAGES is where npm installed the package. Exit status 3: the loader
// complained or dropped a rule.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

const mode = process.argv[3];
const file = path.resolve(process.argv[2]);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgate-gemini-'));
process.on('exit', () => fs.rmSync(scratch, { recursive: true, force: true }));
const home = path.join(scratch, 'home');
const workspace = path.join(scratch, 'project');
fs.mkdirSync(home);
fs.mkdirSync(workspace);
process.env.HOME = process.env.GEMINI_CLI_HOME = home;
process.env.GEMINI_CLI_SYSTEM_SETTINGS_PATH = path.join(scratch, 'none.json');
process.chdir(workspace);
for (const level of ['log', 'info', 'debug', 'warn']) console[level] = () => {};

const root = path.join(process.env.PACKAGES, 'node_modules/@google/gemini-cli-core/dist/src');
const load = (name) => import(pathToFileURL(path.join(root, name)).href);
const { loadPoliciesFromToml } = await load('policy/toml-loader.js');
const { createPolicyEngineConfig } = await load('policy/config.js');
const { PolicyEngine } = await load('policy/policy-engine.js');
const { NoopSandboxManager } = await load('services/sandboxManager.js');
const shell = await load('utils/shell-utils.js');

const loaded = await loadPoliciesFromToml([file], () => 4);
for (const e of loaded.errors) console.error(`${e.errorType} rule ${e.ruleIndex ?? '?'}: ${e.message} ${String(e.details ?? '').slice(0, 300)}`);
const written = fs.readFileSync(file, 'utf8').split('\n').filter((l) => l === '[[rule]]').length;
console.error(`${written} rules written, ${loaded.rules.length} loaded, ${loaded.errors.length} complaints`);
if (loaded.errors.length > 0 || loaded.rules.length < written) process.exit(3);

const config = await createPolicyEngineConfig({ policyPaths: [file] }, mode, undefined, true);
const engine = new PolicyEngine({
  ...config,
  approvalMode: mode,
  nonInteractive: false,
  sandboxManager: new NoopSandboxManager({ workspace }),
  isTrustedFolder: () => true,
});
await shell.initializeShellParsers();
const probe = shell.parseCommandDetails('git status');
if (!probe || probe.hasError || probe.details.length !== 1) {
  console.error('the parser of bash did not start');
  process.exit(4);
}

const answers = { allow: 'allow', ask_user: 'ask', deny: 'deny' };
let out = [];
let judging = 0;
for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { cmd } = JSON.parse(line);
  const begun = process.cpuUsage();
  const r = await engine.check({ name: 'run_shell_command', args: { command: cmd } }, undefined);
  judging += process.cpuUsage(begun).user / 1000;
  out.push(JSON.stringify({ decision: answers[r.decision] ?? 'unknown' }));
  if (out.length === 1000) {
    process.stdout.write(out.join('\n') + '\n');
    out = [];
  }
}
if (out.length > 0) process.stdout.write(out.join('\n') + '\n');
console.error(`judging: ${judging.toFixed(0)} ms`);
