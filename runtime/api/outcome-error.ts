import { RpcError } from "../wire/index.js";
import type { HandlerContext } from "./handlers.js";

/** Error whose answer depends on the revision and on the client: where the protocol has other ways to say it. */
export abstract class OutcomeError extends RpcError {
  /** Result that answers the request, or the error that does. */
  abstract outcomeFor(context: HandlerContext): unknown;
}
