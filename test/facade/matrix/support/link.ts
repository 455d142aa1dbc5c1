/** Any sent or received value. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Wire = any;

export type WireName = "stdio" | "http" | "sse";

/** A message's route: the only pipe, the stream that the client opened, or the response to a POST request. */
export interface Route {
  readonly on: "pipe" | "stream" | `post ${string}`;
  /** The status of the response in which the message arrived. */
  readonly status?: number;
}

export type Hear = (message: Wire, route: Route) => void;

/** Carries raw messages to a server, and the server's messages back. */
export interface Link {
  readonly wire: WireName;
  open(receive: Hear): Promise<void>;
  /** Sends a message. Resolves when the server has accepted it. */
  say(message: Wire): Promise<void>;
  /** Called after the handshake has agreed on a revision. */
  ready?(revision: string): Promise<void>;
  /** Abandons a request without notifying the server. */
  leave?(id: unknown): void;
  close(): void;
}
