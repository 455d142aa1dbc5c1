import { customRequest, type HandlerContext, onCustom, type Revision } from "@mcp-codegen/runtime";
import {
  type Notification,
  ProtocolError,
  ProtocolErrorCode,
  type Request,
} from "../shared/index.js";
import { type Callback, isCustom } from "../shared/internal/index.js";
import { type ClientHandlerContext, contextOf } from "./client-context.js";

/** Answers a request of the server. */
export type RequestCallback = (request: Request, ctx: ClientHandlerContext) => unknown;
/** Reacts to a notification of the server. */
export type NotificationCallback = (notification: Notification) => unknown;

type Native = (params: unknown, context: HandlerContext) => unknown;

/** Notifications that servers send under these revisions, without those that the engine handles itself. */
function notifications(revisions: readonly Revision[]): Set<string> {
  const rows = revisions.flatMap(({ methods }) => [...methods.values()]);
  const heard = rows.filter(
    ({ kind, from, role }) => kind === "notification" && from !== "client" && role === undefined,
  );
  return new Set(heard.map(({ method }) => method));
}

/** True for a request that servers make under one of these revisions. */
function isAskedIn(revisions: readonly Revision[], method: string): boolean {
  return revisions.some(({ methods }) => {
    const row = methods.get(method);
    return row?.kind === "request" && row.from !== "client";
  });
}

/** Requests that a server may make of a client with these capabilities, under these revisions. */
function offeredRequests(capabilities: object, revisions: readonly Revision[]): string[] {
  const rows = revisions.flatMap(({ methods }) => [...methods.values()]);
  return rows
    .filter(({ kind, from, capability = "" }) => {
      const [side, name] = capability.split(".");
      const isAsked = kind === "request" && from !== "client" && side === "client";
      return isAsked && name !== undefined && name in capabilities;
    })
    .map(({ method }) => method);
}

/** Handlers of a client, which can be set and removed at any time. */
export class Handlers {
  /** Called for requests that have no handler of their own. */
  fallbackRequest: RequestCallback | undefined;
  /** Called for notifications that have no handler of their own. */
  fallbackNotification: NotificationCallback | undefined;
  readonly #requests = new Map<string, RequestCallback>();
  readonly #notifications = new Map<string, NotificationCallback>();

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
   * Options of ours that bring every message of a server to these handlers, also to those that are set later.
   *
   * @param capabilities - of the client: what it offers needs a handler from the start
   * @param revisions - that may be agreed on: what none of them has is never asked
   */
  options(
    capabilities: object,
    revisions: readonly Revision[],
  ): { handlers: object; custom: ReturnType<typeof onCustom>[] } {
    const requests = [...this.#requests.keys()];
    const asked = new Set([
      ...requests.filter((method) => isAskedIn(revisions, method)),
      ...offeredRequests(capabilities, revisions),
    ]);
    const handlers = [
      ...[...asked].map((method) => [method, this.#answer(method)] as const),
      ...[...notifications(revisions)].map((method) => [method, this.#hear(method)] as const),
    ];
    const custom = requests
      .filter(isCustom)
      .map((method) => onCustom(customRequest(method), this.#answer(method) as Callback));
    return { handlers: Object.fromEntries(handlers), custom };
  }

  /** Gives a notification that no revision has, or the engine handles itself, to its handler. */
  hearCustom({ method, params }: Notification): unknown {
    if (!isCustom(method) && !this.#notifications.has(method)) return undefined;
    return this.#hear(method)(params);
  }

  #answer(method: string): Native {
    return async (params, context) => {
      const callback = this.#requests.get(method) ?? this.fallbackRequest;
      if (callback) return callback({ method, params } as Request, contextOf(context));
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `Method not found: ${method}`);
    };
  }

  #hear(method: string): (params: unknown) => unknown {
    return (params) => {
      const callback = this.#notifications.get(method);
      if (callback) return callback({ method, params } as Notification);
      // Only the fallback sees messages as they travel.
      const message = { jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) };
      return this.fallbackNotification?.(message as Notification);
    };
  }
}
