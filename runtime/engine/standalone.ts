import type { Handling } from "./handling.js";
import type { RequestOptions, Session } from "../api/index.js";
import type { Outbound } from "./lifecycle.js";

/** How a server handles requests that say all about themselves; nothing is known from before. */
export interface Standalone {
  /** The request as a session of its own: its revision, and its client as it describes itself. */
  session(handling: Handling): Session;
  /**
   * Calls the handler. Gives its result, or a promise of it, or of the questions that it waits for the answers of;
   * then it is not heard of again.
   */
  call(handling: Handling): unknown;
  /** Asks the client: with the answer of an earlier round, or inside the result. */
  ask(message: Outbound, options: RequestOptions | undefined, handling: Handling): Promise<unknown>;
  /** Does something once for a request, over all its rounds. */
  once<Value>(key: string, work: () => Value | Promise<Value>, handling: Handling): Promise<Value>;
  /** What becomes of what a handler gave, where that takes time: questions to the client. */
  conclude(result: unknown, handling: Handling): Promise<unknown> | undefined;
  /** Adds to a result what the handler left to the engine. */
  complete(result: unknown, handling: Handling): unknown;
}
