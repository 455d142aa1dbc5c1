import type {
  CallToolResult,
  Prompt,
  ReadResourceResult,
  GetPromptResult,
  Resource,
  ResourceTemplate,
  ServerContext,
  Tool,
} from "@mcp-codegen/2025-11-25";
import type {
  Completions,
  Logging,
  Prompts,
  Resources,
  Tools,
} from "@mcp-codegen/runtime/features";
import type { Knowledge } from "../support/knows.js";
import type { Witness } from "./witness.js";

/** The parts of a server, typed by the newest revision; older ones just leave things out. */
export interface Kit {
  readonly tools: Tools<Tool, CallToolResult, ServerContext>;
  readonly prompts: Prompts<Prompt, GetPromptResult, ServerContext>;
  readonly resources: Resources<Resource, ResourceTemplate, ReadResourceResult, ServerContext>;
  readonly completions: Completions<ServerContext>;
  readonly logging: Logging;
  readonly witness: Witness;
  readonly knows: Knowledge;
}

/** Creates a tool result that consists of one text. */
export function text(value: string): CallToolResult {
  return { content: [{ type: "text", text: value }] };
}

/** Creates a tool result that contains any JSON as text. */
export function json(value: unknown): CallToolResult {
  return text(JSON.stringify(value ?? null));
}
