import type {
  Frame,
  Origin,
  Receiver,
  RequestId,
  Transport,
  Transport as RuntimeTransport,
} from "@mcp-codegen/runtime";
import { revisions } from "@mcp-codegen/universal";
import { type ProtocolError, ProtocolErrorCode } from "../shared/index.js";
import type { Connection, NativeContext } from "./connection.js";

const OF_ENGINE: readonly string[] = [
  "initialize",
  "ping",
  "notifications/initialized",
  "notifications/cancelled",
  "notifications/progress",
];

export function isOfEngine(method: string): boolean {
  return OF_ENGINE.includes(method);
}

export type EngineHandler = (params: unknown, context: NativeContext) => unknown;

/**
 * Calls a program's handlers for messages that the engine also handles. Notification handlers are called after the
 * engine. A request handler's result replaces the engine's result, but the engine still negotiates the revision and
 * prefers the one in the handler's result. As in the SDK, a client counts as initialized once the result of
 * `initialize` has been sent, because some clients never send `notifications/initialized`.
 */
export function observeEngine(
  connection: Connection,
  handlerOf: (method: string) => EngineHandler | undefined,
): void {
  const connect = connection.connect.bind(connection);
  connection.connect = (transport, options) =>
    connect(new ObservedTransport(transport, handlerOf), options);
}

interface Received {
  readonly jsonrpc: "2.0";
  readonly id?: RequestId;
  readonly method?: unknown;
  readonly params?: Record<string, unknown>;
}

class ObservedTransport implements RuntimeTransport {
  readonly #inner: RuntimeTransport;
  readonly #handlerOf: (method: string) => EngineHandler | undefined;
  /** Maps the ids of `initialize` requests to the handlers' results. */
  readonly #results = new Map<RequestId, Record<string, unknown>>();
  #receiver: Receiver | undefined;
  #opening: RequestId | undefined;

  constructor(inner: RuntimeTransport, handlerOf: (method: string) => EngineHandler | undefined) {
    this.#inner = inner;
    this.#handlerOf = handlerOf;
  }

  get hooks(): RuntimeTransport["hooks"] {
    return this.#inner.hooks;
  }

  start(receiver: Receiver): void | Promise<void> {
    this.#receiver = receiver;
    return this.#inner.start({
      message: (value, origin) => this.#received(receiver, value as Received | null, origin),
      malformed: (problem) => receiver.malformed(problem),
      failed: (id, error) => receiver.failed(id, error),
      ended: () => receiver.ended(),
      closed: (error) => receiver.closed(error),
    });
  }

  send(frame: Frame, relatedTo?: RequestId): Promise<void> | undefined {
    const sent = this.#inner.send(
      this.#results.size === 0 ? frame : this.#merged(frame),
      relatedTo,
    );
    if (this.#opening !== undefined) this.#opened(frame);
    return sent;
  }

  close(): void | Promise<void> {
    return this.#inner.close();
  }

  #received(receiver: Receiver, message: Received | null, origin: Origin | undefined): void {
    const method = message?.method;
    if (method === "initialize") this.#opening = message!.id;
    const handler = typeof method === "string" ? this.#handlerOf(method) : undefined;
    if (handler === undefined) return receiver.message(message, origin);
    const { id, params } = message!;
    const call = async (): Promise<unknown> => handler(params, this.#contextOf(message!, origin));
    if (id !== undefined) return void this.#answer(receiver, message!, origin, call);
    receiver.message(message, origin);
    call().catch((error: unknown) => receiver.failed(undefined, error as Error));
  }

  async #answer(
    receiver: Receiver,
    message: Received,
    origin: Origin | undefined,
    call: () => Promise<unknown>,
  ): Promise<void> {
    const id = message.id!;
    try {
      const result = (await call()) as Record<string, unknown>;
      if (message.method === "ping") await this.#inner.send({ jsonrpc: "2.0", id, result });
      else this.#open(receiver, message, origin, result);
    } catch (error) {
      const { code, message: text = String(error) } = error as Partial<ProtocolError>;
      const known = Number.isSafeInteger(code) ? code! : ProtocolErrorCode.InternalError;
      await this.#inner.send({ jsonrpc: "2.0", id, error: { code: known, message: text } });
    }
  }

  /** Passes `notifications/initialized` to the engine once the result of `initialize` has been sent. */
  #opened(frame: Frame): void {
    if ("method" in frame || !("id" in frame) || frame.id !== this.#opening) return;
    this.#opening = undefined;
    const method = "notifications/initialized";
    if ("result" in frame)
      queueMicrotask(() => this.#receiver?.message({ jsonrpc: "2.0", method }));
  }

  #open(
    receiver: Receiver,
    message: Received,
    origin: Origin | undefined,
    result: Record<string, unknown>,
  ): void {
    this.#results.set(message.id!, result);
    const { protocolVersion = message.params?.["protocolVersion"] } = result;
    receiver.message({ ...message, params: { ...message.params, protocolVersion } }, origin);
  }

  #merged(frame: Frame): Frame {
    if ("method" in frame || !("id" in frame)) return frame;
    const own = this.#results.get(frame.id as RequestId);
    if (own === undefined) return frame;
    this.#results.delete(frame.id as RequestId);
    if (!("result" in frame)) return frame;
    // If the handler chose a revision that this package does not know, it is sent unchanged, and the client decides
    // whether to accept it.
    const { protocolVersion: chosen } = own;
    const isKnown = chosen === undefined || revisions.some(({ id }) => id === chosen);
    const { protocolVersion } = (isKnown ? frame.result : own) as Record<string, unknown>;
    return { ...frame, result: { ...(frame.result as object), ...own, protocolVersion } };
  }

  /** Returns the context for a handler. The context cannot send requests, because no session is open yet. */
  #contextOf({ id, method, params }: Received, origin: Origin | undefined): NativeContext {
    return {
      id,
      method,
      params,
      meta: params?.["_meta"],
      signal: new AbortController().signal,
      sessionId: this.hooks?.sessionId,
      header: origin?.header ?? (() => undefined),
      auth: origin?.auth,
      answers: {},
      releaseStream: () => {},
      client: {},
      traits: { lifecycle: "initialize" },
    } as unknown as NativeContext;
  }
}

/** The minimum time between a progress notification and the result that follows it, in milliseconds. */
const APART = 2;

/**
 * A transport that delays a result if it directly follows a progress notification. When clients of the official SDK
 * read both at once, they reject the progress as unknown.
 */
export class SeparateProgress implements Transport {
  readonly #inner: Transport;
  #progressAt = -Infinity;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  get hooks(): Transport["hooks"] {
    return this.#inner.hooks;
  }

  start(receiver: Receiver): void | Promise<void> {
    return this.#inner.start(receiver);
  }

  send(frame: Frame, relatedTo?: RequestId): Promise<void> | undefined {
    if ("method" in frame) {
      if (frame.method === "notifications/progress") this.#progressAt = performance.now();
    } else if (performance.now() - this.#progressAt < APART) {
      return this.#later(frame, relatedTo);
    }
    return this.#inner.send(frame, relatedTo);
  }

  close(): void | Promise<void> {
    return this.#inner.close();
  }

  async #later(frame: Frame, relatedTo?: RequestId): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, APART));
    await this.#inner.send(frame, relatedTo);
  }
}
