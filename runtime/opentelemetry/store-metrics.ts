import { isThenable } from "../ground/index.js";
import { durationsOf, type MeterOptions, secondsSince, STORE_BOUNDS } from "./meter.js";
import { errorTypeOf, fewValues } from "./attributes.js";

type AnyFunction = (...args: unknown[]) => unknown;

/**
 * Measures how long the operations of stores take, and which of them fail.
 *
 * @example
 * ```ts
 * const { events } = storeMetrics({ events: new MemoryEventStore() });
 * const handler = createHttpHandler(server, { eventStore: events });
 * ```
 *
 * @param stores - objects with methods, and functions such as `redeem`, by their names
 * @returns objects and functions to use in their place; other values are unchanged
 */
export function storeMetrics<Stores extends object>(
  stores: Stores,
  options: MeterOptions = {},
): Stores {
  const durations = durationsOf(options, STORE_BOUNDS);
  const few = fewValues();
  const measure = (store: string, operation: string, self: object, call: unknown): AnyFunction =>
    measured(call as AnyFunction, self, (start, thrown) => {
      const attributes = {
        "mcp_codegen.store.name": store,
        "mcp_codegen.store.operation": operation,
        ...(thrown !== undefined && { "error.type": few(errorTypeOf(thrown)) }),
      };
      durations("mcp_codegen.store.operation.duration", "Time of an operation of a store").record(
        secondsSince(start),
        attributes,
      );
    });
  return mapped(stores, (value, name) => {
    if (typeof value === "function") return measure(name, name, stores, value);
    if (!(value instanceof Object)) return value;
    return mapped(value, (member, operation) =>
      typeof member === "function" ? measure(name, operation, value, member) : member,
    );
  }) as Stores;
}

function measured(
  call: AnyFunction,
  self: object,
  record: (start: number, thrown?: unknown) => void,
): AnyFunction {
  return (...args) => {
    const start = performance.now();
    const failed = (error: unknown): never => {
      record(start, error);
      throw error;
    };
    const done = (result: unknown): unknown => {
      record(start);
      return result;
    };
    let result: unknown;
    try {
      result = call.apply(self, args);
    } catch (error) {
      return failed(error);
    }
    return isThenable(result) ? result.then(done, failed) : done(result);
  };
}

/** Maps an object's members, including the methods of its class. */
function mapped(object: object, map: (value: unknown, name: string) => unknown): object {
  const members: PropertyDescriptorMap = {};
  for (
    let level = object;
    level && level !== Object.prototype;
    level = Object.getPrototypeOf(level)
  ) {
    for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (name === "constructor" || name in members) continue;
      members[name] = get
        ? { enumerable: true, get: () => map(Reflect.get(object, name), name) }
        : { enumerable: true, value: map(value, name) };
    }
  }
  return Object.defineProperties({}, members);
}
