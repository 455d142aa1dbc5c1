import type { McpServer } from "@mcp-codegen/universal";

const inputSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
} as const;

/** Adds tools whose schemas have features that only newer revisions can use. */
export function addSchemaTools(server: McpServer): void {
  const description = "Takes a way to contact somebody.";
  server.registerTool(
    "json_schema_2020_12_tool",
    { description, inputSchema },
    ({ name }) => `Will contact ${name}.`,
  );
  server.registerTool(
    "test_x_mcp_header",
    {
      description: "Takes a region, which HTTP requests repeat in a header field.",
      inputSchema: {
        type: "object",
        properties: {
          region: { type: "string", "x-mcp-header": "Region" },
          level: { type: "integer" },
        },
      },
    },
    ({ region, level = 0 }) => `Level ${level} in ${region ?? "no region"}`,
  );
}
