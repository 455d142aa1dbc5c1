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

/** Emits summaries.ts, which contains the data that is needed before revisions are loaded on demand. */
export function emitSummaries(plan: UniversalPlan): OutputFile {
  const summaries = plan.protocols
    .filter((protocol) => isOnDemand(plan, protocol))
    .toReversed()
    .map((protocol) => summaryOf(protocol, localName(plan, protocol.revision)));
  if (summaries.length === 0) {
    return { path: "summaries.ts", text: printModule(header(plan), code`export {};`) };
  }
  const families = commonTo(summaries.flatMap((summary) => summary.families));
  const rows = commonTo(summaries.flatMap((summary) => summary.rows));
  const body = [
    ...declarations(families, code`${SUMMARY}["families"][number]`),
    ...declarations(rows, code`${SUMMARY}["rows"][number]`),
    ...summaries.map((summary) => print(summary, families, rows)),
  ];
  return { path: "summaries.ts", text: printModule(header(plan), join(body, code`\n\n`)) };
}

const SUMMARY = importType("RevisionSummary", RUNTIME);

interface Entry {
  readonly name: string;
  readonly value: JsonValue;
}

interface Summary {
  readonly name: string;
  readonly protocol: Protocol;
  readonly families: readonly Entry[];
  readonly rows: readonly Entry[];
}

function summaryOf(protocol: Protocol, name: string): Summary {
  const families = planFamilies(protocol, new Shapes(protocol.declarations));
  return {
    name,
    protocol,
    families: families.map((family: MethodFamily) => ({
      name: constantName(family.name, "Family"),
      value: { ...family },
    })),
    rows: protocol.methods.map((row) => ({
      name: constantName(row.method, "Row"),
      value: rowOf(row),
    })),
  };
}

/**
 * Returns a constant's name, such as `notificationsProgressRow` for `notifications/progress`. The suffix ensures that
 * the name is not a reserved word.
 */
function constantName(text: string, suffix: string): string {
  const [first = "", ...others] = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const camel = others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  const start = /^\d/.test(first) ? `_${first}` : first;
  return `${start}${camel}${suffix}`;
}

function commonTo(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  const seen = new Set<string>();
  const names = new Set<string>();
  const constants = new Map<string, Entry>();
  for (const { name, value } of entries) {
    const key = JSON.stringify(value);
    if (!seen.has(key)) {
      seen.add(key);
      continue;
    }
    if (constants.has(key)) continue;
    let unique = name;
    for (let count = 2; names.has(unique); count += 1) unique = `${name}${count}`;
    names.add(unique);
    constants.set(key, { name: unique, value });
  }
  return constants;
}

function declarations(entries: ReadonlyMap<string, Entry>, type: Code): Code[] {
  return [...entries.values()].map(
    ({ name, value }) => code`const ${{ parts: [name] }}: ${type} = ${literal(value)};`,
  );
}

function print(
  { name, protocol, ...lists }: Summary,
  families: ReadonlyMap<string, Entry>,
  rows: ReadonlyMap<string, Entry>,
): Code {
  const { revision, traits, conventions, errorCodes } = protocol;
  const codes = Object.fromEntries(errorCodes.map(({ name: key, code: value }) => [key, value]));
  const members = {
    id: literal(revision),
    traits: literal({ ...traits }),
    conventions: literal({ ...conventions }),
    errorCodes: literal(codes),
    families: lines(lists.families, families),
    rows: lines(lists.rows, rows),
  };
  const entries = Object.entries(members).map(([key, value]) => code`${objectKey(key)}: ${value}`);
  return code`/** MCP ${{ parts: [revision] }}. */
export const ${{ parts: [name] }}: ${SUMMARY} = { ${join(entries, code`, `)} };`;
}

function lines(entries: readonly Entry[], inCommon: ReadonlyMap<string, Entry>): Code {
  const values = entries.map(({ value }) => {
    const constant = inCommon.get(JSON.stringify(value));
    return constant ? code`${{ parts: [constant.name] }}` : literal(value);
  });
  return code`[${values.map((value) => code`\n${value},`)}]`;
}

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
