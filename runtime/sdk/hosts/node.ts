import { toNodeListener } from "@mcp-codegen/runtime/http/node";
import type { HttpEndpoint } from "@mcp-codegen/runtime/http/server";
import type { IncomingMessage, ServerResponse } from "node:http";
import { eraOf, isListening } from "../server/hosting/index.js";
import {
  type McpHandlerRequestOptions,
  type McpHttpHandler,
  SessionTransport,
  type SessionTransportOptions,
} from "../server/index.js";
import { type AuthInfo, authOf } from "../shared/index.js";
import { answer, toWebRequest } from "./web-bridge.js";

export { type ToWebRequestOptions, toWebRequest } from "./web-bridge.js";
export type { EventId, EventStore, StreamId } from "../server/index.js";

/** A `node:http` request, with the sender that middleware has determined. */
export type NodeIncomingMessageLike = IncomingMessage & { auth?: AuthInfo | undefined };
/** Response of `node:http`. */
export type NodeServerResponseLike = ServerResponse;

/** A handler of web-standard requests. */
export interface FetchLikeMcpHandler {
  fetch: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;
}

/** A listener for `node:http` that accepts a parsed body. */
export type NodeMcpRequestHandler = (
  request: NodeIncomingMessageLike,
  response: NodeServerResponseLike,
  parsedBody?: unknown,
) => Promise<void>;

/** Options of `toNodeHandler`. */
export interface ToNodeHandlerOptions {
  onerror?: ((error: Error) => void) | undefined;
}

/** Creates a listener for `node:http`, Express and similar frameworks from a handler. */
export function toNodeHandler(
  handler: FetchLikeMcpHandler | McpHttpHandler,
  { onerror }: ToNodeHandlerOptions = {},
): NodeMcpRequestHandler {
  return async (request, response, ownBody) => {
    const parsedBody = typeof ownBody === "function" ? undefined : ownBody;
    try {
      const isNative = "handlerFor" in handler && !isReplaced(request, parsedBody);
      if (isNative) return await serve(handler, request, response, parsedBody);
      const options = { authInfo: request.auth, parsedBody };
      await answer(
        response,
        await handler.fetch(webRequest(request, response, parsedBody), options),
      );
    } catch (error) {
      onerror?.(error as Error);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  };
}

/** The options of a session's transport. */
export type StreamableHTTPServerTransportOptions = SessionTransportOptions;

/** A Streamable HTTP transport for one session, for use with `node:http`, Express and similar frameworks. */
export class NodeStreamableHTTPServerTransport extends SessionTransport {
  /**
   * Handles a request.
   *
   * @param parsedBody - the body, if it has already been parsed
   * @throws SdkError if no server is connected
   */
  async handleRequest(
    request: NodeIncomingMessageLike,
    response: NodeServerResponseLike,
    parsedBody?: unknown,
  ): Promise<void> {
    if (this._streams || isReplaced(request, parsedBody)) {
      const web = webRequest(request, response, parsedBody);
      return answer(response, await this.respond(web, { authInfo: request.auth, parsedBody }));
    }
    await listen(this.connected(), request, response, parsedBody, this);
  }
}

/** The name that {@link NodeStreamableHTTPServerTransport} has in version 1. */
export const StreamableHTTPServerTransport: typeof NodeStreamableHTTPServerTransport =
  NodeStreamableHTTPServerTransport;
export type StreamableHTTPServerTransport = NodeStreamableHTTPServerTransport;

async function serve(
  handler: McpHttpHandler,
  request: NodeIncomingMessageLike,
  response: NodeServerResponseLike,
  parsedBody: unknown,
): Promise<void> {
  const headers = { get: (name: string) => field(request, name) };
  const context = {
    era: eraOf(headers),
    authInfo: request.auth,
    get requestInfo() {
      return toWebRequest(request, parsedBody ?? {});
    },
  };
  const { handler: endpoint, locals } = await handler.handlerFor(context, isListening(headers));
  await listen(endpoint, request, response, parsedBody, locals);
}

function listen(
  endpoint: HttpEndpoint,
  request: NodeIncomingMessageLike,
  response: NodeServerResponseLike,
  parsedBody: unknown,
  locals?: unknown,
): Promise<void> {
  const { auth } = request;
  if (parsedBody !== undefined) Object.assign(request, { body: parsedBody });
  const identify = auth && (() => authOf(auth));
  return new Promise((resolve) => {
    response.once("close", resolve);
    const options = { ...(identify && { auth: identify }), locals: () => locals };
    toNodeListener(endpoint, options)(request, response);
  });
}

/** True if the host passes a body although the request's own body was not read. */
function isReplaced(request: IncomingMessage, parsedBody: unknown): boolean {
  return parsedBody !== undefined && !request.readableDidRead;
}

function field(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

function webRequest(
  request: IncomingMessage,
  response: ServerResponse,
  parsedBody: unknown,
): Request {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  return toWebRequest(request, parsedBody, { signal: gone.signal });
}

export {
  hostHeaderValidation,
  localhostHostValidation,
  localhostOriginValidation,
  originValidation,
  type NodeGuard,
} from "./node-guards.js";
