import { isObject } from "../wire/index.js";

/** A message of a conversation, as far as it matters here. */
export interface ConversationMessage {
  readonly role: string;
  readonly content: unknown;
}

/**
 * Checks that each tool use in a conversation has its result (MCP: sampling, tool results).
 * @returns The problem and its place; undefined when there is none.
 */
export function toolUseProblem(messages: readonly ConversationMessage[]): string | undefined {
  for (const [index, { role, content }] of messages.entries()) {
    const blocks = blocksOf(content);
    if (role === "user" && blocks.some(isResult) && !blocks.every(isResult)) {
      return `/messages/${index}: a message with tool results has nothing else`;
    }
    const used = blocks.filter(isUse).map(({ id }) => id);
    if (role !== "assistant" || used.length === 0) continue;
    const next = messages[index + 1];
    const answers = next?.role === "user" ? blocksOf(next.content).filter(isResult) : [];
    const answered = new Set(answers.map(({ toolUseId }) => toolUseId));
    if (!used.every((id) => answered.has(id))) {
      return `/messages/${index}: a user message with the results of all tool uses has to follow`;
    }
  }
  return undefined;
}

type Block = Record<string, unknown>;

function blocksOf(content: unknown): Block[] {
  return (Array.isArray(content) ? content : [content]).filter((block) => isObject(block));
}

function isUse({ type }: Block): boolean {
  return type === "tool_use";
}

function isResult({ type }: Block): boolean {
  return type === "tool_result";
}
