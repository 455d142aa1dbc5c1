import * as theirs from "@modelcontextprotocol/server";
import * as version1 from "@modelcontextprotocol/sdk/types.js";
import { UriTemplate as TheirTemplate } from "@modelcontextprotocol/sdk/shared/uriTemplate.js";
import * as names from "@modelcontextprotocol/sdk/shared/toolNameValidation.js";
import * as ours from "@mcp-codegen/sdk/server";
import { revisions } from "@mcp-codegen/universal";
import { describe, expect, it } from "vitest";

type Guard = (value: unknown) => boolean;
const theirsByName: Readonly<Record<string, unknown>> = theirs;
const oursByName: Readonly<Record<string, unknown>> = ours;

describe("constants", () => {
  const same = Object.entries(theirs).filter(
    ([name, value]) => /^[A-Z_]+$/.test(name) && typeof value !== "object",
  );
  it.each(same.filter(([name]) => name in ours))("%s", (name, value) => {
    expect((ours as Record<string, unknown>)[name]).toBe(value);
  });

  it("name the revisions with sessions, except for one that was never published", () => {
    const published = theirs.SUPPORTED_PROTOCOL_VERSIONS.filter((id) => id !== "2024-10-07");
    expect(ours.SUPPORTED_PROTOCOL_VERSIONS).toEqual(published);
    const known = revisions.map(({ id }) => id);
    expect(ours.SUPPORTED_PROTOCOL_VERSIONS.filter((id) => !known.includes(id))).toEqual([]);
  });
});

const VALUES: unknown[] = [
  { jsonrpc: "2.0", id: 1, method: "ping" },
  { jsonrpc: "2.0", id: null, method: "ping" },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: "a", result: {} },
  { jsonrpc: "2.0", id: 1, error: { code: 1, message: "x" } },
  { jsonrpc: "2.0", error: { code: 1, message: "x" } },
  { jsonrpc: "1.0", id: 1, method: "ping" },
  {
    method: "initialize",
    params: { protocolVersion: "x", capabilities: {}, clientInfo: { name: "a", version: "1" } },
  },
  { jsonrpc: "2.0", id: 1, method: "initialize", params: {} },
  {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "x", capabilities: {}, clientInfo: { name: "a", version: "1" } },
  },
  { content: [] },
  { content: [{ type: "text", text: "x" }], structuredContent: {} },
  { structuredContent: {} },
  { resultType: "input_required", requestState: "x" },
  { task: { ttl: 1 } },
  [],
  null,
  "text",
];
const GUARDS = [
  "isJSONRPCRequest",
  "isJSONRPCNotification",
  "isJSONRPCResultResponse",
  "isJSONRPCErrorResponse",
  "isJSONRPCResponse",
  "isInitializeRequest",
  "isInitializedNotification",
  "isCallToolResult",
  "isInputRequiredResult",
  "isTaskAugmentedRequestParams",
] as const;

function outcomeOf(assert: unknown, type: string): string {
  try {
    (assert as (request: object) => void)({ params: { ref: { type, name: "a", uri: "a" } } });
    return "passes";
  } catch (error) {
    return (error as Error).message;
  }
}

describe("guards", () => {
  it.each(GUARDS)("%s decides in the same way as that of the official SDK", (name) => {
    for (const value of VALUES) {
      const [own, other] = [oursByName[name] as Guard, theirsByName[name] as Guard];
      expect([value, own(value)]).toEqual([value, other(value)]);
    }
  });

  it("parse messages, and reject invalid ones", () => {
    const message = { jsonrpc: "2.0", id: 1, method: "ping" };
    expect(ours.parseJSONRPCMessage(message)).toEqual(message);
    expect(() => ours.parseJSONRPCMessage({ id: 1 })).toThrow();
    expect(ours.isJSONRPCError).toBe(ours.isJSONRPCErrorResponse);
    expect(version1.isJSONRPCError({})).toBe(false);
  });

  it.each(["assertCompleteRequestPrompt", "assertCompleteRequestResourceTemplate"])(
    "%s distinguishes completions of prompts from those of templates",
    (name) => {
      for (const type of ["ref/prompt", "ref/resource"]) {
        expect(outcomeOf(oursByName[name], type)).toBe(outcomeOf(theirsByName[name], type));
      }
    },
  );

  it("know the types of the specification", () => {
    expect(ours.isSpecType.Tool({ name: "a", inputSchema: { type: "object" } })).toBe(true);
    expect(ours.isSpecType.Tool({ name: "a" })).toBe(false);
    expect(ours.specTypeSchemas.Tool).toBe(ours.ToolSchema);
    const lacking = Object.keys(theirs.specTypeSchemas).filter(
      (name) => !(name in ours.specTypeSchemas),
    );
    expect(lacking).toEqual([]);
  });
});

describe("URI templates", () => {
  const cases: [string, string[]][] = [
    ["file:///{path}", ["file:///a", "file:///a/b", "http://x", "file:///a%20b"]],
    ["users/{id}/posts/{post}", ["users/1/posts/2", "users/1/posts/", "users/1"]],
    ["files{+path}", ["files/a/b", "files"]],
    ["search{?q,page}", ["search?q=a&page=2"]],
    ["plain", ["plain", "other"]],
  ];
  it.each(cases)("%s match as those of the official SDK", (template, uris) => {
    const [own, other] = [new ours.UriTemplate(template), new TheirTemplate(template)];
    expect(own.variableNames).toEqual(other.variableNames);
    expect(String(own)).toBe(String(other));
    for (const uri of uris) expect([uri, own.match(uri)]).toEqual([uri, other.match(uri)]);
    const values = { path: "a b", id: "1", post: "x/y", q: "a&b", page: "2" };
    if (!template.includes("+")) expect(own.expand(values)).toBe(other.expand(values));
    expect(ours.UriTemplate.isTemplate(template)).toBe(TheirTemplate.isTemplate(template));
  });
});

describe("small helpers", () => {
  it("find the display name", () => {
    for (const tool of [
      { name: "a" },
      { name: "a", title: "A" },
      { name: "a", title: "" },
      { name: "a", annotations: { title: "B" } },
    ]) {
      expect(ours.getDisplayName(tool)).toBe(theirs.getDisplayName(tool));
    }
  });

  it("recognise JSON by its media type", () => {
    for (const type of [
      null,
      "",
      "application/json",
      "Application/JSON; charset=utf-8",
      "text/plain",
      "application/json+x",
    ]) {
      expect([type, ours.isJsonContentType(type)]).toEqual([type, theirs.isJsonContentType(type)]);
    }
  });

  it("merge capabilities", () => {
    const [base, more] = [
      { tools: { listChanged: true }, logging: {} },
      { tools: {}, prompts: { listChanged: false } },
    ];
    expect(ours.mergeCapabilities(base, more)).toEqual(theirs.mergeCapabilities(base, more));
  });

  it("distinguish resources", () => {
    for (const [requestedResource, configuredResource] of [
      ["https://a.example/mcp", "https://a.example/mcp"],
      ["https://a.example/mcp/x", "https://a.example/mcp"],
      ["https://a.example/mcp2", "https://a.example/mcp"],
      ["https://b.example/mcp", "https://a.example/mcp"],
      ["https://a.example/", "https://a.example/mcp"],
    ] as const) {
      const given = { requestedResource, configuredResource };
      expect(ours.checkResourceAllowed(given)).toBe(theirs.checkResourceAllowed(given));
    }
    expect(ours.resourceUrlFromServerUrl("https://a.example/x#y").href).toBe("https://a.example/x");
  });

  it("check the names of tools", () => {
    for (const name of ["add", "", "a b", "-a", "a.b", "ä", "x".repeat(129)]) {
      expect([name, ours.validateToolName(name).isValid]).toEqual([
        name,
        names.validateToolName(name).isValid,
      ]);
    }
  });

  it("create schemas from JSON Schemas", () => {
    const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
    const { validate, jsonSchema } = ours.fromJsonSchema<{ a: number }>(schema)["~standard"];
    expect(validate({ a: 1 })).toEqual({ value: { a: 1 } });
    expect(validate({ a: "1" })).toMatchObject({ issues: [{ path: ["a"] }] });
    expect(jsonSchema.input({ target: "draft-2020-12" })).toBe(schema);
    const own = {
      getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "no" }),
    };
    expect(ours.fromJsonSchema(schema, own as never)["~standard"].validate(1)).toEqual({
      issues: [{ message: "no" }],
    });
  });

  it("allow input_required results in a schema", () => {
    const { validate } = ours.withInputRequired(ours.CallToolResultSchema)["~standard"];
    const asking = { resultType: "input_required", requestState: "x" };
    expect(validate(asking)).toEqual({ value: asking });
    expect(validate({ content: 1 })).toHaveProperty("issues");
  });

  it("add headers to a fetch", async () => {
    const seen: Headers[] = [];
    const fetch = ours.createFetchWithInit(
      async (_, init) => (seen.push(new Headers(init?.headers)), new Response()),
      { headers: { a: "1", b: "1" } },
    );
    await fetch("https://a.example", { headers: { b: "2" } });
    expect([...seen[0]!]).toEqual([
      ["a", "1"],
      ["b", "2"],
    ]);
  });
});

describe("lines of messages", () => {
  it("are split however the chunks are cut, and skipped if they are not JSON", () => {
    const buffer = new ours.ReadBuffer();
    buffer.append(Buffer.from('debug output\n{"jsonrpc":"2.0","meth'));
    expect(buffer.readMessage()).toBeNull();
    buffer.append(Buffer.from('od":"ü"}\r\n{"jsonrpc":"2.0","id":1,"method":"b"}\n'));
    expect(buffer.readMessage()).toEqual({ jsonrpc: "2.0", method: "ü" });
    expect(buffer.readMessage()).toMatchObject({ method: "b" });
    expect(buffer.readMessage()).toBeNull();
  });

  it("have a length limit, and are messages", () => {
    const buffer = new ours.ReadBuffer({ maxBufferSize: 5 });
    expect(() => buffer.append(Buffer.from("123456"))).toThrow("5 bytes (option maxBufferSize)");
    buffer.append(Buffer.from("{}\n"));
    expect(() => buffer.readMessage()).toThrow();
    const message = { jsonrpc: "2.0" as const, method: "a" };
    expect(ours.deserializeMessage(ours.serializeMessage(message))).toEqual(message);
  });
});

describe("documents of OAuth", () => {
  const metadata = {
    issuer: "https://a.example",
    authorization_endpoint: "https://a.example/authorize",
    token_endpoint: "https://a.example/token",
    response_types_supported: ["code"],
    extra: 1,
  };
  const cases: [keyof typeof ours & `${string}Schema`, unknown][] = [
    ["OAuthMetadataSchema", metadata],
    ["OAuthMetadataSchema", { ...metadata, token_endpoint: "javascript:alert(1)" }],
    ["OAuthMetadataSchema", { ...metadata, response_types_supported: undefined }],
    ["OAuthTokensSchema", { access_token: "a", token_type: "Bearer", expires_in: "3600" }],
    ["OAuthTokensSchema", { access_token: "a" }],
    ["OAuthClientMetadataSchema", { redirect_uris: ["https://a.example/cb"], logo_uri: "" }],
    ["OAuthClientMetadataSchema", { redirect_uris: ["data:text/html,x"] }],
    [
      "OAuthClientInformationFullSchema",
      { client_id: "a", redirect_uris: ["http://localhost/cb"] },
    ],
    ["OAuthClientInformationFullSchema", { redirect_uris: ["http://localhost/cb"] }],
    [
      "OAuthProtectedResourceMetadataSchema",
      { resource: "https://a.example/mcp", authorization_servers: ["https://b.example"] },
    ],
    ["OAuthProtectedResourceMetadataSchema", { resource: "nonsense" }],
    ["OAuthErrorResponseSchema", { error: "invalid_grant" }],
  ];
  it.each(cases)("%s of %j is accepted or rejected as by the official SDK", async (name, value) => {
    const core = (await import("@modelcontextprotocol/core")) as never as Record<
      string,
      { safeParse(given: unknown): { success: boolean } }
    >;
    const own = (oursByName[name] as ours.Schema).safeParse(value);
    expect(own.success).toBe(core[name]!.safeParse(value).success);
  });

  it("have numbers, also if a server writes strings", () => {
    const tokens = { access_token: "a", token_type: "Bearer", expires_in: "3600" };
    expect(ours.OAuthTokensSchema.parse(tokens).expires_in).toBe(3600);
  });
});

describe("inputResponse", () => {
  const accepted = { action: "accept", content: { n: 1 } };
  const sampled = { role: "assistant", content: { type: "text", text: "" }, model: "m" };
  const responses = { a: accepted, b: { action: "cancel" }, c: sampled, d: { roots: [] }, e: {} };

  it.each([
    ["a", { kind: "elicit", ...accepted }],
    ["b", { kind: "elicit", action: "cancel" }],
    ["c", { kind: "sampling", result: sampled }],
    ["d", { kind: "roots", roots: [] }],
    ["e", { kind: "missing" }],
    ["f", { kind: "missing" }],
  ])("returns the kind of %s", (name, view) => {
    expect(ours.inputResponse(responses, name)).toEqual(view);
  });
});
