import type { Batch } from "./batch.js";
import type { Binding } from "./binding.js";
import type { Deadlines } from "../ground/index.js";
import type { Conversation } from "./handling.js";
import type { Method, OnLoss, RequestId, ResponseMessage, Side } from "../wire/index.js";

/** What the handling of received messages needs of its connection. */
export interface IncomingHost extends Conversation {
  readonly side: Side;
  readonly deadlines: Deadlines;
  readonly onloss: OnLoss | undefined;
  /**
   * What a received message is handled under.
   * @throws RpcError when it cannot be handled under what it says
   */
  bindingFor(kind: Method["kind"], method: string, params: unknown): Binding;
  /**
   * Sends an answer, alone or as part of a batch.
   * @throws when it cannot be written as JSON; nothing is sent then
   */
  respond(message: ResponseMessage, batch: Batch | undefined): void;
  /** A request was cancelled: no answer will follow. */
  unanswered(id: RequestId): void;
  /** Called when the last request under way has been answered, and the last notification handled. */
  idle(): void;
  report(error: Error): void;
}

/** A request as it was received. */
export interface Asked {
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
}

/** A notification as it was received. */
export interface Told {
  readonly method: string;
  readonly params?: unknown;
}
