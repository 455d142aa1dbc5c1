import { writeSync } from "node:fs";
import type { Client } from "@mcp-codegen/2025-11-25";
import type { ClientOptions } from "@mcp-codegen/runtime";
import { HttpClientTransport } from "@mcp-codegen/http-client";
import type { Scenario } from "./scenario.js";
import { scenarioNamed } from "./scenarios.js";

type ClientClass = new (
  info: { name: string; version: string },
  handlers: object,
  options: ClientOptions,
) => Client;

const STDOUT = 1;

/** What whoever runs this can tell a good end from being killed by. */
process.on("exit", (code) => writeSync(STDOUT, `exit code ${code}\n`));

const { MCP_CONFORMANCE_SCENARIO: name = "", MCP_CONFORMANCE_PROTOCOL_VERSION: revision } =
  process.env;
const url = process.argv.at(2);
const scenario = scenarioNamed(name);
if (scenario === undefined || url === undefined) {
  console.error(`Usage: MCP_CONFORMANCE_SCENARIO=name client URL; there is no scenario "${name}"`);
  process.exitCode = 1;
} else {
  await run(scenario, url, revision ?? "2025-11-25");
}

async function run({ features = [], run: talk }: Scenario, at: string, id: string): Promise<void> {
  const { Client } = (await import(`@mcp-codegen/${id}`)) as { Client: ClientClass };
  const client = new Client({ name: "everything-client", version: "1.0.0" }, {}, { features });
  try {
    await client.connect(new HttpClientTransport(at));
    await talk(client);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    await client.close();
  }
}
