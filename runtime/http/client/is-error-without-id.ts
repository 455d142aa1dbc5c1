import { isObject } from "../../wire/index.js";

/** Whether a value is a JSON-RPC error that does not say which request it answers. */
export function isErrorWithoutId(value: unknown): boolean {
  if (!isObject(value) || !isObject(value["error"])) return false;
  return value["method"] === undefined && (value["id"] === undefined || value["id"] === null);
}
