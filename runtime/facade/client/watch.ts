/** Follows what changes at a server, the way that its revision has. */
export interface Watch {
  /**
   * Begins to hear of changes of a list; resolves when the server has agreed, or is known not to. Never rejects.
   * @param member - of a subscription's filter
   */
  follow(member: string): Promise<void>;
  /** Present for a moment, while the server has not agreed: what follows should wait, so that no news are missed. */
  readonly opening?: Promise<void> | undefined;
  unfollow(member: string): void;
  /** Begins to hear of changes of a resource; resolves when the server has agreed. */
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
  /** The server has forgotten what was agreed on. */
  renew(): Promise<void>;
  close(): void;
}

/** Operations of the client that a watch needs. */
export interface WatchHost {
  request(method: string, params: unknown, options?: object): Promise<unknown>;
  /** News may have been missed. */
  stale(): void;
  report(error: Error): void;
}
