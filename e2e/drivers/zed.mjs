// zed.mjs FILE < rows > answers
//
// Judges commands as Zed does, which does not run here: by its source (crates
// agent and shell_command_parser, November 2026) it refuses expansions, takes
// a line apart into commands, and matches patterns with what it makes of each.
// That is not the line: quotes are gone, redirects stand for themselves,
// ">&file" and "x=(...)" are left out. Compound commands and here documents,
// which Zed's parser reads, are not read here; such lines are asked about.
import fs from 'node:fs';
import { answer, rows } from './lib.mjs';

const settings = JSON.parse(fs.readFileSync(process.argv[2], 'utf8').replace(/^\/\/.*\n/gm, ''));
const lists = settings.agent.tool_permissions.tools.terminal;
const compiled = (list) => (list ?? []).map((e) => new RegExp(e.pattern, e.case_sensitive ? 'u' : 'iu'));
const [deny, confirm, allow] = [compiled(lists.always_deny), compiled(lists.always_confirm), compiled(lists.always_allow)];
const any = (list, text) => list.some((p) => p.test(text));

class Unclear extends Error {}

// commands reads a line: each command as its words without their quotes, and
// redirects as texts of their own.
function commands(line) {
  const found = [];
  let words = [];
  let redirects = [];
  let i = 0;
  const end = () => {
    if (words.length > 0) found.push(words.join(' '));
    else if (redirects.length > 0) throw new Unclear('redirects alone');
    found.push(...redirects);
    words = [];
    redirects = [];
  };
  const blank = (c) => c === ' ' || c === '\t';
  // word reads one word; null where there is none.
  const word = () => {
    let text = '';
    const start = i;
    while (i < line.length && !' \t\n;&|<>()'.includes(line[i])) {
      const c = line[i];
      if (c === "'") {
        const close = line.indexOf("'", i + 1);
        if (close < 0) throw new Unclear('a quote');
        text += line.slice(i + 1, close);
        i = close + 1;
      } else if (c === '"') {
        for (i++; line[i] !== '"'; i++) {
          if (i >= line.length) throw new Unclear('a quote');
          if (line[i] === '$' || line[i] === '`') throw new Unclear('an expansion');
          if (line[i] === '\\') {
            if (line[i + 1] === '\n') { i++; continue; }
            if ('$`"\\'.includes(line[i + 1])) i++;
          }
          text += line[i] ?? '';
        }
        i++;
      } else if (c === '\\') {
        if (i + 1 >= line.length) throw new Unclear('a backslash');
        if (line[i + 1] !== '\n') text += line[i + 1];
        i += 2;
      } else if (c === '$' || c === '`') {
        throw new Unclear('an expansion');
      } else {
        text += c;
        i++;
      }
    }
    return i > start ? { text, raw: line.slice(start, i) } : null;
  };
  while (i < line.length) {
    const c = line[i];
    if (blank(c)) {
      i++;
    } else if (c === '#') {
      while (i < line.length && line[i] !== '\n') i++;
    } else if (line.startsWith(';;', i) || c === '(' || c === ')') {
      throw new Unclear('a compound command');
    } else if (/^(\n|;|&&|\|\||\|&|\||&(?!>))/.test(line.slice(i))) {
      i += line.slice(i).match(/^(\n|;|&&|\|\||\|&|\||&)/)[0].length;
      end();
    } else if (/^([0-9]*)(<<<|<<-?|<>|<&|<|>>|>&|>\||>|&>>|&>)/.test(line.slice(i))) {
      const [all, fd, operator] = line.slice(i).match(/^([0-9]*)(<<<|<<-?|<>|<&|<|>>|>&|>\||>|&>>|&>)/);
      i += all.length;
      while (blank(line[i])) i++;
      const target = word();
      if (target === null) throw new Unclear('a redirect to nothing');
      // What goes to a descriptor is left out, whatever is written behind: a
      // file there too. So are here documents.
      if (operator === '<<' || operator === '<<-') throw new Unclear('a here document');
      if (!['>&', '<&', '<<<'].includes(operator) && target.text !== '/dev/null') redirects.push(`${fd}${operator} ${target.text}`);
    } else {
      const w = word();
      if (w === null) throw new Unclear(c);
      const list = words.every((w) => /^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(w)) && /^[A-Za-z_][A-Za-z0-9_]*(\[[^\]]*\])?\+?=$/.test(w.raw) && line[i] === '(';
      if (list) { // x=(...) is left out
        const close = line.indexOf(')', i);
        if (close < 0) throw new Unclear('a list');
        if (/[$`<>()]/.test(line.slice(i + 1, close))) throw new Unclear('an expansion');
        i = close + 1;
        continue;
      }
      // A value before the command keeps its quotes where it needs them.
      words.push(/^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(w.raw) && /[^a-zA-Z0-9_@%+=:,./-]/.test(w.text.replace(/^[^=]*=/, '')) && words.length === 0 ? w.raw : w.text);
    }
  }
  end();
  return found;
}

answer((await rows()).map((line) => {
  let parts;
  try {
    parts = commands(line);
  } catch (e) {
    if (!(e instanceof Unclear)) throw e;
    return any(deny, line) ? 'deny' : 'ask';
  }
  if (parts.some((p) => any(deny, p))) return 'deny';
  if (parts.some((p) => any(confirm, p))) return 'ask';
  return parts.length > 0 && parts.every((p) => any(allow, p)) ? 'allow' : 'ask';
}));
