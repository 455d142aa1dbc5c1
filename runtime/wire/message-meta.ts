import { META } from "./meta-keys.js";
import { isObject } from "./validate.js";

/** Revision that a stateless message names in its `_meta`; undefined in messages of sessions. */
export function revisionNamed(params: unknown): unknown {
  return metaOf(params)?.[META.revision];
}

/** `_meta` of parameters, where they have it. */
export function metaOf(params: unknown): Readonly<Record<string, unknown>> | undefined {
  const meta = isObject(params) && Object.hasOwn(params, "_meta") ? params["_meta"] : undefined;
  return isObject(meta) ? meta : undefined;
}
