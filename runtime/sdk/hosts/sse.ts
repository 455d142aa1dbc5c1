import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type AuthInfo,
  type JSONRPCMessage,
  type MessageExtraInfo,
  SdkError,
  SdkErrorCode,
  type Transport,
} from "../shared/index.js";

const MAX_BYTES = 4 * 1024 * 1024;

/** Options of HTTP+SSE. */
export interface SSEServerTransportOptions {
  /** The accepted values of the `Host` header, including ports. */
  allowedHosts?: string[] | undefined;
  allowedOrigins?: string[] | undefined;
  /** True to check `Host` and `Origin` against the two lists above. Default: false. */
  enableDnsRebindingProtection?: boolean | undefined;
}

type IncomingPost = IncomingMessage & { auth?: AuthInfo | undefined };

/**
 * A transport for one session over HTTP+SSE, the older HTTP transport. The client opens a stream and posts its
 * messages. `createSseHandler` of `@mcp-codegen/universal` needs no such transport.
 */
export class SSEServerTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?:
    | (<Message extends JSONRPCMessage>(message: Message, extra?: MessageExtraInfo) => void)
    | undefined;
  readonly sessionId: string = crypto.randomUUID();
  private readonly _endpoint: string;
  private readonly _response: ServerResponse;
  private readonly _options: SSEServerTransportOptions;
  private _isOpen = false;

  /**
   * @param endpoint - the path to which the client posts its messages
   * @param response - the response to the request that opens the stream
   */
  constructor(endpoint: string, response: ServerResponse, options: SSEServerTransportOptions = {}) {
    this._endpoint = endpoint;
    this._response = response;
    this._options = options;
  }

  /** Opens the stream; called by `server.connect(transport)`. */
  async start(): Promise<void> {
    if (this._isOpen)
      throw new SdkError(SdkErrorCode.AlreadyConnected, "The stream is already open");
    this._isOpen = true;
    const response = this._response;
    response.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-cache, no-transform",
      Connection: "keep-alive",
    });
    const place = new URL(this._endpoint, "http://localhost");
    place.searchParams.set("sessionId", this.sessionId);
    this._write("endpoint", place.pathname + place.search + place.hash);
    response.on("close", () => this._over());
  }

  /**
   * Accepts a message that the client posts.
   *
   * @param parsedBody - the body, if it has already been parsed
   */
  async handlePostMessage(
    request: IncomingPost,
    response: ServerResponse,
    parsedBody?: unknown,
  ): Promise<void> {
    if (!this._isOpen)
      return void response.writeHead(500).end("There is no stream for the response");
    const refused = this._refusal(request);
    if (refused !== undefined) return void response.writeHead(403).end(refused);
    let message: JSONRPCMessage;
    try {
      message = (parsedBody ?? JSON.parse(await bodyOf(request))) as JSONRPCMessage;
    } catch (error) {
      this.onerror?.(error as Error);
      return void response.writeHead(400).end(`Invalid message: ${(error as Error).message}`);
    }
    const { auth } = request;
    const requestInfo = { headers: request.headers };
    this.onmessage?.(message, { requestInfo, ...(auth ? { authInfo: auth } : {}) });
    response.writeHead(202).end("Accepted");
  }

  /**
   * Sends a message on the stream.
   * @throws SdkError if the stream is not open
   */
  async send(message: JSONRPCMessage): Promise<void> {
    if (!this._isOpen) throw new SdkError(SdkErrorCode.NotConnected, "Not connected");
    this._write("message", JSON.stringify(message));
  }

  async close(): Promise<void> {
    this._response.end();
    this._over();
  }

  private _write(event: string, data: string): void {
    this._response.write(`event: ${event}\ndata: ${data}\n\n`);
  }

  private _over(): void {
    if (!this._isOpen) return;
    this._isOpen = false;
    this.onclose?.();
  }

  private _refusal({ headers: { host, origin } }: IncomingMessage): string | undefined {
    const { enableDnsRebindingProtection, allowedHosts, allowedOrigins } = this._options;
    if (enableDnsRebindingProtection !== true) return undefined;
    if (allowedHosts?.includes(host ?? "") === false) return `Invalid Host header: ${host ?? ""}`;
    const isForeign = origin !== undefined && allowedOrigins?.includes(origin) === false;
    return isForeign ? `Invalid Origin header: ${origin}` : undefined;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const [type = ""] = (request.headers["content-type"] ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json")
    throw new Error("the content type must be application/json");
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the body is longer than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
