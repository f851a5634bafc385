#!/usr/bin/env node
// Starts the program of this system, which lies in a package of its own that npm chose
// by os and cpu. Agents do not come by here: their entries start a copy of the program.
"use strict";
const { spawn } = require("node:child_process");
const os = require("node:os");

const system = `@agents-hooks/cli-${process.platform}-${process.arch}`;

let program;
try {
  program = require.resolve(`${system}/bin/agents-hooks${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`agents-hooks: the package ${system} is not here`);
  console.error("hint: npm leaves it out with --omit=optional, or from a lock file of another system: install again");
  console.error("hint: other systems: https://github.com/agents-hooks/agents-hooks/blob/main/docs/install.md");
  process.exit(1);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
process.on("SIGINT", () => {}); // a terminal gives it to both: the program decides
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (err) => {
  console.error(`agents-hooks: ${err.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : code));
