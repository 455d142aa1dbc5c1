import { isObject } from "../../wire/index.js";

/** True for a JSON-RPC error that does not name the request it answers. */
export function isErrorWithoutId(value: unknown): boolean {
  if (!isObject(value) || !isObject(value["error"])) return false;
  return value["method"] === undefined && (value["id"] === undefined || value["id"] === null);
}
