import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Responses to requests that came before those on the same connection were answered. */
const queued = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Has a response hear that its connection has closed also while others are to be sent before it: `node:http` tells
 * only the one whose turn it is.
 */
export function watchPipelined({ socket }: IncomingMessage, response: ServerResponse): void {
  if (response.socket !== null || !socket) return;
  const waiting = queued.get(socket) ?? followed(socket);
  waiting.add(response);
  response.once("close", () => waiting.delete(response));
}

function followed(socket: Socket): Set<ServerResponse> {
  const waiting = new Set<ServerResponse>();
  queued.set(socket, waiting);
  socket.once("close", () => closeAll(waiting));
  return waiting;
}

function closeAll(waiting: ReadonlySet<ServerResponse>): void {
  for (const response of waiting) {
    if (response.socket !== null) continue;
    response.destroy();
    response.emit("close");
  }
}
