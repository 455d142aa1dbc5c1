import type { CallToolResult, ServerContext, Tool } from "@mcp-codegen/2025-11-25";

/** What arguments a fixture's tool was called with; its schema has been checked. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A tool that a scenario of the suite calls by its name. */
export interface ToolFixture {
  readonly tool: Tool;
  readonly call: (
    input: Arguments,
    context: ServerContext,
  ) => CallToolResult | Promise<CallToolResult>;
}

/** A tool without parameters. */
export function withoutInput(
  name: string,
  description: string,
  call: ToolFixture["call"],
): ToolFixture {
  return { tool: { name, description, inputSchema: { type: "object" } }, call };
}

export function text(value: string): CallToolResult {
  return { content: [{ type: "text", text: value }] };
}
