import type { ElicitationAnswer } from "./elicitation-types.js";

/** An answer with nothing that was filled in. */
export function withoutContent(answer: ElicitationAnswer): ElicitationAnswer {
  const rest: { -readonly [Member in keyof ElicitationAnswer]: ElicitationAnswer[Member] } = {
    ...answer,
  };
  delete rest.content;
  return rest;
}
