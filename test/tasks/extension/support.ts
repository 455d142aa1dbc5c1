import { onTestFinished } from "vitest";
import type { TaskExtension } from "../../../runtime/tasks/calls/task-extension.js";
import { type ServerTasksOptions, serverTasksWith } from "../../../runtime/tasks/server-tasks.js";
import type { McpServerOptions } from "@mcp-codegen/universal";
import type { Auth, Transport } from "../../../runtime/wire/index.js";
import { authenticated } from "../support/connected.js";
import { McpServer } from "../../facade/server/support/server.js";
import { type Answers, Talk } from "../../facade/server/support/talk.js";
import {
  ExtensionFolder,
  generate,
  type Generated,
} from "../../facade/extensions/support/generated.js";

export const ID = "io.modelcontextprotocol/tasks";

export type TasksModule = Generated<TaskExtension>;

/** Generates the tasks extension, once per file. */
export async function generatedTasks(folder: ExtensionFolder): Promise<TasksModule> {
  const { files, problems } = await generate("tasks");
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return folder.put(files).import<TaskExtension>();
}

export function taskServer(
  { extension }: TasksModule,
  options: ServerTasksOptions = {},
  others: McpServerOptions = {},
): McpServer {
  const tasks = serverTasksWith(extension, { pollInterval: 20, after: 50, ...options });
  onTestFinished(() => tasks.close());
  return new McpServer({ extensions: [tasks], ...others });
}

export function declaring(answers: Answers = {}): { capabilities: object; answers: Answers } {
  return { capabilities: { extensions: { [ID]: {} }, elicitation: { form: {} } }, answers };
}

export function talkWith(server: McpServer, answers?: Answers): Promise<Talk> {
  return Talk.with(server, "2026-07-28", declaring(answers));
}

/** Acts like {@link talkWith}, for a client that the transport has authenticated. */
export function talkAs(server: McpServer, auth: Auth): Promise<Talk> {
  const forking = {
    fork: () => ({
      connect: (transport: Transport) => server.fork().connect(authenticated(transport, auth)),
    }),
  };
  return Talk.with(forking, "2026-07-28", declaring());
}
