import {
  type AnyHandler,
  type AnyMiddleware,
  type Feature,
  type ServerOptions,
  type SomeMiddleware,
} from "../../api/index.js";
import {
  type Method,
  type Revision,
  type Side,
  isObject,
  mergeCapabilities,
  quote,
} from "../../wire/index.js";
import { type CustomRow, type SideHandlers, isForEngine } from "./binding.js";

/** Wraps the handler of a feature, if there is one, and can call it. */
export class WrappingHandler {
  readonly around: (inner: AnyHandler | undefined) => AnyHandler;

  constructor(around: (inner: AnyHandler | undefined) => AnyHandler) {
    this.around = around;
  }
}

/**
 * Collects handlers by method, both those passed directly and those from features. A feature may handle messages that
 * no revision defines.
 */
export function collectHandlers(
  side: Side,
  revisions: readonly Revision[],
  handlers: object,
  features: readonly Feature[],
): Map<string, AnyHandler> {
  const all = new Map<string, AnyHandler>();
  const wrapping = new Map<string, WrappingHandler>();
  const handled = handledBy(side, revisions);
  const add = (method: string, handler: unknown, feature?: Feature): void => {
    const isKnown = handled.has(method);
    const isOfOthers = revisions.some(({ methods }) => methods.has(method));
    if (!isKnown && (isOfOthers || !feature)) {
      const ids = revisions.map(({ id }) => id).join(", ");
      const whose = feature ? `${feature.constructor.name} is not for a ${side}: ` : "";
      const hint = isOfOthers
        ? hintFor(method, side, revisions)
        : isOption(method)
          ? ": options are the third parameter"
          : "";
      throw new TypeError(
        `${whose}${quote(method)} is not a message that a ${side} handles in ${ids}${hint}`,
      );
    }
    if (handler instanceof WrappingHandler) return void wrapping.set(method, handler);
    if (typeof handler !== "function") {
      throw new TypeError(`The handler of ${method} is not a function`);
    }
    if (all.has(method)) throw new TypeError(`${method} has two handlers: leave one out`);
    all.set(method, handler as AnyHandler);
  };
  for (const [method, handler] of Object.entries(handlers)) {
    if (handler !== undefined) add(method, handler);
  }
  for (const feature of features) {
    for (const [method, handler] of Object.entries(feature.handlers)) add(method, handler, feature);
  }
  for (const [method, { around }] of wrapping) all.set(method, around(all.get(method)));
  return all;
}

function hintFor(method: string, side: Side, revisions: readonly Revision[]): string {
  const rows = revisions.flatMap(({ methods }) => methods.get(method) ?? []);
  const isReceived = rows.some((row) => row.from !== side && isForEngine(row));
  return isReceived ? ": the engine handles it" : ": the other side handles it";
}

/** Returns true if a name is an option that is easily passed among the handlers by mistake. */
function isOption(name: string): boolean {
  return ["features", "capabilities", "middleware", "instructions"].includes(name);
}

function handledBy(side: Side, revisions: readonly Revision[]): ReadonlySet<string> {
  const rows = revisions.flatMap(({ methods }) =>
    [...methods.values()].filter(({ from }) => from !== side),
  );
  return new Set(rows.filter((row) => !isForEngine(row)).map(({ method }) => method));
}

/** Rejects arguments that callers who do not use a compiler often get wrong. */
export function assertArguments(
  side: Side,
  revisions: readonly Revision[],
  info: unknown,
  handlers: unknown,
  options: ServerOptions<object, SomeMiddleware>,
): void {
  if (revisions.length === 0) throw new TypeError("At least one revision is needed");
  if (!revisions.every((one) => isObject(one)))
    throw new TypeError("A revision must be an imported value, not its id");
  if (!isObject(info)) throw new TypeError(`${side}Info must be an object: { name, version }`);
  if (!isObject(handlers) || !isObject(options)) {
    throw new TypeError("Handlers and options must be objects: new Server(info, {}, { features })");
  }
  const { keepAlive } = options as ServerOptions;
  if (keepAlive && !(keepAlive.interval > 0))
    throw new TypeError("keepAlive.interval must be a number of milliseconds above 0");
  for (const name of ["features", "custom", "middleware", "sending"] as const) {
    if (!Array.isArray(options[name] ?? []))
      throw new TypeError(`${name} must be an array: ${name}: [one]`);
  }
}

function customRows(
  custom: NonNullable<ServerOptions["custom"]>,
  revisions: readonly Revision[],
): CustomRow[] {
  const names = new Set<string>();
  for (const { row, yields = false } of custom) {
    if (!yields) assertIsCustom(row, revisions);
    const name = `${row.kind} ${row.method}`;
    if (names.has(name)) throw new TypeError(`${row.method} has two handlers: leave one out`);
    names.add(name);
  }
  return [...custom];
}

function assertIsCustom({ method }: Method, revisions: readonly Revision[]): void {
  const owner = revisions.find(({ methods }) => methods.has(method));
  if (owner) {
    throw new TypeError(`${quote(method)} is a message of ${owner.id}, and cannot be a custom one`);
  }
}

export function sideHandlers(
  side: Side,
  revisions: readonly Revision[],
  handlers: object,
  options: ServerOptions<object, SomeMiddleware>,
): SideHandlers {
  const { features = [], custom = [], middleware = [], onloss } = options;
  const declaring = [...features, options];
  return {
    side,
    handlers: collectHandlers(side, revisions, handlers, features),
    custom: customRows(custom, revisions),
    middleware: [
      ...(middleware as readonly AnyMiddleware[]),
      ...features.flatMap((feature) => feature.middleware ?? []),
    ],
    listeners: features.flatMap((feature) => feature.notified?.bind(feature) ?? []),
    capabilitiesIn: (revision) =>
      declaring.reduce<Record<string, unknown>>(
        (merged, { capabilities = {} }) =>
          mergeCapabilities(
            merged,
            typeof capabilities === "function" ? capabilities(revision) : capabilities,
          ),
        {},
      ),
    steps: features.flatMap((feature) => feature.steps?.bind(feature) ?? []),
    onloss,
  };
}
