import type { Members } from "../conversation.js";

/** Capabilities that the doctor declares, to see what a server requests. */
export const CAPABILITIES: Members = {
  roots: { listChanged: true },
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
};

/** Answers what a server requests of its client: no roots, a word, and no form. */
export function answerInput(method: string, _params: Members): Members | undefined {
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
