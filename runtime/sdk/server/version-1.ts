import type { ArgumentsSchema } from "./adapted-callbacks.js";
import type { Implementation } from "../shared/index.js";
import { ExperimentalMcpServerTasks } from "./tasks/tool-tasks.js";
import type { TaskMessageQueue, TaskStore } from "./tasks/task-stores.js";
import { McpServer as McpServerOfVersion2 } from "./mcp-server.js";
import { isZod3, withJsonSchema } from "./schemas/zod-3.js";
import type { ServerOptions as ServerOptionsOfVersion2 } from "./server-options.js";

export * from "./index.js";

/** The options of a server, including those for tasks. */
export type ServerOptions = ServerOptionsOfVersion2 & {
  /** Stores the tasks of tools that are added with `experimental.tasks.registerToolTask`. */
  taskStore?: TaskStore | undefined;
  /** Accepted but has no effect: a task's requests wait in memory. */
  taskMessageQueue?: TaskMessageQueue | undefined;
};

/** A server that, as in version 1 of the SDK, also accepts zod 3 schemas and can have tools that run as tasks. */
export class McpServer extends McpServerOfVersion2 {
  /** Tools that run as tasks. */
  readonly experimental: { readonly tasks: ExperimentalMcpServerTasks };

  /**
   * @param info - name and version, sent to clients
   * @param options - capabilities, instructions, limits, and the task store
   */
  constructor(info: Implementation, { taskStore, ...options }: ServerOptions = {}) {
    const tasks = new ExperimentalMcpServerTasks(taskStore, () => this);
    const features = [...(options.features ?? []), ...(tasks.feature ? [tasks.feature] : [])];
    super(info, { ...options, features });
    this.experimental = { tasks };
  }

  protected override readable(schema: ArgumentsSchema): ArgumentsSchema {
    return super.readable(withJsonSchema(schema) as ArgumentsSchema);
  }

  protected override isSchema(value: unknown): boolean {
    return super.isSchema(value) || isZod3(value);
  }
}
