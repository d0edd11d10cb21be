#!/usr/bin/env node
// Starts the program of the package that npm has installed for this machine.
"use strict";
const { spawnSync } = require("node:child_process");

const name = `@bashgate/${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "bashgate.exe" : "bashgate";

// 2 is the status by which agents take a hook's failure as a denial.
function fail(what, hint) {
  console.error(`bashgate: error: ${what}\nhint: ${hint}`);
  process.exit(2);
}

let program;
try {
  program = require.resolve(`${name}/bin/${file}`);
} catch {
  fail(`the package ${name} is not installed`, "install bashgate without --omit=optional; machines that have no package build it with Go");
}
const done = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (done.error) fail(done.error.message, `reinstall ${name}`);
if (done.signal) process.kill(process.pid, done.signal);
process.exitCode = done.status ?? 2;
