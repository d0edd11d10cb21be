// What the drivers share: rows in, answers out, a scratch directory, and a
// server that plays the model. All of it stays on the loopback interface.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';

// rows reads the commands from standard input.
export async function rows() {
  const commands = [];
  for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim()) commands.push(JSON.parse(line).cmd);
  }
  return commands;
}

// answer writes one line for each command. A pipe may take less than all at
// once, and the drivers end right behind it.
export function answer(decisions) {
  let text = Buffer.from(decisions.map((decision) => JSON.stringify({ decision }) + '\n').join(''));
  while (text.length > 0) {
    try {
      text = text.subarray(fs.writeSync(1, text));
    } catch (e) {
      if (e.code !== 'EAGAIN') throw e;
    }
  }
}

// scratch makes a directory that is gone when the driver is.
export function scratch(...below) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgate-e2e-'));
  process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
  for (const name of below) fs.mkdirSync(path.join(dir, name), { recursive: true });
  return dir;
}

// stubShell writes a shell that runs nothing.
export function stubShell(dir) {
  const file = path.join(dir, 'bash');
  fs.writeFileSync(file, '#!/bin/sh\necho STUB-RAN\n', { mode: 0o755 });
  return file;
}

// fail ends the driver. Whoever reads its answers must not take them for all.
export function fail(status, why) {
  console.error(why);
  process.exit(status);
}

// model starts a server that reply is called for, with the parsed body of each
// request. It returns the port.
export async function model(reply) {
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (d) => (body += d));
    request.on('end', () => {
      let json = {};
      try {
        json = JSON.parse(body);
      } catch {
        // a request without a body
      }
      reply(request, response, json);
    });
  });
  await new Promise((ok) => server.listen(0, '127.0.0.1', ok));
  return server.address().port;
}

export function json(response, value) {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

// lines calls f with each line of a child's output that is JSON.
export function lines(stream, f) {
  readline.createInterface({ input: stream }).on('line', (line) => {
    let value;
    try {
      value = JSON.parse(line);
    } catch {
      return;
    }
    f(value);
  });
}

// offline is an environment in which nothing can reach the network.
export const offline = (home, more) => ({
  PATH: '/usr/bin:/bin',
  HOME: home,
  TMPDIR: home,
  LANG: 'C.UTF-8',
  NO_PROXY: '127.0.0.1,localhost',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  HTTP_PROXY: 'http://127.0.0.1:9',
  ...more,
});
