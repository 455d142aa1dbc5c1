import { setTimeout } from "node:timers/promises";
import type { ServerContext } from "@mcp-codegen/2025-11-25";
import { type Log, ToolError } from "@mcp-codegen/runtime/features";
import { text, type ToolFixture, withoutInput } from "./tool-fixture.js";

/** Milliseconds between two reports, so that each arrives by itself. */
const PAUSE = 50;
/** Milliseconds after which a client that was let go should come back. */
const RETRY = 200;

/**
 * Tools that tell the client something before they answer, or fail to.
 *
 * @param logFor - gives what writes to the log on behalf of a request
 */
export function reportingTools(logFor: (context: ServerContext) => Log): readonly ToolFixture[] {
  return [
    withoutInput("test_tool_with_progress", "Reports how far it is.", reportProgress),
    withoutInput("test_tool_with_logging", "Writes three lines to the log.", async (_, context) => {
      const log = logFor(context);
      for (const line of ["Started", "Half way through", "Finished"]) {
        log("info", line);
        await setTimeout(PAUSE);
      }
      return text("Logged what there was to log.");
    }),
    withoutInput("test_error_handling", "Fails, always.", () => {
      throw new ToolError("This tool never works.");
    }),
    withoutInput("test_reconnection", "Lets go of its stream before it answers.", comeBackLater),
  ];
}

const reportProgress: ToolFixture["call"] = async (_, { progress }) => {
  for (const percent of [0, 50, 100]) {
    progress(percent, 100);
    await setTimeout(PAUSE);
  }
  return text("All of it is done.");
};

const comeBackLater: ToolFixture["call"] = async (_, { releaseStream }) => {
  releaseStream(RETRY);
  await setTimeout(2 * PAUSE);
  return text("The answer that you came back for.");
};
