import type { ProjectionTable, Shape } from "../../evolve/project/projection-table.js";
import type { JsonValue } from "../../link/protocol.js";
import type { OutputFile } from "../../plan/file-plan.js";
import type { UniversalPlan } from "../../plan/universal-plan.js";
import { type Code, code, join } from "../printer/code.js";
import { literal, objectKey } from "../printer/literal.js";
import { printModule } from "../printer/module.js";
import { importType } from "../printer/symbol.js";
import { FACADE } from "./facade.js";
import { header } from "./header.js";
import { localName } from "./local-name.js";

/** tables.ts: how messages of the newest revision become those of the others; side by side, they compress well. */
export function emitTables(plan: UniversalPlan): OutputFile[] {
  const ids = new Set(plan.protocols.map(({ revision }) => revision));
  const served = plan.tables.filter(({ revision }) => ids.has(revision));
  const tables = served.map((table) => tableOf(plan, table));
  if (tables.length === 0) return [];
  return [{ path: "tables.ts", text: printModule(header(plan), join(tables, code`\n\n`)) }];
}

function tableOf(plan: UniversalPlan, { revision, methods, shapes }: ProjectionTable): Code {
  const [id, name] = [{ parts: [revision] }, { parts: [localName(plan, revision)] }];
  return code`/** Between MCP ${id} and the newest revision. */
export const ${name}: ${importType("ProjectionTable", FACADE)} = {
  methods: ${lines(methods)},
  shapes: ${lines(shapes)},
};`;
}

function lines(members: Readonly<Record<string, object>>): Code {
  const entries = Object.entries(members).map(
    ([name, value]) => code`${objectKey(name)}: ${literal(value as Shape as JsonValue)}`,
  );
  return code`{\n${join(entries, code`,\n`)},\n}`;
}
