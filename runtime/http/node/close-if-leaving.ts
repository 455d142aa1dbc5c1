import type { ServerResponse } from "node:http";
import type { HttpEndpoint } from "../server/handler.js";

/** Ends the connection with its response once the handler leaves, so that its client opens the next one elsewhere. */
export function closeIfLeaving({ state = "open" }: HttpEndpoint, response: ServerResponse): void {
  if (state === "open" || response.req?.httpVersionMajor > 1) return;
  response.setHeader("Connection", "close");
}
