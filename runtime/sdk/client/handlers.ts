import {
  customRequest,
  type Frame,
  type HandlerContext,
  onCustom,
  type Receiver,
  type RequestId,
  type Revision,
  type Transport as RuntimeTransport,
} from "@mcp-codegen/runtime";
import { finalResult } from "./handler-results.js";
import {
  authInfoOf,
  type ClientCapabilities,
  type ClientContext,
  type Notification,
  ProtocolError,
  ProtocolErrorCode,
  type Request,
  type RequestHandlerExtra,
  type RequestMeta,
} from "../shared/index.js";
import {
  requestThrough,
  type Callback,
  isCustom,
  notifyThrough,
} from "../shared/internal/index.js";

/** The context of client handlers, with the names from both versions of the official SDK. */
export type ClientHandlerContext = ClientContext & RequestHandlerExtra;

export function contextOf(native: HandlerContext): ClientHandlerContext {
  const { id, method, signal, auth, session } = native;
  const meta = native.meta as RequestMeta | undefined;
  const send = requestThrough(native);
  const notify = notifyThrough(native);
  return {
    sessionId: session.id,
    mcpReq: {
      id: id!,
      method,
      _meta: meta,
      requestState: () => undefined,
      signal,
      send,
      notify,
    },
    signal,
    requestId: id!,
    _meta: meta,
    authInfo: authInfoOf(auth),
    sendRequest: send as RequestHandlerExtra["sendRequest"],
    sendNotification: notify,
  };
}

export type RequestCallback = (request: Request, ctx: ClientHandlerContext) => unknown;
export type NotificationCallback = (notification: Notification) => unknown;

type Native = (params: unknown, context: HandlerContext) => unknown;

/** Returns the notifications that servers send in these revisions, except those that the engine handles itself. */
function notifications(revisions: readonly Revision[]): Set<string> {
  const rows = revisions.flatMap(({ methods }) => [...methods.values()]);
  const received = rows.filter(
    ({ kind, from, role }) => kind === "notification" && from !== "client" && role === undefined,
  );
  return new Set(received.map(({ method }) => method));
}

function isRequestIn(revisions: readonly Revision[], method: string): boolean {
  return revisions.some(({ methods }) => {
    const row = methods.get(method);
    return row?.kind === "request" && row.from !== "client";
  });
}

function offeredRequests(capabilities: object, revisions: readonly Revision[]): string[] {
  const rows = revisions.flatMap(({ methods }) => [...methods.values()]);
  return rows
    .filter(({ kind, from, capability = "" }) => {
      const [side, name] = capability.split(".");
      const isReceived = kind === "request" && from !== "client" && side === "client";
      return isReceived && name !== undefined && name in capabilities;
    })
    .map(({ method }) => method);
}

/** A client's handlers, which can be set and removed at any time. */
export class Handlers {
  fallbackRequest: RequestCallback | undefined;
  fallbackNotification: NotificationCallback | undefined;
  readonly #capabilities: () => ClientCapabilities;
  readonly #requests = new Map<string, RequestCallback>();
  readonly #notifications = new Map<string, NotificationCallback>();

  constructor(capabilities: () => ClientCapabilities) {
    this.#capabilities = capabilities;
  }

  setRequest(method: string, callback: RequestCallback): void {
    this.#requests.set(method, callback);
  }

  setNotification(method: string, callback: NotificationCallback): void {
    this.#notifications.set(method, callback);
  }

  hasRequest(method: string): boolean {
    return this.#requests.has(method);
  }

  hasNotification(method: string): boolean {
    return this.#notifications.has(method);
  }

  removeRequest(method: string): void {
    this.#requests.delete(method);
  }

  removeNotification(method: string): void {
    this.#notifications.delete(method);
  }

  /**
   * Returns the runtime options that route every server message to these handlers, including handlers that are set
   * later.
   *
   * @param capabilities - the client's capabilities; the requests that belong to them are routed from the start
   * @param revisions - the revisions that may be negotiated; requests that none of them defines are never received
   */
  options(
    capabilities: object,
    revisions: readonly Revision[],
  ): { handlers: object; custom: ReturnType<typeof onCustom>[] } {
    const requests = [...this.#requests.keys()];
    const methods = new Set([
      ...requests.filter((method) => isRequestIn(revisions, method)),
      ...offeredRequests(capabilities, revisions),
    ]);
    const handlers = [
      ...[...methods].map((method) => [method, this.#answer(method)] as const),
      ...[...notifications(revisions)].map((method) => [method, this.#receive(method)] as const),
    ];
    const custom = requests
      .filter(isCustom)
      .map((method) => onCustom(customRequest(method), this.#answer(method) as Callback));
    return { handlers: Object.fromEntries(handlers), custom };
  }

  /** Passes a notification to its handler if no revision defines it, or if the engine handles it itself. */
  receiveCustom({ method, params }: Notification): unknown {
    if (!isCustom(method) && !this.#notifications.has(method)) return undefined;
    return this.#receive(method)(params);
  }

  #answer(method: string): Native {
    return async (params, context) => {
      const callback = this.#requests.get(method) ?? this.fallbackRequest;
      if (callback) {
        const result = await callback({ method, params } as Request, contextOf(context));
        return finalResult(method, params, result, this.#capabilities());
      }
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `Method not found: ${method}`);
    };
  }

  #receive(method: string): (params: unknown) => unknown {
    return (params) => {
      const callback = this.#notifications.get(method);
      if (callback) return callback({ method, params } as Notification);
      // Only the fallback receives messages in their wire form.
      const message = { jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) };
      return this.fallbackNotification?.(message as Notification);
    };
  }
}

/**
 * A transport that passes progress notifications and custom notifications to a listener, because their handlers may be
 * set at any time.
 */
export class CustomNotifications implements RuntimeTransport {
  readonly #inner: RuntimeTransport;
  readonly #listener: (notification: Notification) => unknown;
  readonly #onerror: (error: Error) => void;

  constructor(
    inner: RuntimeTransport,
    listener: (notification: Notification) => unknown,
    onerror: (error: Error) => void,
  ) {
    this.#inner = inner;
    this.#listener = listener;
    this.#onerror = onerror;
  }

  get hooks(): RuntimeTransport["hooks"] {
    return this.#inner.hooks;
  }

  start(receiver: Receiver): void | Promise<void> {
    return this.#inner.start({
      message: (value, origin) => {
        if (isCustomNotification(value)) return void this.#notify(value);
        // A request may carry its own progress token, which only the program knows.
        if (isProgress(value)) void this.#notify(value);
        receiver.message(value, origin);
      },
      malformed: (problem) => receiver.malformed(problem),
      failed: (id, error) => receiver.failed(id, error),
      ended: () => receiver.ended(),
      closed: (error) => receiver.closed(error),
    });
  }

  send(frame: Frame, relatedTo?: RequestId): Promise<void> | undefined {
    return this.#inner.send(frame, relatedTo);
  }

  close(): void | Promise<void> {
    return this.#inner.close();
  }

  async #notify(notification: Notification): Promise<void> {
    try {
      await this.#listener(notification);
    } catch (error) {
      this.#onerror(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

function isProgress(value: unknown): value is Notification {
  return (value as { method?: unknown } | null)?.method === "notifications/progress";
}

function isCustomNotification(value: unknown): value is Notification {
  if (typeof value !== "object" || value === null || "id" in value) return false;
  const { method } = value as { method?: unknown };
  return typeof method === "string" && isCustom(method);
}
