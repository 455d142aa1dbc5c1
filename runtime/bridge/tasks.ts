import { INVALID_PARAMS, META, type Revision, RpcError, type Traits } from "@mcp-codegen/runtime";
import { extension } from "@mcp-codegen/universal/extensions/tasks";
import type { AskingContext, McpServerOptions } from "@mcp-codegen/universal/server";
import { type Abilities, isRecord } from "./callers.js";
import type { Catalogue } from "./catalogue.js";

export const TASK_LIST = "tasks/list";

export const TASKS: string = extension.id;

/** The trait of revisions that can be used with the tasks extension. */
const TRAIT = "resultType";

/** The maximum number of tasks whose principals are remembered. The oldest are forgotten first. */
const MOST_TASKS = 10_000;

/** Returns true if two revisions have the same kind of tasks, so that messages about tasks can be forwarded. */
export function shareTasks(one: Traits, other: Traits): boolean {
  return (one.tasks && other.tasks) || (one[TRAIT] && other[TRAIT]);
}

/**
 * Adds the tasks extension to a client's capabilities, because the bridge can wait for task results on the client's
 * behalf.
 */
export function declaringTasks(capabilities: unknown): Abilities {
  const { extensions, ...others } = capabilities as Abilities;
  return { ...others, extensions: { ...(extensions as object), [extension.id]: {} } };
}

export interface PassedTasks extends Pick<McpServerOptions, "extensions" | "features"> {
  readonly methods: readonly string[];
}

interface Reached {
  readonly revision: Pick<Revision, "traits">;
  readonly client: { readonly server: { readonly capabilities: unknown } };
}

export function passedTasks(reached: readonly Reached[]): PassedTasks | undefined {
  const capabilities = reached.map(({ client }) => client.server.capabilities as Abilities);
  const own = reached.findIndex(({ revision }, index) => {
    return revision.traits.tasks && isRecord(capabilities[index]!["tasks"]);
  });
  const isExtended = capabilities.some(
    ({ extensions }) => isRecord(extensions) && Object.hasOwn(extensions, extension.id),
  );
  if (own < 0 && !isExtended) return undefined;
  const { list, ...others } = (capabilities[own]?.["tasks"] ?? {}) as Abilities;
  const listed = reached.length === 1 && list !== undefined && { list };
  const tasks = own >= 0 && { ...others, ...listed };
  return {
    methods: [
      "tasks/get",
      "tasks/cancel",
      ...(tasks ? ["tasks/result"] : []),
      ...(listed ? [TASK_LIST] : []),
      ...(isExtended ? ["tasks/update"] : []),
    ],
    extensions: isExtended ? [{ ...extension, trait: TRAIT }] : [],
    features: [
      {
        handlers: {},
        capabilities: ({ traits }) => (traits.tasks ? { tasks } : {}),
        // The extension's notifications are not forwarded. Clients that do not receive any poll the task.
        listen: ({ taskIds: _taskIds, ...filter }) => ({ filter }),
      },
    ],
  };
}

type Result = Record<string, unknown>;

/** The task ids of several servers, as clients know them, and the principals that started the tasks. */
export class TaskIds {
  readonly #catalogue: Catalogue;
  readonly #owners = new Map<string, string>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Returns a result with the task id that clients know, and remembers the task's owner. */
  shared(server: string, result: Result, ctx: Pick<AskingContext, "auth">): Result {
    const { auth } = ctx;
    const { task, taskId } = result;
    if (isRecord(task)) return { ...result, task: this.shared(server, task, ctx) };
    if (typeof taskId !== "string") return result;
    const shared = this.#catalogue.sharedName(server, taskId);
    if (auth) {
      this.#owners.set(shared, auth.principal);
      const [oldest] = this.#owners.keys();
      if (this.#owners.size > MOST_TASKS) this.#owners.delete(oldest!);
    }
    return { ...result, taskId: shared };
  }

  /**
   * Returns a task's server and the server's own id for the task.
   *
   * @throws RpcError for another principal's task, as if it did not exist
   */
  own(given: unknown, { auth }: AskingContext): readonly [server: string, taskId: string] {
    const found = this.#catalogue.ownName(given);
    const owner = this.#owners.get(String(given)) ?? auth?.principal;
    if (found && owner === auth?.principal) return found;
    throw new RpcError(INVALID_PARAMS, "Invalid params: /taskId: the task is unknown");
  }
}

export function resultOfTask(given: unknown, taskId: unknown): Result {
  const result = given as Result;
  return { ...result, _meta: { ...(result["_meta"] as object), [META.relatedTask]: { taskId } } };
}
