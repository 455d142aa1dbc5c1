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
    case "show":
      return (await import("./run-show.js")).runShow(values, context);
    case "doctor":
      return (await import("./run-doctor.js")).runDoctor(values, context);
    case "torture":
      return (await import("./run-torture.js")).runTorture(values, context);
    default:
      throw new TypeError(`Unknown command: ${command}`);
  }
}
