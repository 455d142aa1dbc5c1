import type {
  AnyCall,
  AnyHandler,
  AnyMiddleware,
  Feature,
  FeatureHost,
} from "@mcp-codegen/runtime";
import { Definition } from "./connection.js";

type Assembly = Definition["assembly"];

/**
 * Features whose `attach` has already been called. They belong to servers that were created for a single request and
 * whose handlers are called by another server.
 */
const attached = new WeakSet<Feature>();

/** Options that affect only the handlers of their own server, or that the outline describes in another way. */
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
 * Describes the input from which a server's tables are built: its revisions, methods, capabilities and options, but
 * neither its handlers nor its tools. If a program creates a server for each request, only the first server with a
 * given outline builds tables, which then call the other servers' handlers. Returns undefined for a server with parts
 * that cannot be compared.
 */
export function outlineOf({ assembly }: Definition): string | undefined {
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
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || OF_HANDLERS.has(name)) continue;
    if (!isComparable(value)) return undefined;
    described.push(name, value);
  }
  return JSON.stringify(described);
}

/** True if the value's JSON represents it completely. */
function isComparable(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  if (Array.isArray(value)) return value.every(isComparable);
  if (ArrayBuffer.isView(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every(isComparable);
}

/**
 * Returns middleware for a server whose tables serve all servers with the same outline. Each request is passed to the
 * middleware and handler of the server that was created for it.
 *
 * @param own - returns the definition of the server that has the tables
 */
export function byServerOfRequest(own: () => Definition): AnyMiddleware {
  return (call, next) => {
    const { locals } = call.context;
    if (!(locals instanceof Definition) || locals === own()) return next();
    const { assembly } = locals;
    const handler = handlerOf(assembly, call.method);
    if (handler === undefined) return next();
    const middleware = assembly.middleware as readonly AnyMiddleware[];
    const run = (place: number, current: AnyCall): unknown =>
      middleware[place]
        ? middleware[place](current, async (changed) => run(place + 1, { ...current, ...changed }))
        : handler(current.params, current.context);
    return run(0, call);
  };
}

function handlerOf(assembly: Assembly, method: string): AnyHandler | undefined {
  const { features, custom, handlers } = assembly;
  const owner = features.find((feature) => feature.handlers[method]);
  const inner = owner?.handlers[method] ?? custom.find(({ row }) => row.method === method)?.handler;
  const handler = handlers.get(method)?.around(inner) ?? inner;
  if (handler === undefined) return undefined;
  for (const feature of [features[0], owner]) {
    if (feature === undefined || attached.has(feature)) continue;
    attached.add(feature);
    feature.attach?.(hostOf(assembly));
  }
  return handler;
}

function hostOf({ revisions, features, options }: Assembly): FeatureHost {
  const { checkContent: checksContent = true, onerror } = options;
  const report = (error: Error): void => void onerror?.(error);
  return { features, revisions, report, checksContent, sessions: [], broadcast() {} };
}
