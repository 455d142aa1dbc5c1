import type { Tool } from "@mcp-codegen/2025-11-25";
import { text, type ToolFixture } from "./tool-fixture.js";

const inputSchema: Tool["inputSchema"] & Record<string, unknown> = {
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
};

/** A tool whose schema uses what only newer dialects of JSON Schema have. */
export const schemaTool: ToolFixture = {
  tool: {
    name: "json_schema_2020_12_tool",
    description: "Takes a way to contact somebody.",
    inputSchema,
  },
  call: (input) => text(`Will contact ${String(input["name"])}.`),
};
