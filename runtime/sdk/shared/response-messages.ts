import type { Result, Task } from "./protocol-types.js";
import type { McpError } from "./errors.js";

/** One message of a streamed response. */
export interface BaseResponseMessage {
  type: string;
}
/** Message that the request runs as a task. */
export interface TaskCreatedMessage extends BaseResponseMessage {
  type: "taskCreated";
  task: Task;
}
/** Message that the state of the task has changed. */
export interface TaskStatusMessage extends BaseResponseMessage {
  type: "taskStatus";
  task: Task;
}
/** Message with the result of the request. */
export interface ResultMessage<Outcome extends Result> extends BaseResponseMessage {
  type: "result";
  result: Outcome;
}
/** Message that the request has failed. */
export interface ErrorMessage extends BaseResponseMessage {
  type: "error";
  error: McpError;
}
/** Message of a streamed response. */
export type ResponseMessage<Outcome extends Result> =
  TaskStatusMessage | TaskCreatedMessage | ResultMessage<Outcome> | ErrorMessage;
/** True for a status that never changes again. */
export function isTerminal(status: Task["status"]): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** Values that a generator yields. */
export type AsyncGeneratorValue<Stream> =
  Stream extends AsyncGenerator<infer Value> ? Value : never;

/** Collects all values of a stream. */
export async function toArrayAsync<Value>(stream: AsyncIterable<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for await (const value of stream) values.push(value);
  return values;
}

/**
 * Result that ends a stream.
 * @throws the error, if the stream ends with one
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
