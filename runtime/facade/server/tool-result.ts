import { isObject } from "../../validate.js";
import { Structured } from "./structured.js";

/** Members that only a whole result has. */
const MARKS = ["content", "structuredContent", "isError", "resultType"];

/**
 * Makes of what a tool's handler gave a result.
 *
 * @param isStructured - whether the tool has an output schema, so that anything but a whole result is the structured
 *   content
 */
export function toolResult(outcome: unknown, isStructured: boolean): unknown {
  if (outcome instanceof Structured) return { structuredContent: outcome.value };
  if (isObject(outcome) && MARKS.some((name) => Object.hasOwn(outcome, name))) {
    return isFinal(outcome) && !hasOutput(outcome) ? { ...outcome, content: [] } : outcome;
  }
  if (isStructured) return { structuredContent: outcome };
  if (typeof outcome === "string") return { content: [{ type: "text", text: outcome }] };
  if (Array.isArray(outcome)) return { content: outcome };
  return outcome === undefined ? { content: [] } : outcome;
}

function isFinal({ resultType = "complete" }: Record<string, unknown>): boolean {
  return resultType === "complete";
}

function hasOutput(result: Record<string, unknown>): boolean {
  return result["content"] !== undefined || result["structuredContent"] !== undefined;
}
