import { isObject } from "./validate.js";
import { META } from "./meta-keys.js";

/** Whether the parameters of a request name the revision that they are of, so that nothing else has to. */
export function standsAlone(params: unknown): boolean {
  return metaOf(params)?.[META.revision] !== undefined;
}

/** `_meta` of parameters, where they have it. */
export function metaOf(params: unknown): Readonly<Record<string, unknown>> | undefined {
  const meta = isObject(params) && Object.hasOwn(params, "_meta") ? params["_meta"] : undefined;
  return isObject(meta) ? meta : undefined;
}
