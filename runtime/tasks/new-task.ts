import type { Task } from "./task.js";
import type { TasksOptions } from "./tasks-options.js";

const HOUR = 3_600_000;
/** Not even a task that was to be kept for no time at all is gone before its result can be fetched. */
const SHORTEST_TTL = 1000;

/** @param asked - milliseconds for which the peer wants it to be kept */
export function newTask(asked: number | undefined, options: TasksOptions): Task {
  const { defaultTtl = HOUR, maxTtl = 24 * HOUR, pollInterval = 1000 } = options;
  const now = new Date().toISOString();
  const ttl = Math.min(Math.max(asked ?? defaultTtl, SHORTEST_TTL), maxTtl);
  return {
    taskId: crypto.randomUUID(),
    status: "working",
    createdAt: now,
    lastUpdatedAt: now,
    ttl: ttl === Infinity ? null : Math.round(ttl),
    pollInterval,
  };
}
