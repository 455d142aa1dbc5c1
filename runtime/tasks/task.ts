export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** A request that is worked on after it was answered, as its two sides talk about it (MCP: tasks). */
export interface Task {
  /** Made up by who works on it, and hard to guess. */
  readonly taskId: string;
  readonly status: TaskStatus;
  /** Text for people, such as the reason of a failure. */
  readonly statusMessage?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly lastUpdatedAt: string;
  /** Milliseconds from its creation for which it is kept; null for ever. */
  readonly ttl: number | null;
  /** Milliseconds to wait between two questions after it. */
  readonly pollInterval?: number;
}

/** The answer to a request that became a task. */
export interface CreatedTask {
  readonly task: Task;
}

/** True when a task has ended. Its status then never changes again. */
export function isTerminal({ status }: Pick<Task, "status">): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}
