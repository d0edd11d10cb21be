// patterns.mjs FILE amp|vscode < rows > answers
//
// Judges commands by the patterns of a file, in the order of its engine, for
// engines that do not run here or are slow: Amp takes the first entry that
// matches, with patterns over many lines; VS Code lets the strictest win. It
// proves the patterns, not the engines.
import fs from 'node:fs';
import { answer, rows } from './lib.mjs';

const [file, kind] = process.argv.slice(2);
const settings = JSON.parse(fs.readFileSync(file, 'utf8').replace(/^\/\/.*\n/gm, ''));
const inner = (s) => s.slice(1, -1);
let judge;
switch (kind) {
  case 'amp': {
    const entries = settings['amp.permissions'].map((e) => ({
      action: { allow: 'allow', ask: 'ask', reject: 'deny' }[e.action],
      pattern: !e.matches ? /(?:)/ : e.matches.cmd.startsWith('/') ? new RegExp(inner(e.matches.cmd), 'm') : /(?!)/,
    }));
    judge = (command) => entries.find((e) => e.pattern.test(command)).action;
    break;
  }
  case 'vscode': {
    const entries = Object.entries(settings['chat.tools.terminal.autoApprove'])
      .filter(([, value]) => value !== null)
      .map(([name, value]) => ({ approve: value.approve, pattern: new RegExp(inner(name)) }));
    judge = (command) => {
      if (entries.some((e) => !e.approve && e.pattern.test(command))) return 'ask';
      return entries.some((e) => e.approve && e.pattern.test(command)) ? 'allow' : 'ask';
    };
    break;
  }
  default:
    throw new Error(`no patterns of ${kind}`);
}
answer((await rows()).map(judge));
