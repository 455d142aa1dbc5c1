import { isObject } from "../../wire/index.js";
import { Structured } from "./structured.js";

/** Members that only a whole result has. */
const MARKS = ["content", "structuredContent", "isError", "resultType"];
const RESULTS = [...MARKS, "task"];

/**
 * Converts the value that a tool's handler returned to a result.
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

/**
 * Mistake in a result that {@link toolResult} built, with its remedy; undefined when there is none.
 */
export function resultMistake(result: unknown, isStructured: boolean): string | undefined {
  if (!isObject(result) || !RESULTS.some((name) => Object.hasOwn(result, name))) {
    const given = result === null ? "null" : typeof result;
    return `gave a value of type ${given}: give a text or content blocks, or declare an outputSchema`;
  }
  const isMissing = result["structuredContent"] === undefined && result["isError"] !== true;
  if (!isStructured || !isMissing || !isFinal(result)) return undefined;
  const names = MARKS.filter((name) => result[name] !== undefined).join(" and ");
  if (names === "") return undefined;
  return (
    `gave an object with ${names}, so a whole result, without the structured content of its outputSchema; ` +
    `if it is the structured content, give structured(value)`
  );
}
