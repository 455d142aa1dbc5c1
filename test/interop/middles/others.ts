import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Program, startService } from "../core/child.js";
import { freePort } from "../core/free-port.js";
import { executable, type Packages } from "../core/packages.js";
import { interop, root } from "../core/places.js";
import type { Row } from "../core/row.js";
import { Scratch } from "../core/scratch.js";

const run = promisify(execFile);
const BRIDGE = [join(root, "generator/dist/cli/bin.js"), "bridge"];

const PYTHON = { official: "`mcp` (official)", fastmcp: "`fastmcp`" };

/**
 * Runs Python clients, with and without a handshake, in front of our bridge, with a server of each revision behind it.
 */
export async function pythonClients(
  python: string,
  revisions: readonly string[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [client, title] of Object.entries(PYTHON)) {
    for (const mode of ["legacy", "auto"]) {
      const name = `${title}, ${mode}`;
      const cells = [name];
      const failures: string[] = [];
      for (const id of revisions) {
        const steps = await drive(python, client, mode, id);
        const failed = Object.entries(steps).filter(([, found]) => found !== "ok");
        const all = Object.keys(steps).length;
        cells.push(`${all - failed.length}/${all}`);
        failures.push(...failed.map(([step, why]) => `${name}: ${id}: ${step}: ${why}`));
      }
      rows.push({ cells, failures });
    }
  }
  return rows;
}

async function drive(
  python: string,
  client: string,
  mode: string,
  id: string,
): Promise<Readonly<Record<string, string>>> {
  const scratch = new Scratch();
  const upstream = join(interop, "programs/middle-upstream.mjs");
  const effects = join(scratch.work, "effects");
  const behind = [process.execPath, upstream, id, effects, "stdio"];
  const program = join(interop, "programs/drive-python.py");
  const args = [program, client, mode, id, process.execPath, ...BRIDGE, "--", ...behind];
  try {
    const { stdout } = await run(python, args, { cwd: scratch.work, timeout: 150_000 });
    return JSON.parse(stdout) as Record<string, string>;
  } catch (error) {
    return { program: (error as Error).message.slice(0, 200) };
  } finally {
    scratch.end();
  }
}

/** The official suite's scenarios that need no fixtures, by revision. */
export const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  "2025-11-25": [
    "server-initialize",
    "ping",
    "tools-list",
    "tools-call-error",
    "server-session-lifecycle",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
  ],
  "2026-07-28": [
    "tools-list",
    "tools-call-error",
    "sep-2164-resource-not-found",
    "input-required-result-unsupported-methods",
    "server-sse-multiple-streams",
    "http-header-validation",
    "dns-rebinding-protection",
  ],
};

const SERVERS = [
  { package: "@modelcontextprotocol/server-everything", version: "2026.8.31", args: ["stdio"] },
  { package: "@modelcontextprotocol/server-memory", version: "2026.8.31", args: [] },
  { package: "@modelcontextprotocol/server-filesystem", version: "2026.8.31", args: ["."] },
];

/** Runs the official suite over HTTP against published stdio servers behind our bridge. */
export async function publishedServers(packages: Packages): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const entry of SERVERS) {
    const { file, args } = executable(await packages.folder(entry), entry);
    const command = [file, ...args, ...entry.args];
    rows.push(await underSuite(`${entry.package} ${entry.version}`, command));
  }
  return rows;
}

async function underSuite(name: string, command: readonly string[]): Promise<Row> {
  const scratch = new Scratch();
  const port = await freePort();
  const bridge: Program = {
    file: process.execPath,
    args: [...BRIDGE, "--http", String(port), "--", ...command],
  };
  const service = await startService(bridge, scratch, port);
  const cells = [name];
  const failures: string[] = [];
  try {
    for (const [id, scenarios] of Object.entries(SCENARIOS)) {
      let passed = 0;
      for (const scenario of scenarios) {
        const problem = await suite(`http://127.0.0.1:${port}/mcp`, scenario, id);
        if (problem === undefined) passed += 1;
        else failures.push(`${name}: ${id}: ${scenario}: ${problem}`);
      }
      cells.push(`${passed}/${scenarios.length}`);
    }
  } finally {
    await service.end();
    scratch.end();
  }
  return { cells, failures };
}

/** Runs one scenario of the official suite and returns what failed. */
async function suite(url: string, scenario: string, id: string): Promise<string | undefined> {
  const program = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
  const preload = join(root, "test/conformance/dist/suite/preload.js");
  const call = ["server", "--url", url, "--scenario", scenario, "--spec-version", id];
  try {
    await run(process.execPath, ["--import", preload, program, ...call], { timeout: 60_000 });
    return undefined;
  } catch (error) {
    const { stdout = "", message } = error as Error & { readonly stdout?: string };
    return stdout.split("\n").find((line) => line.includes("FAILURE")) ?? message.slice(0, 200);
  }
}
