// Builds all packages: `tsc` writes the declarations, rolldown the JavaScript. That of the command line is written by `tsc`, too.
import { execFileSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { packages, root } from "./packages.mjs";

const run = (file, ...args) =>
  execFileSync(process.execPath, [join(root, "node_modules", file), ...args], {
    cwd: root,
    stdio: "inherit",
  });

try {
  for (const { folder } of packages) {
    if (folder === ".") {
      run("typescript/bin/tsc", "-p", "generator");
      chmodSync(join(root, "generator/dist/cli/bin.js"), 0o755);
      continue;
    }
    rmSync(join(root, folder, "dist"), { recursive: true, force: true });
    run("typescript/bin/tsc", "-p", folder, "--emitDeclarationOnly");
  }
  run("rolldown/bin/cli.mjs", "-c", "runtime/rolldown.config.js");
} catch (error) {
  process.exitCode = error.status ?? 1;
}
