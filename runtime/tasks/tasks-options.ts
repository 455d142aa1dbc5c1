import type { RpcError } from "../wire/index.js";
import type { Cursors } from "../features/index.js";
import type { AnyCall, Session } from "../api/index.js";
import type { Task } from "./task.js";
import type { TaskStore } from "./task-store.js";

/** Knows which tools can be called as tasks; `Tools` is one. */
export interface TaskAdmission {
  /** Why a call that asks for a task is refused; undefined when it is not. */
  admitTask(params: unknown, session: Session): RpcError | undefined;
}

/** Times are in milliseconds. */
export interface TasksOptions {
  /**
   * The requests that can become tasks, which are declared. Default: `tools/call`; for a client, give
   * `sampling/createMessage`, `elicitation/create`, or both.
   */
  readonly requests?: readonly string[] | undefined;
  /** Decides on each tool that is called as a task. Default: the `Tools` passed with it; without, every tool may be. */
  readonly tools?: TaskAdmission | undefined;
  /** Default: one in memory. */
  readonly store?: TaskStore | undefined;
  /** Lifetime of a task whose request names none, in milliseconds. Default: an hour. */
  readonly defaultTtl?: number | undefined;
  /** The longest that a task is kept; it is stopped then. Default: a day. */
  readonly maxTtl?: number | undefined;
  /** Interval at which the peer should poll a task, in milliseconds. Default: 1000. */
  readonly pollInterval?: number | undefined;
  /** Tasks that are worked on at once. Default: 1000. */
  readonly maxRunning?: number | undefined;
  /** Maximum number of running tasks of one owner. Default: 100. */
  readonly maxRunningPerOwner?: number | undefined;
  /**
   * True when the peer may list all its tasks. Set it where peers are authenticated; otherwise an
   * owner is only a session. Default: false.
   */
  readonly list?: boolean | undefined;
  /** Tasks on one page of the list. Default: 100. */
  readonly pageSize?: number | undefined;
  /** Makes the cursors of the list. Default: its own. */
  readonly cursors?: Cursors | undefined;
  /**
   * True when a task of an unauthenticated peer ends with its session and is invisible to other
   * sessions. Otherwise anyone who knows its id can ask for it: for servers without sessions.
   * Default: true.
   */
  readonly bindToSession?: boolean | undefined;
  /** True to notify the peer of status changes. Peers must not rely on that. Default: true. */
  readonly notifyStatus?: boolean | undefined;
  /** Text for the model to go on with while the task is worked on (`model-immediate-response`). Default: none. */
  readonly immediateResponse?: ((call: AnyCall) => string | undefined) | undefined;
  /** Called with every task that is made, and with each change of its status: for a log. */
  readonly onstatus?: ((task: Task, owner: string) => void) | undefined;
}
