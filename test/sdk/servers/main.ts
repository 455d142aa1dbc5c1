import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Packages } from "../../interop/core/packages.js";
import { root } from "../programs/workspace.js";
import { writeSection } from "../report/report.js";
import { runTests } from "./run-tests.js";
import { scratchCopy } from "./scratch-copy.js";
import type { PublishedServer } from "./server.js";

const only = process.argv.find((_, index) => process.argv[index - 1] === "--only");
const cache = join(homedir(), ".cache/mcp-codegen-interop");
const servers = (
  JSON.parse(readFileSync(join(root, "test/sdk/servers/servers.json"), "utf8")) as PublishedServer[]
).filter((server) => only === undefined || server.package.includes(only));

const packages = new Packages(cache);
const rows: string[] = [];
let isWrong = false;
try {
  const ours = await packages.ours();
  for (const server of servers) await move(server, ours);
} finally {
  packages.end();
}
if (only === undefined)
  writeSection("Published servers with their own tests", [
    "Packages of the npm registry that bring their tests along. `mcp-codegen migrate` changes the package; then the tests run.",
    "",
    "| Package | Imports changed | Warnings | Tests that pass before | of them after |",
    "| --- | --: | --: | --: | --: |",
    ...rows,
  ]);
process.exitCode = isWrong ? 1 : 0;

async function move(server: PublishedServer, ours: string): Promise<void> {
  const installed = await packages.folder({ ...server, with: server.with ?? [] });
  const place = join(cache, "moved", server.package.replace("/", "+"));
  const { before, after } = scratchCopy(place, server, installed, ours);
  const migration = migrate(join(after, server.sources));
  const [was, is] = [
    await runTests(before, server, installed),
    await runTests(after, server, installed),
  ];
  const passed = [...was].filter(([, ok]) => ok).map(([name]) => name);
  const lost = passed.filter((name) => is.get(name) !== true);
  const { expected = {} } = server;
  const surprising = lost.filter((name) => !(name in expected));
  const stale = Object.keys(expected).filter((name) => !lost.includes(name));
  isWrong ||= surprising.length > 0 || stale.length > 0;
  console.log(`${server.package} ${server.version}`);
  console.log(`  ${migration.imports} imports changed, ${migration.warnings.length} warnings`);
  for (const warning of migration.warnings) console.log(`    ${warning}`);
  console.log(
    `  ${passed.length} of ${was.size} tests pass before, ${passed.length - lost.length} of them after`,
  );
  for (const name of surprising) console.log(`  lost: ${name}`);
  for (const name of stale) console.log(`  passes now, remove it from servers.json: ${name}`);
  rows.push(
    `| ${server.package} ${server.version} | ${migration.imports} | ${migration.warnings.length} | ${passed.length} of ${was.size} | ${passed.length - lost.length} |`,
    ...Object.entries(expected).map(([name, reason]) => `| | | | ${name} | ${reason} |`),
  );
}

function migrate(folder: string): { imports: number; warnings: string[] } {
  const executable = join(root, "generator/dist/cli/bin.js");
  const output = execFileSync(
    process.execPath,
    [executable, "migrate", folder, "--force", "--json"],
    {
      encoding: "utf8",
      maxBuffer: 1 << 28,
    },
  );
  const { files, diagnostics } = JSON.parse(output) as {
    files: { imports: number }[];
    diagnostics: { message: string; file?: string; line?: number }[];
  };
  return {
    imports: files.reduce((sum, file) => sum + file.imports, 0),
    warnings: diagnostics.map(
      ({ message, file = "", line }) => `${file.slice(folder.length + 1)}:${line ?? ""} ${message}`,
    ),
  };
}
