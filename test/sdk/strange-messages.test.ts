import { PassThrough } from "node:stream";
import { Client } from "@mcp-codegen/sdk/client";
import { InMemoryTransport } from "@mcp-codegen/sdk/core";
import { isLegacyRequest, McpServer } from "@mcp-codegen/sdk/server";
import { serveStdio, StdioServerTransport } from "@mcp-codegen/sdk/server/stdio";
import { describe, expect, it } from "vitest";

const info = { name: "patient", version: "1.0.0" };

/** JSON values that are not messages. */
const values: readonly unknown[] = [42, "text", null, true, [], [1], {}];

/** Messages whose parameters, or the metadata in them, have a wrong type. */
const messages: readonly object[] = [
  null,
  7,
  [],
  "x",
  ...[null, 7, [], "x"].map((_meta) => ({ _meta })),
].flatMap((params) =>
  ["tools/list", "initialize", "ping"].map((method) => ({ jsonrpc: "2.0", id: 1, method, params })),
);

const lines = [...values, ...messages].map((value) => JSON.stringify(value));

/** The ways to serve on standard input. */
const ways: [string, (input: PassThrough, output: PassThrough) => Promise<() => Promise<void>>][] =
  [
    [
      "connect",
      async (input, output) => {
        const server = new McpServer(info);
        await server.connect(new StdioServerTransport(input, output));
        return () => server.close();
      },
    ],
    [
      "serveStdio",
      async (input, output) => {
        const transport = new StdioServerTransport(input, output);
        const handle = serveStdio(() => new McpServer(info), { transport });
        return () => handle.close();
      },
    ],
  ];

describe.each(ways)("a server of %s", (_, serve) => {
  it.each(lines)("survives the first line %s (T6)", async (line) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const close = await serve(input, output);
    input.write(`${line}\n`);
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ping" })}\n`);
    let written = "";
    for await (const chunk of output) {
      written += String(chunk);
      if (written.includes('"id":7')) break;
    }
    const answers = written
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text) as object);
    expect(answers.at(-1)).toEqual({ jsonrpc: "2.0", id: 7, result: {} });
    await close();
  });
});

it.each(lines)("a request of a session is recognised by the body %s", async (body) => {
  const request = () => new Request("http://127.0.0.1/mcp", { method: "POST", body });
  expect(await isLegacyRequest(request())).toBe(true);
  expect(await isLegacyRequest(request(), JSON.parse(body))).toBe(true);
});

it("a client learns that no server could be created for it", async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const errors: Error[] = [];
  const onerror = (error: Error) => void errors.push(error);
  serveStdio(() => Promise.reject(new Error("secret")), { transport: far, onerror });
  await expect(new Client(info).connect(near)).rejects.toThrow(/Internal server error$/);
  expect(errors).toMatchObject([{ message: "secret" }]);
});
