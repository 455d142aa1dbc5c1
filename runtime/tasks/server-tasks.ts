import type { Feature } from "../api/index.js";
import { isObject, type Trace } from "../wire/index.js";
import { CallTasks, type CallTasksOptions } from "./calls/call-tasks.js";
import { TASK_TRAIT, type TaskExtension } from "./calls/task-extension.js";
import { MemoryTaskStore } from "./memory-task-store.js";
import { Tasks } from "./tasks.js";

export interface ServerTasksOptions extends CallTasksOptions {
  /**
   * True if a client may list all its tasks, in revisions that support listing. Set it if clients are authenticated.
   * Default: false.
   */
  readonly list?: boolean | undefined;
}

/** A server's tasks, in all revisions that have tasks. Pass them with the `extensions` option. */
export interface ServerTasks extends TaskExtension {
  readonly handlers: CallTasks["messages"];
  readonly features: readonly Feature[];
  /** Stops all tasks that run in this process. Call it before the process ends. */
  close(): void;
}

/** Creates the task support for a server. It uses the extension in revisions that have no tasks of their own. */
export function serverTasksWith(
  extension: TaskExtension,
  options: ServerTasksOptions = {},
): ServerTasks {
  const shared = { ...options, store: options.store ?? new MemoryTaskStore() };
  const calls = new CallTasks(extension, shared);
  const tasks = new Tasks(shared);
  return {
    ...extension,
    trait: TASK_TRAIT,
    requests: {
      ...extension.requests,
      "tasks/update": anyAnswers(extension.requests["tasks/update"]),
    },
    handlers: calls.messages,
    features: [tasks, calls],
    close: () => {
      tasks.close();
      calls.close();
    },
  };
}

/**
 * Returns the description of `tasks/update` without the check of its answers. Each answer is checked against its
 * question later, and an answer without a question is ignored whatever its value (extension tasks, input responses).
 */
function anyAnswers<Update extends TaskExtension["requests"]["tasks/update"]>(
  update: Update,
): Update {
  const { row } = update;
  const params = (value: unknown, trace?: Trace): value is unknown => {
    const isEmpty = !isObject(value) || !isObject(value["inputResponses"]);
    return row.params!(isEmpty ? value : { ...value, inputResponses: {} }, trace);
  };
  return { ...update, row: { ...row, params } };
}
