import type { RequestId, Revision, SendingOptions } from "../../wire/index.js";

/** One way to talk to a server over HTTP. */
export interface Connection {
  readonly sessionId?: string | undefined;
  /**
   * Sends a request.
   * @param isRelated - whether it is part of handling a request of the server's
   * @param wishes - of its caller
   * @throws why it cannot be answered; resolves when there is nothing left to do for it
   */
  request(id: RequestId, text: string, isRelated: boolean, wishes?: SendingOptions): Promise<void>;
  /** @throws why the server has not taken it */
  notify(text: string, isRelated: boolean): Promise<void>;
  /**
   * Sends answers, unless nobody waits for them any more.
   * @param ids - of the requests that are answered; those that could not be read have none
   * @throws why the server has not taken them
   */
  answer(ids: readonly RequestId[], text: string): Promise<void>;
  /** A request has been cancelled: no answer is needed. */
  cancel(id: RequestId): void;
  agreed(revision: Revision): void;
  close(): Promise<void>;
}
