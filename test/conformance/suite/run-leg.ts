import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { agreedRevision } from "./everything-server.js";
import { type Leg, legName } from "./leg.js";
import { EXPECTED_FAILURES, readLosses } from "./records.js";
import { readResults, type Result } from "./results.js";
import { runSuite } from "./run-suite.js";
import { startServer } from "./tested-server.js";

/**
 * The time limit for one scenario, in milliseconds. On a busy machine, two dozen clients that start at once need that
 * long.
 */
const TIMEOUT = "60000";

const client = fileURLToPath(new URL("../client/main.js", import.meta.url));

export interface LegOutcome {
  readonly leg: Leg;
  readonly results: readonly Result[];
  /** The problems that do not belong to a scenario. */
  readonly problems: readonly string[];
}

/**
 * Runs one leg.
 *
 * @param folder - folder for the suite's results
 */
export async function runLeg(leg: Leg, folder: string): Promise<LegOutcome> {
  const output = join(folder, legName(leg).replaceAll(" ", "-"));
  mkdirSync(output);
  const expected = leg.before === undefined ? EXPECTED_FAILURES : writeLost(leg, folder);
  const parameters = ["-o", output, "--timeout", TIMEOUT, "--expected-failures", expected];
  const problems = await (leg.side === "client"
    ? callSuite(leg, [...parameters, "--command", `exec node ${client}`])
    : testServer(leg, parameters));
  return { leg, results: readResults(output, leg.side), problems };
}

/** Writes the scenarios that fail through a bridge to a file for the suite. */
function writeLost(leg: Leg, folder: string): string {
  const file = join(folder, `${legName(leg).replaceAll(" ", "-")}-lost.json`);
  const own = readLosses().filter(({ leg: name, isQuiet }) => name === legName(leg) && !isQuiet);
  const server = [...new Set(own.map(({ scenario }) => scenario))];
  writeFileSync(file, JSON.stringify({ server, client: [] }));
  return file;
}

async function testServer(leg: Leg, parameters: readonly string[]): Promise<string[]> {
  const server = await startServer(leg);
  try {
    const offered = leg.only === undefined ? leg.revision : "1999-12-31";
    const agreed = await agreedRevision(server.url, offered);
    const expected = leg.agreed ?? leg.revision;
    const problems = agreed === expected ? [] : [`the server agrees on ${agreed}`];
    return [...problems, ...(await callSuite(leg, [...parameters, "--url", server.url]))];
  } finally {
    await server.stop();
  }
}

async function callSuite({ side, calls }: Leg, parameters: readonly string[]): Promise<string[]> {
  const problems: string[] = [];
  for (const call of calls) {
    const { code, output } = await runSuite([side, ...call, ...parameters]);
    if (code === 0) continue;
    const how =
      code === null ? `was killed; it had written:\n${tail(output)}` : `ended with ${code}`;
    problems.push(`the suite ${how} for ${call.join(" ")}`);
  }
  return problems;
}

function tail(text: string): string {
  return text.trim().split("\n").slice(-20).join("\n");
}
