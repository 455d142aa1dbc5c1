import { Diagnostics } from "../../generator/diagnostics.js";
import { sourceFromBytes } from "../../generator/load/source-from-bytes.js";
import { model, type ModelOptions } from "../../generator/model/model.js";
import type { Declaration, SchemaModel } from "../../generator/model/schema-model.js";

/** Reads a schema from text, and returns it with the refusals. */
export function read(text: string, options: ModelOptions = {}) {
  const diagnostics = new Diagnostics();
  const source = sourceFromBytes("schema.ts", Buffer.from(text), diagnostics);
  const schema = source && model(source, diagnostics, options);
  return { schema: schema!, items: diagnostics.items };
}

/** Reads a schema that must be accepted. */
export function modelOf(text: string, options: ModelOptions = {}): SchemaModel {
  const { schema, items } = read(text, options);
  if (items.length > 0) throw new Error(places(items).join("\n"));
  return schema;
}

export function declarationsOf(text: string): readonly Declaration[] {
  return modelOf(text).declarations;
}

/** Returns the refusals as `line:column code`. */
export function refusals(text: string, options: ModelOptions = {}): string[] {
  return places(read(text, options).items);
}

function places(items: Diagnostics["items"]): string[] {
  return items.map(({ span, code }) => `${span?.line}:${span?.column} ${code}`);
}

/** Returns a model without spans and documentation. */
export function bare<T>(value: T): T {
  const dropped = new Set(["span", "doc", "file", "sha256"]);
  const kept = (name: string, inner: unknown) => (dropped.has(name) ? undefined : inner);
  return JSON.parse(JSON.stringify(value, kept)) as T;
}
