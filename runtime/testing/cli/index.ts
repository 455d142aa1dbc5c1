import type { Context, Outcome, Values } from "mcp-codegen/cli";

/** Runs a command; loads its module on demand. */
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
    default:
      throw new TypeError(`No command of this package: ${command}`);
  }
}
