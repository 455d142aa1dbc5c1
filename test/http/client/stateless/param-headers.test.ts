import type { IncomingHttpHeaders } from "node:http";
import { describe, expect, it } from "vitest";
import { answer, complete, type Handle, serve, Wire } from "./support/wire.js";

const annotated = (type: unknown, name: unknown): object => ({ type, "x-mcp-header": name });

function tool(name: string, properties: object, more: object = {}): object {
  return { name, inputSchema: { type: "object", properties, ...more } };
}

/** Answers list requests with these in turn, and repeats the last one. */
function lists(...answers: readonly (readonly object[])[]): Readonly<Record<string, Handle>> {
  let count = 0;
  return {
    "tools/list": (seen, response) => {
      const tools = answers[Math.min(count++, answers.length - 1)]!;
      answer(response, seen, complete({ tools, ttlMs: 0, cacheScope: "private" }));
    },
  };
}

function paramsIn(headers: IncomingHttpHeaders): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith("mcp-param-")),
  );
}

async function headersOf(schemas: readonly object[], params: object): Promise<object> {
  const server = await serve(lists(schemas));
  const wire = new Wire(server.url);
  await wire.request("tools/list");
  await wire.request("tools/call", params);
  return paramsIn(server.of("tools/call")[0]!.headers);
}

const region = tool("deploy", { region: annotated("string", "Region") });

describe("arguments in headers", () => {
  it("repeat annotated arguments at any depth of properties (XH-02, XH-11, XH-19, HVAL-01)", async () => {
    const schema = tool("all", {
      region: annotated("string", "Region"),
      count: annotated("integer", "Count"),
      verbose: annotated("boolean", "Verbose"),
      method: annotated("string", "Method"),
      empty: annotated("string", "Empty"),
      query: { type: "string" },
      place: { type: "object", properties: { city: annotated("string", "City") } },
    });
    const args = {
      region: "日本語",
      count: -7,
      verbose: false,
      method: "GET",
      empty: "",
      query: "q",
      place: { city: "Bern" },
    };
    expect(await headersOf([schema], { name: "all", arguments: args })).toEqual({
      "mcp-param-region": "=?base64?5pel5pys6Kqe?=",
      "mcp-param-count": "-7",
      "mcp-param-verbose": "false",
      "mcp-param-method": "GET",
      "mcp-param-empty": "",
      "mcp-param-city": "Bern",
    });
  });

  it.each([{ region: null }, {}, undefined])("are absent for %j (XH-12)", async (args) => {
    const params = { name: "deploy", ...(args && { arguments: args }) };
    expect(await headersOf([region], params)).toEqual({});
  });

  it("are read from own properties only (XH-11)", async () => {
    const schema = tool("own", { toString: annotated("string", "Text") });
    expect(await headersOf([schema], { name: "own", arguments: {} })).toEqual({});
  });

  it("are absent if the tool was never listed (XH-17)", async () => {
    const server = await serve();
    const wire = new Wire(server.url);
    await wire.request("tools/call", { name: "deploy", arguments: { region: "eu" } });
    expect(paramsIn(server.seen[0]!.headers)).toEqual({});
  });

  it("follow the newest list (XH-17)", async () => {
    const moved = tool("deploy", { region: annotated("string", "Area") });
    const plain = tool("deploy", { region: { type: "string" } });
    const server = await serve(lists([region], [moved], [plain]));
    const wire = new Wire(server.url);
    for (let round = 0; round < 3; round += 1) {
      await wire.request("tools/list");
      await wire.request("tools/call", { name: "deploy", arguments: { region: "eu" } });
    }
    expect(server.of("tools/call").map(({ headers }) => paramsIn(headers))).toEqual([
      { "mcp-param-region": "eu" },
      { "mcp-param-area": "eu" },
      {},
    ]);
  });

  it("reject an inexact number before the request is sent (XH-07)", async () => {
    const count = tool("count", { count: annotated("integer", "Count") });
    const server = await serve(lists([count]));
    const wire = new Wire(server.url);
    await wire.request("tools/list");
    const args = { count: 2 ** 53 };
    await expect(wire.request("tools/call", { name: "count", arguments: args })).rejects.toThrow(
      /Mcp-Param-Count/,
    );
    expect(server.of("tools/call")).toEqual([]);
  });
});

const invalid: readonly [id: string, tool: object][] = [
  ["XH-03", tool("empty", { a: annotated("string", "") })],
  ["XH-06", tool("object", { a: annotated("object", "A") })],
  ["XH-06", tool("array", { a: annotated("array", "A") })],
  ["XH-06", tool("null", { a: annotated("null", "A") })],
  ["XH-06", tool("number", { a: annotated("number", "A") })],
  ["XH-05", tool("twice", { a: annotated("string", "A"), b: annotated("string", "A") })],
  ["XH-05", tool("case", { a: annotated("string", "Aa"), b: annotated("string", "aA") })],
  ["XH-04", tool("blank", { a: annotated("string", "A B") })],
  ["XH-04", tool("colon", { a: annotated("string", "A:") })],
  ["XH-04", tool("accent", { a: annotated("string", "Ä") })],
  ["XH-04", tool("tab", { a: annotated("string", "A\tB") })],
  ["XH-08", tool("items", { a: { type: "array", items: annotated("string", "A") } })],
  ["XH-08", tool("any", {}, { anyOf: [{ properties: { a: annotated("string", "A") } }] })],
  ["XH-08", tool("defs", {}, { $defs: { a: annotated("string", "A") } })],
];

describe("tools with invalid annotations", () => {
  it.each(invalid)(
    "violate %s, are left out of the list and reported once, while others stay: %o (XH-09, H20)",
    async (_, bad) => {
      const { name } = bad as { name: string };
      const server = await serve(lists([region, bad]));
      const wire = new Wire(server.url);
      for (let round = 0; round < 2; round += 1) {
        const { result } = await wire.request("tools/list");
        expect(result.tools).toEqual([region]);
        expect(result.cacheScope).toBe("private");
      }
      expect(wire.reported.map(({ message }) => message)).toEqual([
        expect.stringMatching(new RegExp(`"${name}" is left out of the list: .*x-mcp-header`)),
      ]);
      await expect(wire.request("tools/call", { name })).rejects.toThrow(`"${name}" is not called`);
      expect(server.of("tools/call")).toEqual([]);
    },
  );

  it("can be used again after they are corrected (XH-09)", async () => {
    const server = await serve(lists([invalid[0]![1]], [tool("empty", {})]));
    const wire = new Wire(server.url);
    await wire.request("tools/list");
    const { result } = await wire.request("tools/list");
    expect(result.tools).toHaveLength(1);
    await wire.request("tools/call", { name: "empty" });
    expect(server.of("tools/call")).toHaveLength(1);
  });

  it("are searched for in no other list (XH-20)", async () => {
    const prompts = [{ name: "p", tools: [invalid[0]![1]] }];
    const server = await serve({
      "prompts/list": (seen, response) =>
        answer(response, seen, { prompts, tools: [invalid[0]![1]] }),
    });
    const wire = new Wire(server.url);
    const { result } = await wire.request("prompts/list");
    expect(result.tools).toHaveLength(1);
    expect(wire.reported).toEqual([]);
  });
});
