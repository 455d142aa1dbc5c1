import { type Context, endAtSignals, type Outcome, usageError, type Values } from "mcp-codegen/cli";

/** Runs one of this package's commands, loading its module on demand. */
export async function run(
  command: string,
  values: Values,
  context: Context,
): Promise<Outcome | undefined> {
  switch (command) {
    case "record":
      return (await import("./run-record.js")).runRecord(values, context);
    case "check-tape":
      return (await import("./run-check-tape.js")).runCheckTape(values, context);
    case "replay":
      return (await import("./run-replay.js")).runReplay(values, context);
    case "show":
      return (await import("./run-show.js")).runShow(values, context);
    case "doctor":
      return endingAtSignals(async () =>
        (await import("./run-doctor.js")).runDoctor(values, context),
      );
    case "torture":
      return endingAtSignals(async () =>
        (await import("./run-torture.js")).runTorture(values, context),
      );
    default:
      context.diagnostics.add(
        usageError(
          `The installed @mcp-codegen/testing does not have the command ${command}.`,
          "Update it: npm install @mcp-codegen/testing@latest",
        ),
      );
      return undefined;
  }
}

/** Runs a command so that a termination signal also ends the processes that it has started. */
async function endingAtSignals<Result>(command: () => Promise<Result>): Promise<Result> {
  const restore = endAtSignals();
  try {
    return await command();
  } finally {
    restore();
  }
}
