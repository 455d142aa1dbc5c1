import type { MethodFamily } from "@mcp-codegen/runtime";
import type { JsonValue, Method, Protocol } from "../../link/protocol.js";
import { planFamilies } from "../../plan/families.js";
import type { OutputFile } from "../../plan/file-plan.js";
import { RUNTIME } from "../../plan/runtime-imports.js";
import { isOnDemand, type UniversalPlan } from "../../plan/universal-plan.js";
import { Shapes } from "../../model/shape.js";
import { type Code, code, importType, join, literal, objectKey } from "../printer/code.js";
import { printModule } from "../printer/module.js";
import { header, localName } from "./header.js";

/** summaries.ts: the data about revisions loaded on demand that are needed before they are loaded. */
export function emitSummaries(plan: UniversalPlan): OutputFile {
  const summaries = plan.protocols
    .filter((protocol) => isOnDemand(plan, protocol))
    .toReversed()
    .map((protocol) => summary(protocol, localName(plan, protocol.revision)));
  const body = summaries.length > 0 ? join(summaries, code`\n\n`) : code`export {};`;
  return { path: "summaries.ts", text: printModule(header(plan), body) };
}

function summary(protocol: Protocol, name: string): Code {
  const { revision, traits, conventions, errorCodes, declarations, methods } = protocol;
  const families = planFamilies(protocol, new Shapes(declarations));
  const codes = Object.fromEntries(errorCodes.map(({ name: key, code: value }) => [key, value]));
  const members = {
    id: literal(revision),
    traits: literal({ ...traits }),
    conventions: literal({ ...conventions }),
    errorCodes: literal(codes),
    families: lines(families.map((family: MethodFamily) => literal({ ...family }))),
    rows: lines(methods.map((method) => literal(rowOf(method)))),
  };
  const entries = Object.entries(members).map(([key, value]) => code`${objectKey(key)}: ${value}`);
  return code`/** MCP ${{ parts: [revision] }}. */
export const ${{ parts: [name] }}: ${importType("RevisionSummary", RUNTIME)} = { ${join(entries, code`, `)} };`;
}

function lines(rows: readonly Code[]): Code {
  return code`[${rows.map((row) => code`\n${row},`)}]`;
}

/** A row of the method table without its validators and conditions; members with default values are left out. */
function rowOf(row: Method): Record<string, JsonValue> {
  const { method, kind, from, channel, role, capability, declares, paginated, cacheable } = row;
  return {
    method,
    kind,
    from,
    ...(channel !== "wire" && { channel }),
    ...(role !== undefined && { role }),
    ...(capability !== undefined && { capability }),
    ...(declares !== undefined && { declares: declares as JsonValue }),
    ...(paginated && { paginated }),
    ...(cacheable && { cacheable }),
  };
}
