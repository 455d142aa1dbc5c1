import { INVALID_PARAMS, META, type Revision, RpcError, type Traits } from "@mcp-codegen/runtime";
import { extension } from "@mcp-codegen/universal/extensions/tasks";
import type { AskingContext, McpServerOptions } from "@mcp-codegen/universal/server";
import { type Abilities, isRecord } from "./callers.js";
import type { Catalogue } from "./catalogue.js";

/** Method that lists the tasks of a client. */
export const TASK_LIST = "tasks/list";

/** Id of the extension. */
export const TASKS: string = extension.id;

/** Trait of the revisions that the extension can extend. */
const TRAIT = "resultType";

/** Maximum number of tasks whose senders are remembered; the oldest are removed first. */
const MOST_TASKS = 10_000;

/** True if two revisions have the same kind of tasks, so that messages about them can be forwarded. */
export function shareTasks(one: Traits, other: Traits): boolean {
  return (one.tasks && other.tasks) || (one[TRAIT] && other[TRAIT]);
}

/** Capabilities of a client for which tasks are followed to their results. */
export function declaringTasks(capabilities: unknown): Abilities {
  const { extensions, ...others } = capabilities as Abilities;
  return { ...others, extensions: { ...(extensions as object), [extension.id]: {} } };
}

/** Methods and options for a server that forwards the tasks of other servers. */
export interface PassedTasks extends Pick<McpServerOptions, "extensions" | "features"> {
  /** Requests about tasks, of the revision that has tasks itself and of the extension. */
  readonly methods: readonly string[];
}

/** Connected server, in the form that its tasks depend on. */
interface Reached {
  readonly revision: Pick<Revision, "traits">;
  readonly client: { readonly server: { readonly capabilities: unknown } };
}

/** Reads which tasks servers have; undefined if none has tasks. */
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
        // Clients poll tasks that they are not notified of.
        listen: ({ taskIds: _taskIds, ...filter }) => ({ filter }),
      },
    ],
  };
}

type Result = Record<string, unknown>;

/** Ids of the tasks of several servers, and who started them. */
export class TaskIds {
  readonly #catalogue: Catalogue;
  /** Principals by the ids that clients know. */
  readonly #owners = new Map<string, string>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** A result in which the tasks of a server have the ids that clients know. */
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
   * Server of a task, and its id there. @throws RpcError for a task of another principal, the same as for an unknown
   * one
   */
  own(given: unknown, { auth }: AskingContext): readonly [server: string, taskId: string] {
    const found = this.#catalogue.ownName(given);
    const owner = this.#owners.get(String(given)) ?? auth?.principal;
    if (found && owner === auth?.principal) return found;
    throw new RpcError(INVALID_PARAMS, "Invalid params: /taskId: the task is unknown");
  }
}

/** Result of a task, marked as a part of it. */
export function resultOfTask(given: unknown, taskId: unknown): Result {
  const result = given as Result;
  return { ...result, _meta: { ...(result["_meta"] as object), [META.relatedTask]: { taskId } } };
}
