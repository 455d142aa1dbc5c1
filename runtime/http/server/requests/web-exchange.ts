import { type Auth, isObject } from "../../../wire/index.js";
import type { ByteBudget, StreamSink } from "../limits.js";
import { KEEP_ALIVE } from "../streams/stream-settings.js";
import type { Identify } from "./authentication.js";
import { decode } from "./body.js";
import { HOLDS_SILENT_RESPONSES } from "../../../ground/index.js";
import {
  Exchange,
  FIELD_NAMES,
  type IncomingRequest,
  MIRROR_FIELDS,
  type RequestFields,
  SINGLE_FIELDS,
} from "./exchange.js";
import { type HeaderFields, type Problem, PROBLEMS } from "./problem.js";

/** The context of a request, provided by the host framework. */
export interface HttpRequestContext {
  /** The request's sender, if already known, or a function that identifies it. */
  readonly auth?: Auth | Identify | undefined;
  /** The sender's network address. Sessions without a principal share the session limit fairly among addresses. */
  readonly address?: string | undefined;
  /** The body, if a framework has already parsed it. */
  readonly body?: unknown;
  /** The value of `context.locals` for this request's middleware and handlers. */
  readonly locals?: unknown;
  /** Excludes Node's requests from this type. Express would otherwise mistake the handler for an error handler. */
  readonly headers?: never;
}

/**
 * The largest declared size, in bytes, of a body that is read in one piece. On most adapters, this is faster than
 * streaming.
 */
const MAX_AT_ONCE = 16 * 1024;

/**
 * The maximum size of a chunk, in bytes. Longer text is written in several chunks, which the client can read one by
 * one.
 */
const PIECE = 64 * 1024;

/** The number of bytes that the stream requests in advance. */
const READ_AHEAD = 16 * 1024;

const ENCODER = /* @__PURE__ */ new TextEncoder();

/** An exchange based on a web-platform `Request` and `Response`. */
export class WebExchange extends Exchange {
  readonly response: Promise<Response>;
  readonly unread = undefined;
  isAnswered = false;
  readonly #request: Request;
  #resolve!: (response: Response) => void;

  constructor(request: Request, context: HttpRequestContext | undefined) {
    super(headOf(request, context));
    this.#request = request;
    this.response = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get isGone(): boolean {
    return this.#request.signal.aborted;
  }

  whenGone(listener: () => void): void {
    this.#request.signal.addEventListener("abort", listener, { once: true });
  }

  header(name: string): string | undefined {
    if (name === "host") return this.head.host;
    return this.#request.headers.get(name) ?? undefined;
  }

  /**
   * True if a field was sent more than once. `Headers` joins repeated fields with commas, so repetition can be detected
   * only in fields whose single value contains no comma.
   */
  isRepeated(name: string): boolean {
    const value = this.header(name);
    if (value === undefined || !value.includes(", ")) return false;
    if (name === "authorization") return holdsSeveralCredentials(value);
    return SINGLE_FIELDS.has(name) || (MIRROR_FIELDS.has(name) && name !== "mcp-name");
  }

  repeatedField(names: ReadonlyMap<string, string>): string | undefined {
    for (const [name, title] of names) if (this.isRepeated(name)) return title;
    return undefined;
  }

  readBody(maxBytes: number, budget: ByteBudget): Promise<string | Problem> {
    const request = this.#request;
    if (request.bodyUsed) return Promise.resolve(PROBLEMS.readBefore);
    const declared = Number(this.head.fields["content-length"]);
    if (declared > maxBytes) return Promise.resolve(PROBLEMS.tooLarge);
    if (declared >= 0 && declared <= MAX_AT_ONCE) {
      return readShortBody(request, declared, maxBytes, budget);
    }
    const { body } = request;
    return body === null ? Promise.resolve("") : readStreamedBody(body, maxBytes, budget);
  }

  respond(status: number, headers?: HeaderFields, body?: string): void {
    if (this.isAnswered) return;
    const response = new Response(body ?? null, { status, headers: this.#all(headers) });
    this.isAnswered = true;
    this.#resolve(response);
  }

  openStream(headers: HeaderFields): StreamSink {
    const sink = new WebSink();
    if (HOLDS_SILENT_RESPONSES) sink.write(KEEP_ALIVE);
    const { signal } = this.#request;
    if (signal.aborted) sink.end();
    else signal.addEventListener("abort", () => sink.end(), { once: true });
    this.isAnswered = true;
    this.#resolve(new Response(sink.stream, { headers: this.#all(headers) }));
    return sink;
  }

  /** Does nothing, because the platform manages its connections. */
  endConnection(): void {}

  /** Returns a copy of the header fields, even if there is nothing to add, because adapters may add fields to it. */
  #all(headers: HeaderFields | undefined): Record<string, string> {
    return this.extraHeaders ? { ...this.extraHeaders, ...headers } : { ...headers };
  }
}

/**
 * Matches the start of a parameter. An authentication scheme may be followed by a list of parameters (RFC 9110, section
 * 11.4).
 */
const PARAMETER = /^\s*[!#$%&'*+\-.^_`|~\w]+\s*=/;
const QUOTED = /"(?:[^"\\]|\\.)*"/g;

/** True if a value consists of joined `Authorization` fields rather than one field with several parameters. */
function holdsSeveralCredentials(value: string): boolean {
  const [, ...parts] = value.replaceAll(QUOTED, '""').split(",");
  return parts.some((part) => !PARAMETER.test(part));
}

/**
 * Reads the head of a request. The platform may pass a value of its own as the context, such as a Worker's environment,
 * so members that do not have the expected form are ignored.
 */
function headOf(request: Request, context: HttpRequestContext | undefined): IncomingRequest {
  const { method, headers } = request;
  const { pathname, search, host } = new URL(request.url);
  const fields: { -readonly [Name in keyof RequestFields]: RequestFields[Name] } = {};
  for (const name of FIELD_NAMES) fields[name] = headers.get(name) ?? undefined;
  const auth = context?.auth;
  const address = context?.address;
  return {
    method,
    path: pathname,
    query: search.slice(1),
    host: headers.get("host") ?? host,
    fields,
    address: typeof address === "string" ? address : undefined,
    parsedBody: context?.body,
    locals: context?.locals,
    identify:
      typeof auth === "function"
        ? auth
        : isObject(auth) && "principal" in auth
          ? () => auth as Auth
          : undefined,
  };
}

async function readShortBody(
  request: Request,
  declared: number,
  maxBytes: number,
  budget: ByteBudget,
): Promise<string | Problem> {
  if (budget.bytes + declared > budget.most) return PROBLEMS.overloaded;
  budget.bytes += declared;
  try {
    const bytes = await request.arrayBuffer();
    return bytes.byteLength > maxBytes ? PROBLEMS.tooLarge : decode(bytes);
  } catch {
    return PROBLEMS.gone;
  } finally {
    budget.bytes -= declared;
  }
}

async function readStreamedBody(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  budget: ByteBudget,
): Promise<string | Problem> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = body.getReader();
  const stop = (problem: Problem): Problem => {
    reader.cancel().catch(() => {});
    return problem;
  };
  let text = "";
  let size = 0;
  try {
    for (;;) {
      const piece = await reader.read().catch(() => undefined);
      if (piece === undefined) return PROBLEMS.gone;
      const length = piece.value?.byteLength ?? 0;
      if (budget.bytes + length > budget.most) return stop(PROBLEMS.overloaded);
      budget.bytes += length;
      size += length;
      if (size > maxBytes) return stop(PROBLEMS.tooLarge);
      try {
        text += decoder.decode(piece.value, { stream: !piece.done });
      } catch {
        return stop(PROBLEMS.notUtf8);
      }
      if (piece.done) return text;
    }
  } finally {
    budget.bytes -= size;
  }
}

class WebSink implements StreamSink {
  readonly stream: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #isOpen = true;
  #written = 0;
  #listener: (() => void) | undefined;
  #drained: (() => void)[] = [];

  constructor() {
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#release(),
        cancel: () => this.#closed(),
      },
      { highWaterMark: READ_AHEAD, size: (chunk) => chunk.byteLength },
    );
  }

  whenClosed(listener: () => void): void {
    this.#listener = listener;
    if (!this.#isOpen) queueMicrotask(listener);
  }

  get waiting(): number {
    return this.#isOpen ? Math.max(READ_AHEAD - this.#controller.desiredSize!, 0) : 0;
  }

  get taken(): number {
    return this.#written - this.waiting;
  }

  write(text: string): void {
    if (!this.#isOpen) return;
    const bytes = ENCODER.encode(text);
    this.#written += bytes.length;
    if (bytes.length <= PIECE) return this.#controller.enqueue(bytes);
    for (let start = 0; start < bytes.length; start += PIECE)
      this.#controller.enqueue(bytes.slice(start, start + PIECE));
  }

  drained(): Promise<void> {
    if (!this.#isOpen) return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#controller.close();
    this.#closed();
  }

  abort(): void {
    if (!this.#isOpen) return;
    this.#controller.error(new Error("The stream was dropped: it was not read"));
    this.#closed();
  }

  #closed(): void {
    this.#isOpen = false;
    this.#release();
    this.#listener?.();
  }

  #release(): void {
    const waiting = this.#drained;
    if (waiting.length === 0) return;
    this.#drained = [];
    for (const resolve of waiting) resolve();
  }
}
