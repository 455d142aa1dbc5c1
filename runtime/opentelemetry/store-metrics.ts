import { isThenable } from "../ground/index.js";
import { Durations, type MeterOptions, secondsSince, STORE_BOUNDS } from "./meter.js";
import { errorTypeOf } from "./outcome.js";

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
 * @returns what can be used in their place; anything else among them stays as it is
 */
export function storeMetrics<Stores extends object>(
  stores: Stores,
  options: MeterOptions = {},
): Stores {
  const meter = new StoreMeter(options);
  return mapped(stores, (value, name) => {
    if (typeof value === "function")
      return meter.measured(name, name, value as AnyFunction, stores);
    return value instanceof Object ? meter.around(value, name) : value;
  }) as Stores;
}

class StoreMeter {
  readonly #durations: Durations;

  constructor(options: MeterOptions) {
    this.#durations = new Durations(options, STORE_BOUNDS);
  }

  around(store: object, name: string): object {
    return mapped(store, (value, member) =>
      typeof value === "function"
        ? this.measured(name, member, value as AnyFunction, store)
        : value,
    );
  }

  measured(store: string, operation: string, call: AnyFunction, self: object): AnyFunction {
    return (...args) => {
      const start = performance.now();
      const failed = (error: unknown): never => {
        this.#record(start, store, operation, error);
        throw error;
      };
      const done = (result: unknown): unknown => {
        this.#record(start, store, operation);
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

  #record(start: number, store: string, operation: string, thrown?: unknown): void {
    const attributes = {
      "mcp_codegen.store.name": store,
      "mcp_codegen.store.operation": operation,
      ...(thrown !== undefined && { "error.type": errorTypeOf(thrown) }),
    };
    this.#durations
      .histogram("mcp_codegen.store.operation.duration", "Time of an operation of a store")
      .record(secondsSince(start), attributes);
  }
}

/** An object with the members of another, methods of its class included, each made of the original one. */
function mapped(object: object, make: (value: unknown, name: string) => unknown): object {
  const members: PropertyDescriptorMap = {};
  for (
    let level = object;
    level && level !== Object.prototype;
    level = Object.getPrototypeOf(level)
  ) {
    for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (name === "constructor" || name in members) continue;
      members[name] = get
        ? { enumerable: true, get: () => make(Reflect.get(object, name), name) }
        : { enumerable: true, value: make(value, name) };
    }
  }
  return Object.defineProperties({}, members);
}
