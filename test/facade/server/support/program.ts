import * as z from "zod";
import type * as ours from "@mcp-codegen/universal";

/** The imports of a program, from either library. */
export type Kit = Pick<
  typeof ours,
  "McpServer" | "ResourceTemplate" | "completable" | "inputRequired" | "acceptedContent"
>;

/** Creates a server as programs for the official SDK do. */
export function program({ McpServer, ResourceTemplate, completable }: Kit) {
  const server = new McpServer(
    { name: "program", version: "1.0.0" },
    { capabilities: { logging: {} }, instructions: "Use it well" },
  );
  server.registerTool(
    "bmi",
    {
      title: "Body mass index",
      description: "Relates weight to height",
      inputSchema: z.object({ weight: z.number(), height: z.number() }),
      outputSchema: z.object({ bmi: z.number() }),
      annotations: { readOnlyHint: true },
    },
    async ({ weight, height }) => {
      const output = { bmi: weight / (height * height) };
      return {
        content: [{ type: "text", text: JSON.stringify(output) }],
        structuredContent: output,
      };
    },
  );
  server.registerTool("shape", { inputSchema: z.object({ n: z.number() }) }, ({ n }) => ({
    content: [{ type: "text", text: String(n) }],
  }));
  server.registerTool("talk", { description: "Talks" }, async (ctx) => {
    await ctx.mcpReq.log("error", "talking");
    const answer = await ctx.mcpReq.elicitInput({
      mode: "form",
      message: "Who?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } } },
    });
    const sampled = await ctx.mcpReq.requestSampling({
      messages: [{ role: "user", content: { type: "text", text: "Hello" } }],
      maxTokens: 10,
    });
    const name = answer.action === "accept" ? answer.content?.["name"] : "nobody";
    return {
      content: [{ type: "text", text: `${ctx.mcpReq.method}: ${String(name)} ${sampled.model}` }],
    };
  });
  server.registerTool("broken", {}, () => ({
    content: [{ type: "text", text: "It broke" }],
    isError: true,
  }));
  server.registerResource(
    "config",
    "config://app",
    { title: "Configuration", mimeType: "text/plain" },
    async (uri) => ({ contents: [{ uri: uri.href, text: "on" }] }),
  );
  server.registerResource(
    "profile",
    new ResourceTemplate("user://{id}/profile", {
      list: async () => ({ resources: [{ uri: "user://1/profile", name: "First" }] }),
      complete: { id: (value) => ["1", "2"].filter((id) => id.startsWith(value)) },
    }),
    { description: "Profiles" },
    async (uri, { id }) => ({ contents: [{ uri: uri.href, text: `profile of ${String(id)}` }] }),
  );
  server.registerPrompt(
    "review",
    {
      title: "Review",
      argsSchema: z.object({
        language: completable(z.string(), (value) =>
          ["go", "rust"].filter((one) => one.startsWith(value)),
        ),
      }),
    },
    ({ language }) => ({
      messages: [
        { role: "user" as const, content: { type: "text" as const, text: `Review ${language}` } },
      ],
    }),
  );
  return server;
}

/** A client's requests to the program, in order. */
export const questions: readonly (readonly [string, object])[] = [
  ["tools/list", {}],
  ["tools/call", { name: "bmi", arguments: { weight: 80, height: 2 } }],
  ["tools/call", { name: "shape", arguments: { n: 1 } }],
  ["tools/call", { name: "talk", arguments: {} }],
  ["tools/call", { name: "broken", arguments: {} }],
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["resources/read", { uri: "config://app" }],
  ["resources/read", { uri: "user://7/profile" }],
  ["prompts/list", {}],
  ["prompts/get", { name: "review", arguments: { language: "go" } }],
  [
    "completion/complete",
    { ref: { type: "ref/prompt", name: "review" }, argument: { name: "language", value: "r" } },
  ],
  [
    "completion/complete",
    {
      ref: { type: "ref/resource", uri: "user://{id}/profile" },
      argument: { name: "id", value: "" },
    },
  ],
];
