// Ten tests with the kit, for any runner. The runner passes in its `test`.
import assert from "node:assert/strict";
import { assertThat, eachRevision, judge, tape, testClient } from "@mcp-codegen/testing";
import { connect } from "@mcp-codegen/universal/client";
import { McpServer } from "@mcp-codegen/universal/server";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

function createServer() {
  const server = new McpServer({ name: "deployer", version: "1.0.0" });
  server.registerTool("fail", { description: "Fails" }, () => ({
    content: [{ type: "text", text: "no such file" }],
    isError: true,
  }));
  server.registerTool("deploy", { description: "Deploys" }, async (ctx) => {
    const requestedSchema = { type: "object", properties: {} };
    const { action } = await ctx.elicit({ message: "Deploy now?", requestedSchema });
    return action;
  });
  return server;
}

/** Registers the tests, plus two that fail and one that leaves an answer if `fails` is true. */
export function register(test, fails = false) {
  eachRevision(test, "reports the failure of a tool", async (revision) => {
    const client = await testClient(createServer(), { revision });
    await assertThat(await client.callTool("fail"), "toBeToolError", /no such file/);
    await client.close();
  });

  test("answers a form", async () => {
    const client = await testClient(createServer(), { answers: [{ action: "decline" }] });
    const { content } = await client.callTool("deploy");
    assert.deepEqual(content, [{ type: "text", text: "decline" }]);
    await assertThat(client, "toAskFor", { message: /now/ });
    await client.close();
  });

  test("reports an answer that is left over", async () => {
    const client = await testClient(createServer(), { answers: [{ action: "accept" }] });
    await assert.rejects(client.close(), /for the answer/);
  });

  test("judges a server", async () => {
    assert.deepEqual(await judge(createServer(), { calls: [{ tool: "fail", arguments: {} }] }), []);
  });

  test("judges a conversation", async () => {
    const client = await testClient(createServer());
    await client.listTools();
    assert.deepEqual(judge(client), []);
    await client.close();
  });

  test("replays a tape", async () => {
    const folder = mkdtempSync(join(tmpdir(), "kit-"));
    try {
      const file = join(folder, "fail.tape.jsonl");
      for (let round = 0; round < 2; round++) {
        const client = await connect(await tape(file, createServer()));
        await assertThat(await client.callTool("fail"), "toBeToolError");
        await client.close();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  if (!fails) return;
  test("names what differs", async () => {
    const client = await testClient(createServer());
    await assertThat(await client.callTool("fail"), "toBeToolError", "permission");
  });
  for (const text of ["accept", "decline"]) {
    // This is what `await using` does, which Node 20 cannot parse.
    test(`shows what failed before an unused answer: ${text}`, async () => {
      const answers = [{ action: "decline" }, { action: "cancel", content: { unused: text } }];
      const client = await testClient(createServer(), { answers });
      try {
        assert.equal((await client.callTool("deploy")).content[0].text, text);
      } finally {
        await client[Symbol.asyncDispose]();
      }
    });
  }
}
