#!/usr/bin/env node
// Finds the program for this platform in its own package, and becomes it as far as node can: the same arguments, input, output,
// signals and exit status.
"use strict";
const { spawn } = require("node:child_process");
const os = require("node:os");

const name = `@redraft/${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/redraft${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`redraft: there is no package ${name} here; it holds the program for this platform. Where npm left it out ` +
    "(--omit=optional), install it by name; where there is none for this platform: cargo install redraft");
  process.exit(1);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`redraft: cannot start ${program}: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  process.exit(signal ? 128 + os.constants.signals[signal] : code);
});
