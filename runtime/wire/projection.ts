import type { RpcError } from "./errors.js";
import type { Method } from "./revision.js";

/** Translation of whole messages between the newest revision, for which handlers are written, and another one. */
export interface Projection {
  /**
   * Returns the function that converts a part of an outgoing message to the form of the revision; undefined if the two
   * revisions do not differ there. The function throws a CapabilityError if the revision cannot express the message.
   */
  down(row: Method, part: MessagePart, onloss?: OnLoss | undefined): Convert | undefined;
  /**
   * Returns the function that converts a valid part of a received message to the form of the newest revision; undefined if
   * the two revisions do not differ there.
   */
  up(row: Method, part: MessagePart): Convert | undefined;
}

type Convert = (value: unknown) => unknown;

/** Maps an error to its equivalent in a revision. */
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

/** Called with each loss; what it returns, unless that is undefined, is sent instead of the replacement. */
export type OnLoss = (loss: Loss) => unknown;
