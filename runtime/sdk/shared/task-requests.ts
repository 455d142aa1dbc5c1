import type { McpError } from "./errors.js";
import type { Request, RequestOptions, Result, Task } from "./protocol-types.js";
import { isTerminal, type ResponseMessage } from "./response-messages.js";
import type { StandardSchemaV1 } from "@standard-schema/spec";

export interface Requester {
  request(
    request: Request,
    second?: StandardSchemaV1 | RequestOptions,
    third?: RequestOptions,
  ): Promise<unknown>;
}

const DEFAULT_PAUSE = 1000;

/** Sends requests that the peer runs as tasks, like `experimental.tasks` in version 1. */
export class TaskRequests<Sender extends Requester = Requester> {
  protected readonly _sender: Sender;

  constructor(sender: Sender) {
    this._sender = sender;
  }

  /** Sends a request. Yields the states of its task, and then the result or an error. */
  async *requestStream<Outcome extends Result>(
    request: Request,
    schema?: StandardSchemaV1,
    options: RequestOptions = {},
  ): AsyncGenerator<ResponseMessage<Outcome>, void, void> {
    const { task: wish, ...others } = options;
    try {
      if (wish === undefined) {
        yield {
          type: "result",
          result: await this._send<Outcome>(request, schema, others),
        };
        return;
      }
      const asTask = { ...request, params: { ...request.params, task: wish } };
      const created = await this._send<Outcome & { task?: Task }>(asTask, undefined, others);
      // A tool may reject its arguments with a result instead of creating a task.
      if (created.task === undefined) return yield { type: "result", result: created };
      yield { type: "taskCreated", task: created.task };
      const { taskId } = created.task;
      for (;;) {
        const task = await this.getTask(taskId, others);
        yield { type: "taskStatus", task };
        if (isTerminal(task.status) || task.status === "input_required") break;
        await pause(task.pollInterval ?? DEFAULT_PAUSE, others.signal);
      }
      yield { type: "result", result: await this.getTaskResult<Outcome>(taskId, schema, others) };
    } catch (error) {
      yield { type: "error", error: error as McpError };
    }
  }

  /** Returns the state of a task. */
  getTask(taskId: string, options?: RequestOptions): Promise<Task> {
    return this._send({ method: "tasks/get", params: { taskId } }, undefined, options);
  }

  /** Returns a task's result once the task has ended. */
  getTaskResult<Outcome extends Result = Result>(
    taskId: string,
    schema?: StandardSchemaV1,
    options?: RequestOptions,
  ): Promise<Outcome> {
    return this._send({ method: "tasks/result", params: { taskId } }, schema, options);
  }

  listTasks(
    cursor?: string,
    options?: RequestOptions,
  ): Promise<{ tasks: Task[]; nextCursor?: string }> {
    const params = cursor === undefined ? {} : { cursor };
    return this._send({ method: "tasks/list", params }, undefined, options);
  }

  /** Cancels a task and returns its state. */
  cancelTask(taskId: string, options?: RequestOptions): Promise<Task> {
    return this._send({ method: "tasks/cancel", params: { taskId } }, undefined, options);
  }

  private async _send<Outcome>(
    request: Request,
    schema: StandardSchemaV1 | undefined,
    options: RequestOptions = {},
  ): Promise<Outcome> {
    const result = schema
      ? this._sender.request(request, schema, options)
      : this._sender.request(request, options);
    return (await result) as Outcome;
  }
}

/** The longest delay that `setTimeout` supports, in milliseconds. With a longer one, it fires immediately. */
export const LONGEST_DELAY: number = 2 ** 31 - 1;

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      },
      Math.min(milliseconds, LONGEST_DELAY),
    );
    signal?.addEventListener("abort", abort, { once: true });
  });
}
