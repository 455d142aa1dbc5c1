import { internalError, invalidResult, isSendable } from "../engine/index.js";
import { HandlerError, type Method, RpcError, describeThrown } from "../wire/index.js";
import type { AnyCall, Next } from "../api/index.js";
import type { RunningTask } from "./running-task.js";
import { TaskContext } from "./task-context.js";

export interface TaskWork {
  readonly row: Method;
  readonly call: AnyCall;
  readonly next: Next;
  /** True when the content of results must have the right formats. */
  readonly checksContent: boolean;
  readonly report: (error: Error) => void;
}

/** Calls the handler of a request that became a task, and ends the task with what comes of it. Never rejects. */
export async function runTask(task: RunningTask, work: TaskWork): Promise<void> {
  if (task.isOver) return;
  const context = new TaskContext(work.call.context, task);
  try {
    const result = await work.next({ context });
    context.finish();
    if (!task.isOver) await finish(task, work, result);
  } catch (thrown) {
    context.finish();
    if (!task.isOver) await fail(task, work, thrown);
  }
}

/** A result is checked, and made plain JSON, as if it were sent now. */
async function finish(
  task: RunningTask,
  { row, call, checksContent, report }: TaskWork,
  result: unknown,
): Promise<void> {
  if (!isSendable(row, undefined, result, checksContent)) {
    const { task: _, ...params } = call.params as { readonly task?: unknown };
    report(invalidResult(row, params, result));
    return failWith(task, internalError());
  }
  const plain = JSON.parse(JSON.stringify(result)) as Record<string, unknown>;
  await (plain["isError"] === true
    ? task.finish("failed", { result: plain }, "The result says that it is an error")
    : task.finish("completed", { result: plain }));
}

function fail(task: RunningTask, { row, report }: TaskWork, thrown: unknown): Promise<void> {
  if (thrown instanceof RpcError) return failWith(task, thrown);
  report(new HandlerError(row.method, `failed: ${describeThrown(thrown)}`, thrown));
  return failWith(task, internalError());
}

function failWith(task: RunningTask, error: RpcError): Promise<void> {
  return task.finish("failed", { error: error.toJSON() }, error.message);
}
