import type { TaskRule } from "../../features/index.js";
import type { HandlerContext } from "../../api/index.js";
import type { Task } from "../task.js";
import type { TaskStore } from "../task-store.js";

/** Knows which tools can become tasks; `Tools` is one. */
export interface TaskTools {
  /** Rule of a tool; undefined for one that there is not. */
  taskRule(name: unknown, context: HandlerContext): TaskRule | undefined;
}

/** Times are in milliseconds. */
export interface CallTasksOptions {
  /** Default: one in memory. */
  readonly store?: TaskStore | undefined;
  /** Time after which a call of a tool with `task: "optional"` becomes a task. Default: 1000. */
  readonly after?: number | undefined;
  /** Lifetime of a task whose tool names none. Default: an hour. */
  readonly defaultTtl?: number | undefined;
  /** The longest that a task is kept; it is stopped then. Default: a day. */
  readonly maxTtl?: number | undefined;
  /** Interval at which clients should look at a task. Default: 1000. */
  readonly pollInterval?: number | undefined;
  /** Tasks that are worked on at once, in this process. Default: 1000. */
  readonly maxRunning?: number | undefined;
  /** Maximum number of running tasks of one principal. Default: 100. */
  readonly maxRunningPerOwner?: number | undefined;
  /** Maximum number of tasks of one subscription. Default: 1000. */
  readonly maxListened?: number | undefined;
  /** Time after which a task fails whose process has died, where the store is shared. Default: 15 000. */
  readonly lease?: number | undefined;
  /** Called with every task that is made, and with each change of it: for a log. */
  readonly onstatus?: ((task: Task, owner: string) => void) | undefined;
}
