import type { Context, Outcome, Values } from "mcp-codegen/cli";

/** Runs `mcp-codegen bridge`; loads its module on demand. */
export async function run(values: Values, context: Context): Promise<Outcome | undefined> {
  return (await import("./run-bridge.js")).runBridge(values, context);
}
