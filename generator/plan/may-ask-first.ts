import type { Method } from "../link/protocol.js";

/** Whether questions may come in place of the result of a request. */
export function mayAskFirst({ result }: Method): boolean {
  return result?.alternatives.some(({ when }) => when === "input_required") ?? false;
}
