import type { Method } from "../link/protocol.js";

/** True when the server may return questions in place of the result. */
export function mayAskFirst({ result }: Method): boolean {
  return result?.alternatives.some(({ when }) => when === "input_required") ?? false;
}
