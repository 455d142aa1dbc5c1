import type { Context, Outcome, Values } from "mcp-codegen/cli";

export async function runTorture(_values: Values, _context: Context): Promise<Outcome | undefined> {
  return undefined;
}
