import type { HttpOptions, RefusedRequest } from "./options.js";

type Authorize = NonNullable<HttpOptions["authorize"]>;

/** Calls a hook once for all requests that are refused at the same time. */
export class Authorizer {
  readonly #authorize: Authorize;
  #pending: Promise<boolean> | undefined;
  #round = 0;

  constructor(authorize: Authorize) {
    this.#authorize = authorize;
  }

  /** Number of successful renewals. */
  get round(): number {
    return this.#round;
  }

  /**
   * Renews the credentials after a refusal. @returns True when the request should be sent again.
   * @param sentIn - the round in which it was sent: if that is over, its headers were old
   */
  renew(response: Response, request: RefusedRequest, sentIn: number): Promise<boolean> {
    if (sentIn !== this.#round) return Promise.resolve(true);
    this.#pending ??= this.#ask(response, request);
    return this.#pending;
  }

  async #ask(response: Response, request: RefusedRequest): Promise<boolean> {
    try {
      const isAuthorized = await this.#authorize(response, request);
      if (isAuthorized) this.#round += 1;
      return isAuthorized;
    } finally {
      this.#pending = undefined;
    }
  }
}
