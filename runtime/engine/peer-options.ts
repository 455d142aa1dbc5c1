import type { AbortWatch, Deadlines } from "../ground/index.js";
import type { Lifecycle } from "./lifecycle.js";
import type { AnySendMiddleware, Limits, Timeouts } from "../api/index.js";
import type { OnLoss, Side, Transport } from "../wire/index.js";

/** What one end of a connection is made of. */
export interface PeerOptions {
  readonly side: Side;
  readonly transport: Transport;
  readonly lifecycle: Lifecycle;
  readonly limits: Limits;
  readonly times: Timeouts;
  readonly handlerTimeout: number;
  /** Shared by all connections of a definition. */
  readonly deadlines: Deadlines;
  readonly aborts: AbortWatch;
  /** Stands around what is sent. */
  readonly sending: readonly AnySendMiddleware[];
  readonly onloss: OnLoss | undefined;
  readonly report: (error: Error) => void;
}
