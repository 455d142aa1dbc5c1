import type { RevisionStep } from "../../evolve/project/draft.js";
import type { OutputFile } from "../../plan/file-plan.js";
import { RUNTIME } from "../../plan/runtime-imports.js";
import type { UniversalPlan } from "../../plan/universal-plan.js";
import {
  type Code,
  code,
  EMPTY,
  type ImportedSymbol,
  importNamespace,
  importType,
  importValue,
  join,
} from "../printer/code.js";
import { printModule } from "../printer/module.js";
import { FACADE } from "./facade.js";
import { header } from "./header.js";
import { stepName, STEPS } from "./steps.js";

/** Emits revisions/<id>.ts: a revision, with the steps to and from the newest one. */
export function emitRevision(plan: UniversalPlan, revision: string): OutputFile {
  const steps = stepsTo(plan, revision);
  const pinned = importNamespace("pinned", `@mcp-codegen/${revision}/methods`);
  const doc =
    steps.length > 0
      ? "with messages translated from and to the newest revision"
      : "the revision that handlers are written for";
  const body = code`/** MCP ${text(revision)}, ${text(doc)}. */
export const revision: ${importType("Revision", RUNTIME)} = {
  ...${pinned}.revision,${steps.length > 0 ? projected(steps, pinned) : EMPTY}
  projectError: ${importValue("errorProjection", RUNTIME)}(${pinned}.revision),
};`;
  return { path: `revisions/${revision}.ts`, text: printModule(header(plan), body) };
}

function projected(steps: readonly RevisionStep[], pinned: ImportedSymbol): Code {
  const symbols = steps.map((step, index) => {
    const module = importNamespace(`step${index + 1}`, `../${STEPS}/${stepName(step)}.js`);
    return code`${module}.step`;
  });
  return code`
  projection: ${importValue("projection", FACADE)}(${pinned}.revision, [${join(symbols, code`, `)}]),`;
}

function text(revision: string): Code {
  return { parts: [revision] };
}

function stepsTo({ steps }: UniversalPlan, revision: string): RevisionStep[] {
  const first = steps.findIndex(({ older }) => older === revision);
  return first < 0 ? [] : steps.slice(first).toReversed();
}
