import {
  CallToolRequestSchema,
  CallToolResultSchema,
  InitializeRequestSchema,
  ListToolsResultSchema,
} from "@modelcontextprotocol/sdk/types.js";

const schemas = {
  CallToolRequest: CallToolRequestSchema,
  CallToolResult: CallToolResultSchema,
  InitializeRequest: InitializeRequestSchema,
  ListToolsResult: ListToolsResultSchema,
};

export function check(_revision, type) {
  const schema = schemas[type];
  return schema && ((value) => schema.safeParse(value).success);
}
