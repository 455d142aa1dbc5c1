import type { HttpEndpoint } from "../http/handler.js";
import type { Auth } from "../origin.js";
import { NodeExchange, type NodeRequest, type NodeResponse } from "./node-exchange.js";

export type NodeListener = (request: NodeRequest, response: NodeResponse) => void;

export interface NodeListenerOptions<Request = NodeRequest> {
  /** Who sent a request, where something before this has made sure of it, such as a framework's middleware. */
  readonly auth?: ((request: Request) => Auth | undefined) | undefined;
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
    void endpoint.handle(new NodeExchange(request, response, body, auth?.(request)));
  };
}
