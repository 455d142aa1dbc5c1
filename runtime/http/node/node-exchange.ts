import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { HttpEndpoint } from "../server/handler.js";
import type { ByteBudget, Reader, StreamSink } from "../server/limits.js";
import type { Identify, IdentifyBy } from "../server/requests/authentication.js";
import { Exchange, type IncomingRequest, type RequestFields } from "../server/requests/exchange.js";
import { type HeaderFields, type Problem, PROBLEMS } from "../server/requests/problem.js";
import { NodeSink, readerOf, writeWhole } from "./node-output.js";

export type NodeRequest = IncomingMessage;
export type NodeResponse = ServerResponse;

/** The maximum size, in bytes, of an unread body that is read and discarded to keep its connection. */
const WORTH_SKIPPING = 64 * 1024;

/** A client that keeps sending is disconnected after this many bytes. */
const MAX_DISCARDED = 16 * 1024 * 1024;
/** A client that keeps sending is disconnected after this many milliseconds. */
const MAX_TIME = 2000;

const BYTE_ORDER_MARK = 0xfeff;

export interface NodeContext {
  readonly body?: unknown;
  readonly identify?: Identify | undefined;
  readonly locals?: unknown;
  /** True while the client waits for permission to send the body (RFC 9110, section 10.1.1). */
  readonly isHeldBack?: boolean;
}

export type NodeListener = (request: NodeRequest, response: NodeResponse) => void;

export interface NodeListenerOptions<Request = NodeRequest> {
  /**
   * Identifies the sender if a framework's middleware has authenticated it. Return `"anonymous"` to admit the request
   * without a sender; the response is 401 if the result is undefined.
   */
  readonly auth?: IdentifyBy<Request> | undefined;
  /** Returns the value of `context.locals` for the middleware and handlers of a request. */
  readonly locals?: ((request: Request) => unknown) | undefined;
}

/**
 * Creates a listener for `http.createServer`, or for frameworks that call listeners in the same way. If a body parser
 * has already run, the body is taken from `request.body`.
 */
export function toNodeListener(
  endpoint: HttpEndpoint,
  { auth, locals }: NodeListenerOptions = {},
): NodeListener {
  return (request, response) => {
    const body = request.readableDidRead ? (request as { body?: unknown }).body : undefined;
    const identify = auth && (() => auth(request));
    const context = { body, identify, locals: locals?.(request) };
    void endpoint.handle(new NodeExchange(request, response, context));
  };
}

/** An exchange based on a `node:http` request and response, or on an API with the same members. */
export class NodeExchange extends Exchange {
  unread: Reader | undefined;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #isHeldBack: boolean;
  #isStream = false;

  constructor(request: IncomingMessage, response: ServerResponse, context: NodeContext = {}) {
    super(headOf(request, context));
    this.#isHeldBack = context.isHeldBack ?? false;
    this.#request = request;
    this.#response = response;
    if (response.socket === null) watchPipelined(request, response);
  }

  get isAnswered(): boolean {
    return this.#isStream || this.#response.headersSent;
  }

  get isGone(): boolean {
    return this.#response.destroyed;
  }

  whenGone(listener: () => void): void {
    this.#response.on("close", listener);
  }

  header(name: string): string | undefined {
    if (name === "host") return this.head.host;
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  isRepeated(name: string): boolean {
    return isRepeatedIn(this.#request.rawHeaders, name);
  }

  repeatedField(names: ReadonlyMap<string, string>): string | undefined {
    const { headers, rawHeaders } = this.#request;
    // Most requests repeat no field at all.
    if (rawHeaders.length === 2 * Object.keys(headers).length) return undefined;
    for (const [name, title] of names) if (isRepeatedIn(rawHeaders, name)) return title;
    return undefined;
  }

  readBody(maxBytes: number, budget: ByteBudget): Promise<string | Problem> {
    const request = this.#request;
    if (request.readableDidRead) return Promise.resolve(PROBLEMS.readBefore);
    // A destroyed request emits no more events.
    if (request.destroyed) return Promise.resolve(PROBLEMS.gone);
    if (Number(request.headers["content-length"] ?? 0) > maxBytes)
      return Promise.resolve(PROBLEMS.tooLarge);
    if (this.#isHeldBack) {
      this.#isHeldBack = false;
      this.#response.writeContinue();
    }
    return readBody(request, maxBytes, budget);
  }

  respond(status: number, headers?: HeaderFields, body?: string): void {
    const response = this.#response;
    if (this.#isStream || response.headersSent || response.destroyed) return;
    const fields = this.extraHeaders ? { ...this.extraHeaders, ...headers } : (headers ?? {});
    if (status >= 400 && this.#hasMuchToCome()) {
      discardRest(this.#request, response, status, fields, body);
    } else if (body === undefined && status === 204) {
      response.writeHead(status, fields).end();
    } else {
      const backlog = writeWhole(response, status, fields, body ?? "");
      if (backlog) this.unread = readerOf(response, backlog);
    }
  }

  openStream(headers: HeaderFields): StreamSink {
    this.#isStream = true;
    return new NodeSink(this.#response, { ...this.extraHeaders, ...headers });
  }

  endConnection(): void {
    if (this.#request.httpVersionMajor > 1) return;
    this.#response.setHeader("Connection", "close");
  }

  #hasMuchToCome(): boolean {
    const { complete, headers, httpVersionMajor } = this.#request;
    if (complete || httpVersionMajor > 1) return false;
    if (this.#isHeldBack || headers["transfer-encoding"] !== undefined) return true;
    return Number(headers["content-length"] ?? 0) > WORTH_SKIPPING;
  }
}

/**
 * Reads the head of a request. A client that talks to a proxy may send an absolute URL as the target, whose authority
 * then counts as the host (RFC 9112, section 3.2.2).
 */
function headOf(
  request: IncomingMessage,
  { body: parsedBody, identify, locals }: NodeContext,
): IncomingRequest {
  const { method = "", headers, url = "/" } = request;
  const absolute = url.startsWith("http") && URL.canParse(url) ? new URL(url) : undefined;
  const target = absolute ? absolute.pathname + absolute.search : url;
  const mark = target.indexOf("?");
  const host = headers.host ?? (headers[":authority"] as string | undefined);
  return {
    method,
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? "" : target.slice(mark + 1),
    host: absolute ? absolute.host : host,
    // `node:http` joins repeated fields; only `set-cookie`, which is for responses, is a list.
    fields: headers as RequestFields,
    address: request.socket?.remoteAddress,
    parsedBody,
    identify,
    locals,
  };
}

/**
 * True if a field was sent more than once. `headers` does not show this: it keeps only the first value of some fields,
 * and joins the values of others.
 */
function isRepeatedIn(rawHeaders: readonly string[], wanted: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === wanted.length && name.toLowerCase() === wanted) count += 1;
  }
  return count > 1;
}

/** Reads a body as text and keeps at most `maxBytes` of it. Never rejects. */
function readBody(
  request: IncomingMessage,
  maxBytes: number,
  budget: ByteBudget,
): Promise<string | Problem> {
  return new Promise((resolve) => {
    // The request lives until it is answered: its listeners must not keep the body alive.
    let settle: ((result: string | Problem) => void) | undefined = resolve;
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (result: string | Problem): void => {
      const settled = settle;
      settle = undefined;
      chunks.length = 0;
      budget.bytes -= size;
      request.off("data", take);
      settled?.(result);
    };
    const take = (chunk: Buffer): void => {
      const isFull = budget.bytes + chunk.length > budget.most;
      if (!isFull) {
        budget.bytes += chunk.length;
        size += chunk.length;
        if (size <= maxBytes) return void chunks.push(chunk);
      }
      request.pause();
      finish(isFull ? PROBLEMS.overloaded : PROBLEMS.tooLarge);
    };
    request.on("data", take);
    request.on("end", () => {
      if (settle) finish(decode(chunks));
    });
    request.on("close", () => {
      if (settle) finish(PROBLEMS.gone);
    });
  });
}

function decode(chunks: readonly Buffer[]): string | Problem {
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  if (!isUtf8(bytes)) return PROBLEMS.notUtf8;
  const text = bytes.toString();
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

/**
 * Responds to a request before all of its body has arrived, and then ends the connection. A client loses the response
 * if its connection is closed while it is still sending, so the rest of the body is read and discarded for a while.
 */
function discardRest(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  fields: HeaderFields,
  body = "",
): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { "Content-Length": length, ...fields, Connection: "close" });
  if (body) response.write(body);
  else response.flushHeaders();
  let discarded = 0;
  const finish = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(finish, MAX_TIME);
  request.on("data", (chunk: Uint8Array) => {
    discarded += chunk.length;
    if (discarded > MAX_DISCARDED) finish();
  });
  request.on("end", finish);
  request.on("close", finish);
  request.resume();
}

/** Maps each socket to the responses that are waiting for earlier ones on the same connection. */
const queued = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Makes a response emit `close` even if its connection closes while it is still waiting for earlier responses.
 * `node:http` emits the event only for the first of them.
 */
function watchPipelined({ socket }: IncomingMessage, response: ServerResponse): void {
  if (!socket) return;
  let waiting = queued.get(socket);
  if (waiting === undefined) {
    const responses = new Set<ServerResponse>();
    queued.set(socket, (waiting = responses));
    socket.once("close", () => closeAll(responses));
  }
  const responses = waiting.add(response);
  response.once("close", () => responses.delete(response));
}

function closeAll(waiting: ReadonlySet<ServerResponse>): void {
  for (const response of waiting) {
    if (response.socket !== null) continue;
    response.destroy();
    response.emit("close");
  }
}
