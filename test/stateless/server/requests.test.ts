import { revision as handshake } from "@mcp-codegen/2025-11-25";
import { revision, Server, type ServerContext } from "@mcp-codegen/2026-07-28";
import { Completions, Logging, Prompts, Tools } from "@mcp-codegen/2026-07-28/features";
import { afterEach, describe, expect, it } from "vitest";
import { requireCapability } from "../../../runtime/index.js";
import type { Session } from "../../../runtime/api/handlers.js";
import { META, RawClient, type Wire } from "./support/raw-client.js";
import { RevisionsServer } from "./support/servers.js";

const info = { name: "test", version: "1" };
const content = [{ type: "text" as const, text: "done" }];
const CALL = { name: "t" };

let client: RawClient;

afterEach(() => {
  expect(client.problems).toEqual([]);
});

type Work = (context: ServerContext) => unknown;

/** Creates a server with a tool that does the given work. */
function doing(work: Work, options: object = {}): Server {
  const handlers = {
    "tools/call": async (_params: unknown, context: ServerContext) => {
      await work(context);
      return { content };
    },
  };
  return new Server(info, handlers, options);
}

describe("a stateless request", () => {
  it("has its own session object with the data of its client (STATE-01, STATE-05)", async () => {
    const sessions: Session[] = [];
    const server = doing(({ session }) => {
      sessions.push(session);
    });
    client = await RawClient.of(server, revision);
    const first = { [META.clientCapabilities]: { sampling: {} } };
    const second = { [META.clientInfo]: undefined };
    await client.call(1, "tools/call", CALL, first);
    await client.call(2, "tools/call", CALL, second);
    const [one, other] = sessions;
    expect(one).not.toBe(other);
    expect(one!.id).toBeUndefined();
    expect(one!.revision.id).toBe("2026-07-28");
    expect(one!.peer).toEqual({
      info: { name: "raw", version: "1" },
      capabilities: { sampling: {} },
    });
    expect(other!.peer).toEqual({ info: undefined, capabilities: {} });
  });

  it("has one session object, which sends nothing", async () => {
    const outcomes: unknown[] = [];
    const server = doing(async (context) => {
      outcomes.push(context.session === context.session);
      outcomes.push(await context.session.request("roots/list").catch((error) => error.code));
      outcomes.push(await context.session.notify("x").catch((error) => error.code));
    });
    client = await RawClient.of(server, revision);
    await client.call(1, "tools/call", CALL);
    expect(outcomes).toEqual([true, "LIFECYCLE", "LIFECYCLE"]);
    expect(client.received).toHaveLength(1);
  });

  it("has a session object that closes with its connection", async () => {
    let session: Session | undefined;
    const server = doing((context) => {
      session = context.session;
    });
    client = await RawClient.of(server, revision);
    await client.call(1, "tools/call", CALL);
    await server.close();
    await expect(session!.closed).resolves.toBeUndefined();
  });

  it("sends progress before its response, and nothing afterwards (PROG-04)", async () => {
    let later: ServerContext | undefined;
    const server = doing((context) => {
      later = context;
      context.progress(0.5, 1, "half");
      context.progress(1, 1);
    });
    client = await RawClient.of(server, revision);
    await client.call(1, "tools/call", CALL, { progressToken: "p" });
    later!.progress(2);
    await expect(
      later!.notify("notifications/progress", { progressToken: "p", progress: 3 }),
    ).rejects.toMatchObject({ code: "LIFECYCLE" });
    const messages = await client.rest();
    expect(messages.map(({ method = "answer" }) => method).at(-1)).toBe("answer");
    expect(messages.length).toBeGreaterThan(1);
  });

  it("receives no change notifications, which belong to subscriptions (LIST-02, T6, STDIO-16)", async () => {
    const codes: string[] = [];
    const server = doing(
      async ({ notify }) => {
        await notify("notifications/tools/list_changed").catch(({ code }) => codes.push(code));
        const updated = { uri: "a:b" };
        await notify("notifications/resources/updated", updated).catch(({ code }) =>
          codes.push(code),
        );
      },
      { capabilities: { tools: { listChanged: true }, resources: { subscribe: true } } },
    );
    client = await RawClient.of(server, revision);
    await client.call(1, "tools/call", CALL);
    expect(codes).toEqual(["CAPABILITY", "CAPABILITY"]);
    expect(client.received).toHaveLength(1);
  });

  it("cannot send messages of the engine from a handler (CANC-12, LIST-03)", async () => {
    const codes: string[] = [];
    const server = doing(async ({ notify }) => {
      const send = notify as (method: string, params: object) => Promise<void>;
      const messages: [string, object][] = [
        ["notifications/cancelled", { requestId: 1 }],
        ["notifications/subscriptions/acknowledged", { notifications: {} }],
        ["notifications/unheard", {}],
      ];
      for (const message of messages) {
        await send(...message).catch(({ code }: { code: string }) => codes.push(code));
      }
    });
    client = await RawClient.of(server, revision);
    await client.call(1, "tools/call", CALL);
    expect(codes).toEqual(["CAPABILITY", "CAPABILITY", "CAPABILITY"]);
    expect(client.received).toHaveLength(1);
  });

  it("sends nothing after it was cancelled (CANC-13)", async () => {
    let context: ServerContext | undefined;
    const server = doing((one) => {
      context = one;
      return new Promise((resolve) => one.signal.addEventListener("abort", resolve));
    });
    client = await RawClient.of(server, revision);
    client.ask(1, "tools/call", CALL, { progressToken: 1 });
    await client.rest();
    client.tell("notifications/cancelled", { requestId: 1 });
    await client.rest();
    context!.progress(1);
    await context!.notify("notifications/progress", { progressToken: 1, progress: 2 });
    expect(await client.rest()).toEqual([]);
    expect(context!.signal.aborted).toBe(true);
  });

  it("completes arguments and renders prompts (COMP-02, PRM-02)", async () => {
    const completions = new Completions();
    const prompts = new Prompts({ completions });
    prompts.add(
      { name: "p", arguments: [{ name: "a" }] },
      ({ a = "" }) => ({ messages: [{ role: "user", content: { type: "text", text: a } }] }),
      { complete: { a: () => ["one", "two"] } },
    );
    client = await RawClient.of(
      new Server(info, {}, { features: [prompts, completions] }),
      revision,
    );
    const params = { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } };
    const { result } = await client.call(1, "completion/complete", params);
    expect(result.completion.values).toEqual(["one", "two"]);
    const got = await client.call(2, "prompts/get", { name: "p", arguments: { a: "x" } });
    expect(got.result.messages[0].content.text).toBe("x");
    const { result: discovered } = await client.call(3, "server/discover");
    expect(discovered.capabilities).toEqual({ prompts: { listChanged: true }, completions: {} });
  });
});

function talkative(): { server: Server; logging: Logging } {
  const logging = new Logging();
  const work: Work = (context) => {
    const log = logging.for(context);
    log("debug", "d");
    log("warning", "w");
    log("error", "e", "part");
  };
  return { server: doing(work, { features: [logging] }), logging };
}

async function logged(id: unknown, meta: object): Promise<Wire[]> {
  await client.rest();
  await client.call(id, "tools/call", CALL, meta);
  const messages = await client.rest();
  expect(messages.at(-1)).toHaveProperty("result");
  return messages.slice(0, -1).map(({ params }) => params.level);
}

describe("logging", () => {
  it("is declared (LOG-01)", async () => {
    client = await RawClient.of(talkative().server, revision);
    const { result } = await client.call(1, "server/discover");
    expect(result.capabilities).toEqual({ tools: {}, logging: {} });
  });

  it("sends nothing for a request without a level (LOG-06, STATE-01)", async () => {
    client = await RawClient.of(talkative().server, revision);
    expect(await logged(1, { [META.logLevel]: "debug" })).toHaveLength(3);
    expect(await logged(2, {})).toEqual([]);
  });

  it("sends messages at or above the level before the response (LOG-07)", async () => {
    client = await RawClient.of(talkative().server, revision);
    expect(await logged(1, { [META.logLevel]: "warning" })).toEqual(["warning", "error"]);
    expect(await logged(2, { [META.logLevel]: "emergency" })).toEqual([]);
  });

  it.each(["loud", "", 3, null])("refuses the level %j with -32602 (LOG-09)", async (level) => {
    client = await RawClient.of(talkative().server, revision);
    const { error } = await client.call(1, "tools/call", CALL, { [META.logLevel]: level });
    expect(error.code).toBe(-32602);
  });

  it("applies to handlers that send log messages themselves (LOG-06, LOG-07)", async () => {
    const server = doing(
      async ({ notify }) => {
        for (const level of ["info", "error"] as const) {
          await notify("notifications/message", { level, data: 1 }).catch(() => undefined);
        }
      },
      { capabilities: { logging: {} } },
    );
    client = await RawClient.of(server, revision);
    expect(await logged(1, {})).toEqual([]);
    expect(await logged(2, { [META.logLevel]: "error" })).toEqual(["error"]);
    expect(await logged(3, { [META.logLevel]: "info" })).toEqual(["info", "error"]);
  });

  it("sends nothing to a subscription (LOG-08, LIST-13)", async () => {
    const { server, logging } = talkative();
    client = await RawClient.of(server, revision);
    const meta = { [META.logLevel]: "debug", progressToken: 1 };
    client.ask(1, "subscriptions/listen", { notifications: {} }, meta);
    await client.rest();
    logging.log("emergency", "on fire");
    expect(await client.rest()).toEqual([]);
    await logged(2, {});
  });
});

function needs(path: string): Server {
  return doing((context) => requireCapability(context, path));
}

const askForUrl: Work = ({ request }) =>
  (request as (method: string, params: object) => Promise<unknown>)("elicitation/create", {
    mode: "url",
    message: "m",
    url: "https://a",
    elicitationId: "1",
  });

describe("client capabilities", () => {
  it.each([
    ["client.sampling", { sampling: {} }],
    ["client.elicitation.url", { elicitation: { url: {} } }],
    ["client.extensions.io/thing", { extensions: { "io/thing": {} } }],
  ])("lead to -32021 if %s is missing (ERR-06)", async (path, requiredCapabilities) => {
    client = await RawClient.of(needs(path), revision);
    const { error } = await client.call(1, "tools/call", CALL);
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities } });
    const declared = { [META.clientCapabilities]: requiredCapabilities };
    const { result } = await client.call(2, "tools/call", CALL, declared);
    expect(result.content).toEqual(content);
    const { error: again } = await client.call(3, "tools/call", CALL);
    expect(again.code).toBe(-32021);
  });

  it("are required by input requests too (ERR-06)", async () => {
    client = await RawClient.of(doing(askForUrl), revision);
    for (const own of [{}, { elicitation: {} }, { elicitation: { form: {} } }]) {
      const meta = { [META.clientCapabilities]: own };
      const { error } = await client.call(JSON.stringify(own), "tools/call", CALL, meta);
      expect(error.code).toBe(-32021);
      const wanted = "elicitation" in own ? { elicitation: { url: {} } } : { elicitation: {} };
      expect(error.data).toEqual({ requiredCapabilities: wanted });
    }
  });

  it("fail a tool if missing at a revision without that error (ERR-06)", async () => {
    const tools = new Tools();
    tools.add({ name: "t", inputSchema: { type: "object" } }, (_args, context) => {
      requireCapability(context, "client.sampling");
      return { content };
    });
    client = await RawClient.of(
      new RevisionsServer(
        [handshake, revision],
        info,
        {},
        { features: [tools], onerror: () => {} },
      ),
      handshake,
      revision,
    );
    const hello = { protocolVersion: handshake.id, capabilities: {}, clientInfo: info };
    client.say({ id: 1, method: "initialize", params: hello });
    await client.answerTo(1);
    client.tell("notifications/initialized");
    client.say({ id: 2, method: "tools/call", params: CALL });
    expect((await client.answerTo(2)).result.isError).toBe(true);
    expect((await client.call(3, "tools/call", CALL)).error.code).toBe(-32021);
  });
});
