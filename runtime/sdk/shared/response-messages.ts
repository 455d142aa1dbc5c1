import type { Result, Task } from "./protocol-types.js";
import type { McpError } from "./errors.js";

/** An element of the stream that reports a request's progress. */
export interface BaseResponseMessage {
  type: string;
}
/** Reports that the request runs as a task. */
export interface TaskCreatedMessage extends BaseResponseMessage {
  type: "taskCreated";
  task: Task;
}
/** Reports that the task's state has changed. */
export interface TaskStatusMessage extends BaseResponseMessage {
  type: "taskStatus";
  task: Task;
}
/** Reports the request's result. */
export interface ResultMessage<Outcome extends Result> extends BaseResponseMessage {
  type: "result";
  result: Outcome;
}
/** Reports that the request has failed. */
export interface ErrorMessage extends BaseResponseMessage {
  type: "error";
  error: McpError;
}
/** Any element of the stream that reports a request's progress. */
export type ResponseMessage<Outcome extends Result> =
  TaskStatusMessage | TaskCreatedMessage | ResultMessage<Outcome> | ErrorMessage;
/** True if the status never changes again. */
export function isTerminal(status: Task["status"]): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** The values that a generator yields. */
export type AsyncGeneratorValue<Stream> =
  Stream extends AsyncGenerator<infer Value> ? Value : never;

/** Collects all values of a stream. */
export async function toArrayAsync<Value>(stream: AsyncIterable<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for await (const value of stream) values.push(value);
  return values;
}

/**
 * Returns the result at the end of a stream.
 * @throws the error with which the stream ends, or an Error if the stream has no result
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
