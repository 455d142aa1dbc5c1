import type { JsonObject, JsonValue, Protocol } from "../link/protocol.js";
import type { OutputFile } from "../plan/file-plan.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { origin } from "./header.js";
import { declarationData } from "./type-data.js";

/** The URL of the JSON Schema for protocol.json, which is published with the package. */
const SCHEMA = "https://unpkg.com/mcp-codegen/schema/protocol.schema.json";

export function emitProtocolJson(plan: RevisionPlan): OutputFile {
  return { path: "protocol.json", text: renderProtocol(plan.protocol, origin(plan)) };
}

export function renderProtocol(protocol: Protocol, generator: string): string {
  return `${renderLines(protocolData(protocol, generator))}\n`;
}

function protocolData(protocol: Protocol, generator: string): JsonObject {
  const { revision, name, specification, source, traits } = protocol;
  const { conventions, envelope, aggregates } = protocol;
  const { methods, errorCodes, synthesized, successors, declarations } = protocol;
  const data = {
    generator,
    $schema: SCHEMA,
    revision,
    ...(name !== undefined && { name }),
    ...(specification !== undefined && { specification }),
    source,
    traits,
    conventions,
    envelope,
    aggregates,
    methods,
    errorCodes,
    synthesized,
    ...(successors && { successors }),
  };
  return { ...(data as unknown as JsonObject), declarations: declarations.map(declarationData) };
}

function renderLines(data: JsonObject): string {
  const members = Object.entries(data).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${block(value)}`,
  );
  return `{\n${members.join(",\n")}\n}`;
}

function block(value: JsonValue): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => `\n    ${JSON.stringify(item)}`);
    return items.length > 0 ? `[${items.join(",")}\n  ]` : "[]";
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) => `\n    ${JSON.stringify(key)}: ${JSON.stringify(item)}`,
  );
  return members.length > 0 ? `{${members.join(",")}\n  }` : "{}";
}
