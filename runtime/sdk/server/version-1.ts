import type { ArgumentsSchema } from "./adapted-callbacks.js";
import type { Implementation } from "../shared/index.js";
import { ExperimentalMcpServerTasks } from "./tasks/tool-tasks.js";
import type { TaskMessageQueue, TaskStore } from "./tasks/task-stores.js";
import { McpServer as McpServerOfVersion2 } from "./mcp-server.js";
import { isZod3, withJsonSchema } from "./schemas/zod-3.js";
import type { ServerOptions as ServerOptionsOfVersion2 } from "./server-options.js";

export * from "./index.js";

/** Options of a server, including those for tasks. */
export type ServerOptions = ServerOptionsOfVersion2 & {
  /** Store for the tasks of the tools that `experimental.tasks.registerToolTask` adds. */
  taskStore?: TaskStore | undefined;
  /** Accepted but has no effect: the requests of a task wait in memory. */
  taskMessageQueue?: TaskMessageQueue | undefined;
};

/** Server that, as in version 1 of the SDK, also accepts schemas of zod 3, and has tools that run as tasks. */
export class McpServer extends McpServerOfVersion2 {
  /** Tools that run as tasks. */
  readonly experimental: { readonly tasks: ExperimentalMcpServerTasks };

  /**
   * @param info - name and version, sent to clients
   * @param options - capabilities, instructions, limits, and the store of tasks
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
