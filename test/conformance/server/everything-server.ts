import { McpServer, type McpServerOptions } from "@mcp-codegen/universal";
import type { Revision } from "@mcp-codegen/runtime";
import { Cursors } from "@mcp-codegen/runtime/features";
import { serverTasks } from "@mcp-codegen/universal/tasks";
import { addAskingTools } from "./asking-tools.js";
import { addContentTools } from "./content-tools.js";
import { addPrompts } from "./prompts.js";
import { addChangingTools, addReportingTools } from "./reporting-tools.js";
import { addResources } from "./resources.js";
import { addRoundTools } from "./round-tools.js";
import { addSchemaTools } from "./schema-tool.js";
import { addSkills } from "./skills.js";
import type { Shared } from "./shared.js";
import { addTaskTools } from "./task-tools.js";

/**
 * Creates a server with everything that the suite's scenarios need, at the given revisions.
 *
 * @param shared - stores and secrets that it shares with other instances
 */
export async function everythingServer(
  revisions: readonly Revision[],
  shared?: Shared,
): Promise<McpServer> {
  const store = shared?.stores.tasks;
  const extensions = [serverTasks({ after: 200, pollInterval: 200, store })];
  const info = { name: "everything-server", version: "1.0.0" };
  const cursors = shared && new Cursors({ key: shared.keys.pages });
  const options = {
    revisions,
    extensions,
    cursors,
    logging: true,
    ...(shared && inCommon(shared)),
  };
  const server = new McpServer(info, options);
  addContentTools(server);
  addReportingTools(server);
  addChangingTools(server);
  addAskingTools(server);
  addRoundTools(server);
  addSchemaTools(server);
  addTaskTools(server);
  addPrompts(server);
  addResources(server);
  await addSkills(server, cursors);
  return server;
}

function inCommon({ stores, keys }: Shared): McpServerOptions {
  return {
    bus: stores.bus,
    rounds: { keys: [keys.rounds], redeem: stores.redeem },
  };
}
