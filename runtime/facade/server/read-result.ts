import { toBase64 } from "../../ground/index.js";
import type { Freshness } from "../../api/index.js";
import { isObject } from "../../wire/index.js";

/** Facts about a resource besides its contents. */
export interface ReadFacts {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly cacheHint?: Freshness | undefined;
}

/** Converts the value that a read handler returned to a result; undefined when the resource does not exist. */
export function readResult(outcome: unknown, facts: ReadFacts): unknown {
  const result = contentsOf(outcome, facts);
  const { cacheHint } = facts;
  if (cacheHint === undefined || !isObject(result) || !("contents" in result)) return result;
  return { ...cacheHint, ...result };
}

function contentsOf(outcome: unknown, { uri, mimeType }: ReadFacts): unknown {
  const described = mimeType === undefined ? { uri } : { uri, mimeType };
  if (typeof outcome === "string") return { contents: [{ ...described, text: outcome }] };
  if (outcome instanceof Uint8Array)
    return { contents: [{ ...described, blob: toBase64(outcome) }] };
  return Array.isArray(outcome) ? { contents: outcome } : outcome;
}
