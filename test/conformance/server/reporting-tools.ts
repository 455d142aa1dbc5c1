import { setTimeout } from "node:timers/promises";
import { type McpServer, ToolError } from "@mcp-codegen/universal";

/** The pause between two reports in milliseconds, so that each arrives separately. */
const PAUSE = 50;
/** The time in milliseconds after which a disconnected client should reconnect. */
const RETRY = 200;

/** Adds tools that send notifications to the client before they return or fail. */
export function addReportingTools(server: McpServer): void {
  const reports = { description: "Reports how far it is." };
  server.registerTool("test_tool_with_progress", reports, async ({ progress }) => {
    for (const percent of [0, 50, 100]) {
      progress(percent, 100);
      await setTimeout(PAUSE);
    }
    return "All of it is done.";
  });
  const logs = { description: "Writes three lines to the log." };
  server.registerTool("test_tool_with_logging", logs, async ({ log }) => {
    for (const line of ["Started", "Half way through", "Finished"]) {
      log("info", line);
      await setTimeout(PAUSE);
    }
    return "Logged what there was to log.";
  });
  server.registerTool("test_logging_tool", logs, ({ log }) => {
    log("info", "A line for those who want it");
    return "Logged what there was to log.";
  });
  server.registerTool("test_error_handling", { description: "Fails, always." }, () => {
    throw new ToolError("This tool never works.");
  });
  const lets = { description: "Lets go of its stream before it answers." };
  server.registerTool("test_reconnection", lets, async ({ releaseStream }) => {
    releaseStream(RETRY);
    await setTimeout(2 * PAUSE);
    return "The answer that you came back for.";
  });
}

/** Adds tools that change the lists, so that subscribers receive notifications. */
export function addChangingTools(server: McpServer): void {
  const description = "Changes what is on the list of";
  server.registerTool("test_trigger_tool_change", { description: `${description} tools.` }, () => {
    server.registerTool("test_brief", { description: "Is gone at once." }, () => "Gone").remove();
    return "The tools have changed.";
  });
  server.registerTool(
    "test_trigger_prompt_change",
    { description: `${description} prompts.` },
    () => {
      server.registerPrompt("test_brief", { description: "Is gone at once." }, () => "").remove();
      return "The prompts have changed.";
    },
  );
}
