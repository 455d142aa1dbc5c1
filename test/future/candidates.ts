import { Draft } from "./draft.js";

/** A protocol change that could come next, with the way in which programs use it. */
interface Candidate {
  readonly name: string;
  /** The declarations that the change adds to the schema. */
  readonly added?: string;
  readonly change?: (draft: Draft) => void;
  /** Statements that offer the additions. `server` is available to them. */
  readonly offer?: string;
  /** Members of the client's handlers, which put everything that they receive into `received`. */
  readonly handlers?: string;
  /** Statements that use the additions and return what they found. `client` and `received` are available to them. */
  readonly use?: string;
  /** The expected result of these statements. */
  readonly found?: unknown;
}

/** The description of every added member. The texts of schemas play no part in these tests. */
const DOC = "Added by an invented revision.";

/** Adds one optional member to everything that is sent: parameters, results, capabilities, definitions and metadata. */
const anywhere: Candidate = {
  name: "an optional member in every object",
  change: (draft) => {
    for (const one of draft.interfaces) {
      const name = one.getName();
      const isClosed =
        one.getIndexSignatures().length > 0 ||
        /^JSONRPC|(?:Error|Request|Notification)$/.test(name);
      if (!isClosed) draft.member(name, "later?", "string", DOC);
    }
  },
  offer: `
    server.registerTool("later", { later: "tool" }, (ctx) => ({
      content: [{ type: "text", text: String(ctx.params?.later), later: "block" }],
      later: "result",
    }));`,
  use: `
    const { content, later } = await client.request("tools/call", { name: "later", later: "params" });
    return [content, later];`,
  found: [[{ type: "text", text: "params", later: "block" }], "result"],
};

const digests: Candidate = {
  name: "digests of definitions",
  added: "\nexport const STALE_DEFINITION = -32024;\n",
  change: (draft) =>
    void draft
      .member("CacheableResult", "digest?", "string", DOC)
      .member("RequestMetaObject", '"io.modelcontextprotocol/knownDigests"?', "string[]", DOC)
      .member("CallToolRequestParams", "knownDigests?", "string[]", DOC)
      .member("CallToolResult", "staleDigests?", "string[]", DOC),
  offer: `
    server.registerTool("digest", {}, (ctx) => ({
      content: [],
      staleDigests: (ctx.params as { knownDigests: string[] }).knownDigests.filter((one) => one !== "new"),
    }));
    server.setHandler("resources/list", async (params, _ctx, next) => {
      const listed = await next(params);
      return { ...listed, digest: "sha256:1" };
    });`,
  use: `
    const { staleDigests } = await client.request("tools/call", {
      name: "digest",
      knownDigests: ["old", "new"],
      _meta: { "io.modelcontextprotocol/knownDigests": ["a"] },
    });
    const { digest } = await client.request("resources/list", {});
    return [staleDigests, digest];`,
  found: [["old"], "sha256:1"],
};

const toolVersion: Candidate = {
  name: "a version of each tool, repeated by its calls",
  change: (draft) =>
    void draft
      .member("Tool", "version?", "string", DOC)
      .member("CallToolRequestParams", "version?", "string", DOC),
  offer: `
    server.registerTool("versioned", { version: "2" }, (ctx) => String(ctx.params?.version));`,
  use: `
    const { tools } = await client.listTools();
    const { version } = tools.find(({ name }) => name === "versioned")!;
    const { content } = await client.request("tools/call", { name: "versioned", version });
    return content;`,
  found: [{ type: "text", text: "2" }],
};

const etags: Candidate = {
  name: "entity tags of lists and resources",
  change: (draft) =>
    void draft
      .member("CacheableResult", "etag?", "string", DOC)
      .member("PaginatedRequestParams", "ifNoneMatch?", "string", DOC)
      .member("ReadResourceRequestParams", "ifNoneMatch?", "string", DOC),
  offer: `
    server.registerResource("tagged", "tag:///a", {}, (_uri, ctx) => ({
      contents: [{ uri: "tag:///a", text: "" }],
      etag: ctx.params?.ifNoneMatch === undefined ? "first" : "unchanged",
    }));`,
  use: `
    const first = await client.request("resources/read", { uri: "tag:///a" });
    const second = await client.request("resources/read", { uri: "tag:///a", ifNoneMatch: first.etag });
    const page = await client.request("tools/list", { ifNoneMatch: "x" });
    const next = await client.request("tools/list", { ifNoneMatch: "x", cursor: page.nextCursor });
    return [first.etag, second.etag, page.tools.length, next.tools.length];`,
  found: ["first", "unchanged", 2, 2],
};

const outputUnion: Candidate = {
  name: "a union of outputs in place of structured content",
  added: `
/** ${DOC} */
export interface JsonOutput { kind: "json"; value: unknown }
/** ${DOC} */
export interface TableOutput { kind: "table"; columns: string[]; rows: unknown[][] }
/** ${DOC} */
export type ToolOutput = JsonOutput | TableOutput;
`,
  change: (draft) =>
    void draft
      .removeMember("CallToolResult", "structuredContent")
      .member("CallToolResult", "output?", "ToolOutput", DOC),
  offer: `
    server.registerTool("table", {}, () => ({
      content: [{ type: "text", text: "A table" }],
      output: { kind: "table", columns: ["a"], rows: [[1]] },
    }));`,
  use: `
    const { output } = await client.callTool("table");
    return output?.kind === "table" ? output.rows : output;`,
  found: [[1]],
};

const partialResults: Candidate = {
  name: "partial results as notifications",
  added: `
/** ${DOC} */
export interface ToolChunkNotificationParams extends NotificationParams { progressToken: ProgressToken; index: number; content: ContentBlock[] }
/**
 * ${DOC}
 * @category notifications/tools/chunk
 */
export interface ToolChunkNotification extends JSONRPCNotification { method: "notifications/tools/chunk"; params: ToolChunkNotificationParams }
`,
  change: (draft) => void draft.extend("ServerNotification", "ToolChunkNotification"),
  offer: `
    server.registerTool("chunks", {}, async (ctx) => {
      for (const index of [0, 1]) {
        const content = [{ type: "text" as const, text: String(index) }];
        await ctx.notify("notifications/tools/chunk", { progressToken: "t", index, content });
      }
      return "whole";
    });`,
  handlers: `"notifications/tools/chunk": ({ index }) => void received.push(index),`,
  use: `
    await client.callTool("chunks");
    return [...received];`,
  found: [0, 1],
};

const search: Candidate = {
  name: "a search for tools",
  added: `
/** ${DOC} */
export interface SearchToolsRequestParams extends PaginatedRequestParams { query: string }
/** ${DOC} */
export interface SearchToolsRequest extends JSONRPCRequest { method: "tools/search"; params: SearchToolsRequestParams }
/** ${DOC} */
export interface SearchToolsResult extends PaginatedResult, CacheableResult { tools: Tool[] }
/** ${DOC} */
export interface SearchToolsResultResponse extends JSONRPCResultResponse { result: SearchToolsResult }
`,
  change: (draft) =>
    void draft
      .extend("ClientRequest", "SearchToolsRequest")
      .extend("ServerResult", "SearchToolsResult"),
  offer: `
    server.setHandler("tools/search", ({ query }) => ({
      tools: [{ name: query, inputSchema: { type: "object" } }],
    }));`,
  use: `
    const { tools } = await client.searchTools({ query: "x" });
    return tools.map(({ name }) => name);`,
  found: ["x"],
};

const lifecycle: Candidate = {
  name: "the lifecycle of subscriptions as one of their topics",
  added: `
/** ${DOC} */
export interface LifecycleNotificationParams extends NotificationParams { state: "draining" | "expiring"; expiresAt?: string }
/**
 * ${DOC}
 * @category notifications/lifecycle
 */
export interface LifecycleNotification extends JSONRPCNotification { method: "notifications/lifecycle"; params: LifecycleNotificationParams }
`,
  change: (draft) =>
    void draft
      .member("SubscriptionFilter", "lifecycle?", "boolean", DOC)
      .extend("ServerNotification", "LifecycleNotification"),
  offer: `
    server.registerTool("drain", {}, async (ctx) => {
      await ctx.notify("notifications/lifecycle", { state: "draining" });
      return "";
    });`,
  handlers: `"notifications/lifecycle": ({ state }) => void received.push(state),`,
  use: `
    await client.callTool("drain");
    return [...received];`,
  found: ["draining"],
};

const tokenEnds: Candidate = {
  name: "streams that end with their token",
  added: "\nexport const AUTHORIZATION_EXPIRED = -32025;\n",
  change: (draft) =>
    void draft
      .member("SubscriptionsAcknowledgedNotificationParams", "expiresAt?", "string", DOC)
      .member("SubscriptionsListenRequestParams", "renew?", "boolean", DOC)
      .member("SubscriptionsListenResult", "reason?", '"expired" | "closed"', DOC),
};

const requiredCapabilities: Candidate = {
  name: "required capabilities in the metadata of tools",
  added: `
/** ${DOC} */
export interface ToolMetaObject extends MetaObject { "io.modelcontextprotocol/requiredCapabilities"?: ClientCapabilities }
`,
  change: (draft) =>
    void draft.removeMember("Tool", "_meta").member("Tool", "_meta?", "ToolMetaObject", DOC),
  offer: `
    server.registerTool("asks", {
      _meta: { "io.modelcontextprotocol/requiredCapabilities": { elicitation: { form: {} } } },
    }, () => "");`,
  use: `
    const { tools } = await client.listTools();
    return tools.find(({ name }) => name === "asks")!._meta;`,
  found: { "io.modelcontextprotocol/requiredCapabilities": { elicitation: { form: {} } } },
};

const errorCodes: Candidate = {
  name: "error codes with data",
  added: `
export const QUOTA_EXCEEDED = -32026;
/**
 * ${DOC}
 * @category Errors
 */
export interface QuotaExceededError extends Omit<JSONRPCErrorResponse, "error"> {
  error: Error & { code: typeof QUOTA_EXCEEDED; data: { retryAfterMs: number } };
}
`,
  offer: `
    server.registerTool("quota", {}, () => {
      throw new RpcError(-32026, "Too many calls", { retryAfterMs: 5 });
    });`,
  use: `
    const failure = await client.callTool("quota").catch((error: unknown) => error);
    return failure instanceof RpcError ? [failure.code, failure.data] : String(failure);`,
  found: [-32026, { retryAfterMs: 5 }],
};

/**
 * A change that makes the mode required. The tour's tool `ask` sends a form without a mode, as programs written earlier
 * do.
 */
const requiredMode: Candidate = {
  name: "a mode that every form states",
  change: (draft) => void draft.require("ElicitRequestFormParams", "mode"),
};

/** A revision with several of these changes, as real revisions have. */
export interface Combination {
  readonly name: string;
  readonly schema: string;
  /** The module from which a program takes the additions. */
  readonly module: string;
  readonly found: readonly unknown[];
}

/** Revisions with the changes that the protocol's roadmap suggests, and one with an addition in every place. */
export const combinations: readonly Combination[] = [
  [anywhere],
  [digests, toolVersion, requiredCapabilities, errorCodes],
  [etags, outputUnion, requiredMode],
  [partialResults, search, lifecycle, tokenEnds],
].map(combined);

function combined(candidates: readonly Candidate[]): Combination {
  const draft = new Draft(candidates.map(({ added = "" }) => added).join(""));
  for (const { change } of candidates) change?.(draft);
  const texts = (of: (one: Candidate) => string | undefined): string =>
    candidates.map((one) => of(one) ?? "").join("");
  const uses = candidates.map(
    ({ use }) => `
    received.length = 0;
    found.push(await (async (): Promise<unknown> => {${use ?? "return null;"}})());`,
  );
  return {
    name: candidates.map(({ name }) => name).join(", "),
    schema: draft.text,
    module: `
import { type ConnectOptions, type McpClient, type McpServer, RpcError } from "@mcp-codegen/universal";
const received: unknown[] = [];
export const handlers: NonNullable<ConnectOptions["handlers"]> = {${texts(({ handlers }) => handlers)}};
export function offer(server: McpServer): void {${texts(({ offer }) => offer)}
  void server;
}
export async function use(client: McpClient): Promise<unknown> {
  void [client, RpcError];
  const found: unknown[] = [];${uses.join("")}
  return found;
}
`,
    found: candidates.map(({ found }) => found ?? null),
  };
}
