import { Client } from "@mcp-codegen/sdk/client";
import { InMemoryTransport } from "@mcp-codegen/sdk/core";
import { McpServer } from "@mcp-codegen/sdk/server";
import { expect, it } from "vitest";

const info = { name: "survey", version: "1.0.0" };
const params = {
  message: "How many?",
  requestedSchema: {
    type: "object" as const,
    properties: { count: { type: "integer" as const, minimum: 5 } },
    required: ["count"],
  },
};

const ways = ["elicitInput of the context", "send of the context", "elicitInput of the server"];

it.each(ways)("content that violates the form is rejected, with %s", async (way) => {
  const contents = [{ count: 7 }, { count: 1 }, { count: "7" }, {}];
  const server = new McpServer(info);
  server.registerTool("ask", {}, async (ctx) => {
    const requested =
      way === ways[0]
        ? ctx.mcpReq.elicitInput(params)
        : way === ways[1]
          ? ctx.mcpReq.send({ method: "elicitation/create", params })
          : server.server.elicitInput(params);
    const text = await requested.then(
      (result) => JSON.stringify((result as { content?: unknown }).content),
      (error: Error) => error.message,
    );
    return { content: [{ type: "text", text }] };
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client(info, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler("elicitation/create", () => ({
    action: "accept",
    content: contents.shift() as never,
  }));
  await client.connect(near);
  const texts: string[] = [];
  while (contents.length > 0) {
    const { content } = await client.callTool({ name: "ask" });
    texts.push((content as { text: string }[])[0]!.text);
  }
  expect(texts.shift()).toBe('{"count":7}');
  for (const text of texts) expect(text).toMatch(/does not (?:match|fit)/);
  await client.close();
});
