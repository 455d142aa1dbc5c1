import { expect, it, vi } from "vitest";

// A process does not repeat what it has already reported, so these tests load the package for themselves.
vi.resetModules();
const { connect, connectInMemory, McpServer, revisions } = await import("@mcp-codegen/universal");

const content = { type: "text", text: "Paris" } as const;

/** Returns the reports of a server whose tool uses a deprecated feature three times. */
async function reports(revision: string): Promise<string[]> {
  const errors: Error[] = [];
  const onerror = (error: Error): void => void errors.push(error);
  const server = new McpServer({ name: "old", version: "1" }, { logging: true, onerror });
  server.registerTool("all", {}, async (ctx) => {
    ctx.log("error", "news");
    const { roots } = await ctx.listRoots();
    const { model } = await ctx.sample({
      messages: [{ role: "user", content }],
      maxTokens: 1,
    });
    return `${model} ${roots.length}`;
  });
  const client = await connect(await connectInMemory(server), {
    revisions: revisions.filter(({ id }) => id === revision),
    onSample: () => ({ role: "assistant", content, model: "m" }),
    onRoots: () => [],
    onerror,
  });
  client.on("log", () => {});
  for (let call = 0; call < 3; call++) {
    expect((await client.callTool("all")).content).toEqual([{ type: "text", text: "m 0" }]);
  }
  await client.close();
  return errors.filter(({ name }) => name === "DeprecationWarning").map(({ message }) => message);
}

it("a deprecated feature works, and is reported once with advice; older revisions report nothing (DEP-01, DEP-02, DEP-03)", async () => {
  expect(await reports("2025-11-25")).toEqual([]);
  const found = await reports("2026-07-28");
  expect(found).toHaveLength(3);
  for (const method of ["notifications/message", "roots/list", "sampling/createMessage"]) {
    expect(found.filter((text) => text.startsWith(`${method}: `))).toEqual([
      expect.stringMatching(/deprecated since protocol version 2026-07-28/),
    ]);
  }
  expect(await reports("2026-07-28")).toEqual([]);
});

it("includeContext of sampling is reported as deprecated, once (DEP-05)", async () => {
  const errors: Error[] = [];
  const asking = new McpServer(
    { name: "t", version: "1" },
    { onerror: (error) => void errors.push(error) },
  );
  asking.registerTool("a", {}, async (ctx) => {
    for (const includeContext of ["none", "thisServer", "thisServer"] as const) {
      const messages = [{ role: "user", content }] as const;
      await ctx.sample({ messages: [...messages], maxTokens: 1, includeContext });
    }
    return "";
  });
  for (const revision of revisions.filter(({ traits }) => traits.lifecycle === "initialize")) {
    errors.length = 0;
    const client = await connect(await connectInMemory(asking), {
      revisions: [revision],
      onSample: () => ({ role: "assistant", content, model: "m" }),
      capabilities: { sampling: { context: {} } },
    });
    expect((await client.callTool("a")).isError).not.toBe(true);
    await client.close();
    const texts = errors.map(({ message }) => message).filter((one) => /includeContext/.test(one));
    expect(texts).toHaveLength(revision.id === "2025-11-25" ? 1 : 0);
  }
});
