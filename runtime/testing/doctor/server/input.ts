import type { Members } from "../../tape/json-value.js";

/** Capabilities that the doctor declares, so that servers send the requests that require them. */
export const CAPABILITIES: Members = {
  roots: { listChanged: true },
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
};

/** The same capabilities without any options. */
export const FEWER_CAPABILITIES: Members = { roots: {}, sampling: {}, elicitation: {} };

/**
 * Returns the doctor's result for a request of a server: no roots, one word, or a declined form; undefined for other
 * methods.
 */
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
