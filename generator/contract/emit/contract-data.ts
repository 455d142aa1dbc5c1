import { code } from "../../emit/printer/code.js";
import { docText } from "../../emit/printer/js-doc.js";
import { literal } from "../../emit/printer/literal.js";
import { printModule } from "../../emit/printer/module.js";
import { importType } from "../../emit/printer/symbol.js";
import type { JsonValue } from "../../link/protocol.js";
import type { OutputFile } from "../../plan/file-plan.js";
import { sortedEntries } from "@mcp-codegen/runtime/contract";
import { LISTS } from "../lock/lock-file.js";
import { header } from "./contract-header.js";
import type { ContractPlan } from "./contract-plan.js";

/** Module of the runtime that generated code of contracts imports. */
export const CONTRACT_MODULE = "@mcp-codegen/runtime/contract";

/** `contract.ts`: the definitions, for checks and for the guard of `connect`. */
export function emitData(plan: ContractPlan): OutputFile {
  const { instructions } = plan.locked;
  const lists = LISTS.map((list) => [
    list,
    plan.locked[list].map(({ definition }) => ({ definition: sorted(definition) })),
  ]);
  const value = {
    ...(instructions !== undefined && { instructions }),
    ...Object.fromEntries(lists),
  } as JsonValue;
  const type = importType("ServerContract", CONTRACT_MODULE);
  const body = code`${docText(`Contract of ${plan.server}, as it was locked.`)}export const contract: ${type} = ${literal(value)};\n`;
  return { path: "contract.ts", text: printModule(header(plan), body) };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(sortedEntries(value).map(([name, member]) => [name, sorted(member)]));
}
