import type { IncomingMessage, ServerResponse } from "node:http";
import type { Authenticator, Identify } from "../server/authentication.js";
import type { Exchange, HeaderFields, StreamSink } from "../server/exchange.js";
import type { Refusals } from "../server/handler-counts.js";
import type { Problem } from "../server/problem.js";
import type { ByteBudget } from "../server/byte-budget.js";
import { READ_BEFORE, TOO_LARGE } from "../server/read-message.js";
import type { Auth } from "../../wire/index.js";
import { discardRest } from "./discard-rest.js";
import type { Reader } from "../server/unread-output.js";
import { NodeReader } from "./node-reader.js";
import { NodeSink } from "./node-sink.js";
import { watchPipelined } from "./pipelined-response.js";
import { readBody } from "./read-body.js";
import { writeWhole } from "./write-whole.js";

export type NodeRequest = IncomingMessage;
export type NodeResponse = ServerResponse;

/** Bytes of a body that nobody wants to have read, up to which the connection is worth keeping. */
const WORTH_SKIPPING = 64 * 1024;

/** An exchange by `node:http`, or by what has its shape. */
export class NodeExchange implements Exchange {
  auth: Auth | undefined;
  readonly identify: Identify | undefined;
  authenticator: Authenticator | undefined;
  extraHeaders: HeaderFields | undefined;
  refusals: Refusals | undefined;
  isLate: boolean | undefined;
  readonly parsedBody: unknown;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  /** True while the client waits for permission to send the body (RFC 9110, section 10.1.1). */
  #isHeldBack: boolean;
  #isStream = false;
  unread: Reader | undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
    identify?: Identify,
    isHeldBack = false,
  ) {
    this.#isHeldBack = isHeldBack;
    this.#request = request;
    this.#response = response;
    this.parsedBody = body;
    this.identify = identify;
    watchPipelined(request, response);
  }

  get address(): string | undefined {
    return this.#request.socket?.remoteAddress;
  }

  get method(): string {
    return this.#request.method ?? "";
  }

  get path(): string {
    const url = this.#target;
    const mark = url.indexOf("?");
    return mark < 0 ? url : url.slice(0, mark);
  }

  get query(): string {
    const url = this.#target;
    const mark = url.indexOf("?");
    return mark < 0 ? "" : url.slice(mark + 1);
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
    const { headers, rawHeaders } = this.#request;
    if (name === "host" && isAbsolute(this.#request.url)) return new URL(this.#request.url).host;
    if (name === "host" && fieldsNamed(rawHeaders, name) > 1) return `${headers.host}, …`;
    const value = headers[name] ?? (name === "host" ? headers[":authority"] : undefined);
    return Array.isArray(value) ? value.join(", ") : value;
  }

  isRepeated(name: string): boolean {
    return fieldsNamed(this.#request.rawHeaders, name) > 1;
  }

  readBody(maxBytes: number, budget: ByteBudget): Promise<string | Problem> {
    if (this.#request.readableDidRead) return Promise.resolve(READ_BEFORE);
    if (this.#declaredLength > maxBytes) return Promise.resolve(TOO_LARGE);
    if (this.#isHeldBack) {
      this.#isHeldBack = false;
      this.#response.writeContinue();
    }
    return readBody(this.#request, maxBytes, budget);
  }

  respond(status: number, headers?: HeaderFields, body?: string): void {
    const response = this.#response;
    if (this.isAnswered || response.destroyed) return;
    const fields = { ...this.extraHeaders, ...headers };
    if (status >= 400 && this.#hasMuchToCome) {
      discardRest(this.#request, response, status, fields, body);
    } else if (body === undefined && status === 204) {
      response.writeHead(status, fields).end();
    } else {
      const backlog = writeWhole(response, status, fields, body ?? "");
      if (backlog) this.unread = new NodeReader(response, backlog);
    }
  }

  openStream(headers: HeaderFields): StreamSink {
    this.#isStream = true;
    return new NodeSink(this.#response, { ...this.extraHeaders, ...headers });
  }

  /** Path and query. Clients of proxies send them with an authority before them, which counts as the host (RFC 9112, 3.2.2). */
  get #target(): string {
    const { url = "/" } = this.#request;
    if (!isAbsolute(url)) return url;
    const { pathname, search } = new URL(url);
    return pathname + search;
  }

  get #declaredLength(): number {
    return Number(this.#request.headers["content-length"] ?? 0);
  }

  get #hasMuchToCome(): boolean {
    const { complete, headers, httpVersionMajor } = this.#request;
    if (complete || httpVersionMajor > 1) return false;
    if (this.#isHeldBack) return true;
    return headers["transfer-encoding"] !== undefined || this.#declaredLength > WORTH_SKIPPING;
  }
}

/** True for a request target in absolute form. */
function isAbsolute(target: string | undefined): target is string {
  return target?.startsWith("http") === true && URL.canParse(target);
}

/** `headers` has only the first of some, and all of others as one. */
function fieldsNamed(rawHeaders: readonly string[], wanted: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === wanted.length && name.toLowerCase() === wanted) count += 1;
  }
  return count;
}
