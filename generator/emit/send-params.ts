import type { Method } from "../link/protocol.js";
import type { TypeExpression } from "../model/schema-model.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { type Code, code } from "./printer/code.js";
import { runtimeSymbol } from "./runtime-symbol.js";
import { schemaType } from "./schema-type.js";

/** Parameters as who sends a message gives them. */
export interface SendParams {
  readonly type: Code;
  readonly optional: boolean;
}

/**
 * Parameter of a sending method; undefined for a message without parameters. Required `_meta` is
 * left out, because the engine writes it.
 */
export function sendParams(method: Method, plan: RevisionPlan): SendParams | undefined {
  const { params, kind } = method;
  if (params === undefined) return undefined;
  const type = schemaType(params.type);
  if (kind !== "request" || plan.protocol.traits.requestMeta !== "required") {
    return { type, optional: params.optional };
  }
  return {
    type: code`${runtimeSymbol(plan, "GivenParams")}<${type}>`,
    optional: params.optional || requiresOnlyMeta(method, plan),
  };
}

/** True when `_meta` is the only required parameter, so that the engine can supply all of them. */
export function requiresOnlyMeta(
  method: Method,
  { shapes }: Pick<RevisionPlan, "shapes">,
): boolean {
  const params = shapes.named(method.type)?.members.get("params")?.types ?? [];
  return params.every(({ type }) => shapes.arms(type).every((arm) => needsOnlyMeta(arm, shapes)));
}

function needsOnlyMeta(arm: TypeExpression, shapes: RevisionPlan["shapes"]): boolean {
  const members = shapes.of(arm)?.members;
  if (members === undefined) return false;
  return [...members.values()].every(({ name, optional }) => optional || name === "_meta");
}
