// Builds all packages: `tsc` writes the declarations, and rolldown writes the JavaScript. For the command line, `tsc`
// writes both.
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { packages, root } from "./packages.mjs";

/** Runs a tool. Its output, such as a list of the files that it writes, is shown only if the tool fails. */
const run = (file, ...args) => {
  try {
    execFileSync(process.execPath, [join(root, "node_modules", file), ...args], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    process.stderr.write(error.stdout);
    process.stderr.write(error.stderr);
    throw error;
  }
};

/** Removes files that an earlier build left behind and this build did not write. */
function removeStale(dist) {
  for (const name of readdirSync(dist, { recursive: true })) {
    const file = join(dist, name);
    const found = statSync(file);
    if (found.isFile() && found.mtimeMs < started) rmSync(file);
  }
}

const started = Date.now();
try {
  for (const { folder } of packages) {
    if (folder === ".") {
      run("typescript/bin/tsc", "-p", "generator");
      chmodSync(join(root, "generator/dist/cli/bin.js"), 0o755);
      continue;
    }
    run("typescript/bin/tsc", "-p", folder, "--emitDeclarationOnly");
  }
  run("rolldown/bin/cli.mjs", "-c", "runtime/rolldown.config.js");
  for (const { folder } of packages) if (folder !== ".") removeStale(join(root, folder, "dist"));
} catch (error) {
  if (error.status === undefined) throw error;
  process.exitCode = error.status;
}
