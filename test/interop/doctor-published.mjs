// Runs the doctor on published servers and compares its findings with a list that was checked by hand. Requires the npm
// registry and built packages: node test/interop/doctor-published.mjs [--update]
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { examineServer } from "@mcp-codegen/testing/doctor";

const file = join(import.meta.dirname, "doctor-published.json");
const known = JSON.parse(readFileSync(file, "utf8"));
const folder = mkdtempSync(join(tmpdir(), "doctor-"));
const found = {};
try {
  for (const [name, { version, args = [], files = {} }] of Object.entries(known.servers)) {
    const home = join(folder, name.replaceAll("/", "+"));
    mkdirSync(home);
    const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--silent", "--prefix", home];
    execFileSync("npm", ["install", ...flags, `${name}@${version}`], { stdio: "inherit" });
    for (const [path, text] of Object.entries(files)) writeFileSync(join(home, path), text);
    const words = args.map((word) => word.replaceAll("{folder}", home));
    const target = { command: [...commandOf(join(home, "node_modules", name)), ...words] };
    const { findings, spoken } = await examineServer(target, { timeout: 10_000, callSafe: true });
    const revisions = spoken.map(({ revision }) => revision.id).join(", ");
    console.log(`${name}: ${findings.length} findings, ${revisions || "no revision"}`);
    if (spoken.length > 0)
      found[name] = findings.map(({ severity, id, subject = "", pointer }) =>
        [severity, id, subject.split(" ")[0], pointer].filter(Boolean).join(" "),
      );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
/** Returns the command that starts a package: its first program. */
function commandOf(path) {
  const { bin } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  const program = join(path, typeof bin === "string" ? bin : Object.values(bin)[0]);
  const isScript =
    /\.[cm]?js$/.test(program) || readFileSync(program).subarray(0, 2).toString() === "#!";
  return isScript ? [process.execPath, program] : [program];
}

if (process.argv.includes("--update")) {
  for (const [name, list] of Object.entries(found)) known.servers[name].findings = list.toSorted();
  writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`);
}
let isSame = Object.keys(found).length === Object.keys(known.servers).length;
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
