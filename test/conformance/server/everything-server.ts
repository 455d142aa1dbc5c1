import type {
  CallToolResult,
  ClientCapabilities,
  GetPromptResult,
  Implementation,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  ServerContext,
  ServerNotifications,
  ServerRequests,
  Tool,
} from "@mcp-codegen/2025-11-25";
import { type Revision, ServerBase } from "@mcp-codegen/runtime";
import { Completions, Logging, Prompts, Resources, Tools } from "@mcp-codegen/runtime/features";
import { jsonSchemas } from "@mcp-codegen/json-schema";
import { askingTools } from "./asking-tools.js";
import { contentTools } from "./content-tools.js";
import { promptFixtures } from "./prompts.js";
import { reportingTools } from "./reporting-tools.js";
import { readTemplate, resourceFixtures, template } from "./resources.js";
import { schemaTool } from "./schema-tool.js";

export type EverythingServer = ServerBase<
  ServerRequests,
  ServerNotifications,
  ClientCapabilities,
  Implementation
>;

/** A server that has all that the suite's scenarios ask for, under the revisions that it is given. */
export function everythingServer(revisions: readonly Revision[]): EverythingServer {
  const logging = new Logging();
  const completions = new Completions<ServerContext>();
  completions.prompt("test_prompt_with_arguments", { arg1: suggest, arg2: suggest });
  const features = [allTools(logging), allPrompts(), allResources(), completions, logging];
  return new ServerBase(
    revisions,
    { name: "everything-server", version: "1.0.0" },
    {},
    { features },
  );
}

function suggest(value: string): string[] {
  return ["test", "tested", "tests"].filter((one) => one.startsWith(value));
}

function allTools(logging: Logging): Tools<Tool, CallToolResult, ServerContext> {
  const tools = new Tools<Tool, CallToolResult, ServerContext>({ schemas: jsonSchemas() });
  const reporting = reportingTools((context) => logging.for(context));
  for (const { tool, call } of [...contentTools, ...reporting, ...askingTools, schemaTool]) {
    tools.add(tool, call);
  }
  return tools;
}

function allPrompts(): Prompts<Prompt, GetPromptResult, ServerContext> {
  const prompts = new Prompts<Prompt, GetPromptResult, ServerContext>();
  for (const { prompt, get } of promptFixtures) prompts.add(prompt, get);
  return prompts;
}

function allResources(): Resources<Resource, ResourceTemplate, ReadResourceResult, ServerContext> {
  const resources = new Resources<Resource, ResourceTemplate, ReadResourceResult, ServerContext>({
    subscriptions: {},
  });
  for (const { resource, read } of resourceFixtures) resources.add(resource, read);
  resources.addTemplate(template, (uri, { values }) => readTemplate(uri, String(values["id"])));
  return resources;
}
