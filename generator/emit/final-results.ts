import type { Method } from "../link/protocol.js";
import type { Code } from "./printer/code.js";
import { schemaType } from "./schema-type.js";

/** What who asks gets: the engine gives the answers that a result asks for, and asks again. */
export function finalResults({ result }: Method): Code[] {
  if (result === undefined) return [];
  const alternatives = result.alternatives.filter(({ when }) => when !== "input_required");
  return [result.type, ...alternatives.map(({ type }) => type)].map(schemaType);
}
