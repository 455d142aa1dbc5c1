/**
 * Thrown by a tool's handler to tell the model what went wrong: becomes a result with `isError`, with the message
 * as its text. Say what can be done about it, and nothing that is secret (MCP: tools, error handling).
 */
export class ToolError extends Error {
  override readonly name: string = "ToolError";
}
