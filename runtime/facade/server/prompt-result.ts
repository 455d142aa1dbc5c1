import { isObject } from "../../wire/index.js";

/** Converts the value that a prompt's handler returned to a result. */
export function promptResult(outcome: unknown): unknown {
  if (typeof outcome === "string")
    return { messages: [withBlock({ role: "user", content: outcome })] };
  if (Array.isArray(outcome)) return { messages: outcome.map(withBlock) };
  if (!isObject(outcome) || !Array.isArray(outcome["messages"])) return outcome;
  return { ...outcome, messages: outcome["messages"].map(withBlock) };
}

function withBlock(message: unknown): unknown {
  if (!isObject(message) || typeof message["content"] !== "string") return message;
  return { ...message, content: { type: "text", text: message["content"] } };
}
