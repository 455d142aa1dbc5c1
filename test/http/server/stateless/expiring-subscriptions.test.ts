import { McpServer } from "@mcp-codegen/universal";
import { connect } from "@mcp-codegen/universal/client";
import { createHttpHandler } from "@mcp-codegen/universal/http";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../../../support/eventually.js";

/** Starts a server whose credentials expire after this time, and a client that listens for changes to its tools. */
async function listening(lifetime: number | undefined) {
  const server = new McpServer({ name: "fleeting", version: "1" });
  server.registerTool("first", {}, () => "1");
  const handler = createHttpHandler(server, {
    authenticate: () => ({
      principal: "ada",
      ...(lifetime !== undefined && { expiresAt: Date.now() + lifetime }),
    }),
  });
  onTestFinished(() => handler.close(0));
  const listens: Promise<string>[] = [];
  const client = await connect("http://localhost/", {
    eras: false,
    relisten: { initialDelay: 1, maxDelay: 5 },
    http: {
      fetch: async (url, init = {}) => {
        const response = await handler(new Request(url, init));
        if (!String(init.body).includes("subscriptions/listen")) return response;
        const [text, own] = response.body!.tee();
        listens.push(new Response(text).text());
        return new Response(own, response);
      },
    },
  });
  onTestFinished(() => client.close());
  let changes = 0;
  await client.on("toolsChanged", () => (changes += 1)).ready;
  return { server, client, listens, changes: () => changes };
}

it("ends a subscription when the credential of its client expires; the client subscribes again", async () => {
  const { server, listens, changes } = await listening(50);
  const [first] = listens;
  expect(await first).toContain('"resultType":"complete"');
  await eventually(() => expect(listens.length).toBeGreaterThan(2));
  await eventually(() => {
    server.registerTool(`tool-${Math.random()}`, {}, () => "2");
    expect(changes()).toBeGreaterThan(0);
  });
});

it.each([undefined, 1e12, Number.NaN])(
  "keeps a subscription whose credential expires in %s ms",
  async (lifetime) => {
    const { server, client, listens, changes } = await listening(lifetime);
    await client.ping();
    server.registerTool("second", {}, () => "2");
    await eventually(() => expect(changes()).toBe(1));
    expect(listens).toHaveLength(1);
  },
);
