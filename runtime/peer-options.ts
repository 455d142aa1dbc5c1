import type { AbortWatch } from "./abort-watch.js";
import type { Deadlines } from "./deadlines.js";
import type { Lifecycle } from "./lifecycle/lifecycle.js";
import type { Limits } from "./limits.js";
import type { Timeouts } from "./options.js";
import type { OnLoss } from "./projection.js";
import type { Side } from "./revision.js";
import type { AnySendMiddleware } from "./send-middleware.js";
import type { Transport } from "./transport/transport.js";

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
