import {
  type AnyHandler,
  type AnyMiddleware,
  type RouteSteps,
  type StepSource,
} from "../../api/index.js";
import {
  type DeclaredCapabilities,
  type JoinedTopic,
  type Method,
  type OnLoss,
  type Revision,
  type Role,
  type Side,
  type Validator,
  declaredBy,
  isDeclared,
  mergeCapabilities,
  otherSide,
  ownerOf,
  undeclaredBy,
} from "../../wire/index.js";
import { type OutboundRoute, type Route, inboundRoute, outboundRoute } from "./route.js";

/**
 * The binding of one side to one revision, created once. It holds the side's routes, the messages it may send, and the
 * capabilities it declares.
 */
export interface Binding {
  /** Absent while no revision has been negotiated. */
  readonly revision: Revision | undefined;
  readonly requests: ReadonlyMap<string, Route>;
  readonly notifications: ReadonlyMap<string, Route>;
  /** The requests that this side receives embedded in a result. */
  readonly embedded: ReadonlyMap<string, Route>;
  readonly outbound: ReadonlyMap<string, Method>;
  readonly roles: ReadonlyMap<Role, Method>;
  readonly capabilities: Record<string, unknown>;
  readonly middleware: readonly AnyMiddleware[];
  /** Returns the route for a message that this side sends. The route is bound when the message is first sent. */
  readonly route: (row: Method) => OutboundRoute;
  readonly onloss: OnLoss | undefined;
}

export function isForEngine({ role }: Method): boolean {
  return role !== undefined;
}

export interface CustomRow {
  readonly row: Method;
  readonly handler: AnyHandler;
}

export type NotificationListener = (method: string, params: unknown) => void;

export interface SideHandlers {
  readonly side: Side;
  readonly handlers: ReadonlyMap<string, AnyHandler>;
  readonly custom: readonly CustomRow[];
  readonly middleware: readonly AnyMiddleware[];
  readonly listeners: readonly NotificationListener[];
  readonly capabilitiesIn: (revision: Revision) => object;
  readonly steps: readonly StepSource[];
  readonly onloss: OnLoss | undefined;
}

/**
 * Binds the handlers of one side to a revision. Handlers whose capability is disabled are left out.
 *
 * @param sources - provide the steps that this kind of conversation adds before those of the features
 */
export function bind(
  revision: Revision,
  own: SideHandlers,
  sources: readonly StepSource[],
): Binding {
  const { side, handlers, custom, middleware } = own;
  const capabilities = capabilitiesIn(revision, own);
  const declared = declaredBy(side, capabilities);
  const requests = new Map<string, Route>();
  const notifications = new Map<string, Route>();
  const embedded = new Map<string, Route>();
  const stepsFor = (row: Method, direction: "in" | "out"): readonly RouteSteps[] =>
    [...sources, ...own.steps].flatMap(
      (source) => source({ revision, side, direction, row, capabilities }) ?? [],
    );
  const add = (row: Method, handler: AnyHandler | undefined): void => {
    const steps = stepsFor(row, "in");
    const parts = {
      row,
      revision,
      shared: sharedParams(revision, row),
      undeclared: undeclaredBy(side, row, capabilities),
      onloss: own.onloss,
      steps,
    };
    const route = inboundRoute(parts, handler && steps.reduceRight(handledBy, handler));
    const routes = row.kind === "notification" ? notifications : requests;
    (row.channel === "embedded" ? embedded : routes).set(row.method, route);
  };
  for (const row of revision.methods.values()) {
    if (row.from === side) continue;
    const handler = handlers.get(row.method);
    if (isForEngine(row)) add(row, undefined);
    else if (row.kind === "notification" && own.listeners.length > 0)
      add(row, withListeners(row, handler && wrap(row, handler, middleware), own.listeners));
    else if (handler && !isSwitchedOff(row, side, declared))
      add(row, wrap(row, handler, middleware));
  }
  for (const { row, handler } of custom) {
    const known = revision.methods.get(row.method);
    if (!known || known.extension !== undefined) add(known ?? row, wrap(row, handler, middleware));
  }
  const outbound = new Map<string, Method>();
  const roles = new Map<Role, Method>();
  for (const row of revision.methods.values()) {
    if (row.channel !== "wire" || (row.from !== side && row.from !== "both")) continue;
    outbound.set(row.method, row);
    if (row.role) roles.set(row.role, row);
  }
  const sent = new WeakMap<Method, OutboundRoute>();
  const route = (row: Method): OutboundRoute => {
    let bound = sent.get(row);
    if (bound === undefined) {
      bound = outboundRoute({ row, revision, onloss: own.onloss, steps: stepsFor(row, "out") });
      sent.set(row, bound);
    }
    return bound;
  };
  return {
    revision,
    requests,
    notifications,
    embedded,
    outbound,
    roles,
    capabilities,
    middleware,
    route,
    onloss: own.onloss,
  };
}

export function wrap(
  { kind, method }: Pick<Method, "kind" | "method">,
  handler: AnyHandler,
  middleware: readonly AnyMiddleware[],
): AnyHandler {
  return middleware.reduceRight<AnyHandler>(
    (inner, outer) => (params, context) =>
      outer({ kind, method, params, context }, async (changed) =>
        inner(
          changed && "params" in changed ? changed.params : params,
          changed?.context ?? context,
        ),
      ),
    handler,
  );
}

/**
 * The custom message name whose handler receives every message that neither the revision nor another custom message
 * defines: `customRequest("*")`. `context.method` is then the received message's method.
 */
const ANY_METHOD = "*";

export function customRoute(
  routes: ReadonlyMap<string, Route>,
  { binding: { revision }, method }: { readonly binding: Binding; readonly method: string },
): Route | undefined {
  return revision?.methods.has(method) ? undefined : routes.get(ANY_METHOD);
}

/** Creates a binding without any messages, for a connection whose revision defines none, or is not known yet. */
export function unbound(revision: Revision | undefined): Binding {
  return {
    revision,
    requests: new Map(),
    notifications: new Map(),
    embedded: new Map(),
    outbound: new Map(),
    roles: new Map(),
    middleware: [],
    capabilities: {},
    route: (row) => outboundRoute({ row }),
    onloss: undefined,
  };
}

export function capabilitiesIn(revision: Revision, own: SideHandlers): Record<string, unknown> {
  return withoutFalse(
    mergeCapabilities(impliedCapabilities(revision, own), own.capabilitiesIn(revision)),
  );
}

function handledBy(inner: AnyHandler, { handle }: RouteSteps): AnyHandler {
  return handle ? handle(inner) : inner;
}

export function* receivable(revision: Revision, side: Side): Generator<Method> {
  for (const row of revision.methods.values()) {
    if (row.channel === "wire" && row.from !== side) yield row;
  }
}

export function rowOf(revision: Revision, role: Role): Method | undefined {
  for (const row of revision.methods.values()) if (row.role === role) return row;
  return undefined;
}

export function joinedTopics(revision: Revision): Readonly<Record<string, JoinedTopic>> {
  return rowOf(revision, "listen")?.joined?.topics ?? {};
}

function withListeners(
  { method }: Method,
  handler: AnyHandler | undefined,
  listeners: readonly NotificationListener[],
): AnyHandler {
  return (params, context) => {
    for (const listener of listeners) listener(method, params);
    return handler?.(params, context);
  };
}

/**
 * Returns true if a request needs a capability that the receiving side has not declared. Notifications are never
 * switched off.
 */
function isSwitchedOff(
  { kind, capability }: Method,
  side: Side,
  declared: DeclaredCapabilities,
): boolean {
  if (kind === "notification" || capability === undefined) return false;
  const sender = otherSide(side);
  return ownerOf(capability, sender) === side && !isDeclared(capability, sender, declared);
}

/**
 * Removes capabilities that are false: on the wire, a capability is either an object or absent, and only its members
 * can be false.
 */
function withoutFalse(capabilities: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(capabilities).filter(([, value]) => value !== false));
}

function impliedCapabilities(
  revision: Revision,
  { side, handlers }: SideHandlers,
): Record<string, unknown> {
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
