import type {
  AnySendMiddleware,
  Feature,
  FeatureHost,
  RequestOptions,
  Send,
  Sending,
  Session,
} from "../../api/index.js";
import {
  LifecycleError,
  METHOD_NOT_FOUND,
  type Method,
  RpcError,
  isObject,
} from "../../wire/index.js";
import { TASK, type TaskExtension } from "../calls/task-extension.js";
import type { WireTask } from "../calls/detailed-task.js";
import { followTask } from "../follow-task.js";
import type { CreatedTask } from "../task.js";
import { admitsTask } from "../task-support.js";
import { TaskFollower } from "./task-follower.js";
import { type SavedTask, ToolTask } from "./tool-task.js";

const CALL = "tools/call";

export interface StartToolOptions extends Pick<RequestOptions, "timeout" | "context"> {
  /** Milliseconds for which the server should keep the task, where clients choose that. Default: as it likes. */
  readonly ttl?: number | undefined;
}

/** Tasks of a client at all revisions that have some: for the option `extensions` of `connect`. */
export interface ClientTasks extends TaskExtension {
  readonly features: readonly Feature[];
  /**
   * Calls a tool, as a task if the server makes or admits one, and gives its handle at once. Calls by `callTool` that become
   * tasks are followed to their results without one.
   *
   * @throws what calling a tool throws
   */
  startTool(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: StartToolOptions,
  ): Promise<ToolTask>;
  /**
   * Goes on with a task, also in another process than the one that started it.
   * @param saved - JSON of a {@link ToolTask}
   * @throws TypeError for what is none
   */
  resumeTask(saved: SavedTask): ToolTask;
}

/** Makes the tasks of one client, by the extension where a revision has no tasks itself. */
export function clientTasksWith(extension: TaskExtension): ClientTasks {
  const tasks = new TaskCalls();
  return {
    ...extension,
    features: [tasks],
    startTool: (...call) => tasks.start(...call),
    resumeTask: (saved) => ToolTask.of(saved, () => tasks.session),
  };
}

/** Follows calls that became tasks to their results. */
const follow: AnySendMiddleware = Object.assign(
  async (message: Sending, send: Send): Promise<unknown> => {
    const { session, params, options, method } = message;
    const { signal, context, tasks } = options;
    if (tasks === "manual") return send();
    try {
      const result = await send();
      if (!isTask(result)) return result;
      const call = { method, params, context };
      return await new TaskFollower(session, result, { call, signal }).result();
    } catch (error) {
      if (!wantsTask(error, session)) throw error;
      const created = await send({ params: { ...(params as object), task: {} } });
      return followTask(session as never, created as CreatedTask, { signal });
    }
  },
  { concerns: ({ method }: Method) => method === CALL },
);

/** Calls of one client that may become tasks. */
class TaskCalls implements Feature {
  readonly handlers: Feature["handlers"] = {};
  readonly sending: readonly AnySendMiddleware[] = [follow];
  #host: FeatureHost | undefined;

  attach(host: FeatureHost): void {
    if (this.#host) throw new TypeError("These tasks are those of another client: make others");
    this.#host = host;
  }

  /** @throws LifecycleError when the client is not connected */
  get session(): Session {
    const session = [...(this.#host?.sessions ?? [])].at(-1);
    if (session === undefined)
      throw new LifecycleError("The client of these tasks is not connected");
    return session;
  }

  async start(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    { ttl, timeout, context }: StartToolOptions = {},
  ): Promise<ToolTask> {
    const { session } = this;
    const params = { name, arguments: args };
    const options: RequestOptions = { timeout, context, tasks: "manual" };
    const isAsked =
      session.revision.traits.tasks &&
      (await admitsTask(session as never, CALL, params, { timeout }));
    const asked = isAsked ? { ...params, task: ttl === undefined ? {} : { ttl } } : params;
    const result = await session.request(CALL, asked, options);
    const known = { params, context, session: () => this.session };
    if (isTask(result)) return new ToolTask({ ...known, wire: result });
    if (isAsked && isObject(result) && isObject(result["task"]))
      return new ToolTask({ ...known, created: result as unknown as CreatedTask });
    return new ToolTask({ ...known, result: result as Record<string, unknown> });
  }
}

function isTask(result: unknown): result is WireTask {
  return isObject(result) && result["resultType"] === TASK;
}

/** True for the refusal of a tool that runs as a task only, by a server that has tasks. */
function wantsTask(error: unknown, { revision, peer }: Session): boolean {
  const isRefusal = error instanceof RpcError && error.code === METHOD_NOT_FOUND;
  return isRefusal && revision.traits.tasks && isObject(peer.capabilities["tasks"]);
}
