import { report } from "./issues.js";
import { isObject } from "./validate.js";
import type { Trace } from "./validation.js";

/**
 * True when each tool use in a conversation has its result: in the next message, which is the user's and has nothing but
 * results (MCP: sampling, tool results). Adds its issues to the trace.
 */
export function hasToolTurns(messages: unknown, trace: Trace = []): boolean {
  if (!Array.isArray(messages)) return true;
  const before = trace.length;
  messages.forEach((message, index) => {
    const expected = problemOf(message, messages[index + 1]);
    if (expected !== undefined) report(trace, messages, index, expected);
  });
  return trace.length === before;
}

/** Description of the message that a conversation has instead; undefined when it is right. */
function problemOf(message: unknown, next: unknown): string | undefined {
  const blocks = blocksOf(message);
  const role = isObject(message) ? message["role"] : undefined;
  if (role === "user" && blocks.some(isResult) && !blocks.every(isResult)) {
    return "message with tool results and nothing else";
  }
  const used = blocks.filter(isUse).map(({ id }) => id);
  if (role !== "assistant" || used.length === 0) return undefined;
  const isAnswer = isObject(next) && next["role"] === "user";
  const results = isAnswer ? blocksOf(next).filter(isResult) : [];
  const answered = new Set(results.map(({ toolUseId }) => toolUseId));
  if (used.every((id) => answered.has(id))) return undefined;
  return "message that a user message with the results of all its tool uses follows";
}

type Block = Record<string, unknown>;

function blocksOf(message: unknown): Block[] {
  const content = isObject(message) ? message["content"] : undefined;
  return (Array.isArray(content) ? content : [content]).filter((block) => isObject(block));
}

function isUse({ type }: Block): boolean {
  return type === "tool_use";
}

function isResult({ type }: Block): boolean {
  return type === "tool_result";
}
