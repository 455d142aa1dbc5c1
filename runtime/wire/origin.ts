/** Who sent a message, as far as its transport has made sure of it. */
export interface Auth {
  /** Identifies the sender across requests and sessions: `issuer|subject|client`, an API key's name. */
  readonly principal: string;
  /** What the sender was allowed to do. */
  readonly scopes?: readonly string[];
  /** Anything else that is known, such as verified claims. Never a credential. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** What a transport knows of a received message beside its text. */
export interface Origin {
  readonly auth?: Auth | undefined;
  /** A header of the HTTP request that brought it, by lower-case name. */
  readonly header?: ((name: string) => string | undefined) | undefined;
}
