import {
  anyOf,
  anything,
  between,
  boolean,
  integer,
  maybe,
  number,
  object,
  reference,
  string,
  type Shapes,
} from "@mcp-codegen/runtime/codegen";
import { describedSchema, type Schema, schema } from "./message-schema.js";
import type {
  CompatibilityCallToolResult,
  CreateMessageResultWithTools,
  Progress,
  SamplingContent,
  TaskCreationParams,
} from "./protocol-types.js";
import type { RequestMeta } from "./constants.js";
import * as v from "@mcp-codegen/universal/common/validators";
import type * as types from "./protocol-types.js";

/** Descriptions of types that only the SDK declares, not any revision. */
const SHAPES: Shapes = {
  CompatibilityCallToolResult: () =>
    anyOf(reference("CallToolResult"), object({ toolResult: anything })),
  ListChangedOptionsBase: () =>
    object({ autoRefresh: maybe(boolean), debounceMs: maybe(between(integer, 0, Infinity)) }),
  Progress: () => object({ progress: number, total: maybe(number), message: maybe(string) }),
  RequestMeta: () =>
    object({
      progressToken: maybe(reference("ProgressToken")),
      "io.modelcontextprotocol/related-task": maybe(reference("RelatedTaskMetadata")),
    }),
  SamplingContent: () =>
    anyOf(reference("TextContent"), reference("ImageContent"), reference("AudioContent")),
  TaskCreationParams: () => object({ ttl: maybe(number), pollInterval: maybe(number) }),
  TasksOfClients: () =>
    object({
      list: maybe(object()),
      cancel: maybe(object()),
      requests: maybe(
        object({
          sampling: maybe(object({ createMessage: maybe(object()) })),
          elicitation: maybe(object({ create: maybe(object()) })),
        }),
      ),
    }),
  TasksOfServers: () =>
    object({
      list: maybe(object()),
      cancel: maybe(object()),
      requests: maybe(object({ tools: maybe(object({ call: maybe(object()) })) })),
    }),
  AudioContent: () => v.AudioContent,
  CallToolResult: () => v.CallToolResult,
  ImageContent: () => v.ImageContent,
  ProgressToken: () => v.ProgressToken,
  RelatedTaskMetadata: () => v.RelatedTaskMetadata,
  TextContent: () => v.TextContent,
};

/** A tool's result. If content is missing, it defaults to an empty list. */
export const CallToolResultSchema: Schema<types.CallToolResult> = /* @__PURE__ */ schema(
  v.CallToolResult,
  withContent,
);
export const ToolResultContentSchema: Schema<types.ToolResultContent> = /* @__PURE__ */ schema(
  v.ToolResultContent,
  withContent,
);
export const CompatibilityCallToolResultSchema: Schema<CompatibilityCallToolResult> =
  /* @__PURE__ */ describedSchema(SHAPES, "CompatibilityCallToolResult");
export const ListChangedOptionsBaseSchema: Schema<{ autoRefresh: boolean; debounceMs: number }> =
  /* @__PURE__ */ describedSchema(SHAPES, "ListChangedOptionsBase", withDefaults);
export const ProgressSchema: Schema<Progress> = /* @__PURE__ */ describedSchema(SHAPES, "Progress");
export const RequestMetaSchema: Schema<RequestMeta> = /* @__PURE__ */ describedSchema(
  SHAPES,
  "RequestMeta",
);
export const SamplingContentSchema: Schema<SamplingContent> = /* @__PURE__ */ describedSchema(
  SHAPES,
  "SamplingContent",
);
export const CreateMessageResultWithToolsSchema: Schema<CreateMessageResultWithTools> =
  /* @__PURE__ */ schema<CreateMessageResultWithTools>(v.CreateMessageResult as never);
export const SubscriptionsListenResultMetaSchema: Schema<types.SubscriptionsListenResultMetaObject> =
  /* @__PURE__ */ schema(v.SubscriptionsListenResultMetaObject);
export const TaskCreationParamsSchema: Schema<TaskCreationParams> = /* @__PURE__ */ describedSchema(
  SHAPES,
  "TaskCreationParams",
);
export const ClientTasksCapabilitySchema: Schema<NonNullable<types.ClientCapabilities["tasks"]>> =
  /* @__PURE__ */ describedSchema(SHAPES, "TasksOfClients");
export const ServerTasksCapabilitySchema: Schema<NonNullable<types.ServerCapabilities["tasks"]>> =
  /* @__PURE__ */ describedSchema(SHAPES, "TasksOfServers");

function withContent(value: unknown): unknown {
  return isObject(value) && value["content"] === undefined ? { ...value, content: [] } : value;
}

function withDefaults(value: unknown): unknown {
  return isObject(value) ? { autoRefresh: true, debounceMs: 300, ...value } : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
