import { McpServer } from "@mcp-codegen/universal";
import type { Revision } from "@mcp-codegen/runtime";
import { serverTasks } from "@mcp-codegen/universal/tasks";
import { addAskingTools } from "./asking-tools.js";
import { addContentTools } from "./content-tools.js";
import { addPrompts } from "./prompts.js";
import { addChangingTools, addReportingTools } from "./reporting-tools.js";
import { addResources } from "./resources.js";
import { addRoundTools } from "./round-tools.js";
import { addSchemaTools } from "./schema-tool.js";
import { addSkills } from "./skills.js";
import { addTaskTools } from "./task-tools.js";

/** A server that has all that the suite's scenarios ask for, under the revisions that it is given. */
export async function everythingServer(revisions: readonly Revision[]): Promise<McpServer> {
  const extensions = [serverTasks({ after: 200, pollInterval: 200 })];
  const info = { name: "everything-server", version: "1.0.0" };
  const server = new McpServer(info, { revisions, extensions });
  addContentTools(server);
  addReportingTools(server);
  addChangingTools(server);
  addAskingTools(server);
  addRoundTools(server);
  addSchemaTools(server);
  addTaskTools(server);
  addPrompts(server);
  addResources(server);
  await addSkills(server);
  return server;
}
