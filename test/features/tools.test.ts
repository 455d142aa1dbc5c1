import { afterEach, describe, expect, it } from "vitest";
import { Cursors, type ToolDefinition, ToolError, Tools } from "../../runtime/features/index.js";
import { RpcError } from "../../runtime/wire/errors.js";
import { connect, connected, type Connected, handshakes, settled } from "./support/revisions.js";
import { any, failure, isStructured, schemas, text, twoNumbers } from "./support/tools.js";

const noSuchCity = () => {
  throw new ToolError("There is no such city: try one of its neighbours");
};

describe.each(handshakes)("tools at %s", (_, revision) => {
  let open: Connected | undefined;

  async function serve(tools: Tools): Promise<Connected> {
    open = await connected(revision, { features: [tools] });
    return open;
  }

  afterEach(async () => {
    expect(open?.traffic.problems).toEqual([]);
    await open?.client.close();
    open = undefined;
  });

  const call = (name: string, args?: unknown): Promise<Record<string, never>> =>
    open!.client.request("tools/call", args === undefined ? { name } : { name, arguments: args });

  it("are declared, listed and called (TOOL-01, TOOL-02)", async () => {
    const tools = new Tools({ schemas });
    tools.add({ name: "add", inputSchema: twoNumbers }, ({ a, b }) =>
      text(`${Number(a) + Number(b)}`),
    );
    const { client } = await serve(tools);
    expect(client.server?.capabilities).toMatchObject({ tools: { listChanged: true } });
    const { tools: listed } = await client.request("tools/list");
    expect(listed).toEqual([{ name: "add", inputSchema: twoNumbers }]);
    expect(await call("add", { a: 1, b: 2 })).toEqual(text("3"));
  });

  it("are listed with unchanged schemas (SCH-11, TOOL-32, TOOL-33)", async () => {
    const inputSchema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: { address: { $anchor: "address", type: "object" } },
      properties: {
        home: { $ref: "#address" },
        region: { type: "string", "x-mcp-header": "Region" },
      },
      if: { required: ["home"] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword
      then: { required: ["name"] },
      else: { maxProperties: 1 },
      additionalProperties: false,
    };
    const tools = new Tools({ schemas });
    tools.add({ name: "keep", inputSchema }, () => text(""));
    const before = JSON.stringify(inputSchema);
    const { client } = await serve(tools);
    await call("keep", {}).catch(() => undefined);
    const listed = await client.request("tools/list");
    expect(JSON.stringify(listed.tools[0].inputSchema)).toBe(before);
  });

  it("are listed as an empty list if there are none", async () => {
    const { client } = await serve(new Tools());
    expect(await client.request("tools/list")).toEqual({ tools: [] });
  });

  it("pass the arguments, the context and the parameters to the handler", async () => {
    const tools = new Tools();
    const seen: unknown[] = [];
    tools.add({ name: "look", inputSchema: any }, (args, context, params) => {
      seen.push(args, context.session.revision.id, params.name);
      return text("");
    });
    await serve(tools);
    await call("look");
    await call("look", { x: 1 });
    const { id } = revision.revision;
    expect(seen).toEqual([{}, id, "look", { x: 1 }, id, "look"]);
  });

  it("refuse an unknown tool with -32602 (TOOL-20)", async () => {
    await serve(new Tools());
    const error = await failure(call("no such tool"));
    expect(error.code).toBe(-32602);
    expect(error.message).toContain('"no such tool"');
    expect((await failure(call("x".repeat(100_000)))).message.length).toBeLessThan(300);
  });

  it.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
    "may be named %s (I13)",
    async (name) => {
      const tools = new Tools();
      const { client } = await serve(tools);
      const unknown = await failure(call("nothing"));
      const error = await failure(call(name));
      expect(error.code).toBe(unknown.code);
      expect(error.message).toBe(unknown.message.replace("nothing", name));
      tools.add({ name, inputSchema: any }, () => text("here"));
      expect(await call(name)).toEqual(text("here"));
      expect((await client.request("tools/list")).tools).toEqual([{ name, inputSchema: any }]);
    },
  );

  it.each([["a string"], [[1]], [null], [7]])(
    "refuse arguments %j with -32602 (I14)",
    async (args) => {
      const tools = new Tools();
      tools.add({ name: "tool", inputSchema: any }, () => text(""));
      const { client, traffic } = await serve(tools);
      expect((await failure(call("tool", args))).code).toBe(-32602);
      expect(traffic.problems).not.toEqual([]);
      traffic.problems.length = 0;
      expect(await client.request("tools/call", { name: "tool" })).toEqual(text(""));
    },
  );

  it.each([
    [{}, "/a: expected number, received nothing"],
    [{ a: 1, b: "2" }, '/b: expected number, received "2"'],
    [{ a: 1, b: 2, c: 3 }, "/c: expected nothing, received 3"],
    [undefined, "/a: expected number"],
  ])(
    "refuse arguments %j as the revision requires (TOOL-10, TOOL-21, TOOL-22, S05)",
    async (args, problem) => {
      const tools = new Tools({ schemas });
      let calls = 0;
      tools.add({ name: "add", inputSchema: twoNumbers }, () => {
        calls += 1;
        return text("");
      });
      await serve(tools);
      if (revision.revision.conventions.toolInputErrors === "result") {
        const result = await call("add", args);
        expect(result).toMatchObject({ isError: true, content: [{ type: "text" }] });
        expect(JSON.stringify(result)).toContain(JSON.stringify(problem).slice(1, -1));
      } else {
        const error = await failure(call("add", args));
        expect(error.code).toBe(-32602);
        expect(error.message).toContain(problem);
      }
      expect(calls).toBe(0);
    },
  );

  it("send structured content if the revision has it, and as text (TOOL-17, TOOL-18)", async () => {
    const tools = new Tools({ schemas });
    tools.add({ name: "plain", inputSchema: any }, () => ({ structuredContent: { sum: 3 } }));
    tools.add({ name: "both", inputSchema: any }, async () => ({
      ...text("three"),
      structuredContent: { sum: 3 },
    }));
    await serve(tools);
    const structured = isStructured(revision) ? { structuredContent: { sum: 3 } } : {};
    expect(await call("plain")).toEqual({ ...text('{"sum":3}'), ...structured });
    const both = { content: [...text("three").content, ...text('{"sum":3}').content] };
    expect(await call("both")).toEqual({ ...both, ...structured });
  });

  it("add no text that exists already, and none if that is switched off (TOOL-17)", async () => {
    const own = new Tools({ schemas, structuredText: false });
    own.add({ name: "said", inputSchema: any }, () => ({
      ...text("three"),
      structuredContent: { sum: 3 },
    }));
    own.add({ name: "silent", inputSchema: any }, () => ({ structuredContent: { sum: 3 } }));
    await serve(own);
    expect(await call("said")).toMatchObject(text("three"));
    expect(await call("silent")).toMatchObject(text('{"sum":3}'));
    const tools = new Tools({ schemas });
    tools.add({ name: "same", inputSchema: any }, () => ({
      ...text('{\n  "sum": 3\n}'),
      structuredContent: { sum: 3 },
    }));
    await serve(tools);
    expect(await call("same")).toMatchObject(text('{\n  "sum": 3\n}'));
  });

  it("turn a ToolError into a result for the model (TOOL-23)", async () => {
    const tools = new Tools();
    tools.add({ name: "now", inputSchema: any }, noSuchCity);
    tools.add({ name: "later", inputSchema: any }, async () => noSuchCity());
    const { errors } = await serve(tools);
    const expected = { ...text("There is no such city: try one of its neighbours"), isError: true };
    expect(await call("now")).toEqual(expected);
    expect(await call("later")).toEqual(expected);
    expect(errors).toEqual([]);
  });

  it("answer with a thrown RpcError unchanged", async () => {
    const tools = new Tools();
    tools.add({ name: "now", inputSchema: any }, () => {
      throw new RpcError(-5, "No", { why: 1 });
    });
    tools.add({ name: "later", inputSchema: any }, () => Promise.reject(new RpcError(-6, "Never")));
    await serve(tools);
    expect(await failure(call("now"))).toMatchObject({ code: -5, message: "No", data: { why: 1 } });
    expect(await failure(call("later"))).toMatchObject({ code: -6 });
  });

  const cyclic = new Error("secret /etc/passwd");
  cyclic.cause = cyclic;
  const thrown: readonly unknown[] = [
    new Error("secret /etc/passwd"),
    "secret",
    undefined,
    null,
    Object.freeze(new TypeError("secret")),
    cyclic,
    {
      toString: () => {
        throw new Error("secret");
      },
    },
    7n,
  ];
  it.each(thrown.map((value, index) => [index, value]))(
    "turn any other thrown value into an error result without details (case %i) (I15, ERR-11)",
    async (_index, value) => {
      const tools = new Tools();
      tools.add({ name: "now", inputSchema: any }, () => {
        throw value;
      });
      tools.add({ name: "later", inputSchema: any }, () => Promise.reject(value));
      const { errors, traffic } = await serve(tools);
      for (const name of ["now", "later"]) {
        expect(await call(name)).toEqual({ ...text(`The tool "${name}" failed`), isError: true });
      }
      expect(errors.map(({ message }) => message)).toEqual([
        expect.stringContaining('the tool "now"'),
        expect.stringContaining('the tool "later"'),
      ]);
      const said = traffic.sent.filter(({ from }) => from === "server");
      expect(JSON.stringify(said)).not.toContain("secret");
    },
  );

  it("include details of failures if an option says so", async () => {
    const tools = new Tools({ errorText: (error, tool) => `${tool}: ${String(error)}` });
    tools.add({ name: "bad", inputSchema: any }, () => Promise.reject("no luck"));
    await serve(tools);
    expect(await call("bad")).toEqual({ ...text("bad: no luck"), isError: true });
  });

  const self: Record<string, unknown> = {};
  self["self"] = self;
  it.each([
    ["undefined", undefined],
    ["a bigint", { ...text(""), _meta: { big: 1n } }],
    ["a cycle", { ...text(""), _meta: self }],
    ["a string", "hello"],
    ["no content", {}],
  ])("answer with -32603 if a handler returns %s (I15)", async (_what, value) => {
    const tools = new Tools();
    tools.add({ name: "bad", inputSchema: any }, () => value as object);
    tools.add({ name: "good", inputSchema: any }, () => text("good"));
    const { errors } = await serve(tools);
    const error = await failure(call("bad"));
    expect(error).toMatchObject({ code: -32603, message: "Internal error" });
    expect(errors).toHaveLength(1);
    expect(await call("good")).toEqual(text("good"));
  });

  it("send one change notification per turn, and list the new set (TOOL-03)", async () => {
    const tools = new Tools({ schemas });
    const { client, traffic } = await serve(tools);
    const changes = () => traffic.notified("notifications/tools/list_changed").length;
    const names = async () =>
      (await client.request("tools/list")).tools.map(({ name }: ToolDefinition) => name);

    const first = tools.add({ name: "first", inputSchema: any }, () => text("1"));
    const second = tools.add({ name: "second", inputSchema: any }, () => text("2"));
    await settled();
    expect(changes()).toBe(1);
    expect(await names()).toEqual(["first", "second"]);

    first.disable();
    await settled();
    expect(changes()).toBe(2);
    expect(await names()).toEqual(["second"]);
    expect((await failure(call("first"))).code).toBe(-32602);

    first.enable();
    first.update({ name: "renamed", inputSchema: twoNumbers }, () => text("new"));
    await settled();
    expect(changes()).toBe(3);
    expect(await names()).toEqual(["renamed", "second"]);
    expect(await call("renamed", { a: 1, b: 2 })).toEqual(text("new"));
    expect((await failure(call("first"))).code).toBe(-32602);

    second.remove();
    second.remove();
    second.enable();
    await settled();
    expect(changes()).toBe(4);
    expect(await names()).toEqual(["renamed"]);
    expect(first.definition.name).toBe("renamed");
  });

  it("are listed page by page in the order of registration, across changes (PAGE-01, S08, TOOL-05)", async () => {
    const tools = new Tools({ pageSize: 2, cursors: new Cursors() });
    for (let index = 0; index < 5; index++) {
      tools.add({ name: `tool-${index}`, inputSchema: any }, () => text(""));
    }
    const { client } = await serve(tools);
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.request("tools/list", cursor === undefined ? {} : { cursor });
      names.push(...page.tools.map(({ name }: ToolDefinition) => name));
      if (cursor === undefined) tools.add({ name: "late", inputSchema: any }, () => text(""));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(names).toEqual(["tool-0", "tool-1", "tool-2", "tool-3", "tool-4", "late"]);
    const error = await failure(client.request("tools/list", { cursor: "forged" }));
    expect(error.code).toBe(-32602);
  });

  it("are shared between forks, which all send change notifications", async () => {
    const tools = new Tools();
    const { server, traffic } = await serve(tools);
    const info = { name: "second", version: "1" };
    const client = new revision.Client(info, {}, {});
    const other = await connect(revision.revision, client, server.fork());
    tools.add({ name: "shared", inputSchema: any }, () => text("here"));
    await settled();
    for (const seen of [traffic, other]) {
      expect(seen.notified("notifications/tools/list_changed")).toHaveLength(1);
    }
    expect(await client.request("tools/call", { name: "shared" })).toEqual(text("here"));
    await client.close();
  });

  it("belong to one server", async () => {
    const tools = new Tools();
    await serve(tools);
    const again = () => new revision.Server({ name: "x", version: "1" }, {}, { features: [tools] });
    expect(again).toThrow(TypeError);
  });
});

it("the revisions include both ways to report invalid arguments", () => {
  const ways = handshakes.map(([, one]) => one.revision.conventions.toolInputErrors);
  expect(new Set(ways)).toEqual(new Set(["error", "result"]));
});
