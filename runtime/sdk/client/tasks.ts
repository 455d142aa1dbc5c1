import {
  type CallToolRequest,
  type CallToolResult,
  type Request,
  type RequestOptions,
  type ResponseMessage,
  type StandardSchemaV1,
} from "../shared/index.js";
import { type Requester, TaskRequests } from "../shared/internal/index.js";

export interface TaskClient extends Requester {
  listTools(): Promise<{ tools: readonly { name: string; execution?: object | undefined }[] }>;
  getServerCapabilities(): object | undefined;
}

/** Sends a client's requests that the server runs as tasks, as `experimental.tasks` does in version 1. */
export class ExperimentalClientTasks extends TaskRequests<TaskClient> {
  /**
   * Calls a tool and yields the states of its task, followed by the result or an error. A tool that only runs as a task
   * is called as a task even without the `task` option.
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

  private async _runsAsTask(name: string): Promise<boolean> {
    if (!("tasks" in (this._sender.getServerCapabilities() ?? {}))) return false;
    const { tools } = await this._sender.listTools();
    const { execution } = tools.find((tool) => tool.name === name) ?? {};
    return (execution as { taskSupport?: unknown } | undefined)?.taskSupport === "required";
  }
}
