import type { ServerResponse } from "node:http";
import type { Reader } from "../server/unread-output.js";
import type { Backlog } from "./backlog.js";

/** Client that reads a response of `node:http`. */
export class NodeReader implements Reader {
  readonly #response: ServerResponse;
  readonly #backlog: Backlog;

  constructor(response: ServerResponse, backlog: Backlog) {
    this.#response = response;
    this.#backlog = backlog;
  }

  get waiting(): number {
    return this.#response.writableLength + this.#backlog.size;
  }

  get taken(): number {
    return takenFrom(this.#response);
  }

  abort(): void {
    this.#response.destroy();
  }
}

/** Bytes that have left the connection of a response. */
export function takenFrom({ socket }: ServerResponse): number {
  return socket ? socket.bytesWritten - socket.writableLength : 0;
}
