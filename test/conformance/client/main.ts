import { writeSync } from "node:fs";
import { connect, type McpClient, revisions } from "@mcp-codegen/universal";
import { authorizationFor, isRightRefusal } from "./authorization.js";
import type { Given, Scenario } from "./scenario.js";
import { scenarioNamed } from "./scenarios.js";

const STDOUT = 1;

/** Marks a regular end, so that the caller can distinguish it from a killed process. */
process.on("exit", (code) => writeSync(STDOUT, `exit code ${code}\n`));

const {
  MCP_CONFORMANCE_SCENARIO: name = "",
  MCP_CONFORMANCE_PROTOCOL_VERSION: revision = "2025-11-25",
  MCP_CONFORMANCE_CONTEXT: context = "{}",
} = process.env;
const url = process.argv.at(2);
const scenario = scenarioNamed(name);
if (scenario === undefined || url === undefined) {
  console.error(`Usage: MCP_CONFORMANCE_SCENARIO=name client URL; there is no scenario "${name}"`);
  process.exitCode = 1;
} else {
  await run(scenario, url, JSON.parse(context) as Given);
}

async function run({ options, run: talk }: Scenario, at: string, given: Given): Promise<void> {
  let client: McpClient | undefined;
  try {
    client = await connect(at, {
      ...options,
      ...authorizationFor(name, given),
      clientInfo: { name: "everything-client", version: "1.0.0" },
      revisions: revisions.filter(({ id }) => id === revision),
    });
    await talk(client, given);
    if (isRightRefusal(name) !== undefined) throw new Error("The client did not refuse to go on");
  } catch (error) {
    if (isRightRefusal(name, error)) return;
    console.error(error);
    process.exitCode = 1;
  } finally {
    await client?.close();
  }
}
