// Runs the doctor on published servers, and compares its findings with the list that was checked by hand. Needs the npm registry and
// built packages: node test/interop/doctor-published.mjs [--update]
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { examineServer } from "@mcp-codegen/testing/doctor";

const file = join(import.meta.dirname, "doctor-published.json");
const known = JSON.parse(readFileSync(file, "utf8"));
const folder = mkdtempSync(join(tmpdir(), "doctor-"));
const found = {};
try {
  const names = Object.keys(known.servers);
  const versions = names.map((name) => `${name}@${known.servers[name].version}`);
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--silent", "--prefix", folder];
  execFileSync("npm", ["install", ...flags, ...versions], { stdio: "inherit" });
  for (const name of names) {
    const path = join(folder, "node_modules", name, "dist/index.js");
    const args = known.servers[name].needsFolder ? [folder] : [];
    const target = { command: [process.execPath, path, ...args] };
    const { findings } = await examineServer(target, { timeout: 5_000, callSafe: true });
    found[name] = findings.map(({ severity, id, subject = "", pointer }) =>
      [severity, id, subject.split(" ")[0], pointer].filter(Boolean).join(" "),
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (process.argv.includes("--update")) {
  for (const [name, list] of Object.entries(found)) known.servers[name].findings = list.toSorted();
  writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`);
}
let isSame = true;
for (const [name, list] of Object.entries(found)) {
  const before = known.servers[name].findings;
  for (const one of list.filter((text) => !before.includes(text))) {
    isSame = false;
    console.log(`${name}: new: ${one}`);
  }
  for (const one of before.filter((text) => !list.includes(text))) {
    isSame = false;
    console.log(`${name}: gone: ${one}`);
  }
  for (const one of list) {
    const [, id] = one.split(" ");
    if (known.reasons[id] !== undefined) continue;
    isSame = false;
    console.log(`${name}: no reason for ${id}`);
  }
}
console.log(isSame ? "All findings are on the list." : "The list differs.");
process.exitCode = isSame ? 0 : 1;
