import type { RequestId } from "./jsonrpc.js";

/** Authenticated sender of a message, as established by the transport. */
export interface Auth {
  /** Identifies the sender across requests and sessions: `issuer|subject|client`, an API key's name. */
  readonly principal: string;
  /** Scopes that were granted to the sender. */
  readonly scopes?: readonly string[];
  /** Anything else that is known, such as verified claims. Never a credential. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Facts that a transport knows about a received message besides its text. */
export interface Origin {
  readonly auth?: Auth | undefined;
  /** A header of the HTTP request that brought it, by lower-case name. */
  readonly header?: ((name: string) => string | undefined) | undefined;
  /** Id of the receiver's own request whose exchange brought it. */
  readonly ownRequest?: RequestId | undefined;
  /** Has the answer refuse the sender with a status and a challenge that names these scopes, where that is still possible. */
  forbid?(scopes: readonly string[]): void;
  /** Has the answer say that the receiver cannot work now, and after how many seconds it may, where that is still possible. */
  defer?(retryAfter: number): void;
}
