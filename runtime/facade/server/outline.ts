import type { AnyHandler, AnyMiddleware, Feature, FeatureHost } from "../../api/index.js";
import { errorLog, wrap } from "../../engine/index.js";
import type { Method, Revision } from "../../wire/index.js";
import type { Assembly } from "./assembly.js";

/** Server with the parts that it is built from. */
export interface Assembled {
  readonly assembly: Assembly;
}

/** Features whose handlers another server calls. */
const attached = new WeakSet<Feature>();

/** Options that act only through the handlers of their own server, or that the outline describes by other means. */
const OF_HANDLERS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "cursors",
  "custom",
  "errorText",
  "features",
  "handlers",
  "middleware",
  "onerror",
  "onloss",
  "revisions",
  "schemas",
]);

/**
 * Describes what the tables of a server are built from: its revisions, methods, capabilities and options, but neither its
 * handlers nor its tools. A program that creates a server for each request binds the tables of the first one only, which
 * calls the handlers of the others.
 *
 * @returns undefined for a server with parts that cannot be compared
 */
export function outlineOf({ assembly }: Assembled): string | undefined {
  const { revisions, info, options, handlers, features, custom, registrations } = assembly;
  const { extensions, repeatsArguments } = registrations;
  if (extensions.size > 0 || repeatsArguments || (options.features ?? []).length > 0)
    return undefined;
  const described: unknown[] = [
    info,
    revisions.map(({ id }) => id),
    features.map((feature) => Object.keys(feature.handlers)),
    [...handlers.keys()],
    custom.map(({ row }) => [row.kind, row.method]),
  ];
  for (const name of Object.keys(options)) {
    const value = options[name as keyof typeof options];
    if (value === undefined || OF_HANDLERS.has(name)) continue;
    if (!isComparable(value)) return undefined;
    described.push(name, value);
  }
  return JSON.stringify(described);
}

/** True for a value that its JSON represents completely. */
function isComparable(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  if (Array.isArray(value)) return value.every(isComparable);
  if (ArrayBuffer.isView(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every(isComparable);
}

/**
 * Handler of a message with the middleware of its server, for a server without clients of its own; undefined for
 * messages that the engine answers, and for those without a handler.
 */
export function handlerOf({ assembly }: Assembled, method: string): AnyHandler | undefined {
  const { features, custom, handlers, middleware, revisions } = assembly;
  const owner = features.find((feature) => feature.handlers[method]);
  const added = custom.find(({ row }) => row.method === method);
  const inner = owner?.handlers[method] ?? added?.handler;
  const handler = handlers.get(method)?.around(inner) ?? inner;
  const row = added?.row ?? rowOf(method, revisions);
  if (handler === undefined || row === undefined) return undefined;
  for (const feature of [features[0], owner]) {
    if (feature === undefined || attached.has(feature)) continue;
    attached.add(feature);
    feature.attach?.(hostOf(assembly));
  }
  return wrap(row, handler, middleware as readonly AnyMiddleware[]);
}

/** Host of the features of a server without clients of its own. */
function hostOf({ revisions, features, options }: Assembly): FeatureHost {
  const { checkContent: checksContent = true, onerror = errorLog() } = options;
  const report = (error: Error): void => void onerror(error);
  return { features, revisions, report, checksContent, sessions: [], broadcast() {} };
}

function rowOf(method: string, revisions: readonly Revision[]): Method | undefined {
  return revisions.find(({ methods }) => methods.has(method))?.methods.get(method);
}
