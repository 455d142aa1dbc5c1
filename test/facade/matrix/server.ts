import {
  McpServer,
  type McpServerOptions,
  ResourceTemplate,
  completable,
} from "@mcp-codegen/universal";
import * as z from "zod";
import { addAskingTools } from "./support/asking-tools.js";
import { addFailingTools } from "./support/failing-tools.js";
import { BLOCKS, ICONS, OWN } from "./support/maximal.js";

/** Creates the matrix's only server, which has everything that a server can have. */
export function matrixServer(options: McpServerOptions = {}): McpServer {
  const info = {
    name: "matrix",
    version: "1.0.0",
    title: "Matrix",
    description: "Has everything",
    websiteUrl: "https://example.com",
    icons: ICONS,
  };
  const server = new McpServer(info, {
    instructions: "Use all of it",
    logging: true,
    onerror: () => {},
    ...options,
  });
  const rootsChanged = "notifications/roots/list_changed";
  if (server.revisions.some(({ methods }) => methods.has(rootsChanged))) {
    server.setHandler(rootsChanged, () => see("roots", "changed"));
  }
  addMaximal(server);
  addAskingTools(server);
  addFailingTools(server);
  addWork(server);
  addChanges(server);
  return server;
}

function addMaximal(server: McpServer): void {
  server.registerTool(
    "maximal",
    {
      title: "All of a tool",
      description: "Has every member",
      icons: ICONS,
      _meta: OWN,
      inputSchema: { type: "object", properties: { a: { type: "number" } } },
      outputSchema: {
        type: "object",
        properties: { sum: { type: "number" } },
        required: ["sum"],
      } as const,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () => ({ content: BLOCKS, structuredContent: { sum: 3 } }),
  );
  server.registerTool(
    "array",
    { outputSchema: { type: "array", items: { type: "number" } } as const },
    () => ({ structuredContent: [1, 2] }),
  );
  const annotations = { priority: 1, lastModified: "2025-01-01T00:00:00Z" };
  const more = { title: "Titled", description: "Described", icons: ICONS, _meta: OWN };
  const config = { ...more, annotations, mimeType: "text/plain" };
  server.registerResource("maximal", "maximal://one", { ...config, size: 4 }, (uri) => ({
    contents: [{ uri: uri.href, text: "read", mimeType: "text/plain", _meta: OWN }],
  }));
  const complete = { id: (value: string) => ["1", "2"].filter((id) => id.startsWith(value)) };
  const template = new ResourceTemplate("maximal://{id}/part", { list: undefined, complete });
  server.registerResource("part", template, config, (_, { id }) => `part ${String(id)}`);
  const language = completable(z.string(), (value, { arguments: others }) =>
    [`${others?.["style"] ?? "any"}-go`, "rust"].filter((one) => one.startsWith(value)),
  );
  const argsSchema = z.object({ style: z.string().optional(), language });
  server.registerPrompt("maximal", { ...more, argsSchema }, ({ language: chosen }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Review ${chosen}`, _meta: OWN } }],
  }));
}

/** Events, by the label of the call that caused them. */
const seen: Record<string, string[]> = {};

/** Functions that end slow calls, by the same labels. */
const released = new Map<string, () => void>();

function see(label: string, what: string): void {
  (seen[label] ??= []).push(what);
}

function addWork(server: McpServer): void {
  const inputSchema = z.object({ label: z.string() });
  server.registerTool("witness", { inputSchema }, ({ label }) => (seen[label] ?? []).join());
  server.registerTool("wait", { inputSchema }, async ({ label }, { signal, log }) => {
    see(label, "started");
    log("error", label);
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    see(label, "aborted");
    return "";
  });
  server.registerTool("slow", { inputSchema }, async ({ label }, { signal }) => {
    see(label, "started");
    signal.addEventListener("abort", () => see(label, "aborted"));
    await new Promise<void>((resolve) => released.set(label, resolve));
    see(label, "finished");
    return "slow";
  });
  server.registerTool("release", { inputSchema }, ({ label }) => released.get(label)?.());
  server.registerTool("work", {}, ({ progress, log }) => {
    progress(1, 2, "half");
    log("debug", "small");
    log("error", { big: true }, "work");
    progress(2, 2, "whole");
    return "done";
  });
  server.registerTool("steps", {}, async ({ progress }) => {
    for (const step of [1, 2]) {
      progress(step, 2);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return "done";
  });
  server.registerTool("who", {}, async ({ auth, client, revision }) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return [auth?.principal, client.info?.name, revision].join(" ");
  });
}

function addChanges(server: McpServer): void {
  const temporary = server.registerTool("temporary", {}, () => "here");
  const prompt = server.registerPrompt("temporary", {}, () => "here");
  const resource = server.registerResource("temporary", "temporary://one", {}, () => "here");
  const handles = { tools: temporary, prompts: prompt, resources: resource };
  const inputSchema = z.object({ what: z.string() });
  server.registerTool("change", { inputSchema }, ({ what }) => {
    if (what in handles) {
      const handle = handles[what as keyof typeof handles];
      if (handle.enabled) handle.disable();
      else handle.enable();
    } else server.resourceUpdated(what);
    return "changed";
  });
  server.registerTool("log-to-all", {}, () => {
    server.log("error", "to all");
    return "logged";
  });
}
