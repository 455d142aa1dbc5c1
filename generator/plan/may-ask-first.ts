import type { Method } from "../link/protocol.js";

/** True if the server may return requests for input in place of the result. */
export function mayAskFirst({ result }: Method): boolean {
  return result?.alternatives.some(({ when }) => when === "input_required") ?? false;
}
