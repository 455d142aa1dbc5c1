import { Elicitation } from "@mcp-codegen/runtime/features";
import type { Scenario } from "./scenario.js";

const SCHEMA_TOOL = "json_schema_2020_12_tool";

const scenarios: Readonly<Record<string, Scenario>> = {
  initialize: {
    run: async (client) => {
      await client.ping();
    },
  },
  tools_call: {
    run: async (client) => {
      await client.listTools();
      await client.callTool({ name: "add_numbers", arguments: { a: 5, b: 3 } });
    },
  },
  "elicitation-sep1034-client-defaults": {
    features: [
      new Elicitation({ form: () => ({ action: "accept", content: {} }), applyDefaults: true }),
    ],
    run: async (client) => {
      await client.callTool({ name: "test_client_elicitation_defaults" });
    },
  },
  "sse-retry": {
    run: async (client) => {
      await client.listTools();
      await client.callTool({ name: "test_reconnection" });
    },
  },
  "json-schema-2020-12-preservation": {
    run: async (client) => {
      const { tools } = await client.listTools();
      const schema = tools.find(({ name }) => name === SCHEMA_TOOL)?.inputSchema;
      await client.callTool({ name: "json_schema_echo", arguments: { schema } });
    },
  },
};

/** What all scenarios about authorization have in common once that is done. */
const authorized: Scenario = {
  run: async (client) => {
    await client.listTools();
    await client.callTool({ name: "test-tool", arguments: {} });
  },
};

/** Finds a scenario by the name that the suite gives it; undefined when it is not known. */
export function scenarioNamed(name: string): Scenario | undefined {
  if (Object.hasOwn(scenarios, name)) return scenarios[name];
  return name.startsWith("auth/") ? authorized : undefined;
}
