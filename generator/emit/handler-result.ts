import type { RevisionPlan } from "../plan/revision-plan.js";
import { type Code, code, join } from "./printer/code.js";
import { literal } from "./printer/literal.js";
import { runtimeSymbol } from "./runtime-symbol.js";
import { schemaType } from "./schema-type.js";

/** A type as handlers give it: of a result, the engine fills in some members. */
export function handlerResult(type: string, plan: RevisionPlan): Code {
  const filled = filledMembers(type, plan);
  if (filled.length === 0) return schemaType(type);
  const names = join(filled.map(literal), code` | `);
  return code`${runtimeSymbol(plan, "SetOptional")}<${schemaType(type)}, ${names}>`;
}

function filledMembers(type: string, { protocol, shapes }: RevisionPlan): string[] {
  const { methods, traits } = protocol;
  const requests = methods.filter(({ result }) => result?.type === type);
  if (requests.length === 0) return [];
  const isCacheable = requests.some(({ cacheable }) => cacheable);
  const candidates = [
    ...(traits.resultType ? ["resultType"] : []),
    ...(isCacheable ? ["ttlMs", "cacheScope"] : []),
  ];
  const members = shapes.named(type)?.members;
  return candidates.filter((name) => members?.get(name)?.optional === false);
}
