export * from "../shared/index.js";
export { completable } from "@mcp-codegen/universal";
export type {
  AnyToolHandler,
  BaseToolCallback,
  CompleteCallback,
  CompleteResourceTemplateCallback,
  ListResourcesCallback,
  PromptCallback,
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  ToolCallback,
  Variables,
  ZodRawShape,
} from "./callbacks.js";
export { McpServer, type PromptConfig, type ToolConfig } from "./mcp-server.js";
export type {
  RegisteredPrompt,
  RegisteredResource,
  RegisteredResourceTemplate,
  RegisteredTool,
  ResourceMetadata,
} from "./registrations.js";
export { ResourceTemplate } from "./resource-template.js";
export { Server } from "./server.js";
export type { ServerContext } from "./server-context.js";
export type { CacheHint, ServerOptions } from "./server-options.js";
