import { INVALID_PARAMS, META, type Revision, RpcError, type Traits } from "@mcp-codegen/runtime";
import { extension } from "@mcp-codegen/universal/extensions/tasks";
import type { AskingContext, McpServerOptions } from "@mcp-codegen/universal/server";
import { type Abilities, isRecord } from "./callers.js";
import type { Catalogue } from "./catalogue.js";

/** Method that lists the tasks of a client. */
export const TASK_LIST = "tasks/list";

/** Id of the tasks extension. */
export const TASKS: string = extension.id;

/** Trait of the revisions with which the extension can be used. */
const TRAIT = "resultType";

/** Maximum number of tasks whose principals are remembered; the oldest are forgotten first. */
const MOST_TASKS = 10_000;

/** True if two revisions have the same kind of tasks, so messages about them can be forwarded. */
export function shareTasks(one: Traits, other: Traits): boolean {
  return (one.tasks && other.tasks) || (one[TRAIT] && other[TRAIT]);
}

/**
 * Adds the tasks extension to the capabilities of a client. The bridge waits for the results of tasks on behalf of such
 * a client.
 */
export function declaringTasks(capabilities: unknown): Abilities {
  const { extensions, ...others } = capabilities as Abilities;
  return { ...others, extensions: { ...(extensions as object), [extension.id]: {} } };
}

/** Methods and options of a server that forwards the tasks of upstream servers. */
export interface PassedTasks extends Pick<McpServerOptions, "extensions" | "features"> {
  /** Methods of requests about tasks: those of the revision with built-in tasks, and those of the extension. */
  readonly methods: readonly string[];
}

/** Facts about a connected server that determine which tasks it supports. */
interface Reached {
  readonly revision: Pick<Revision, "traits">;
  readonly client: { readonly server: { readonly capabilities: unknown } };
}

/** Returns which task methods the servers support; undefined if none supports tasks. */
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
        // Notifications of the extension are not forwarded; clients that receive none poll the task.
        listen: ({ taskIds: _taskIds, ...filter }) => ({ filter }),
      },
    ],
  };
}

type Result = Record<string, unknown>;

/**
 * Maps the ids of tasks of several servers to those that clients know, and remembers which principal started a task.
 */
export class TaskIds {
  readonly #catalogue: Catalogue;
  /** Principals that started tasks, by the task ids that clients know. */
  readonly #owners = new Map<string, string>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /**
   * Returns a copy of a result with the task id that clients know, and remembers the principal as the owner of the
   * task. Other results are returned unchanged.
   */
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
   * Returns the server of a task, and the server's own id for it.
   * @throws RpcError for a task of another principal, the same as for an unknown task
   */
  own(given: unknown, { auth }: AskingContext): readonly [server: string, taskId: string] {
    const found = this.#catalogue.ownName(given);
    const owner = this.#owners.get(String(given)) ?? auth?.principal;
    if (found && owner === auth?.principal) return found;
    throw new RpcError(INVALID_PARAMS, "Invalid params: /taskId: the task is unknown");
  }
}

/** Returns the result of a task, with the id of the task in `_meta`. */
export function resultOfTask(given: unknown, taskId: unknown): Result {
  const result = given as Result;
  return { ...result, _meta: { ...(result["_meta"] as object), [META.relatedTask]: { taskId } } };
}
