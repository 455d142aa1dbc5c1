/** Any sent or received value. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Wire = any;

export type WireName = "stdio" | "http" | "sse";

/**
 * Route of a message: the only pipe, the stream that the client opened, or the response to a POST.
 */
export interface Route {
  readonly on: "pipe" | "stream" | `post ${string}`;
  /** Status of the response that it came in. */
  readonly status?: number;
}

export type Hear = (message: Wire, route: Route) => void;

/** Carries raw messages to a server, and back what it says. */
export interface Link {
  readonly wire: WireName;
  open(receive: Hear): Promise<void>;
  /** Resolves when the server has taken it. */
  say(message: Wire): Promise<void>;
  /** Called after the handshake has agreed on a revision. */
  ready?(revision: string): Promise<void>;
  /** Goes away from a request, without a word. */
  leave?(id: unknown): void;
  close(): void;
}
