import type { JsonValue } from "../../link/protocol.js";

/**
 * Where the difference between two revisions needs more than data: names of rules in `runtime/facade/project/rules`.
 * Places are types, or members as `Type.member`, of the newest revision.
 */
export interface RuleFact {
  readonly rule: string;
  /**
   * `around`: wherever the place differs, beside what the table says of it. `required`: the same, where the revision
   * requires a member that the newest does not. `whole`: instead of what the table would say. `always`: also where
   * nothing differs.
   */
  readonly extent: "around" | "required" | "whole" | "always";
}

export const RULES: Readonly<Record<string, RuleFact>> = {
  CallToolResult: { rule: "jsonText", extent: "around" },
  "CallToolResult.structuredContent": { rule: "objectContent", extent: "whole" },
  "ClientCapabilities.elicitation": { rule: "elicitationModes", extent: "always" },
  ContentBlock: { rule: "textNote", extent: "around" },
  "CreateMessageRequestParams.messages": { rule: "samplingMessages", extent: "around" },
  "ElicitRequestFormParams.requestedSchema": { rule: "requiredFields", extent: "around" },
  ElicitRequestURLParams: { rule: "elicitationId", extent: "required" },
  GetTaskPayloadResult: { rule: "taskPayload", extent: "around" },
  PrimitiveSchemaDefinition: { rule: "formField", extent: "around" },
  "SamplingMessage.content": { rule: "samplingContent", extent: "around" },
  Tool: { rule: "toolTitle", extent: "around" },
  "Tool.outputSchema": { rule: "objectSchema", extent: "whole" },
  "ToolResultContent.structuredContent": { rule: "objectContent", extent: "whole" },
};

/** What users write themselves, in languages of their own: it is passed on as it is. */
export const OPAQUE: ReadonlySet<string> = new Set([
  "CallToolRequestParams.arguments",
  "Tool.inputSchema",
]);

/** Members that may be sent under revisions that do not name them, because these leave the object open for them. */
export const KEPT: readonly RegExp[] = [
  /^(?:Client|Server)Capabilities\.extensions$/,
  /Params\._meta$/,
];

/** Members without which the rest says the same to the revisions that lack them. */
export const STRIPPED: readonly RegExp[] = [
  /^Result\.resultType$/,
  /^CacheableResult\./,
  /^\w*MetaObject\./,
  /^InputResponseRequestParams\./,
  /^ElicitRequestFormParams\.mode$/,
  /^ClientCapabilities\.elicitation\.form$/,
  /\.\$schema$/,
];

/** Members without which a message would ask for something else. */
export const REFUSED: ReadonlySet<string> = new Set([
  "CreateMessageRequestParams.tools",
  "CreateMessageRequestParams.toolChoice",
]);

/** Places where a part that is left out would change what the rest means. */
export const INDIVISIBLE: ReadonlySet<string> = new Set(["SamplingMessage.content"]);

/** What the absence of a member means where a revision does not have it. */
export const SUPPLIED: Readonly<Record<string, JsonValue>> = {
  "Result.resultType": "complete",
  "CacheableResult.ttlMs": 0,
  "CacheableResult.cacheScope": "private",
};

/** Members that the engine deals with, and no handler has to. */
export const OF_THE_ENGINE: readonly RegExp[] = [
  /^\w*RequestParams\._meta$/,
  /MetaObject\./,
  /^CancelledNotificationParams\.requestId$/,
];
