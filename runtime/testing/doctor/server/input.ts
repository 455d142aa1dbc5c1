import type { Members } from "../../tape/json-value.js";

/** Capabilities that the doctor declares, so that servers send the requests that need them. */
export const CAPABILITIES: Members = {
  roots: { listChanged: true },
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
};

/** Capabilities of a client that supports the least of each kind. */
export const FEWER_CAPABILITIES: Members = { roots: {}, sampling: {}, elicitation: {} };

/** Answers a request of a server to its client: no roots, one word, and a declined form. */
export function answerInput(method: string): Members | undefined {
  switch (method) {
    case "ping":
      return {};
    case "roots/list":
      return { roots: [] };
    case "sampling/createMessage":
      return {
        role: "assistant",
        model: "none",
        content: { type: "text", text: "Yes" },
        stopReason: "endTurn",
      };
    case "elicitation/create":
      return { action: "decline" };
    default:
      return undefined;
  }
}
