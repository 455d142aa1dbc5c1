import type { HttpEndpoint } from "../server/handler.js";
import type { IdentifyBy } from "../server/requests/authentication.js";
import { NodeExchange, type NodeRequest, type NodeResponse } from "./node-exchange.js";

export type NodeListener = (request: NodeRequest, response: NodeResponse) => void;

export interface NodeListenerOptions<Request = NodeRequest> {
  /**
   * Identifies the sender if a framework's middleware has authenticated it. Undefined is answered 401, `"anonymous"`
   * lets the request pass.
   */
  readonly auth?: IdentifyBy<Request> | undefined;
}

/**
 * Creates a listener for `http.createServer`, or for frameworks that call listeners in the same way. If a body parser
 * has run before it, the body is taken from `request.body`.
 */
export function toNodeListener(
  endpoint: HttpEndpoint,
  { auth }: NodeListenerOptions = {},
): NodeListener {
  return (request, response) => {
    const body = request.readableDidRead ? (request as { body?: unknown }).body : undefined;
    const identify = auth && (() => auth(request));
    void endpoint.handle(new NodeExchange(request, response, { body, identify }));
  };
}
