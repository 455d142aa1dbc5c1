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
  /** Decides on each tool that is called as a task. Default: the `Tools` beside it; without, every tool may be. */
  readonly tools?: TaskAdmission | undefined;
  /** Default: one in memory. */
  readonly store?: TaskStore | undefined;
  /** How long a task is kept when nothing was asked for. Default: an hour. */
  readonly defaultTtl?: number | undefined;
  /** The longest that a task is kept; it is stopped then. Default: a day. */
  readonly maxTtl?: number | undefined;
  /** How often the peer is asked to look after a task. Default: 1000. */
  readonly pollInterval?: number | undefined;
  /** Tasks that are worked on at once. Default: 1000. */
  readonly maxRunning?: number | undefined;
  /** Of those, tasks of one owner. Default: 100. */
  readonly maxRunningPerOwner?: number | undefined;
  /**
   * Whether the peer can ask for all its tasks. Say so where peers are authenticated; without that, an owner is no more
   * than a session. Default: false.
   */
  readonly list?: boolean | undefined;
  /** Tasks on one page of the list. Default: 100. */
  readonly pageSize?: number | undefined;
  /** Makes the cursors of the list. Default: its own. */
  readonly cursors?: Cursors | undefined;
  /**
   * Whether a task of a peer that is not authenticated ends with its session and cannot be seen from another one. Without
   * it, whoever knows the id of such a task can ask after it: for servers without sessions. Default: true.
   */
  readonly bindToSession?: boolean | undefined;
  /** Whether the peer is told of changes of status, which it must not rely on. Default: true. */
  readonly notifyStatus?: boolean | undefined;
  /** Text for the model to go on with while the task is worked on (`model-immediate-response`). Default: none. */
  readonly immediateResponse?: ((call: AnyCall) => string | undefined) | undefined;
  /** Hears of every task that is made, and of each change of its status: for a log. */
  readonly onstatus?: ((task: Task, owner: string) => void) | undefined;
}
