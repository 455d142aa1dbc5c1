import type { Method } from "../link/protocol.js";
import type { Code } from "./printer/code.js";
import { schemaType } from "./schema-type.js";

/**
 * Result types that the caller receives: the engine answers embedded questions itself and repeats
 * the request.
 */
export function finalResults({ result }: Method): Code[] {
  if (result === undefined) return [];
  const alternatives = result.alternatives.filter(({ when }) => when !== "input_required");
  return [result.type, ...alternatives.map(({ type }) => type)].map(schemaType);
}
