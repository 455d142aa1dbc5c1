import type { AnySendMiddleware, CustomMessage, Session } from "../api/index.js";
import type { Method } from "../wire/index.js";
import { type Binding, isForEngine } from "./define/binding.js";

/** Message of this side that is to be sent. */
export interface Outbound {
  readonly kind: Method["kind"];
  readonly method: string;
  readonly params: unknown;
  /** Row of a message that no revision has. */
  readonly custom?: Method | undefined;
}

/** A message to be sent, by its name or as its own description. */
export function outboundOf(
  kind: Method["kind"],
  message: string | CustomMessage,
  params: unknown,
): Outbound {
  return typeof message === "string"
    ? { kind, method: message, params }
    : { kind, method: message.row.method, params, custom: message.row };
}

export function withParams(message: Outbound, params: unknown): Outbound {
  return params === message.params ? message : { ...message, params };
}

/** The message with its parameters in the shapes of the revision. */
export function written(message: Outbound, binding: Binding): Outbound {
  const row = message.custom ?? binding.outbound.get(message.method);
  const project = row && binding.route(row).project;
  return project ? withParams(message, project(message.params)) : message;
}

/** Middleware around a message, out of all of a side; undefined where there is none. */
export function middlewareAround(
  { method, custom }: Outbound,
  sending: readonly AnySendMiddleware[],
  binding: Binding,
  session: Session,
): readonly AnySendMiddleware[] | undefined {
  const row: Method | undefined = custom ?? binding.outbound.get(method);
  if (row === undefined || isForEngine(row)) return undefined;
  let around: AnySendMiddleware[] | undefined;
  for (const one of sending) if (one.concerns?.(row, session) ?? true) (around ??= []).push(one);
  return around;
}
