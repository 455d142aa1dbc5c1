import { describe, expect, it } from "vitest";
import { emitClient, emitServer } from "../../generator/emit/sides.js";
import { Diagnostics } from "../../generator/diagnostics.js";
import { format } from "../../generator/format/format.js";
import type { Facts } from "../../generator/link/facts.js";
import type { OutputFile } from "../../generator/plan/file-plan.js";
import type { RevisionPlan } from "../../generator/plan/revision-plan.js";
import { type Messages, planOf, schemaWith } from "./schema.js";

async function clientOf(messages: Messages): Promise<string> {
  return (await format([emitClient(planOf(schemaWith(messages)))]))[0]!.text;
}

async function serverOf(messages: Messages): Promise<string> {
  return (await format([emitServer(planOf(schemaWith(messages)))]))[0]!.text;
}

/** Extracts the stubs, which are the text after the constructor. */
const stubs = (text: string): string =>
  /handlers, options(?:, \w+)?\);\n {2}\}\n(.*)\n\}\n$/s.exec(text)![1]!.trim();
/** Extracts the members of the handlers' interface. */
const handlers = (text: string): string => /Handlers \{\n(.*?)\n\}/s.exec(text)?.[1] ?? "";

describe("a stub", () => {
  it("of a request is named after its type and documented by it", async () => {
    const text = await clientOf({
      declarations: `
        /**
         * Adds, see {@link AddResult}.
         *
         * - one
         *
         * @deprecated Use add2.
         * @category add
         */
        export interface AddRequest extends Request { method: "math/add"; params: { n: string } }
        export interface AddResult extends Result { sum: string }`,
      clientRequests: ["AddRequest"],
      serverResults: ["AddResult"],
    });
    expect(stubs(text)).toBe(`/**
   * \`math/add\`: Adds, see {@link types.AddResult}.
   *
   * @deprecated Use add2.
   */
  add(params: types.AddRequestParams, options?: RequestOptions): Promise<types.AddResult> {
    return this.request("math/add", params, options);
  }`);
  });

  it("of a notification is called send", async () => {
    const text = await serverOf({
      declarations: `export interface GoneNotification extends Notification { method: "notifications/gone" }`,
      serverNotifications: ["GoneNotification"],
    });
    expect(stubs(text)).toBe(`/** \`notifications/gone\` */
  sendGone(params?: types.NotificationParams): Promise<void> {
    return this.notify("notifications/gone", params);
  }`);
  });

  it("of a paged request is followed by one for all pages", async () => {
    const text = await clientOf({
      declarations: `
        /** @deprecated Use trees. */
        export interface ListRequest extends Request { method: "list"; params?: { cursor?: string } }
        export interface ListResult extends Result { nextCursor?: string; leaves: { n: string }[] }`,
      clientRequests: ["ListRequest"],
      serverResults: ["ListResult"],
    });
    expect(stubs(text).split("\n\n")[1]).toBe(`  /**
   * \`list\`, page after page; each page is fetched when you reach its first item.
   *
   * @deprecated Use trees.
   */
  allLeaves(
    params?: types.ListRequestParams,
    options?: PageOptions,
  ): AsyncGenerator<types.ListResult["leaves"][number]> {
    return this.pages("list", "leaves", params, options);
  }`);
  });

  it("of a request that may become a task has a signature for each way to call it", async () => {
    const text = await clientOf({
      declarations: `
        /** Runs. */
        export interface RunRequest extends Request { method: "run"; params: RunParams }
        export interface RunParams { n: string; task?: TaskMetadata }
        export interface TaskMetadata { ttl?: string }
        export interface CreateTaskResult extends Result { id: string }
        export interface RunResult extends Result { ran: boolean }`,
      clientRequests: ["RunRequest"],
      serverResults: ["RunResult", "CreateTaskResult"],
    });
    expect(stubs(text)).toBe(`/** \`run\`: Runs. */
  run(
    params: types.RunParams & { task?: never },
    options?: RequestOptions,
  ): Promise<types.RunResult>;
  /** Starts a task and returns it immediately; the task has the result later. */
  run(
    params: types.RunParams & { task: types.TaskMetadata },
    options?: RequestOptions,
  ): Promise<types.CreateTaskResult>;
  /** Sends the request with or without \`task\`. */
  run(
    params: types.RunParams,
    options?: RequestOptions,
  ): Promise<types.RunResult | types.CreateTaskResult>;
  run(
    params: types.RunParams,
    options?: RequestOptions,
  ): Promise<types.RunResult | types.CreateTaskResult> {
    return this.request("run", params, options);
  }`);
  });

  it("has the first sentence of the documentation, wrapped again", async () => {
    const long = "word ".repeat(18).trim();
    const text = await clientOf({
      declarations: `/** ${long}\n * ${long}, e.g. this. More.\n *\n * End. */
        export interface ARequest extends Request { method: "${"m".repeat(20)}" }`,
      clientRequests: ["ARequest"],
    });
    const lines = stubs(text).split("\n");
    expect(lines[1]!.length).toBeGreaterThan(95);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(lines[1]).toMatch(/^ {3}\* `m+`: word/);
    expect(stubs(text)).toMatch(/word, e\.g\. this\.\n {3}\*\//);
  });
});

describe("handlers", () => {
  const declarations = `
    /**
     * Asks.
     *
     * At length.
     */
    export interface AskRequest extends Request { method: "ask"; params: { n: string } }
    /** @deprecated Silence. */
    export interface ToldNotification extends Notification { method: "notifications/told" }`;

  it("are the messages of the other side, by short names", async () => {
    const messages = { serverRequests: ["AskRequest"], serverNotifications: ["ToldNotification"] };
    expect(handlers(await clientOf({ declarations, ...messages }))).toBe(`  /** Asks. */
  ask?: RequestHandler<types.AskRequestParams, types.EmptyResult, ClientContext>;

  /** @deprecated Silence. */
  "notifications/told"?: NotificationHandler<types.NotificationParams | undefined, ClientContext>;`);
  });

  it("omit messages that the engine handles", async () => {
    expect(handlers(await serverOf({ declarations: "" }))).toBe("");
  });
});

/** The messages of a stateless revision, each of which carries what a session agrees on only once. */
const alone: Messages = {
  declarations: `
    export interface Meta { [key: string]: unknown; version: string }
    export interface RequestParams { _meta: Meta }
    export interface PageParams extends RequestParams { cursor?: string }
    export interface TypedResult extends Result { resultType: string }
    export interface ListRequest extends Request { method: "list"; params: PageParams }
    export interface ListResult extends TypedResult { leaves: string[]; nextCursor?: string; ttlMs: number; cacheScope?: string }
    export interface PickParams extends RequestParams { leaf: string }
    export interface PickRequest extends Request { method: "pick"; params: PickParams }
    export interface PickResult extends TypedResult { leaf: string }
    export interface InputRequiredResult extends TypedResult { inputRequests?: object }
    export interface PickResultResponse extends JSONRPCResponse { result: PickResult | InputRequiredResult }
    export interface ListResultResponse extends JSONRPCResponse { result: ListResult }`,
  clientRequests: ["ListRequest", "PickRequest"],
  serverResults: ["ListResult", "PickResult", "InputRequiredResult"],
};

describe("stubs of stateless requests", () => {
  const facts: Facts = {
    revision: "2099-01-01",
    traits: [{ trait: "resultType", value: true, reason: "r", source: "https://example.org/" }],
  };
  const textOf = async (emitted: (plan: RevisionPlan) => OutputFile): Promise<string> => {
    const schema = schemaWith(alone)
      .replaceAll("Initialize", "Discover")
      .replace('"initialize"', '"discover"')
      .replace(/params: \{ protocolVersion[^}]*\}/, "params: RequestParams")
      .replace("Result { protocolVersion: string", "Result { supportedVersions: string[]");
    const plan = planOf(schema, new Diagnostics(), facts);
    return (await format([emitted(plan)]))[0]!.text;
  };

  it("leave out the envelope, and return final results", async () => {
    const text = await textOf(emitClient);
    expect(stubs(text)).toContain(`  list(
    params?: GivenParams<types.PageParams>,
    options?: RequestOptions,
  ): Promise<types.ListResult> {`);
    expect(stubs(text)).toContain(
      "  pick(params: GivenParams<types.PickParams>, options?: RequestOptions): Promise<types.PickResult> {",
    );
  });

  it("omit server requests from the map of client requests", async () => {
    const text = await textOf(emitClient);
    const map = /export interface ClientOutgoing \{\n(.*?)\n\}/s.exec(text)?.[1];
    expect(map).toBe(
      `  list: { params?: GivenParams<types.PageParams>; result: types.ListResult };
  pick: { params: GivenParams<types.PickParams>; result: types.PickResult };
  discover: { params?: GivenParams<types.RequestParams>; result: types.DiscoverResult };`,
    );
    expect(text).toContain("HandlerContext<ClientOutgoing, types.ClientNotifications>");
    expect(text).toMatch(/extends ClientBase<\s*ClientOutgoing,/);
  });

  it("leave the envelope and input requests to the engine in handlers", async () => {
    const text = handlers(await textOf(emitServer)).replaceAll(/\s+/g, " ");
    expect(text).toContain(`SetOptional<types.ListResult, "resultType" | "ttlMs">`);
    expect(text).toContain(
      `SetOptional<types.PickResult, "resultType"> | MembersOf<types.InputRequiredResult> | InputRequired`,
    );
  });
});

it("a class that sends nothing has no imports for sending", async () => {
  const text = await serverOf({ declarations: "" });
  const imported = [
    ...text.matchAll(/^import (?:type )?\{(.*?)\} from "([^"]*\/runtime\/[^"]*)";/gms),
  ].map(([, names, from]) => [from, names!.split(",").flatMap((name) => name.trim() || [])]);
  expect(Object.fromEntries(imported)).toEqual({
    "@mcp-codegen/runtime/codegen": ["HandlerContext", "Middleware", "ServerOptions"],
    "@mcp-codegen/runtime/codegen/session-server": ["ServerBase", "serverHandshake"],
  });
});
