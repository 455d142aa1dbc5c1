// Runs ten tests with the kit under node:test, vitest 3 and 4, and jest. Requires the npm registry and built packages:
// node test/interop/kit-runners.mjs
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const tests = join(root, "test/testing/kit/runners/ten-tests.mjs");
const VITEST = ["node_modules/vitest/vitest.mjs", "run"];
const JEST = ["--experimental-vm-modules", "node_modules/jest/bin/jest.js"];
/** Each runner's name or package, the module that exports `test`, and the arguments that start it. */
const runners = [
  ["node:test", "node:test", ["--test", "kit.test.mjs"]],
  ["vitest@4", "vitest", VITEST],
  ["vitest@3", "vitest", VITEST],
  ["jest@30", "@jest/globals", JEST],
];
const jest = { testMatch: ["**/kit.test.mjs"], transform: {} };
let isRight = true;
for (const [name, module, words] of runners) {
  const folder = mkdtempSync(join(tmpdir(), "kit-"));
  try {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", jest }));
    const flags = ["--no-audit", "--no-fund", "--silent", "--prefix", folder];
    if (name !== module) execFileSync("npm", ["install", ...flags, name], { stdio: "inherit" });
    cpSync(tests, join(folder, "ten-tests.mjs"));
    const program = `import { test } from "${module}";\nimport { register } from "./ten-tests.mjs";\n`;
    writeFileSync(join(folder, "kit.test.mjs"), `${program}register(test);\n`);
    mkdirSync(join(folder, "node_modules"), { recursive: true });
    symlinkSync(join(root, "node_modules/@mcp-codegen"), join(folder, "node_modules/@mcp-codegen"));
    const options = { cwd: folder, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } };
    const { status, stdout, stderr } = spawnSync(process.execPath, words, options);
    const passes = status === 0 && /(?:pass 10$|10 passed)/m.test(stdout + stderr);
    console.log(`${name}: ${passes ? "10 passed" : `failed\n${stdout}${stderr}`}`);
    isRight &&= passes;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.exitCode = isRight ? 0 : 1;
