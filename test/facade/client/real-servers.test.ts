import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type ConnectOptions, connectInMemory, revisions } from "@mcp-codegen/universal";
import { connect } from "./support/connecting.js";
import { talkativeServer } from "./support/talkative-server.js";
import { eventually } from "../../support/eventually.js";

const answers: ConnectOptions = {
  clientInfo: { name: "tester", version: "1.0.0" },
  onElicit: () => ({ action: "accept", content: { name: "Ada" } }),
  onSample: () => ({
    role: "assistant",
    content: { type: "text", text: "hi" },
    model: "some model",
  }),
  onRoots: () => [{ uri: "file:///work" }],
};

describe.each(revisions.map((revision) => [revision.id, revision] as const))(
  "a server of %s",
  (id, revision) => {
    const connected = async (options: ConnectOptions = answers) => {
      const server = talkativeServer([revision]);
      onTestFinished(() => server.close());
      return connect(await connectInMemory(server), { probeTimeout: 500, ...options });
    };

    test("is recognised and described in one way (T18)", async () => {
      const client = await connected();
      expect(client.revision).toBe(id);
      expect(client.server.info).toMatchObject({ name: "talkative", version: "1.0.0" });
      expect(client.server.instructions).toBe("Talk");
      expect(client.server.capabilities.tools).toEqual({ listChanged: true });
    });

    test("receives the user's answers, one after the other and together (T2, MATRIX-02)", async () => {
      const client = await connected();
      const name = revision.methods.has("elicitation/create") ? "Ada" : "nobody";
      expect((await client.callTool("ask")).content).toEqual([
        { type: "text", text: `${name} works at file:///work with some model` },
      ]);
      expect((await client.callTool("ask-together")).content).toEqual([
        { type: "text", text: "1 some model" },
      ]);
    });

    test("sends progress and log messages (T6, T7)", async () => {
      const client = await connected();
      const received: unknown[] = [];
      client.on("log", ({ level, data }) => received.push([level, data]));
      const onprogress = vi.fn();
      const { content } = await client.callTool("count", {}, { onprogress });
      expect(content).toEqual([{ type: "text", text: "done" }]);
      expect(received).toEqual([["error", { message: "half way" }]]);
      expect(onprogress).toHaveBeenLastCalledWith({ progress: 2, total: 2 });
    });

    test("sends change notifications (T6, T8)", async () => {
      const client = await connected();
      const received: string[] = [];
      client.on("toolsChanged", () => received.push("tools"));
      await client.subscribe("memory://text", (uri) => received.push(uri));
      await client.callTool("change");
      await eventually(() => expect(received.toSorted()).toEqual(["memory://text", "tools"]));
      const { contents } = await client.readResource("memory://text");
      expect(contents).toMatchObject([{ uri: "memory://text", text: "second" }]);
      await client.unsubscribe("memory://text");
      await client.callTool("change");
      await client.ping();
      expect(received.filter((one) => one !== "tools")).toEqual(["memory://text"]);
    });

    test("stops the handler when the caller aborts (T16)", async () => {
      const client = await connected();
      const updated = vi.fn();
      await client.subscribe("memory://text", updated);
      const abort = new AbortController();
      const call = client.callTool("wait", undefined, { signal: abort.signal });
      await client.ping();
      abort.abort(new Error("enough"));
      await expect(call).rejects.toThrow("enough");
      await eventually(() => expect(updated).toHaveBeenCalled());
    });

    test("returns its lists as a whole and item by item", async () => {
      const client = await connected();
      const { tools } = await client.listTools();
      const names: string[] = [];
      for await (const { name } of client.tools()) names.push(name);
      expect(tools.map(({ name }) => name)).toEqual(names);
      expect(names).toHaveLength(5);
    });

    test("is one of many, and receives only its own messages (T26)", async () => {
      const clients = await Promise.all(
        ["a", "b", "c"].map((name) =>
          connected({ ...answers, onElicit: () => ({ action: "accept", content: { name } }) }),
        ),
      );
      const received: string[] = [];
      for (const [index, client] of clients.entries()) {
        client.on("toolsChanged", () => received.push(`client ${index}`));
      }
      const results = await Promise.all(clients.map((client) => client.callTool("ask")));
      const names = revision.methods.has("elicitation/create") ? ["a", "b", "c"] : [];
      for (const [index, name] of names.entries()) {
        expect(results[index]?.content).toMatchObject([{ text: expect.stringContaining(name) }]);
      }
      await clients[1]!.callTool("change");
      await eventually(() => expect(received).toEqual(["client 1"]));
    });
  },
);

test("a server of all revisions is used at the newest", async () => {
  const server = talkativeServer();
  onTestFinished(() => server.close());
  const client = await connect(await connectInMemory(server), answers);
  expect(client.revision).toBe(revisions[0]!.id);
  expect((await client.callTool("ask")).content).toMatchObject([
    { text: "Ada works at file:///work with some model" },
  ]);
});

test("the order of the client decides among the revisions of both sides", async () => {
  const server = talkativeServer();
  onTestFinished(() => server.close());
  const [, , third, fourth] = revisions;
  const client = await connect(await connectInMemory(server), { revisions: [third!, fourth!] });
  expect(client.revision).toBe(third!.id);
});
