import { type RequestId, isObject } from "../../wire/index.js";

/** Whether a value is the answer to the request with that id. */
export function isAnswer(value: unknown, id: RequestId): boolean {
  return isObject(value) && value["method"] === undefined && value["id"] === id;
}
