import { describe, expect, test } from "vitest";
import type { ConnectOptions } from "@mcp-codegen/universal";
import { type Scripted, scripted, scriptedSession } from "./support/connecting.js";

const add = (type: unknown): object => ({
  name: "add",
  inputSchema: { type: "object" },
  outputSchema: { type: "object", properties: { sum: type } },
});
const sum = (value: unknown): object => ({ content: [], structuredContent: { sum: value } });

/** Answers a list that the client requests. */
async function list({ client, server }: Scripted, ...tools: object[]): Promise<void> {
  const listing = client.listTools();
  server.answer((await server.next()).id, { tools });
  await listing;
}

/** Answers a call that must be the next request. */
async function answered(
  { client, server }: Scripted,
  result: object,
  ...rest: [options?: object]
): Promise<unknown> {
  const calling = client.callTool("add", {}, ...rest);
  const { id, method } = await server.next();
  expect(method).toBe("tools/call");
  server.answer(id, result);
  return calling;
}

describe.each([
  ["stateless requests", scripted],
  ["a session", scriptedSession],
])("structured results in %s (TOOL-19)", (_, open) => {
  test("are checked for tools that the client has listed, and for no others", async () => {
    const one = await open();
    expect(await answered(one, sum("?"))).toMatchObject(sum("?"));
    await list(one, add({ type: "number" }));
    for (let time = 0; time < 2; time += 1) {
      await expect(answered(one, sum("?"))).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
    }
    expect(await answered(one, sum(3))).toMatchObject(sum(3));
    await expect(answered(one, { content: [] })).rejects.toThrow("it has none");
    expect(await answered(one, { content: [], isError: true })).toMatchObject({ isError: true });
    expect(one.errors).toEqual([]);
  });

  test("are checked against the newest schema", async () => {
    const one = await open();
    await list(one, add({ type: "number" }));
    await expect(answered(one, sum("?"))).rejects.toThrow("expected");
    await list(one, add({ type: "string" }));
    expect(await answered(one, sum("?"))).toMatchObject(sum("?"));
    await list(one, { name: "add", inputSchema: { type: "object" } });
    expect(await answered(one, sum(3))).toMatchObject(sum(3));
  });

  test("are checked when iterators and requests have listed the tool", async () => {
    for (const read of ["tools", "request"] as const) {
      const one = await open();
      const reading =
        read === "tools" ? one.client.tools().next() : one.client.request("tools/list");
      one.server.answer((await one.server.next()).id, { tools: [add({ type: "number" })] });
      await reading;
      await expect(answered(one, sum("?"))).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
    }
  });

  test("pass unchecked with `checkOutput: false`, of a client or of a call", async () => {
    const never = await open({ checkOutput: false });
    await list(never, add({ type: "number" }));
    expect(await answered(never, sum("?"))).toMatchObject(sum("?"));
    const once = await open();
    await list(once, add({ type: "number" }));
    expect(await answered(once, sum("?"), { checkOutput: false })).toMatchObject(sum("?"));
  });
});

describe("schemas that cannot be checked as a whole", () => {
  const repeated = { type: "string", pattern: "^(a+)-\\1$", maxLength: 5 };
  const unknown = { $schema: "urn:x", type: "number" };

  test("leave out a pattern with back references, and report it once", async () => {
    const one = await scripted();
    await list(one, add(repeated));
    expect(await answered(one, sum("aa-aa"))).toMatchObject(sum("aa-aa"));
    expect(await answered(one, sum("b"))).toMatchObject(sum("b"));
    await expect(answered(one, sum("aaa-aaa"))).rejects.toThrow("5 characters");
    expect(one.errors.map(({ message }) => message)).toEqual([
      expect.stringContaining("/properties/sum/pattern"),
    ]);
  });

  test.each([
    ["a pattern in `not`", { not: repeated }],
    ["an unknown dialect", unknown],
  ])("pass all results for %s, and report it once", async (_, type) => {
    const one = await scripted();
    await list(one, add(type));
    for (const value of ["a-a", 3])
      expect(await answered(one, sum(value))).toMatchObject(sum(value));
    expect(one.errors.map(({ message }) => message)).toEqual([
      expect.stringContaining(`The results of the tool "add" cannot be checked`),
    ]);
  });

  test("make calls reject with `checkOutput: true`", async () => {
    const options: ConnectOptions = { checkOutput: true };
    const { client, server } = await scripted(options);
    const calling = client.callTool("add");
    server.answer((await server.next()).id, { tools: [add(unknown)] });
    server.answer((await server.next()).id, sum(3));
    await expect(calling).rejects.toThrow("cannot be checked");
  });
});

const tool = (name: string): object => ({ name, inputSchema: { type: "object" } });

test("with `checkOutput`, the tools are listed before the first call", async () => {
  const { client, server } = await scripted({ checkOutput: true });
  const call = client.callTool("add");
  const listed = await server.next();
  expect(listed.method).toBe("tools/list");
  const outputSchema = { type: "object", properties: { sum: { type: "number" } } };
  server.answer(listed.id, { tools: [{ ...tool("add"), outputSchema }] });
  server.answer((await server.next()).id, { content: [], structuredContent: { sum: "?" } });
  await expect(call).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
});

test("an outdated tool schema is fetched again even without a notification", async () => {
  const { client, server } = await scripted({ checkOutput: true });
  const answerCall = async (type: string): Promise<void> => {
    const outputSchema = { type: "object", properties: { sum: { type } } };
    server.answer((await server.next()).id, { tools: [{ ...tool("add"), outputSchema }] });
    server.answer((await server.next()).id, { content: [], structuredContent: { sum: "3" } });
  };
  const first = client.callTool("add");
  await answerCall("number");
  await expect(first).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
  const second = client.callTool("add");
  await answerCall("string");
  expect((await second).structuredContent).toEqual({ sum: "3" });
});
