import type { IdentifyBy } from "../server/authentication.js";
import type { HttpEndpoint } from "../server/handler.js";
import { closeIfLeaving } from "./close-if-leaving.js";
import { NodeExchange, type NodeRequest, type NodeResponse } from "./node-exchange.js";

export type NodeListener = (request: NodeRequest, response: NodeResponse) => void;

export interface NodeListenerOptions<Request = NodeRequest> {
  /**
   * Identifies the sender where something before this has authenticated it, such as a framework's
   * middleware. Undefined is answered 401, `"anonymous"` lets the request pass.
   */
  readonly auth?: IdentifyBy<Request> | undefined;
}

/**
 * A listener for `http.createServer`, or anything that is called like one. Where a body parser came before it, the
 * body is taken from `request.body`.
 */
export function toNodeListener(
  endpoint: HttpEndpoint,
  { auth }: NodeListenerOptions = {},
): NodeListener {
  return (request, response) => {
    const body = request.readableDidRead ? (request as { body?: unknown }).body : undefined;
    const identify = auth && (() => auth(request));
    closeIfLeaving(endpoint, response);
    void endpoint.handle(new NodeExchange(request, response, body, identify));
  };
}
