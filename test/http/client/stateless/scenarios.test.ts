import { describe, expect, it } from "vitest";
import { revision } from "../../../../generated/2026-07-28/index.js";
import { RpcError } from "../../../../runtime/wire/errors.js";
import { connected, answerWith, discovered, done, listed, refuseWith } from "./support/scripted.js";
import { complete, event, resultFor, stream, until } from "./support/wire.js";

const VERSION = "io.modelcontextprotocol/protocolVersion";

const annotated = (type: string, name: string): object => ({ type, "x-mcp-header": name });

const toolWith = (type: string, name: string) => ({
  name: `tool ${type} ${name}`,
  inputSchema: { type: "object", properties: { region: annotated(type, name) } },
});

/** Scenarios from the official client suite, with its checks. */
describe("request-metadata", () => {
  it("every request names its sender and revision (META-09, META-10, META-11, HDR-01)", async () => {
    const { server, client } = await connected(
      { "tools/list": answerWith(listed("tools", [])) },
      { "roots/list": () => ({ roots: [] }), "elicitation/create": () => ({ action: "decline" }) },
    );
    await client.listTools();
    expect(server.seen.map(({ body }) => body.method)).toEqual(["server/discover", "tools/list"]);
    for (const { headers, body } of server.seen) {
      expect(headers["mcp-protocol-version"]).toBe(revision.id);
      expect(body.params["_meta"]).toMatchObject({
        [VERSION]: revision.id,
        "io.modelcontextprotocol/clientInfo": { name: "ours", version: "1.0.0" },
        "io.modelcontextprotocol/clientCapabilities": { roots: {}, elicitation: {} },
      });
    }
  });

  it("a first request that is refused with 400 and -32022 is sent again with a revision of the server (VER-03)", async () => {
    let count = 0;
    const { server, client } = await connected({
      "server/discover": (seen, response) => {
        count += 1;
        const data = { supported: [revision.id], requested: seen.body.params["_meta"][VERSION] };
        const handle = count === 1 ? refuseWith(400, -32022, data) : answerWith(discovered());
        return handle(seen, response);
      },
    });
    expect(client.revision).toBe(revision.id);
    const [first, second] = server.seen;
    expect(second!.headers["mcp-protocol-version"]).toBe(revision.id);
    expect(second!.body.params["_meta"][VERSION]).toBe(revision.id);
    expect(second!.body.id).not.toBe(first!.body.id);
    expect(server.seen).toHaveLength(2);
  });
});

describe("sep-2322-client-request-state", () => {
  const inputRequests = {
    confirm: {
      method: "elicitation/create",
      params: {
        mode: "form",
        message: "Sure?",
        requestedSchema: { type: "object", properties: { confirmed: { type: "boolean" } } },
      },
    },
  };
  const accept = { action: "accept" as const, content: { confirmed: true } };

  it("a request state is returned unchanged, in a request with a new id, and nowhere else", async () => {
    const requestState = 'opaque/+= "日本語"\\u0000';
    const { server, client } = await connected(
      {
        "tools/call": (seen, response) => {
          const { name, inputResponses } = seen.body.params;
          const isFirst = inputResponses === undefined && name !== "unrelated";
          const state = name === "state" ? { requestState } : {};
          const asking = { resultType: "input_required", inputRequests, ...state };
          return answerWith(isFirst ? asking : done)(seen, response);
        },
      },
      { "elicitation/create": () => accept },
    );
    await client.callTool({ name: "state", arguments: {} });
    await client.callTool({ name: "none", arguments: {} });
    await client.callTool({ name: "unrelated", arguments: {} });
    const calls = server.of("tools/call").map(({ body }) => body);
    expect(calls).toHaveLength(5);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(5);
    expect(calls[1].params).toMatchObject({ requestState, inputResponses: { confirm: accept } });
    expect(calls[3].params.inputResponses).toEqual({ confirm: accept });
    expect(calls[3].params).not.toHaveProperty("requestState");
    for (const { params } of [calls[0], calls[2], calls[4]]) {
      expect(params).not.toHaveProperty("requestState");
      expect(params).not.toHaveProperty("inputResponses");
    }
  });

  it("an input request may be the last message of a stream or a JSON body (MRTR-22)", async () => {
    const { server, client } = await connected(
      {
        "tools/call": (seen, response) => {
          if (seen.body.params.inputResponses) return answerWith(done)(seen, response);
          stream(response);
          response.end(event(resultFor(seen, { resultType: "input_required", inputRequests })));
        },
      },
      { "elicitation/create": () => accept },
    );
    await client.callTool({ name: "streamed", arguments: {} });
    const [, second] = server.of("tools/call").map(({ body }) => body.params);
    expect(second.inputResponses).toEqual({ confirm: accept });
  });

  it("a result without resultType is final, whatever other members it has", async () => {
    const { server, client } = await connected(
      { "tools/call": answerWith({ inputRequests, requestState: "s", content: [] }) },
      { "elicitation/create": () => accept },
    );
    await client.callTool({ name: "t", arguments: {} });
    expect(server.of("tools/call")).toHaveLength(1);
  });
});

describe("http-standard-headers", () => {
  it("every request has its method and its name (HDR-07, HDR-08)", async () => {
    const { server, client } = await connected({
      "tools/list": answerWith(listed("tools", [])),
      "tools/call": answerWith(done),
      "resources/list": answerWith(listed("resources", [])),
      "resources/read": answerWith(listed("contents", [])),
      "prompts/list": answerWith(listed("prompts", [])),
      "prompts/get": answerWith(complete({ messages: [] })),
    });
    const uri = "file:///path/to/file%20name.txt";
    await client.listTools();
    await client.callTool({ name: "test_headers", arguments: {} });
    await client.listResources();
    await client.readResource({ uri });
    await client.listPrompts();
    await client.getPrompt({ name: "test_prompt" });
    const names = {
      "tools/call": "test_headers",
      "resources/read": uri,
      "prompts/get": "test_prompt",
    };
    expect(server.seen).toHaveLength(7);
    for (const { headers, body } of server.seen) {
      expect(headers["mcp-method"]).toBe(body.method);
      expect(headers["mcp-name"]).toBe(names[body.method as keyof typeof names]);
    }
  });
});

describe("http-custom-headers", () => {
  const tool = {
    name: "test_custom_headers",
    inputSchema: {
      type: "object",
      properties: {
        region: annotated("string", "Region"),
        priority: annotated("integer", "Priority"),
        verbose: annotated("boolean", "Verbose"),
        method: annotated("string", "Method"),
        query: { type: "string" },
        float_val: { type: "number" },
      },
    },
  };

  it("annotated arguments are sent, except null, and schemas are passed on (XH-02, XH-12)", async () => {
    const { server, client } = await connected({
      "tools/list": answerWith(listed("tools", [tool])),
      "tools/call": answerWith(done),
    });
    await client.listTools();
    const args = {
      region: "",
      priority: 42,
      verbose: true,
      method: "a\nb",
      query: "q",
      float_val: 1.5,
    };
    await client.callTool({ name: tool.name, arguments: args });
    await client.callTool({ name: tool.name, arguments: { verbose: null } });
    const [first, second] = server.of("tools/call").map(({ headers, body }) => ({
      params: Object.entries(headers).filter(([name]) => name.startsWith("mcp-param-")),
      sent: body.params.arguments,
    }));
    expect(Object.fromEntries(first!.params)).toEqual({
      "mcp-param-region": "",
      "mcp-param-priority": "42",
      "mcp-param-verbose": "true",
      "mcp-param-method": "=?base64?YQpi?=",
    });
    expect(first!.sent).toEqual(args);
    expect(second).toEqual({ params: [], sent: { verbose: null } });
  });

  it("a header mismatch makes the client fetch the list again, once (XH-16)", async () => {
    let revised = false;
    const renamed = {
      ...tool,
      inputSchema: { type: "object", properties: { region: annotated("string", "Area") } },
    };
    const { server, client } = await connected({
      "tools/list": (seen, response) =>
        answerWith(listed("tools", [revised ? renamed : tool]))(seen, response),
      "tools/call": (seen, response) => {
        const fits = seen.headers["mcp-param-area"] === "eu";
        return (fits ? answerWith(done) : refuseWith(400, -32020))(seen, response);
      },
    });
    await client.listTools();
    revised = true;
    await client.callTool({ name: tool.name, arguments: { region: "eu" } });
    expect(server.of("tools/call")).toHaveLength(2);
    const stuck = client.callTool({ name: tool.name, arguments: { region: "us" } });
    await expect(stuck).rejects.toMatchObject({ code: -32020 });
    await expect(stuck).rejects.toBeInstanceOf(RpcError);
    expect(server.of("tools/call")).toHaveLength(4);
  });
});

describe("http-invalid-tool-headers", () => {
  it("the valid tools of a list can be called, and the excluded ones are reported (XH-09, H20)", async () => {
    const valid = toolWith("string", "Region");
    const bad = [
      ["string", ""],
      ["string", "a b"],
      ["string", "ä"],
      ["object", "A"],
    ].map(([type, name]) => toolWith(type!, name!));
    const { server, client, errors } = await connected({
      "tools/list": answerWith(listed("tools", [bad[0]!, valid, ...bad.slice(1)])),
      "tools/call": answerWith(done),
    });
    const { tools } = await client.listTools();
    for (const { name } of tools)
      await client.callTool({ name, arguments: { region: "us-west1" } });
    for (const { name } of bad) {
      await expect(client.callTool({ name })).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
    }
    expect(server.of("tools/call").map(({ body }) => body.params.name)).toEqual([valid.name]);
    expect(errors).toHaveLength(4);
  });
});

describe("json-schema", () => {
  it("schemas arrive unchanged, and no reference is fetched", async () => {
    const inputSchema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: { a: { $anchor: "a", type: "string" } },
      properties: { a: { $ref: "#/$defs/a" }, b: { $ref: "http://127.0.0.1:9/canary.json" } },
      allOf: [{ if: { required: ["a"] }, else: false }],
      unevaluatedProperties: false,
    };
    const { server, client } = await connected({
      "tools/list": answerWith(listed("tools", [{ name: "t", inputSchema }])),
      "tools/call": answerWith(done),
    });
    const { tools } = await client.listTools();
    expect(tools[0]!.inputSchema).toEqual(inputSchema);
    await client.callTool({ name: "t", arguments: { schema: tools[0]!.inputSchema } });
    expect(server.of("tools/call")[0]!.body.params.arguments.schema).toEqual(inputSchema);
    expect(server.seen.every(({ path }) => path === "/mcp")).toBe(true);
  });
});

describe("cancelled requests", () => {
  it("close their stream without a message after a timeout or an abort (CANC-09, CANC-11)", async () => {
    const { server, client } = await connected({
      "tools/call": (_, response) => stream(response),
      "tools/list": answerWith(listed("tools", [])),
    });
    const late = client.callTool({ name: "t", arguments: {} }, { timeout: 100 });
    await expect(late).rejects.toThrow("within 100 ms");
    const controller = new AbortController();
    const aborted = client.callTool({ name: "t", arguments: {} }, { signal: controller.signal });
    await server.nth("tools/call", 2);
    controller.abort(new Error("enough"));
    await expect(aborted).rejects.toThrow("enough");
    await until(() => server.streaming() === 0);
    await client.listTools();
    expect(server.of("notifications/cancelled")).toEqual([]);
  });

  it("receive notifications on their own stream", async () => {
    const { client } = await connected({
      "tools/call": (seen, response) => {
        const { progressToken } = seen.body.params["_meta"];
        const params = { progressToken, progress: 1, total: 2 };
        stream(response, event({ jsonrpc: "2.0", method: "notifications/progress", params }));
        response.end(event(resultFor(seen, done)));
      },
    });
    const notifications: unknown[] = [];
    await client.callTool(
      { name: "t", arguments: {} },
      { onprogress: (one) => notifications.push(one) },
    );
    expect(notifications).toEqual([{ progress: 1, total: 2 }]);
  });
});
