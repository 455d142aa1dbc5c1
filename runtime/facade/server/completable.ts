import type { Completer, Completers } from "../../features/index.js";
import { isObject } from "../../wire/index.js";
import type { AnyTypes } from "../neutral-types.js";
import type { ServerContext } from "./context-types.js";

type AnyCompleter = Completer<ServerContext<AnyTypes>>;

const completers = new WeakMap<object, AnyCompleter>();

/**
 * Attaches suggestions to an argument's schema: `argsSchema: z.object({ city: completable(z.string(), cities) })`.
 *
 * @returns the same schema
 */
export function completable<Schema extends object>(schema: Schema, complete: AnyCompleter): Schema {
  completers.set(schema, complete);
  return schema;
}

export function isCompletable(schema: unknown): boolean {
  return completerOf(schema) !== undefined;
}

export function completersIn(schema: unknown): Completers<ServerContext<AnyTypes>> {
  const found = Object.entries(propertiesOf(schema)).flatMap(([name, property]) => {
    const complete = completerOf(property);
    return complete ? [[name, complete] as const] : [];
  });
  return Object.fromEntries(found);
}

/**
 * Returns the properties of an object schema, which zod calls `shape` and valibot calls `entries`. Returns an empty
 * object for other schemas.
 */
export function propertiesOf(schema: unknown): Record<string, unknown> {
  if (!isObject(schema)) return {};
  const { shape, entries } = schema;
  if (isObject(shape)) return shape;
  if (isObject(entries)) return entries;
  return {};
}

/** Returns the completer of a schema, or of the schema inside a wrapper, such as that of an optional argument. */
function completerOf(schema: unknown): AnyCompleter | undefined {
  let inner = schema;
  for (let depth = 0; depth < 8 && isObject(inner); depth += 1) {
    const complete = completers.get(inner);
    if (complete) return complete;
    inner = innerOf(inner);
  }
  return undefined;
}

function innerOf(schema: Record<string, unknown>): unknown {
  const { wrapped, unwrap } = schema;
  return typeof unwrap === "function" ? (unwrap.call(schema) as unknown) : wrapped;
}
