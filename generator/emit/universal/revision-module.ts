import type { OutputFile } from "../../plan/file-plan.js";
import { RUNTIME } from "../../plan/runtime-imports.js";
import type { UniversalPlan } from "../../plan/universal-plan.js";
import { type Code, code, EMPTY } from "../printer/code.js";
import { printModule } from "../printer/module.js";
import {
  importNamespace,
  type ImportedSymbol,
  importType,
  importValue,
} from "../printer/symbol.js";
import { FACADE } from "./facade.js";
import { header } from "./header.js";
import { localName } from "./local-name.js";

/** revisions/<id>.ts: a revision together with the way from and to the newest one. */
export function emitRevision(plan: UniversalPlan, revision: string): OutputFile {
  const isProjected = plan.tables.some((one) => one.revision === revision);
  const pinned = importNamespace("pinned", moduleOf(revision));
  const doc = isProjected
    ? "with messages of the newest revision made of its own, and the other way round"
    : "the revision that handlers are written for";
  const body = code`/** MCP ${text(revision)}, ${text(doc)}. */
export const revision: ${importType("Revision", RUNTIME)} = {
  ...${pinned}.revision,${isProjected ? projected(localName(plan, revision), pinned) : EMPTY}
  projectError: ${importValue("errorProjection", FACADE)}(${pinned}.revision),
};`;
  return { path: `revisions/${revision}.ts`, text: printModule(header(plan), body) };
}

function projected(table: string, pinned: ImportedSymbol): Code {
  const imported = importValue(table, "../tables.js");
  return code`
  projection: ${importValue("projection", FACADE)}(${pinned}.revision, ${imported}),`;
}

function moduleOf(revision: string): string {
  return `@mcp-codegen/${revision}`;
}

function text(revision: string): Code {
  return { parts: [revision] };
}
