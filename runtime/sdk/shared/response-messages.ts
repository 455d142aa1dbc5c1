import type { Result, Task } from "./message-types.js";
import type { McpError } from "./protocol-error.js";

/** News of a request whose answer comes as a stream. */
export type ResponseMessage<Outcome extends Result> =
  | { type: "taskStatus"; task: Task }
  | { type: "taskCreated"; task: Task }
  | { type: "result"; result: Outcome }
  | { type: "error"; error: McpError };

/** Everything that a stream brings. */
export async function toArrayAsync<Value>(stream: AsyncIterable<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for await (const value of stream) values.push(value);
  return values;
}

/**
 * Result that a stream ends with.
 * @throws the error that it ends with instead
 */
export async function takeResult<Outcome extends Result>(
  stream: AsyncIterable<ResponseMessage<Outcome>>,
): Promise<Outcome> {
  for await (const message of stream) {
    if (message.type === "result") return message.result;
    if (message.type === "error") throw message.error;
  }
  throw new Error("The stream ended without a result");
}
