import { type Auth, isObject } from "../../wire/index.js";
import type { Authenticator, Identify } from "./authentication.js";
import type { Exchange, HeaderFields, StreamSink } from "./exchange.js";
import type { RequestContext } from "./handler.js";
import type { Refusals } from "./handler-counts.js";
import type { Problem } from "./problem.js";
import type { ByteBudget } from "./byte-budget.js";
import { READ_BEFORE, TOO_LARGE } from "./read-message.js";
import { readShortBody, readWebBody } from "./read-web-body.js";
import { WebSink } from "./web-sink.js";

/** Bytes of a body, as its header has it, that is read in one piece: adapters are quick at that, and slow at streams. */
const MOST_AT_ONCE = 16 * 1024;

/** An exchange by `Request` and `Response`. */
export class WebExchange implements Exchange {
  auth: Auth | undefined;
  readonly identify: Identify | undefined;
  authenticator: Authenticator | undefined;
  extraHeaders: HeaderFields | undefined;
  refusals: Refusals | undefined;
  isLate: boolean | undefined;
  readonly parsedBody: unknown;
  readonly address: string | undefined;
  readonly response: Promise<Response>;
  isAnswered = false;
  readonly #request: Request;
  #resolve!: (response: Response) => void;
  #url: URL | undefined;

  constructor(request: Request, context: RequestContext | undefined) {
    this.#request = request;
    this.identify = identifyBy(context?.auth);
    this.parsedBody = context?.body;
    this.address = typeof context?.address === "string" ? context.address : undefined;
    this.response = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get method(): string {
    return this.#request.method;
  }

  get path(): string {
    return this.#parsedUrl.pathname;
  }

  get query(): string {
    return this.#parsedUrl.search.slice(1);
  }

  get isGone(): boolean {
    return this.#request.signal.aborted;
  }

  whenGone(listener: () => void): void {
    this.#request.signal.addEventListener("abort", listener, { once: true });
  }

  header(name: string): string | undefined {
    const value = this.#request.headers.get(name);
    if (value !== null) return value;
    return name === "host" ? this.#parsedUrl.host : undefined;
  }

  readBody(maxBytes: number, budget: ByteBudget): Promise<string | Problem> {
    const request = this.#request;
    if (request.bodyUsed) return Promise.resolve(READ_BEFORE);
    const declared = Number(this.header("content-length"));
    if (declared > maxBytes) return Promise.resolve(TOO_LARGE);
    if (declared >= 0 && declared <= MOST_AT_ONCE) {
      return readShortBody(request, declared, maxBytes, budget);
    }
    const { body } = request;
    return body === null ? Promise.resolve("") : readWebBody(body, maxBytes, budget);
  }

  respond(status: number, headers?: HeaderFields, body?: string): void {
    if (this.isAnswered) return;
    const response = new Response(body ?? null, { status, headers: this.#all(headers) });
    this.isAnswered = true;
    this.#resolve(response);
  }

  openStream(headers: HeaderFields): StreamSink {
    const sink = new WebSink();
    const { signal } = this.#request;
    if (signal.aborted) sink.end();
    else signal.addEventListener("abort", () => sink.end(), { once: true });
    this.isAnswered = true;
    this.#resolve(new Response(sink.stream, { headers: this.#all(headers) }));
    return sink;
  }

  get #parsedUrl(): URL {
    this.#url ??= new URL(this.#request.url);
    return this.#url;
  }

  /** A copy in any case: adapters may add to it. */
  #all(headers: HeaderFields | undefined): Record<string, string> {
    return this.extraHeaders ? { ...this.extraHeaders, ...headers } : { ...headers };
  }
}

/** A platform may pass something of its own in the place of the context, such as the environment of a Worker. */
function identifyBy(auth: RequestContext["auth"]): Identify | undefined {
  if (typeof auth === "function") return auth;
  return isObject(auth) && "principal" in auth ? () => auth : undefined;
}
