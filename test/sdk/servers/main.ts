import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { ServerEntry } from "../../interop/core/manifest.js";
import { Packages } from "../../interop/core/packages.js";
import { cacheFolder } from "../../interop/core/places.js";
import { root } from "../programs/workspace.js";
import { writeSection } from "../report/report.js";
import { compareReplaced } from "./replaced.js";
import { runTests } from "./run-tests.js";
import { scratchCopy } from "./scratch-copy.js";
import type { PublishedServer } from "./server.js";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    tests: { type: "boolean" },
    replaced: { type: "boolean" },
  },
});
/**
 * Returns a manifest's published servers whose names contain the text of `--only`, or none if other sections are
 * chosen.
 */
function chosen<Server extends { package: string }>(name: "tests" | "replaced", file: string) {
  const isChosen = values[name] ?? (values.tests ?? values.replaced) === undefined;
  const all = JSON.parse(readFileSync(join(root, "test/sdk/servers", file), "utf8")) as Server[];
  return isChosen ? all.filter((server) => server.package.includes(values.only)) : [];
}
const tested = chosen<PublishedServer>("tests", "servers.json");
const started = chosen<ServerEntry>("replaced", "replaced.json");

const cache = cacheFolder();
const packages = new Packages(cache);
const rows: string[] = [];
const replacedRows: string[] = [];
const differing: string[] = [];
let isWrong = false;
try {
  const ours = await packages.ours();
  for (const server of tested) await move(server, ours);
  for (const server of started) await replace(server, ours);
} finally {
  packages.end();
}
if (values.only === "" && tested.length > 0)
  writeSection("Published servers with their own tests", [
    "Packages of the npm registry that bring their tests along. `mcp-codegen migrate` changes the package; then the tests run.",
    "",
    "| Package | Imports changed | Warnings | Tests that pass before | of them after |",
    "| --- | --: | --: | --: | --: |",
    ...rows,
  ]);
if (values.only === "" && started.length > 0)
  writeSection("Published servers with the SDK replaced below them", [
    "The installed packages are started over stdio, unchanged, once with the SDK that they import and once with ours in its place.",
    "Their lists, and the result of a call where `replaced.json` has one, are compared member by member.",
    "",
    "| Package | Modules replaced | Tools | Requests | Same results |",
    "| --- | --: | --: | --: | --: |",
    ...replacedRows,
    "",
    ...differing,
  ]);
process.exitCode = isWrong ? 1 : 0;

async function replace(server: ServerEntry, ours: string): Promise<void> {
  const { expected = {} } = server;
  const title = `${server.package} ${server.version}`;
  try {
    const { modules, tools, requests, differences } = await compareReplaced(server, packages, ours);
    const surprising = [...differences].filter(([request]) => !(request in expected));
    const stale = Object.keys(expected).filter((request) => !differences.has(request));
    isWrong ||= surprising.length > 0 || stale.length > 0;
    console.log(`${title}: ${tools} tools, ${modules} modules replaced`);
    for (const [request, text] of surprising) console.log(`  ${request} differs: ${text}`);
    for (const request of stale)
      console.log(`  same now, remove it from replaced.json: ${request}`);
    replacedRows.push(
      `| ${title} | ${modules} | ${tools} | ${requests} | ${requests - differences.size} |`,
    );
    differing.push(...Object.values(expected).map((reason) => `- ${server.package}: ${reason}.`));
  } catch (error) {
    isWrong = true;
    console.log(`${title}: ${(error as Error).message}`);
  }
}

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
