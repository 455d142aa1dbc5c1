import type { ProjectionTable, Shape } from "../../evolve/project/projection-table.js";
import type { JsonValue } from "../../link/protocol.js";
import type { OutputFile } from "../../plan/file-plan.js";
import { RUNTIME } from "../../plan/runtime-imports.js";
import type { UniversalPlan } from "../../plan/universal-plan.js";
import { type Code, code, EMPTY, join } from "../printer/code.js";
import { literal, objectKey } from "../printer/literal.js";
import { printModule } from "../printer/module.js";
import {
  importNamespace,
  type ImportedSymbol,
  importType,
  importValue,
} from "../printer/symbol.js";
import { header } from "./header.js";

/** Module that has the way from a table to what the runtime calls. */
const FACADE = "@mcp-codegen/facade/codegen";

/** revisions/<id>.ts: a revision together with the way from and to the newest one. */
export function emitRevision(plan: UniversalPlan, revision: string): OutputFile {
  const table = plan.tables.find((one) => one.revision === revision);
  const pinned = importNamespace("pinned", moduleOf(revision));
  const doc = table
    ? "with messages of the newest revision made of its own, and the other way round"
    : "the revision that handlers are written for";
  const body = code`/** MCP ${text(revision)}, ${text(doc)}. */
export const revision: ${importType("Revision", RUNTIME)} = {
  ...${pinned}.revision,${table ? projected(table, pinned) : EMPTY}
  projectError: ${importValue("errorProjection", FACADE)}(${pinned}.revision),
};`;
  return { path: `revisions/${revision}.ts`, text: printModule(header(plan), body) };
}

function projected({ methods, shapes }: ProjectionTable, pinned: ImportedSymbol): Code {
  return code`
  projection: ${importValue("projection", FACADE)}(${pinned}.revision, {
    methods: ${lines(methods)},
    shapes: ${lines(shapes)},
  }),`;
}

function lines(members: Readonly<Record<string, object>>): Code {
  const entries = Object.entries(members).map(
    ([name, value]) => code`${objectKey(name)}: ${literal(value as Shape as JsonValue)}`,
  );
  return code`{\n${join(entries, code`,\n`)},\n}`;
}

function moduleOf(revision: string): string {
  return `@mcp-codegen/${revision}/methods`;
}

function text(revision: string): Code {
  return { parts: [revision] };
}
