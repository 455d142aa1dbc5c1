import {
  type Declared,
  type Method,
  type Revision,
  type Role,
  type Side,
  type Undeclared,
  type Validator,
  declaredBy,
  isDeclared,
  mergeCapabilities,
  otherSide,
  ownerOf,
  undeclaredBy,
} from "../wire/index.js";
import type { Handling } from "./handling.js";
import type { Standalone } from "./standalone.js";
import { type AnyHandler, type AnyMiddleware, wrap } from "../api/index.js";

/** A message that this side receives, and what answers it or reacts to it. */
export interface Inbound {
  readonly row: Method;
  readonly handler: AnyHandler;
  /** Parameters that all such messages share, where their own types do not include them. */
  readonly shared: Validator | undefined;
  /** What parameters may have that this side does not do. */
  readonly undeclared?: Undeclared | undefined;
}

/** One side's use of one revision, made once: who handles what, what may be sent, what is declared. */
export interface Binding {
  /** Absent while no revision is agreed on. */
  readonly revision: Revision | undefined;
  readonly requests: ReadonlyMap<string, Inbound>;
  readonly notifications: ReadonlyMap<string, Inbound>;
  /** What this side can be asked inside a result. */
  readonly embedded: ReadonlyMap<string, Inbound>;
  /** What this side may send. */
  readonly outbound: ReadonlyMap<string, Method>;
  /** Rows of `outbound` with a role. */
  readonly roles: ReadonlyMap<Role, Method>;
  /** What this side declares. */
  readonly capabilities: Record<string, unknown>;
  /** Set where requests stand alone. */
  readonly alone?: Standalone;
}

/** Roles whose messages the engine handles itself, wherever it receives them. */
const ENGINE_ROLES: ReadonlySet<Role> = new Set([
  "initialize",
  "initialized",
  "ping",
  "cancelled",
  "progress",
  "discover",
  "listen",
  "acknowledged",
]);

/** Whether a message is for the engine itself, so that nobody else can handle it. */
export function isForEngine({ role }: Method): boolean {
  return role !== undefined && ENGINE_ROLES.has(role);
}

/** Stands for a handler where a message is for the engine itself. */
export const engineHandler: AnyHandler = (_params, context) => (context as Handling).control();

export interface CustomRow {
  readonly row: Method;
  readonly handler: AnyHandler;
}

export type Notified = (method: string, params: unknown) => void;

export interface Own {
  readonly side: Side;
  readonly handlers: ReadonlyMap<string, AnyHandler>;
  /** Of messages that no revision has. */
  readonly custom: readonly CustomRow[];
  readonly middleware: readonly AnyMiddleware[];
  /** Who hears of notifications before their handlers do. */
  readonly notified: readonly Notified[];
  /** Declared in addition to what the handlers imply. */
  readonly capabilitiesIn: (revision: Revision) => object;
}

/** Binds one side's handlers to a revision. A handler whose capability is switched off is left out. */
export function bind(revision: Revision, own: Own): Binding {
  const { side, handlers, custom, middleware } = own;
  const capabilities = withoutFalse(
    mergeCapabilities(impliedCapabilities(revision, own), own.capabilitiesIn(revision)),
  );
  const declared = declaredBy(side, capabilities);
  const requests = new Map<string, Inbound>();
  const notifications = new Map<string, Inbound>();
  const embedded = new Map<string, Inbound>();
  const add = (row: Method, handler: AnyHandler): void => {
    const inbound: Inbound = {
      row,
      handler,
      shared: sharedParams(revision, row),
      undeclared: undeclaredBy(side, row, capabilities),
    };
    const inbounds = row.kind === "notification" ? notifications : requests;
    (row.channel === "embedded" ? embedded : inbounds).set(row.method, inbound);
  };
  for (const row of revision.methods.values()) {
    if (row.from === side) continue;
    const handler = handlers.get(row.method);
    if (isForEngine(row)) add(row, engineHandler);
    else if (row.kind === "notification" && own.notified.length > 0)
      add(row, heard(row, handler && wrap(row, handler, middleware), own.notified));
    else if (handler && !isSwitchedOff(row, side, declared))
      add(row, wrap(row, handler, middleware));
  }
  for (const { row, handler } of custom)
    if (!revision.methods.has(row.method)) add(row, wrap(row, handler, middleware));
  const outbound = new Map<string, Method>();
  const roles = new Map<Role, Method>();
  for (const row of revision.methods.values()) {
    if (row.channel !== "wire" || (row.from !== side && row.from !== "both")) continue;
    outbound.set(row.method, row);
    if (row.role) roles.set(row.role, row);
  }
  return { revision, requests, notifications, embedded, outbound, roles, capabilities };
}

/** What a side can be sent as a JSON-RPC message. */
export function* receivable(revision: Revision, side: Side): Generator<Method> {
  for (const row of revision.methods.values()) {
    if (row.channel === "wire" && row.from !== side) yield row;
  }
}

/** The row with a role, whoever sends it. */
export function rowOf(revision: Revision, role: Role): Method | undefined {
  for (const row of revision.methods.values()) if (row.role === role) return row;
  return undefined;
}

function heard(
  { method }: Method,
  handler: AnyHandler | undefined,
  listeners: readonly Notified[],
): AnyHandler {
  return (params, context) => {
    for (const listener of listeners) listener(method, params);
    return handler?.(params, context);
  };
}

/** Whether a request needs a capability of this side that it does not declare. */
function isSwitchedOff({ kind, capability }: Method, side: Side, declared: Declared): boolean {
  if (kind === "notification" || capability === undefined) return false;
  const sender = otherSide(side);
  return ownerOf(capability, sender) === side && !isDeclared(capability, sender, declared);
}

/** On the wire, a whole capability is an object or not there; only members of one can be false. */
function withoutFalse(capabilities: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(capabilities).filter(([, value]) => value !== false));
}

function impliedCapabilities(revision: Revision, { side, handlers }: Own): Record<string, unknown> {
  let capabilities: Record<string, unknown> = {};
  for (const row of revision.methods.values()) {
    if (row.from === side || !row.declares || !handlers.has(row.method)) continue;
    capabilities = mergeCapabilities(capabilities, row.declares);
  }
  return capabilities;
}

function sharedParams(revision: Revision, row: Method): Validator | undefined {
  if (revision.traits.envelope === "inside") return undefined;
  return row.kind === "request" ? revision.requestParams : revision.notificationParams;
}
