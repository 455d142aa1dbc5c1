import { type RequestId, isObject } from "../../wire/index.js";

/** True for the response to the request with that id. */
export function isAnswer(value: unknown, id: RequestId): boolean {
  return isObject(value) && value["method"] === undefined && value["id"] === id;
}
