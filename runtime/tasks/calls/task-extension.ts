import type { ErrorObject, ProtocolExtension } from "../../wire/index.js";
import type { CustomNotification, CustomRequest, InputRequest } from "../../api/index.js";
import type { Task, TaskStatus } from "../task.js";
import type { StoredTask } from "../task-store.js";

// oxlint-disable-next-line typescript/no-explicit-any
type AnyRequest = CustomRequest<any, any>;
// oxlint-disable-next-line typescript/no-explicit-any
type AnyNotification = CustomNotification<any>;

/** The tasks extension, as generated from its schema. */
export interface TaskExtension {
  readonly id: string;
  readonly requests: {
    readonly "tasks/get": AnyRequest;
    readonly "tasks/update": AnyRequest;
    readonly "tasks/cancel": AnyRequest;
  };
  readonly notifications: { readonly "notifications/tasks": AnyNotification };
  readonly trait?: ProtocolExtension["trait"];
  readonly alternatives: NonNullable<ProtocolExtension["alternatives"]>;
  readonly joins: NonNullable<ProtocolExtension["joins"]>;
}

export const TASK = "task";
/** The trait of the revisions in which a result can start a task. */
export const TASK_TRAIT = "resultType";
export const TASK_CHANGED = "notifications/tasks";
export const TASK_IDS = "taskIds";

export interface WireTask {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** The time for which the task is kept after its creation, in milliseconds, or null if it is kept forever. */
  readonly ttlMs: number | null;
  readonly pollIntervalMs?: number;
}

/**
 * A task with the members that belong to its status: open questions, the request's result, or the error that ended it.
 */
export interface DetailedTask extends WireTask {
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: ErrorObject;
}

export function createdTask({ task }: StoredTask): WireTask & { readonly resultType: string } {
  return { resultType: TASK, ...wireOfTask(task) };
}

export function detailedTask({ task: own, outcome, questions = {} }: StoredTask): DetailedTask {
  const task = wireOfTask(own);
  if (task.status === "input_required") return { ...task, inputRequests: questions };
  return outcome === undefined ? task : { ...task, ...outcome };
}

export function taskOfWire(task: WireTask): Task {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = task;
  return {
    taskId,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttl: ttlMs,
    ...(pollIntervalMs !== undefined && { pollInterval: pollIntervalMs }),
  };
}

export function wireOfTask({ ttl, pollInterval, ...common }: Task): WireTask {
  return {
    ...common,
    ttlMs: ttl,
    ...(pollInterval !== undefined && { pollIntervalMs: pollInterval }),
  };
}
