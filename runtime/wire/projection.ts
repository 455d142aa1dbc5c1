import type { RpcError } from "./errors.js";
import type { Method } from "./revision.js";

/** Translation of whole messages between the newest revision, for which handlers are written, and another one. */
export interface Projection {
  /**
   * Makes of what is to be sent what the revision has.
   * @throws CapabilityError for what the revision cannot say at all
   */
  down(row: Method, part: MessagePart, value: unknown, onloss: OnLoss | undefined): unknown;
  /** Makes of what was received, and is valid, what the newest revision has. */
  up(row: Method, part: MessagePart, value: unknown): unknown;
}

/** Gives the error that a revision has in the place of one that handling a request came to. */
export type ProjectError = (
  request: { readonly method: string; readonly params: unknown },
  error: RpcError,
  onloss: OnLoss | undefined,
) => RpcError;

export type MessagePart = "params" | "result";

/** Something that a revision has no way to say. */
export interface Loss {
  /** Id of the revision that lacks it. */
  readonly revision: string;
  readonly method: string;
  /** JSON Pointer into the parameters or the result. */
  readonly path: string;
  readonly reason: string;
  /** Value that is lost. */
  readonly value: unknown;
  /** Value that replaces it; undefined when none does. */
  readonly replacement: unknown;
}

/** Hears of each loss; what it returns, unless that is undefined, is sent instead of the replacement. */
export type OnLoss = (loss: Loss) => unknown;
