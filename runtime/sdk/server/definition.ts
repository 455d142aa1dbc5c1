import { type AskingContext, McpServer as Definition } from "@mcp-codegen/universal";

export { Definition };

/** One connection of a definition. */
export type Connection = ReturnType<Definition["fork"]>;

/** Context of handlers as the definition gives it. */
export type NativeContext = AskingContext;
