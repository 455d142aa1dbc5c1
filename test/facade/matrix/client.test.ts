import { describe, expect, onTestFinished, test } from "vitest";
import { connect, connectInMemory, type McpClient, revisions } from "@mcp-codegen/universal";
import { createHttpHandler, createSseHandler } from "../../../runtime/http/server/index.js";
import { listen } from "../../../runtime/http/node/index.js";
import { matrixServer } from "./server.js";
import { CASES } from "./support/cases.js";
import type { WireName } from "./support/link.js";

/** Connects a client to a server that has only one revision. */
async function connected(id: string, wire: WireName) {
  const server = matrixServer({ revisions: revisions.filter((one) => one.id === id) });
  const requested: unknown[] = [];
  const errors: Error[] = [];
  const options = {
    eras: false,
    onElicit: (params: { message: string }) => {
      requested.push(params.message);
      return { action: "accept" as const, content: { name: "Ada" } };
    },
    onSample: () =>
      ({ role: "assistant", content: { type: "text", text: "Paris" }, model: "m" }) as const,
    onRoots: () => [{ uri: "file:///work" }],
    onerror: (error: Error) => errors.push(error),
  } as const;
  const client = await connect(await targetOf(server, wire), options);
  onTestFinished(async () => {
    await client.close();
    await server.close();
    expect(errors).toEqual([]);
  });
  return { client, requested };
}

async function targetOf(server: ReturnType<typeof matrixServer>, wire: WireName) {
  if (wire === "stdio") return connectInMemory(server);
  const { url, close } = await listen(
    wire === "http" ? createHttpHandler(server) : overSse(server),
  );
  onTestFinished(() => close(0));
  return url;
}

function overSse(server: ReturnType<typeof matrixServer>) {
  const sse = createSseHandler(server);
  return { "/sse": sse, "/messages": sse };
}

const textOf = async (client: McpClient, tool: string): Promise<unknown> =>
  ((await client.callTool(tool)).content as { text: unknown }[])[0]?.text;

describe.each(CASES)("`connect` and a server of %s (%s) (MATRIX-07)", (id, wire) => {
  const name = id >= "2025-06-18" ? "Ada" : "Nobody";

  test("exchange requests in both directions (T2, T25)", async () => {
    const { client, requested } = await connected(id, wire);
    expect(client.revision).toBe(id);
    const all = `ordered ${name} Paris (m) file:///work`;
    const texts = ["sequence", "parallel", "narrate"].map((tool) => textOf(client, tool));
    expect(await Promise.all(texts)).toEqual([all, all, `${name} file:///work`]);
    const { messages } = await client.getPrompt("asking");
    expect(messages).toEqual([{ role: "user", content: { type: "text", text: name } }]);
    const { contents } = await client.readResource("asking://one", { cache: "no-store" });
    expect(contents).toMatchObject([{ text: name }]);
    expect(requested).toEqual(name === "Ada" ? Array.from({ length: 5 }, () => "Who?") : []);
  });

  test("return results in the shapes of the newest revision (T11, T12, T14)", async () => {
    const { client } = await connected(id, wire);
    const { tools } = await client.listTools();
    const maximal = tools.find((tool) => tool.name === "maximal")!;
    expect(maximal.inputSchema).toMatchObject({ type: "object" });
    const isNamed = id >= "2025-03-26";
    expect(maximal.title ?? maximal.annotations?.title).toBe(isNamed ? "All of a tool" : undefined);
    const result = await client.callTool("maximal");
    expect(result.structuredContent).toEqual(id >= "2025-06-18" ? { sum: 3 } : undefined);
    const read = await client.readResource("maximal://one");
    expect(read).toMatchObject({ contents: [{ text: "read" }] });
    const { completion } = await client.complete({
      ref: { type: "ref/prompt", name: "maximal" },
      argument: { name: "language", value: "" },
      context: { arguments: { style: "terse" } },
    });
    expect(completion.values).toContain(id >= "2025-06-18" ? "terse-go" : "any-go");
    expect(client.server.info).toMatchObject({ name: "matrix", version: "1.0.0" });
  });

  test("report errors and progress (T6, T7, T9)", async () => {
    const { client } = await connected(id, wire);
    const missing = client.readResource("gone://one");
    await expect(missing).rejects.toMatchObject({
      code: id === "2026-07-28" ? -32602 : -32002,
      data: { uri: "gone://one" },
    });
    await expect(client.callTool("none")).rejects.toMatchObject({ code: -32602 });
    expect(await client.callTool("fail")).toMatchObject({ isError: true });
    const logged: unknown[] = [];
    client.on("log", ({ data }) => logged.push(data));
    await client.setLogLevel("error");
    const seen: (number | undefined)[] = [];
    await client.callTool("narrate", {}, { onprogress: ({ progress }) => seen.push(progress) });
    expect(seen.at(-1)).toBe(3);
    expect(new Set(logged)).toEqual(new Set(["before", "between"]));
  });
});
