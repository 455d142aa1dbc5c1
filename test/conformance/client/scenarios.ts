import { setTimeout } from "node:timers/promises";
import type { McpClient } from "@mcp-codegen/universal";
import type { Scenario } from "./scenario.js";
import { skillScenarios } from "./skills.js";

const SCHEMA_TOOL = "json_schema_2020_12_tool";
/** The time in milliseconds after which the stream for the requests of the suite's server is open. */
const UNTIL_OPEN = 3000;
/** The time in milliseconds within which a client would have fetched something that it must not fetch. */
const LONG_ENOUGH = 500;

const scenarios: Readonly<Record<string, Scenario>> = {
  initialize: { run: (client) => client.ping() },
  tools_call: {
    run: async (client) => {
      await client.listTools();
      await client.callTool("add_numbers", { a: 5, b: 3 });
    },
  },
  "elicitation-sep1034-client-defaults": {
    options: {
      onElicit: { form: () => ({ action: "accept", content: {} }), applyDefaults: true },
    },
    run: async (client) => {
      await setTimeout(UNTIL_OPEN);
      await client.callTool("test_client_elicitation_defaults");
    },
  },
  "sse-retry": {
    run: async (client) => {
      await client.listTools();
      await client.callTool("test_reconnection");
    },
  },
  "json-schema-2020-12-preservation": {
    run: async (client) => {
      const { tools } = await client.listTools();
      const schema = tools.find(({ name }) => name === SCHEMA_TOOL)?.inputSchema;
      await client.callTool("json_schema_echo", { schema });
    },
  },
  "request-metadata": {
    options: {
      onElicit: () => ({ action: "decline" }),
      onSample: () => {
        throw new Error("There is no model");
      },
      roots: [],
    },
    run: (client) => client.ping(),
  },
  "sep-2322-client-request-state": {
    options: { onElicit: () => ({ action: "accept", content: { confirmed: true } }) },
    run: async (client) => {
      for (const name of ["echo_state", "no_state", "unrelated", "no_result_type"]) {
        await client.callTool(`test_mrtr_${name}`);
      }
    },
  },
  "http-standard-headers": { run: useEverything },
  "http-custom-headers": {
    run: async (client, { toolCalls }) => {
      await client.listTools();
      const calls = toolCalls as readonly { name: string; arguments: Record<string, unknown> }[];
      for (const call of calls) await client.callTool(call.name, call.arguments);
    },
  },
  "http-invalid-tool-headers": {
    run: async (client) => {
      const { tools } = await client.listTools();
      for (const { name } of tools) await client.callTool(name, { region: "us-west1" });
    },
  },
  ...skillScenarios,
  "json-schema-ref-no-deref": {
    run: async (client) => {
      await client.listTools();
      await setTimeout(LONG_ENOUGH);
    },
  },
};

/** Sends one request of each kind. */
async function useEverything(client: McpClient): Promise<void> {
  await client.listTools();
  await client.callTool("test_headers", {});
  await client.listResources();
  await client.readResource("file:///path/to/file%20name.txt");
  await client.listPrompts();
  await client.getPrompt("test_prompt");
}

/** The remainder of all authorization scenarios, to be run once the client is authorized. */
const authorized: Scenario = {
  run: async (client) => {
    await client.listTools();
    await client.callTool("test-tool", {});
  },
};

/** Finds a scenario by its name in the suite; undefined if it is unknown. */
export function scenarioNamed(name: string): Scenario | undefined {
  if (Object.hasOwn(scenarios, name)) return scenarios[name];
  return name.startsWith("auth/") ? authorized : undefined;
}
