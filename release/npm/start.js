#!/usr/bin/env node
// Starts the program of this system, which lies in a package of its own that npm chose
// by os and cpu. Agents do not come by here: their entries start a copy of the program.
"use strict";
const { spawn } = require("node:child_process");
const os = require("node:os");
const { optionalDependencies: packages, version } = require("./package.json");

const system = `@agents-hooks/cli-${process.platform}-${process.arch}`;

function fail(...lines) {
  console.error(`agents-hooks: ${lines.join("\nhint: ")}`);
  process.exit(1);
}

if (!packages[system]) {
  fail(
    `no program for ${process.platform} on ${process.arch} comes with npm`,
    `with Go it can be built: go install github.com/agents-hooks/agents-hooks/cmd/agents-hooks@v${version} github.com/agents-hooks/agents-hooks/cmd/agents-hooks-run@v${version}`,
  );
}

let program;
try {
  program = require.resolve(`${system}/bin/agents-hooks${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  fail(
    `the package ${system}, which has the program for this system, is not installed`,
    "optional dependencies were left out (--omit=optional, --no-optional), or node_modules or a lock file came from another system",
    `npm install -g @agents-hooks/cli@${version} --include=optional, or in a project: remove node_modules, and install without that flag`,
  );
}

const broken = (err) =>
  fail(`${program} does not start: ${err.message}`, `npm install -g @agents-hooks/cli@${version} --force brings it anew`);
let child;
process.on("SIGINT", () => {}); // a terminal gives it to both: the program decides
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
try {
  child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
} catch (err) {
  broken(err); // some errors are thrown, others are told
}
child.on("error", broken);
child.on("exit", (code, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : code));
