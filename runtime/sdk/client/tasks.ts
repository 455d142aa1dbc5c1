import {
  type CallToolRequest,
  type CallToolResult,
  isTerminal,
  type McpError,
  type Request,
  type RequestOptions,
  type ResponseMessage,
  type Result,
  type StandardSchemaV1,
  type Task,
} from "../shared/index.js";

/** The parts of a client that its tasks need. */
export interface TaskClient {
  request(
    request: Request,
    second?: StandardSchemaV1 | RequestOptions,
    third?: RequestOptions,
  ): Promise<unknown>;
  listTools(): Promise<{ tools: readonly { name: string; execution?: object | undefined }[] }>;
  getServerCapabilities(): object | undefined;
}

const DEFAULT_PAUSE = 1000;

/** Requests of a client that run as tasks at the server, as `experimental.tasks` of version 1 does. */
export class ExperimentalClientTasks {
  private readonly _client: TaskClient;

  constructor(client: TaskClient) {
    this._client = client;
  }

  /**
   * Calls a tool, and yields the states of its task, then the result or an error. A tool that runs as a task only is called
   * as one without the option `task`.
   */
  async *callToolStream(
    params: CallToolRequest["params"],
    schema?: StandardSchemaV1,
    options: RequestOptions = {},
  ): AsyncGenerator<ResponseMessage<CallToolResult>, void, void> {
    const task = options.task ?? ((await this._runsAsTask(params.name)) ? {} : undefined);
    const request = { method: "tools/call", params } as unknown as Request;
    yield* this.requestStream<CallToolResult>(request, schema, { ...options, task });
  }

  /** Sends a request, and yields the states of its task, then the result or an error. */
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
      // A tool may refuse its arguments with a result.
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

  /** State of a task. */
  getTask(taskId: string, options?: RequestOptions): Promise<Task> {
    return this._send({ method: "tasks/get", params: { taskId } }, undefined, options);
  }

  /** Result of a task; resolves when the task has ended. */
  getTaskResult<Outcome extends Result = Result>(
    taskId: string,
    schema?: StandardSchemaV1,
    options?: RequestOptions,
  ): Promise<Outcome> {
    return this._send({ method: "tasks/result", params: { taskId } }, schema, options);
  }

  /** A page of the tasks. */
  listTasks(
    cursor?: string,
    options?: RequestOptions,
  ): Promise<{ tasks: Task[]; nextCursor?: string }> {
    const params = cursor === undefined ? {} : { cursor };
    return this._send({ method: "tasks/list", params }, undefined, options);
  }

  /** Cancels a task, and returns its state. */
  cancelTask(taskId: string, options?: RequestOptions): Promise<Task> {
    return this._send({ method: "tasks/cancel", params: { taskId } }, undefined, options);
  }

  private async _send<Outcome>(
    request: Request,
    schema: StandardSchemaV1 | undefined,
    options: RequestOptions = {},
  ): Promise<Outcome> {
    const result = schema
      ? this._client.request(request, schema, options)
      : this._client.request(request, options);
    return (await result) as Outcome;
  }

  /** True for a tool that the server runs as a task only. */
  private async _runsAsTask(name: string): Promise<boolean> {
    if (!("tasks" in (this._client.getServerCapabilities() ?? {}))) return false;
    const { tools } = await this._client.listTools();
    const { execution } = tools.find((tool) => tool.name === name) ?? {};
    return (execution as { taskSupport?: unknown } | undefined)?.taskSupport === "required";
  }
}

/** @throws the signal's reason if it aborts */
async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
