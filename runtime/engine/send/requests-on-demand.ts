import type { Progress, RequestOptions } from "../../api/index.js";
import { onDemand, quiet } from "../../ground/index.js";
import type { RequestId } from "../../wire/index.js";
import { strayProgress, strayResponse } from "../define/errors.js";
import type { RequestContext } from "../receive/request-context.js";
import type { OwnRequests, SendingHalf, SendingHost } from "./own-requests.js";
import type { SentRequest } from "./pending-request.js";

const code = /* @__PURE__ */ onDemand(() => import("./sent-requests.js"));

/**
 * Sending half of a server, which may never send a request: its code is loaded while a session opens in which requests
 * can be sent, or else by the first request.
 */
export const requestsOnDemand: SendingHalf = (connection) => new NoRequests(connection);

/** Requests of a connection that has sent none. */
class NoRequests implements OwnRequests {
  readonly hasTasks = false;
  readonly #connection: SendingHost;
  #end: (() => Error) | undefined;

  constructor(connection: SendingHost) {
    this.#connection = connection;
  }

  load(): Promise<void> | undefined {
    const connection = this.#connection;
    const loading = code(({ SentRequests }) => {
      if (connection.sent !== this) return;
      connection.sent = new SentRequests(connection);
      if (this.#end) connection.sent.close(this.#end);
    });
    return loading ?? undefined;
  }

  /** Loads the code, and then sends the request unless its handler has been aborted meanwhile. */
  request(
    request: SentRequest,
    options: RequestOptions,
    during: RequestContext | undefined,
  ): { readonly promise: Promise<unknown> } {
    const send = (): Promise<unknown> => {
      during?.signal.throwIfAborted();
      return this.#connection.sent.request(request, options, during).promise;
    };
    return { promise: quiet(Promise.resolve(this.load()).then(send)) };
  }

  has(): boolean {
    return false;
  }

  response({ id, error }: Record<string, unknown>): void {
    this.#connection.report(strayResponse(id, error));
  }

  fail(): void {}

  lost(): void {}

  relatedCall(): undefined {
    return undefined;
  }

  progress({ progressToken }: Progress & { readonly progressToken: RequestId }): void {
    this.#connection.report(strayProgress(progressToken));
  }

  cancelDuring(): void {}

  close(reason: () => Error): void {
    this.#end ??= reason;
  }
}
