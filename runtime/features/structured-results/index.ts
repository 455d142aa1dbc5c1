import { summarize } from "../../engine/index.js";
import { whenDone } from "../../ground/index.js";
import { type Revision, isObject, quote } from "../../wire/index.js";
import { hasMember } from "../../wire/members/index.js";
import type { DeferredCheck } from "../schema-checks.js";

export interface StructuredCall {
  readonly name: string;
  readonly result: Record<string, unknown>;
  readonly output: DeferredCheck | undefined;
  readonly revision: Revision;
  readonly text: boolean | "values";
}

/**
 * Converts a result to the form that the revision uses.
 *
 * @throws Error if structured content is missing or does not match the tool's schema
 */
export function structuredResult({
  name,
  result,
  output,
  revision,
  text,
}: StructuredCall): unknown {
  const { structuredContent } = result;
  const isStructured = hasStructuredOutput(revision);
  const isError = result["isError"] === true;
  if (structuredContent === undefined) {
    if (isStructured && !isError) throw unlikeSchema(name, "there is none");
    return result;
  }
  const checked = isError ? undefined : output?.(jsonForm(structuredContent));
  return whenDone(checked, (issues) => {
    if (issues) throw unlikeSchema(name, summarize(issues));
    return wireForm(result, isStructured, text);
  });
}

/**
 * Adds the JSON of a value to content as a text block, unless a block already contains the same JSON, however it is
 * indented (MCP: tools, structured content).
 */
export function withJsonText(content: readonly unknown[], value: unknown): readonly unknown[] {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined || content.some((block) => saysSame(block, text))) return content;
  return [...content, { type: "text", text }];
}

function saysSame(block: unknown, json: string): boolean {
  const text = isObject(block) && block["type"] === "text" ? block["text"] : undefined;
  if (text === json) return true;
  if (typeof text !== "string" || text.length < json.length) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === json;
  } catch {
    return false;
  }
}

function wireForm(
  result: Record<string, unknown>,
  isStructured: boolean,
  structuredText: boolean | "values",
): unknown {
  const { structuredContent, content: given, ...others } = result;
  const isKept =
    given !== undefined &&
    (result["isError"] === true ||
      !Array.isArray(given) ||
      !addsText(structuredText, structuredContent, given));
  const content: unknown = isKept
    ? given
    : withJsonText((given ?? []) as readonly unknown[], structuredContent);
  if (!isStructured) return { ...others, content };
  return content === given ? result : { ...others, content, structuredContent };
}

function addsText(
  structuredText: boolean | "values",
  structuredContent: unknown,
  content: readonly unknown[],
): boolean {
  if (structuredText !== "values") return structuredText;
  return (
    !isObject(structuredContent) &&
    !content.some((block) => isObject(block) && block["type"] === "text")
  );
}

function unlikeSchema(name: string, problem: string): Error {
  return new Error(
    `the structured content of the tool ${quote(name)} violates its outputSchema: ${problem}`,
  );
}

/**
 * Returns true if tools can have an `outputSchema` and results can have `structuredContent`; the same revision
 * introduced both. Handlers written for the newest revision rely on the projection instead.
 */
function hasStructuredOutput(revision: Revision): boolean {
  if (revision.projection !== undefined) return true;
  const result = revision.methods.get("tools/call")?.result;
  return result !== undefined && hasMember(result, "structuredContent");
}

/** The maximum depth to which a value is examined. A deeper value is converted instead. */
const MAX_DEPTH = 256;

/**
 * Returns the value as a receiver will parse it. A value that contains only JSON data is not copied.
 *
 * @throws TypeError if the value contains a `bigint` or a cycle
 */
function jsonForm(value: unknown): unknown {
  if (isJson(value, MAX_DEPTH)) return value;
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

function isJson(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    case "object":
      return value === null || (depth > 0 && isPlainJson(value, depth));
    default:
      return false;
  }
}

function isPlainJson(value: object, depth: number): boolean {
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth - 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const name of Object.keys(value)) {
    if (!isJson((value as Record<string, unknown>)[name], depth - 1)) return false;
  }
  return true;
}
