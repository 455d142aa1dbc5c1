import type { RequestContext } from "./request-context.js";
import { isObject } from "../wire/index.js";

/**
 * Takes out of what a client sent what only the engine may say, where it asks by requests of its own: that it has
 * answers, and a state that a handler wanted back.
 */
export function withoutAnswers(params: unknown, { binding, row }: RequestContext): unknown {
  const isAffected =
    isObject(params) &&
    ("requestState" in params || "inputResponses" in params) &&
    binding.revision?.methods.get(row.method) === row;
  if (!isAffected) return params;
  const { requestState: _, inputResponses: __, ...others } = params;
  return others;
}
