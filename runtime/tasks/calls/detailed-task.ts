import type { InputRequest } from "../../api/index.js";
import type { ErrorObject } from "../../wire/index.js";
import type { TaskStatus } from "../task.js";
import type { StoredTask } from "../task-store.js";
import { TASK } from "./task-extension.js";

/** Task as the extension has it on the wire. */
export interface WireTask {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** Milliseconds from its creation for which it is kept; null for ever. */
  readonly ttlMs: number | null;
  readonly pollIntervalMs?: number;
}

/** Task with what its status adds: open questions, the result of the request, or the error that ended it. */
export interface DetailedTask extends WireTask {
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: ErrorObject;
}

/** Result that comes in place of the one of a request that has become a task. */
export function createdTask(stored: StoredTask): WireTask & { readonly resultType: string } {
  return { resultType: TASK, ...wireTask(stored) };
}

export function detailedTask(stored: StoredTask): DetailedTask {
  const { outcome, questions = {} } = stored;
  const task = wireTask(stored);
  if (task.status === "input_required") return { ...task, inputRequests: questions };
  return outcome === undefined ? task : { ...task, ...outcome };
}

function wireTask({ task }: StoredTask): WireTask {
  const { ttl, pollInterval, ...common } = task;
  return {
    ...common,
    // A tool's own failure is a result of the extension.
    ttlMs: ttl,
    ...(pollInterval !== undefined && { pollIntervalMs: pollInterval }),
  };
}
